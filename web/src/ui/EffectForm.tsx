import { useSignal } from "@preact/signals";
import { t, word } from "../i18n";
import type { Effect, Face } from "../model";
import { doc, edit, table, vocabulary } from "../store/desk";
import { addEffect } from "../store/edits";
import { begun, isWhole } from "../store/forms";
import { writeTerm } from "../terms";
import { Choose } from "./fields";
import { TermEditor } from "./TermForm";

const TURN = "turn";
/** How long an effect of a position may last, besides the end of a turn by its number (docs/contract.md). */
const TIMES = ["leaves", "end_of_turn"] as const;

/** Lays an effect on a card: the ability by the vocabulary, its source, how long it lasts. */
export function EffectForm({ item, done }: { item: Face; done: () => void }) {
  const words = vocabulary.value;
  const term = useSignal(words === null ? { name: "", args: [] } : begun(words, "ability", "mod"));
  const source = useSignal("");
  const until = useSignal("leaves");
  const turn = useSignal(doc.value.turn ?? 1);
  if (words === null) return null;
  const lay = (event: Event) => {
    event.preventDefault();
    const effect: Effect = { card: item.id, ability: writeTerm(term.value) };
    if (source.value !== "") effect.source = source.value;
    if (until.value === TURN) effect.until = turn.value;
    else if (until.value !== "leaves") effect.until = until.value;
    edit(addEffect(doc.value, effect), "did_effect");
    done();
  };
  return (
    <form class="effect-form" onSubmit={lay} aria-label={t("add_effect")}>
      <TermEditor sort="ability" term={term.value} change={(next) => { term.value = next; }} />
      <Choose name={t("source")} value={source.value} options={[["", t("no_source")], ...table.value.map((each) => [each.id, `${each.name} (${each.id})`] as const)]} set={(id) => { source.value = id; }} />
      <Choose name={t("until")} value={until.value} options={[...TIMES.map((each) => [each, word(each)] as const), [TURN, t("until_turn")]]} set={(each) => { until.value = each; }} />
      {until.value === TURN && <label class="field"><span>{t("turn")}</span><input type="number" min="1" value={turn.value} onInput={(event) => { turn.value = Number(event.currentTarget.value) || 1; }} /></label>}
      <div class="buttons">
        <button type="submit" class="primary" disabled={!isWhole(term.value)}>{t("lay")}</button>
        <button type="button" class="plain" onClick={done}>{t("cancel")}</button>
      </div>
    </form>
  );
}
