import { computed } from "@preact/signals";
import { useEffect, useId, useRef } from "preact/hooks";
import type { Vocabulary } from "../api";
import { briefOf, gist, t, word } from "../i18n";
import { catalogue, doc, lang, vocabulary } from "../store/desk";
import {
  begun,
  entryOf,
  formAt,
  fresh,
  isNumber,
  offered,
  shape,
  slotsFor,
  within,
  without,
} from "../store/forms";
import { readTerm, type Term, writeTerm } from "../terms";

interface Props {
  sort: string;
  term: Term;
  change: (term: Term) => void;
  label?: string;
  /** words of the sort that mean nothing in this place */
  barred?: readonly string[];
}

/** The words of the edition that lies on the table. */
const here = computed(() => vocabulary.value && within(vocabulary.value, doc.value.edition ?? "heroes"));

/** A term being written: each part offers what the vocabulary allows in its place. */
export function TermForm({ sort, term, change, label, barred = [] }: Props) {
  const words = here.value;
  const known = words?.sorts[sort];
  if (words === null || known === undefined) return null;
  const name = label ?? known[lang.value];
  switch (shape(known)) {
    case "number":
      return <NumberPart name={name} term={term} change={change} bounds={known.numbers} />;
    case "name":
      return <NamePart sort={sort} name={name} term={term} change={change} />;
    default:
      return <TermPart words={words} sort={sort} name={name} term={term} change={change} barred={barred} />;
  }
}

type Part = { name: string; term: Term; change: (term: Term) => void };

function NumberPart({
  name,
  term,
  change,
  bounds,
}: Part & { bounds: [number | null, number | null] | null }) {
  return (
    <label class="part">
      <span>{name}</span>
      <input
        type="number"
        value={term.name}
        min={bounds?.[0] ?? undefined}
        max={bounds?.[1] ?? undefined}
        onInput={(event) =>
          change({ name: isNumber(event.currentTarget.value) ? event.currentTarget.value : "", args: [] })
        }
      />
    </label>
  );
}

/** Names that are known for a sort which takes any: classes, elements, kinds, cards of the table. */
function suggestions(sort: string): [string, string][] {
  const names = vocabulary.value?.names;
  const told = (pairs: Record<string, { en: string; ru: string }> | undefined): [string, string][] =>
    Object.entries(pairs ?? {}).map(([id, pair]) => [id, pair[lang.value]]);
  if (sort === "class") return told(names?.classes);
  if (sort === "element") return told(names?.elements);
  if (sort === "kind" || sort === "name")
    return [...catalogue.value.values()].map((kind) => [kind.id, kind.name[lang.value]]);
  return sort === "card_id" ? Object.keys(doc.value.cards).map((id) => [id, id]) : [];
}

function NamePart({ sort, name, term, change }: Part & { sort: string }) {
  const id = useId();
  return (
    <label class="part">
      <span>{name}</span>
      <input
        list={id}
        value={term.name}
        pattern="[a-z][a-z0-9_]*"
        onInput={(event) => change({ name: event.currentTarget.value.trim(), args: [] })}
      />
      <datalist id={id}>
        {suggestions(sort).map(([each, told]) => (
          <option value={each} key={each}>
            {told}
          </option>
        ))}
      </datalist>
    </label>
  );
}

const NUMBER = "#";

function TermPart({
  words,
  sort,
  name,
  term,
  change,
  barred,
}: Part & { words: Vocabulary; sort: string; barred: readonly string[] }) {
  const known = words.sorts[sort];
  const entry = entryOf(words, sort, term.name);
  const numeric = isNumber(term.name);
  const slots = entry && slotsFor(words, entry, term);
  const forms = entry?.forms ?? [];
  const rest = forms.find((form) => form.rest);
  const pick = (next: string) =>
    change(
      next === NUMBER
        ? fresh(words, sort)
        : entryOf(words, sort, next)
          ? begun(words, sort, next)
          : { name: next, args: [] },
    );
  const put = (at: number, part: Term) =>
    change({ ...term, args: term.args.map((each, place) => (place === at ? part : each)) });
  const terms = known ? offered(known, barred).map(([, each]) => each) : [];
  const options = [...(known?.names ?? []), ...terms.sort()];
  const meant = options.includes(term.name);
  return (
    <div class="part term-part">
      <label>
        <span>{name}</span>
        <select value={numeric ? NUMBER : term.name} onChange={(event) => pick(event.currentTarget.value)}>
          {term.name === "" && <option value="">…</option>}
          {known?.numbers && <option value={NUMBER}>{t("number")}</option>}
          {term.name !== "" && !numeric && !meant && (
            <option value={term.name}>{t("means_nothing", { word: term.name })}</option>
          )}
          {options.map((each) => (
            <option value={each} key={each}>
              {named(words, sort, each)}
            </option>
          ))}
        </select>
        {numeric && (
          <input
            type="number"
            aria-label={name}
            value={term.name}
            onInput={(event) =>
              change({
                name: isNumber(event.currentTarget.value) ? event.currentTarget.value : "0",
                args: [],
              })
            }
          />
        )}
      </label>
      {entry && <p class="meaning">{entry[lang.value]}</p>}
      {forms.length > 1 && (
        <label class="part">
          <span>{t("form_of")}</span>
          <select
            value={String(entry === undefined ? -1 : formAt(words, entry, term))}
            onChange={(event) => change(begun(words, sort, term.name, 0, Number(event.currentTarget.value)))}
          >
            {forms.map((form, at) => (
              <option value={at} key={at}>
                {form.arguments.length === 0
                  ? term.name
                  : `${term.name}(${form.arguments.map((slot) => slot.word ?? words.sorts[slot.sort as string]?.[lang.value] ?? slot.sort).join(", ")})`}
              </option>
            ))}
          </select>
        </label>
      )}
      {slots !== undefined && slots.length > 0 && (
        <div class="parts">
          {slots.map(
            (slot, at) =>
              slot.sort !== undefined && (
                <TermForm
                  key={at}
                  sort={slot.sort}
                  term={term.args[at] as Term}
                  change={(part) => put(at, part)}
                  barred={without(entry, at)}
                />
              ),
          )}
          {rest && (
            <p class="part-buttons">
              <button
                type="button"
                class="link"
                onClick={() =>
                  change({ ...term, args: [...term.args, fresh(words, slots.at(-1)?.sort ?? sort)] })
                }
              >
                {t("another_part")}
              </button>
              {term.args.length > rest.arguments.length && (
                <button
                  type="button"
                  class="link"
                  onClick={() => change({ ...term, args: term.args.slice(0, -1) })}
                >
                  {t("less_part")}
                </button>
              )}
            </p>
          )}
        </div>
      )}
    </div>
  );
}

/** A word with what it means: by its section, since one word may mean something else in another. */
function named(words: Vocabulary, sort: string, name: string): string {
  const [section] = words.sorts[sort]?.terms.find(([, each]) => each === name) ?? [];
  const told =
    section !== undefined
      ? briefOf(section, name)
      : sort === "ability_name" || sort === "any_ability"
        ? gist(name)
        : sort === "trigger_name"
          ? briefOf("trigger", name)
          : word(name);
  return told === name || told === name.replaceAll("_", " ") ? name : `${name} · ${told}`;
}

/** The form with the text beside it: whoever knows the language writes, and the form follows. */
export function TermEditor({ sort, term, change }: Omit<Props, "label" | "barred">) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.querySelector("select")?.focus(); // it was opened to be written in
  }, []);
  return (
    <div class="term-editor" ref={place}>
      <TermForm sort={sort} term={term} change={change} />
      <label class="part as-text">
        <span>{t("as_text")}</span>
        <input
          class="mono"
          value={writeTerm(term)}
          spellcheck={false}
          onChange={(event) => {
            const read = readTerm(event.currentTarget.value);
            if (read === null) event.currentTarget.value = writeTerm(term);
            else change(read);
          }}
        />
      </label>
    </div>
  );
}
