import { computed, signal } from "@preact/signals";
import { effectGist, gist, t, word } from "../i18n";
import { EFFECTS } from "../messages";
import { ELEMENTS, isClassic, type Kind, type Zone } from "../model";
import { catalogue, choose, doc, edit, lang, message, pane, tab, vocabulary } from "../store/desk";
import { addBlank, addCard } from "../store/edits";
import { allParts, partsOf } from "../store/forms";
import { readTerm } from "../terms";
import { elementOf, kindLine } from "./CardView";
import { dragKind } from "./drag";
import { Icon } from "./icons";
import { plain } from "./names";
import { Pressable } from "./Pressable";
import { hint } from "./Tip";

const text = signal("");
const element = signal("");
const type = signal("");
const cost = signal("");
const ability = signal("");
const filters = [text, element, type, cost, ability];
const shown = signal(40);
const place = signal<{ player: string; zone: Zone }>({ player: "", zone: "play" });

/** The words of an ability that say what it does: of itself and of the effects in it. */
function deeds(text: string): string[] {
  const term = readTerm(text);
  const part = term && vocabulary.value && partsOf(vocabulary.value, "ability", term);
  return part === null
    ? []
    : allParts(part)
        // what only joins effects (both, if, choose) is none itself
        .filter(
          ({ section, term: { name } }) => section === "ability" || (section === "effect" && name in EFFECTS),
        )
        .map(({ section, term: { name } }) => `${section}.${name}`);
}

const told = (deed: string): string => {
  const [section, name] = deed.split(".") as [string, string];
  return section === "effect" ? effectGist(name) : gist(name);
};

/** What a kind is found by: its names in both languages, its id, its classes, what its abilities do. */
const index = computed(() =>
  [...catalogue.value.values()].map((kind) => {
    const abilities = new Set(kind.abilities.flatMap(deeds));
    const words = [kind.id, kind.name.en, kind.name.ru, ...kind.class, ...kind.class.map(word)];
    const does = [...abilities].flatMap((each) => [each.split(".")[1] as string, told(each)]);
    return { kind, text: plain([...words, ...does].join(" ")), abilities };
  }),
);

/** What abilities there are, by sections, in the order of their words. */
const abilities = computed(() => {
  const all = [...new Set(index.value.flatMap((each) => [...each.abilities]))];
  return (["ability", "effect"] as const).map((section) => ({
    section,
    deeds: all
      .filter((each) => each.startsWith(`${section}.`))
      .sort((one, other) => told(one).localeCompare(told(other), lang.value)),
  }));
});
const types = computed(() => [
  ...new Set(
    index.value
      .filter(({ kind }) => isClassic(doc.value) === (kind.edition === "classic"))
      .map(({ kind }) => kind.type),
  ),
]);

const found = computed<Kind[]>(() => {
  const words = plain(text.value).split(/\s+/).filter(Boolean);
  return index.value
    .filter(({ kind }) => isClassic(doc.value) === (kind.edition === "classic"))
    .filter((each) => words.every((part) => each.text.includes(part)))
    .filter(
      ({ kind }) =>
        element.value === "" ||
        (element.value === "neutral" ? kind.element.length === 0 : kind.element.includes(element.value)),
    )
    .filter(({ kind }) => type.value === "" || kind.type === type.value)
    .filter(({ kind }) => cost.value === "" || kind.cost === Number(cost.value))
    .filter((each) => ability.value === "" || each.abilities.has(ability.value))
    .map(({ kind }) => kind)
    .sort((one, other) => one.name[lang.value].localeCompare(other.name[lang.value], lang.value));
});

/** Where the next card goes: the chosen place, or play on the first player’s side. */
function target(): { player: string; zone: Zone } {
  const players = Object.keys(doc.value.players);
  return {
    player: players.includes(place.value.player) ? place.value.player : (players[0] as string),
    zone: place.value.zone,
  };
}

function put(kind: Kind | null): void {
  // a spell is held in the hand before it is anything else
  const { player, zone } = target();
  const where = { player, zone: kind?.type === "spell" && zone === "play" ? ("hand" as const) : zone };
  const added = kind === null ? addBlank(doc.value, where) : addCard(doc.value, kind, where);
  edit(added.doc, "did_add");
  choose(added.id);
  tab.value = "card";
  message.value = `${kind?.name[lang.value] ?? added.id} → ${where.player}: ${word(where.zone)}`;
  if (kind === null) pane.value = "judge";
}

export function Catalogue() {
  const { player, zone } = target();
  return (
    <aside class="catalogue" aria-label={t("catalogue")}>
      <form class="finder" role="search" onSubmit={(event) => event.preventDefault()}>
        <h2>{t("catalogue")}</h2>
        <div class="search">
          <Icon name="search" />
          <input
            type="search"
            value={text.value}
            placeholder={t("find_card_short")}
            aria-label={t("find_card")}
            onInput={(event) => {
              text.value = event.currentTarget.value;
              shown.value = 40;
            }}
          />
        </div>
        <div class="filters">
          <Pick name={t("element")} value={element} options={[...ELEMENTS, "neutral"]} />
          <Pick name={t("type")} value={type} options={types.value} />
          <label>
            <span>{t("cost")}</span>
            <input
              type="number"
              min="0"
              max="20"
              value={cost.value}
              onInput={(event) => {
                cost.value = event.currentTarget.value;
              }}
            />
          </label>
          <label>
            <span>{t("ability")}</span>
            <select
              value={ability.value}
              onChange={(event) => {
                ability.value = event.currentTarget.value;
              }}
            >
              <option value="">{t("any")}</option>
              {abilities.value.map(({ section, deeds }) => (
                <optgroup key={section} label={t(section === "ability" ? "abilities" : "does")}>
                  {deeds.map((each) => (
                    <option value={each} key={each}>
                      {told(each)}
                    </option>
                  ))}
                </optgroup>
              ))}
            </select>
          </label>
        </div>
        <fieldset class="put-to">
          <legend>{t("put_to")}</legend>
          <select
            aria-label={t("player")}
            value={player}
            onChange={(event) => {
              place.value = { player: event.currentTarget.value, zone };
            }}
          >
            {Object.keys(doc.value.players).map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
          <select
            aria-label={t("zone")}
            value={zone}
            onChange={(event) => {
              place.value = { player, zone: event.currentTarget.value as Zone };
            }}
          >
            {(["play", "hand", "deck", "graveyard"] as const).map((each) => (
              <option key={each} value={each}>
                {word(each)}
              </option>
            ))}
          </select>
        </fieldset>
        <p class="found">
          <span class="quiet" role="status">
            {found.value.length === 0 ? t("nothing_found") : t("found_n", { n: found.value.length })}
          </span>
          {filters.some((each) => each.value !== "") && (
            <button
              type="button"
              class="link"
              onClick={() => {
                for (const each of filters) each.value = "";
              }}
            >
              {t("filters_off")}
            </button>
          )}
        </p>
      </form>
      <ul class="kinds">
        {found.value.slice(0, shown.value).map((kind) => (
          <KindLine kind={kind} key={kind.id} />
        ))}
        {found.value.length > shown.value && (
          <li>
            <button
              type="button"
              class="plain"
              onClick={() => {
                shown.value += 80;
              }}
            >
              {t("more_n", { n: found.value.length - shown.value })}
            </button>
          </li>
        )}
        <li>
          <button type="button" class="plain" onClick={() => put(null)}>
            <Icon name="plus" /> {t("put_blank")}
          </button>
        </li>
      </ul>
    </aside>
  );
}

function Pick({
  name,
  value,
  options,
}: {
  name: string;
  value: { value: string };
  options: readonly string[];
}) {
  return (
    <label>
      <span>{name}</span>
      <select
        value={value.value}
        onChange={(event) => {
          value.value = event.currentTarget.value;
        }}
      >
        <option value="">{t("any")}</option>
        {options.map((each) => (
          <option value={each} key={each}>
            {word(each)}
          </option>
        ))}
      </select>
    </label>
  );
}

function KindLine({ kind }: { kind: Kind }) {
  const strike = Array.isArray(kind.strike) ? kind.strike.join("–") : kind.strike;
  return (
    <li>
      <Pressable
        class={`kind of-${elementOf(kind)}`}
        press={() => put(kind)}
        {...hint({ kind: "kind", id: kind.id })}
        {...dragKind(kind.id)}
      >
        <span class="hidden-text">{`${t("put_card", { card: kind.name[lang.value] })}, ${word(kind.type)}, ${t("cost_n", { n: kind.cost })}`}</span>
        <span class="cost" aria-hidden="true">
          {kind.type === "hero" ? "★" : kind.cost}
        </span>
        <span class="kind-name" aria-hidden="true">
          {kind.name[lang.value]}
          <small>
            {kindLine(kind.type, kind.class)}
            {kind.complete ? "" : ` · ${t("incomplete")}`}
          </small>
        </span>
        {kind.life > 0 && (
          <span class="kind-stats" aria-hidden="true">
            {strike}
            <i>/</i>
            {kind.life}
          </span>
        )}
      </Pressable>
    </li>
  );
}
