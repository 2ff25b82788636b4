import { useSignal } from "@preact/signals";
import { t, word } from "../i18n";
import type { Effect, Face } from "../model";
import { doc, edit, table, vocabulary } from "../store/desk";
import { addEffect, changeEffect } from "../store/edits";
import { begun, isWhole } from "../store/forms";
import { readTerm, type Term, writeTerm } from "../terms";
import { Choose, Stepper } from "./fields";
import { TermEditor } from "./TermForm";

const TURN = "turn";
/** How long an effect of a position may last, besides the end of a turn by its number (docs/contract.md). */
const TIMES = ["leaves", "end_of_turn"] as const;

interface Props {
  item: Face;
  done: () => void;
  /** the place of an effect that is changed; left out: a new one is laid */
  place?: number;
}

/** Lays an effect on a card or changes one: the ability by the vocabulary, its source, how long it lasts. */
export function EffectForm({ item, done, place }: Props) {
  const words = vocabulary.value;
  const old = place === undefined ? undefined : doc.value.effects?.[place];
  const first = old === undefined ? words && begun(words, "ability", "mod") : readTerm(old.ability);
  const term = useSignal<Term>(first ?? { name: "", args: [] });
  const source = useSignal(old?.source ?? "");
  const until = useSignal<string>(typeof old?.until === "number" ? TURN : (old?.until ?? "leaves"));
  const turn = useSignal(typeof old?.until === "number" ? old.until : (doc.value.turn ?? 1));
  const since = useSignal(old?.since ?? 0);
  const spent = useSignal(old?.spent ?? 0);
  if (words === null) return null;
  const lay = (event: Event) => {
    event.preventDefault();
    const effect: Effect = { card: item.id, ability: writeTerm(term.value) };
    if (source.value !== "") effect.source = source.value;
    if (old?.controller !== undefined) effect.controller = old.controller;
    if (until.value === TURN) effect.until = turn.value;
    else if (until.value !== "leaves") effect.until = until.value;
    if (spent.value > 0) effect.spent = spent.value;
    if (place === undefined) edit(addEffect(doc.value, effect), "did_effect");
    else edit(changeEffect(doc.value, place, { ...effect, since: since.value }), "did_effect_change");
    done();
  };
  return (
    <form class="effect-form" onSubmit={lay} aria-label={t("add_effect")}>
      <TermEditor
        sort="ability"
        term={term.value}
        change={(next) => {
          term.value = next;
        }}
      />
      <Choose
        name={t("source")}
        value={source.value}
        options={[
          ["", t("no_source")],
          ...table.value.map((each) => [each.id, `${each.name} (${each.id})`] as const),
        ]}
        set={(id) => {
          source.value = id;
        }}
      />
      <Choose
        name={t("until")}
        value={until.value}
        options={[...TIMES.map((each) => [each, word(each)] as const), [TURN, t("until_turn")]]}
        set={(each) => {
          until.value = each;
        }}
      />
      {until.value === TURN && (
        <Stepper
          name={t("turn")}
          least={1}
          value={turn.value}
          set={(number) => {
            turn.value = number;
          }}
        />
      )}
      {place !== undefined && (
        <Stepper
          name={t("since")}
          value={since.value}
          set={(number) => {
            since.value = number;
          }}
        />
      )}
      <Stepper
        name={t("used_up")}
        value={spent.value}
        set={(number) => {
          spent.value = number;
        }}
      />
      <div class="buttons">
        <button type="submit" class="primary" disabled={!isWhole(term.value)}>
          {t(place === undefined ? "lay" : "save")}
        </button>
        <button type="button" class="plain" onClick={done}>
          {t("cancel")}
        </button>
      </div>
    </form>
  );
}
