import { useSignal } from "@preact/signals";
import { t, word } from "../i18n";
import { type Card, ELEMENTS, type Face, isClassic, side, type Zone, ZONES } from "../model";
import { choose, doc, edit, selected, table } from "../store/desk";
import { moveCard, removeCard, removeEffect, renameCard, setCard } from "../store/edits";
import { begun, isWhole } from "../store/forms";
import { vocabulary } from "../store/desk";
import { writeTerm } from "../terms";
import { effectsOn } from "./CardView";
import { EffectForm } from "./EffectForm";
import { Choose, Field, Mark, Stepper } from "./fields";
import { Icon } from "./icons";
import { cardName, untilWords } from "./names";
import { TermEditor } from "./TermForm";
import { Gloss } from "./Tip";

export function CardPanel() {
  const item = table.value.find((each) => each.id === selected.value);
  if (item === undefined)
    return (
      <div>
        <p class="quiet">{t("choose_card")}</p>
      </div>
    );
  return (
    <div class="card-panel" key={item.id}>
      <Heading item={item} />
      <Placing item={item} />
      {item.zone === "play" && <Marks item={item} />}
      {item.zone === "play" && <Effects item={item} />}
      <Printed item={item} />
      <button
        type="button"
        class="plain danger"
        onClick={() => {
          edit(removeCard(doc.value, item.id), "did_remove");
          choose(null);
        }}
      >
        <Icon name="cross" /> {t("remove")}
      </button>
    </div>
  );
}

const set = (item: Face, patch: Partial<Card>): void => edit(setCard(doc.value, item.id, patch), "did_mark");

function Heading({ item }: { item: Face }) {
  const wrong = useSignal(false);
  return (
    <>
      <div class="panel-head">
        <h2>{item.name}</h2>
        {item.zone === "play" && (
          <button type="button" class="plain" onClick={() => set(item, { closed: !item.card.closed })}>
            <Icon name="turn" /> {t(item.card.closed ? "open" : "close")}
          </button>
        )}
      </div>
      <Field name={t("id")}>
        <input
          class="mono"
          value={item.id}
          aria-invalid={wrong.value}
          onChange={(event) => {
            const to = event.currentTarget.value.trim();
            wrong.value = to !== item.id && (!/^[a-z][a-z0-9_]*$/.test(to) || to in doc.value.cards);
            if (wrong.value || to === item.id) return;
            edit(renameCard(doc.value, item.id, to), "did_rename");
            choose(to);
          }}
        />
      </Field>
      {wrong.value && (
        <p class="trouble" role="alert">
          {t("id_taken")}
        </p>
      )}
    </>
  );
}

function Placing({ item }: { item: Face }) {
  const players = Object.keys(doc.value.players).map((each) => [each, each] as const);
  const move = (player: string, zone: Zone) =>
    edit(moveCard(doc.value, item.id, { player, zone }), "did_move");
  const [x, y] = item.card.cell ?? [1, 1];
  const together = table.value
    .filter((each) => each.zone === item.zone && side(each) === side(item))
    .map((each) => each.id);
  const at = together.indexOf(item.id);
  const [before, after] = [together[at - 1], together[at + 1]];
  return (
    <section class="fields" aria-label={t("place")}>
      <h3>{t("place")}</h3>
      <Choose
        name={t("zone")}
        value={item.zone}
        options={ZONES.map((each) => [each, word(each)])}
        set={(zone) => move(side(item), zone as Zone)}
      />
      <Choose
        name={item.zone === "play" ? t("controller") : t("owner")}
        value={side(item)}
        options={players}
        set={(player) => move(player, item.zone)}
      />
      {item.zone === "play" && item.owner !== item.controller && (
        <Choose
          name={t("owner")}
          value={item.owner}
          options={players}
          set={(owner) =>
            set(
              item,
              owner === item.controller
                ? ({ owner, controller: undefined } as never)
                : { owner, controller: item.controller },
            )
          }
        />
      )}
      <div class="buttons" role="group" aria-label={t("order")}>
        <button
          type="button"
          class="plain"
          disabled={before === undefined}
          onClick={() =>
            edit(
              moveCard(doc.value, item.id, { player: side(item), zone: item.zone, before: before as string }),
              "did_move",
            )
          }
        >
          {t("earlier")}
        </button>
        <button
          type="button"
          class="plain"
          disabled={after === undefined}
          onClick={() =>
            edit(
              moveCard(doc.value, after as string, { player: side(item), zone: item.zone, before: item.id }),
              "did_move",
            )
          }
        >
          {t("later")}
        </button>
      </div>
      {isClassic(doc.value) && item.zone === "play" && (
        <>
          <Stepper
            name={t("column")}
            least={1}
            value={x}
            set={(column) => set(item, { cell: [Math.min(column, 5), y] })}
          />
          <Stepper
            name={t("row")}
            least={1}
            value={y}
            set={(row) => set(item, { cell: [x, Math.min(row, 6)] })}
          />
        </>
      )}
    </section>
  );
}

function Marks({ item }: { item: Face }) {
  const { card } = item;
  const numbers = isClassic(doc.value)
    ? (["wounds", "extra_life", "chips", "movement", "moved", "entered", "since"] as const)
    : (["wounds", "extra_life", "entered", "since"] as const);
  return (
    <section class="fields" aria-label={t("marks")}>
      <h3>{t("marks")}</h3>
      {numbers.map((key) => (
        <Stepper
          key={key}
          name={t(key)}
          value={card[key] ?? 0}
          set={(number) => set(item, { [key]: number })}
        />
      ))}
      <div class="checks">
        {(["closed", "acted", "attacked", "defended", "hidden"] as const).map((key) => (
          <Mark key={key} name={t(key)} on={card[key] ?? false} set={(on) => set(item, { [key]: on })} />
        ))}
      </div>
    </section>
  );
}

function Effects({ item }: { item: Face }) {
  const adding = useSignal(false);
  const changing = useSignal<number | null>(null);
  const laid = effectsOn(item.id);
  return (
    <section aria-label={t("effects")}>
      <h3>{t("effects")}</h3>
      <ol class="laid">
        {laid.map(([effect, place]) =>
          changing.value === place ? (
            <li key={place} class="bare">
              <EffectForm
                item={item}
                place={place}
                done={() => {
                  changing.value = null;
                }}
              />
            </li>
          ) : (
            <li key={place}>
              <div>
                <Gloss text={effect.ability} />
                <p class="quiet">
                  {[
                    effect.source && t("effect_from", { source: cardName(effect.source) }),
                    untilWords(effect.until),
                    effect.since !== undefined && t("since_n", { n: effect.since }),
                  ]
                    .filter(Boolean)
                    .join(" · ")}
                </p>
              </div>
              <button
                type="button"
                class="tiny"
                aria-label={t("change", { what: effect.ability })}
                onClick={() => {
                  changing.value = place;
                }}
              >
                <Icon name="pen" />
              </button>
              <button
                type="button"
                class="tiny"
                aria-label={t("take_off", { what: effect.ability })}
                onClick={() => edit(removeEffect(doc.value, place), "did_effect_off")}
              >
                <Icon name="cross" />
              </button>
            </li>
          ),
        )}
      </ol>
      {adding.value ? (
        <EffectForm
          item={item}
          done={() => {
            adding.value = false;
          }}
        />
      ) : (
        <button
          type="button"
          class="plain"
          onClick={() => {
            adding.value = true;
          }}
        >
          <Icon name="plus" /> {t("add_effect")}
        </button>
      )}
    </section>
  );
}

/** What is printed: of a kind to be read, of a card of one’s own to be written. */
function Printed({ item }: { item: Face }) {
  const adding = useSignal(false);
  const words = vocabulary.value;
  const draft = useSignal(words === null ? { name: "", args: [] } : begun(words, "ability", "armor"));
  const own = item.card.kind === undefined;
  const spent = item.card.spent ?? {};
  return (
    <section class="fields" aria-label={t("printed")}>
      <h3>{t("printed")}</h3>
      {own && <OwnValues item={item} />}
      {!own && (
        <p class="quiet">
          {[
            word(item.type),
            ...item.classes.map(word),
            ...(item.element.length ? item.element.map(word) : [word("neutral")]),
            t("cost_n", { n: item.printed.cost ?? item.cost }),
          ].join(" · ")}
        </p>
      )}
      <ul class="laid">
        {item.abilities.map((text, at) => {
          const before = item.abilities.slice(0, at).filter((each) => each === text).length;
          const key = before === 0 ? text : `${text}#${before + 1}`;
          return (
            <li key={at}>
              <div>
                <Gloss text={text} />
                {item.zone === "play" && (
                  <Stepper
                    name={t("used_up")}
                    value={spent[key] ?? 0}
                    set={(number) => set(item, { spent: without({ ...spent, [key]: number }) })}
                  />
                )}
              </div>
              {own && (
                <button
                  type="button"
                  class="tiny"
                  aria-label={t("take_off", { what: text })}
                  onClick={() => set(item, { abilities: item.abilities.filter((_, place) => place !== at) })}
                >
                  <Icon name="cross" />
                </button>
              )}
            </li>
          );
        })}
      </ul>
      {own && !adding.value && (
        <button
          type="button"
          class="plain"
          onClick={() => {
            adding.value = true;
          }}
        >
          <Icon name="plus" /> {t("add_ability")}
        </button>
      )}
      {own && adding.value && (
        <form
          class="effect-form"
          onSubmit={(event) => {
            event.preventDefault();
            set(item, { abilities: [...item.abilities, writeTerm(draft.value)] });
            adding.value = false;
          }}
        >
          <TermEditor
            sort="ability"
            term={draft.value}
            change={(term) => {
              draft.value = term;
            }}
          />
          <div class="buttons">
            <button type="submit" class="primary" disabled={!isWhole(draft.value)}>
              {t("add")}
            </button>
            <button
              type="button"
              class="plain"
              onClick={() => {
                adding.value = false;
              }}
            >
              {t("cancel")}
            </button>
          </div>
        </form>
      )}
    </section>
  );
}

const without = (spent: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(spent).filter(([, number]) => number > 0));

function OwnValues({ item }: { item: Face }) {
  const types = isClassic(doc.value)
    ? ["creature", "flyer", "symbiote", "parasite", "artifact", "terrain", "equipment"]
    : ["hero", "creature", "spell", "equipment", "event", "location"];
  const list = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);
  const strike = item.printed.strike ?? item.strike;
  return (
    <>
      <Field name={t("name")}>
        <input
          value={item.card.name ?? ""}
          placeholder={item.id}
          onChange={(event) => set(item, { name: event.currentTarget.value.trim() })}
        />
      </Field>
      <Choose
        name={t("type")}
        value={item.type}
        options={types.map((each) => [each, word(each)])}
        set={(type) => set(item, { type })}
      />
      <Choose
        name={t("element")}
        value={item.element[0] ?? ""}
        options={[["", word("neutral")], ...ELEMENTS.map((each) => [each, word(each)] as const)]}
        set={(element) => set(item, { element: element ? [element] : [] })}
      />
      <Field name={t("class")}>
        <input
          class="mono"
          value={item.classes.join(", ")}
          onChange={(event) => set(item, { class: list(event.currentTarget.value) })}
        />
      </Field>
      <Stepper name={t("cost")} value={item.printed.cost ?? item.cost} set={(cost) => set(item, { cost })} />
      {Array.isArray(strike) ? (
        (["weak", "medium", "strong"] as const).map((key, at) => (
          <Stepper
            key={key}
            name={`${t("strike")}: ${t(key)}`}
            value={strike[at] ?? 0}
            set={(number) =>
              set(item, {
                strike: strike.map((each, place) => (place === at ? number : each)) as [
                  number,
                  number,
                  number,
                ],
              })
            }
          />
        ))
      ) : (
        <Stepper name={t("strike")} value={strike} set={(number) => set(item, { strike: number })} />
      )}
      <Stepper name={t("life")} value={item.printed.life ?? item.life} set={(life) => set(item, { life })} />
    </>
  );
}
