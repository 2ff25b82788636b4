import { signal } from "@preact/signals";
import { lazy, Suspense } from "preact/compat";
import { useRef } from "preact/hooks";
import { api } from "../api";
import { actionWords, known, t, word } from "../i18n";
import { type Doc, type Edition, EDITIONS, emptyTable, face, isClassic, opponent } from "../model";
import { catalogue, change, doc, edit, history, lang, open, samples, table, vocabulary } from "../store/desk";
import { renamePlayer, setPlayer, setTable } from "../store/edits";
import { attempt, copyLink, problem, read, save } from "../store/files";
import { parseAction } from "../terms";
import { Choose, Field, Stepper } from "./fields";
import { Icon } from "./icons";
import { abilityShort } from "./short";
import { Trouble } from "./Verdicts";

// the writer of YAML comes when it is asked for
const RulingForm = lazy(() => import("./RulingForm"));

const ruling = signal(false);

export function Position() {
  const file = useRef<HTMLInputElement>(null);
  return (
    <div class="position">
      <div class="buttons">
        <button type="button" class="plain" onClick={() => file.current?.click()}>
          <Icon name="file" /> {t("open_file")}
        </button>
        <input
          ref={file}
          type="file"
          accept=".yaml,.yml,.json"
          hidden
          aria-label={t("open_file")}
          onChange={(event) => {
            const [chosen] = event.currentTarget.files ?? [];
            event.currentTarget.value = "";
            if (chosen) void attempt(() => read(chosen));
          }}
        />
        <button type="button" class="plain" onClick={() => void attempt(() => save("yaml"))}>
          {t("save_yaml")}
        </button>
        <button type="button" class="plain" onClick={() => void attempt(() => save("json"))}>
          {t("save_json")}
        </button>
        <button type="button" class="plain" onClick={() => void attempt(copyLink)}>
          <Icon name="link" /> {t("share")}
        </button>
        <button
          type="button"
          class="plain"
          aria-expanded={ruling.value}
          onClick={() => {
            ruling.value = !ruling.value;
          }}
        >
          <Icon name="scales" /> {t("save_ruling")}
        </button>
        <button type="button" class="plain" onClick={() => open(emptyTable("heroes"), "from_new")}>
          <Icon name="plus" /> {t("new_heroes")}
        </button>
        <button type="button" class="plain" onClick={() => open(emptyTable("classic"), "from_new")}>
          <Icon name="plus" /> {t("new_classic")}
        </button>
      </div>
      {problem.value && <Trouble problem={problem.value} />}
      {ruling.value && (
        <Suspense fallback={<p class="quiet">…</p>}>
          <RulingForm
            done={() => {
              ruling.value = false;
            }}
          />
        </Suspense>
      )}
      <details class="samples-box">
        <summary>
          {t("samples")} · {samples.value.length}
        </summary>
        <ul class="samples">
          {samples.value.map((each) => (
            <li key={each.id}>
              <button
                type="button"
                onClick={() =>
                  void attempt(async () =>
                    open(
                      { edition: each.edition, ...(await api.sample(lang.value, each.id)).state },
                      "from_sample",
                    ),
                  )
                }
              >
                <code>{each.id}</code>
                <span class="quiet">{each.about[lang.value]}</span>
              </button>
            </li>
          ))}
        </ul>
      </details>
      <Values />
      <Past />
    </div>
  );
}

function Values() {
  const { edition = "heroes", turn = 1, active, phase, result, players, pending } = doc.value;
  const put = (patch: Partial<Doc>) => edit(setTable(doc.value, patch), "did_table");
  const ids = Object.keys(players);
  return (
    <section class="fields" aria-label={t("table_values")}>
      <h3>{t("table_values")}</h3>
      <Choose
        name={t("edition")}
        value={edition}
        options={EDITIONS.map((each) => [each, word(each)])}
        set={(each) => put({ edition: each as Edition })}
      />
      <Stepper name={t("turn")} least={1} value={turn} set={(number) => put({ turn: number })} />
      <Choose
        name={t("active")}
        value={active}
        options={ids.map((each) => [each, each])}
        set={(each) => put({ active: each })}
      />
      {!isClassic(doc.value) && (
        <Choose
          name={t("phase")}
          value={phase ?? "main"}
          options={(vocabulary.value?.phases ?? [])
            .filter((each) => each !== "choice")
            .map((each) => [each, word(each)])}
          set={(each) => put({ phase: each })}
        />
      )}
      <Choose
        name={t("result")}
        value={result ?? ""}
        options={[
          ["", t("none")],
          ...ids.map((each) => [each, t("over_won", { player: each })] as const),
          ["draw", t("draw")],
        ]}
        set={(each) => put({ result: each || null })}
      />
      {!isClassic(doc.value) && <Attack key={JSON.stringify(pending ?? null)} />}
      {ids.map((id) => (
        <PlayerValues id={id} key={id} />
      ))}
    </section>
  );
}

function Attack() {
  const { active, pending } = doc.value;
  const other = opponent(doc.value, active);
  const own = table.value.filter(
    (item) => item.zone === "play" && item.controller === active && item.type === "creature",
  );
  const enemies = table.value.filter(
    (item) => item.zone === "play" && item.controller === other && ["hero", "creature"].includes(item.type),
  );
  const names = (list: typeof own): [string, string][] =>
    list.map((item) => [item.id, `${item.name} (${item.id})`]);
  const [first, target] = [own[0]?.id, enemies[0]?.id];
  if (!pending)
    return (
      <button
        type="button"
        class="plain"
        disabled={first === undefined || target === undefined}
        onClick={() =>
          edit(
            setTable(doc.value, { pending: { attacker: first as string, target: target as string } }),
            "did_table",
          )
        }
      >
        {t("attack_announce")}
      </button>
    );
  const put = (patch: Partial<typeof pending>) =>
    edit(setTable(doc.value, { pending: { ...pending, ...patch } }), "did_table");
  return (
    <fieldset>
      <legend>{t("attack")}</legend>
      <Choose
        name={t("attacker")}
        value={pending.attacker}
        options={names(own)}
        set={(attacker) => put({ attacker })}
      />
      <Choose
        name={t("target")}
        value={pending.target}
        options={names(enemies)}
        set={(each) => put({ target: each })}
      />
      <button
        type="button"
        class="link"
        onClick={() => edit(setTable(doc.value, { pending: null }), "did_table")}
      >
        {t("attack_off")}
      </button>
    </fieldset>
  );
}

function PlayerValues({ id }: { id: string }) {
  const values = doc.value.players[id] ?? {};
  const put = (patch: Parameters<typeof setPlayer>[2]) => edit(setPlayer(doc.value, id, patch), "did_player");
  return (
    <fieldset>
      <legend>{id}</legend>
      <Field name={t("player_name")}>
        <input
          class="mono"
          value={id}
          pattern="[a-z][a-z0-9_]*"
          onChange={(event) => {
            const to = event.currentTarget.value.trim();
            if (event.currentTarget.validity.valid && to !== "")
              edit(renamePlayer(doc.value, id, to), "did_player");
            else event.currentTarget.value = id;
          }}
        />
      </Field>
      {!isClassic(doc.value) && (
        <>
          <Stepper
            name={t("coins")}
            value={values.coins ?? 0}
            set={(coins) =>
              put({ coins, coins_total: Math.max(coins, values.coins_total ?? values.coins ?? 0) })
            }
          />
          <Stepper
            name={t("coins_total")}
            value={values.coins_total ?? values.coins ?? 0}
            set={(coins_total) => put({ coins_total, coins: Math.min(values.coins ?? 0, coins_total) })}
          />
        </>
      )}
      <details>
        <summary>{t("more_values")}</summary>
        {!isClassic(doc.value) &&
          (["missed", "drawn", "attacks", "known_top"] as const).map((key) => (
            <Stepper
              key={key}
              name={t(key)}
              value={values[key] ?? 0}
              set={(number) => put({ [key]: number })}
            />
          ))}
        <Choose
          name={t("deck_order")}
          value={values.deck_order ?? "known"}
          options={[
            ["known", t("known")],
            ["unknown", t("unknown")],
          ]}
          set={(order) => put({ deck_order: order === "known" ? undefined : "unknown" } as never)}
        />
      </details>
    </fieldset>
  );
}

/** What was done so far; any position of it can be gone back to. */
function Past() {
  const { past, now } = history.value;
  if (past.length === 0) return null;
  const moments = [...past, now];
  const told = (moment: (typeof moments)[number], at: number): string => {
    if (moment.action) return actionIn(moments[at - 1]?.doc, moment.action);
    const what = known(moment.told) ? t(moment.told) : moment.told;
    const before = moments[at - 1]?.doc;
    const which = before && moment.told.startsWith("did_") ? differs(before, moment.doc) : "";
    return which === "" ? what : `${what}: ${which}`;
  };
  return (
    <section>
      <h3>{t("history")}</h3>
      <ol class="past">
        {past.map((moment, index) => (
          <li key={index}>
            <button type="button" class="link" onClick={() => change({ type: "back_to", index })}>
              {told(moment, index)}
            </button>
          </li>
        ))}
        <li aria-current="step">{told(now, past.length)}</li>
      </ol>
    </section>
  );
}

const NAMED = ["wounds", "extra_life", "chips", "closed", "acted", "attacked", "defended", "hidden"] as const;

/** Which cards are not as they were, and in what. */
function differs(before: Doc, after: Doc): string {
  const ids = Object.keys({ ...before.cards, ...after.cards });
  const here = (doc: Doc): ReadonlySet<string> => new Set(doc.effects?.map((each) => JSON.stringify(each)));
  const [old, now] = [here(before), here(after)];
  const effects = [...(before.effects ?? []), ...(after.effects ?? [])].filter(
    (each) => old.has(JSON.stringify(each)) !== now.has(JSON.stringify(each)),
  );
  const cards = ids.filter((id) => JSON.stringify(before.cards[id]) !== JSON.stringify(after.cards[id]));
  if (cards.length === 0 && effects.length > 0)
    return effects.map((each) => `${nameIn(after, each.card)}: ${abilityShort(each.ability)}`).join(", ");
  return cards
    .slice(0, 3)
    .map((id) => {
      const [one, other] = [before.cards[id], after.cards[id]];
      const marks =
        one && other
          ? NAMED.filter((key) => one[key] !== other[key]).map((key) =>
              typeof (other[key] ?? one[key]) === "number"
                ? `${t(key)} ${other[key] ?? 0}`
                : `${other[key] ? "" : "− "}${t(key)}`,
            )
          : [];
      const name = nameIn(id in after.cards ? after : before, id);
      return marks.length > 0 ? `${name} (${marks.join(", ").toLocaleLowerCase(lang.value)})` : name;
    })
    .join(", ");
}

const nameIn = (where: Doc, id: string): string => face(where, id, catalogue.value, lang.value)?.name ?? id;

/** An action in the words of the position in which it was declared. */
function actionIn(where: Doc | undefined, action: string): string {
  const { verb, args } = parseAction(action);
  return actionWords(verb, args, (id) => (where ? nameIn(where, id) : id));
}
