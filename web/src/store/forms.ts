/** The forms of terms, as the vocabulary of the server has them: what may stand where. */

import type { Entry, Sort, Vocabulary } from "../api";
import type { Edition } from "../model";
import type { Term } from "../terms";

export interface Slot {
  sort?: string;
  word?: string;
}

/** The vocabulary without the words of other editions. */
export function within(words: Vocabulary, edition: Edition): Vocabulary {
  const holds = ([section, name]: [string, string]): boolean => {
    const of = words.terms[section]?.[name]?.edition ?? null;
    return of === null || of === edition;
  };
  const sorts = Object.entries(words.sorts).map(([name, sort]) => [
    name,
    { ...sort, terms: sort.terms.filter(holds) },
  ]);
  return { ...words, sorts: Object.fromEntries(sorts) as Vocabulary["sorts"] };
}

/** The entry of a term where an argument of that sort stands. */
export function entryOf(words: Vocabulary, sort: string, name: string): Entry | undefined {
  const found = words.sorts[sort]?.terms.find(([, each]) => each === name);
  return found === undefined ? undefined : words.terms[found[0]]?.[name];
}

export const isNumber = (name: string): boolean => /^-?\d+$/.test(name);

/** Whether what stands there could be an argument of that slot. */
function fits(words: Vocabulary, slot: Slot, { name }: Term): boolean {
  if (slot.word !== undefined) return slot.word === name;
  const sort = words.sorts[slot.sort as string];
  if (sort === undefined || name === "") return true; // nothing was written there yet
  if (isNumber(name)) return sort.numbers !== null;
  return sort.any_name || sort.names.includes(name) || sort.terms.some(([, each]) => each === name);
}

/** Which form of the entry a term has: the place of the first that fits, or -1. */
export function formAt(words: Vocabulary, entry: Entry, term: Term): number {
  const counts = ({ arguments: slots, rest }: Entry["forms"][number]): boolean =>
    slots.length === term.args.length || (rest && term.args.length > slots.length);
  const whole = entry.forms.findIndex(
    (form) => counts(form) && form.arguments.every((slot, at) => fits(words, slot, term.args[at] as Term)),
  );
  if (whole !== -1) return whole;
  // a word that is unknown there: by the count, and by what has to stand there
  return entry.forms.findIndex(
    (form) =>
      counts(form) &&
      form.arguments.every((slot, at) => slot.word === undefined || slot.word === term.args[at]?.name),
  );
}

/** The slots of the arguments of a term; undefined if no form fits. */
export function slotsFor(words: Vocabulary, entry: Entry, term: Term): Slot[] | undefined {
  const form = entry.forms[formAt(words, entry, term)];
  return form && term.args.map((_, at) => form.arguments[Math.min(at, form.arguments.length - 1)] as Slot);
}

/** Words that mean nothing as that argument of a term (`may(destroy)`: destroying is done to a card). */
export const without = (entry: Entry | undefined, at: number): readonly string[] =>
  at === 0 ? (entry?.without ?? []) : [];

/** The terms that mean something where an argument of that sort stands, but for those of a place. */
export const offered = (sort: Sort, barred: readonly string[] = []): [string, string][] =>
  sort.terms.filter(([, name]) => !barred.includes(name));

/** One part of a term: the section of the vocabulary that it is a word of, and the parts in it. */
export interface Part {
  section: string;
  term: Term;
  parts: Part[];
}

/** A term by its parts; null where the vocabulary does not know its word in that place. */
export function partsOf(words: Vocabulary, sort: string, term: Term): Part | null {
  const [section] = words.sorts[sort]?.terms.find(([, name]) => name === term.name) ?? [];
  const entry = entryOf(words, sort, term.name);
  if (section === undefined || entry === undefined) return null;
  const slots = slotsFor(words, entry, term) ?? [];
  const parts = term.args.map((arg, at) => {
    const slot = slots[at]?.sort;
    return slot === undefined ? null : partsOf(words, slot, arg);
  });
  return { section, term, parts: parts.filter((part) => part !== null) };
}

/** A part and all parts in it. */
export const allParts = (part: Part): Part[] => [part, ...part.parts.flatMap(allParts)];

/** A first value for an argument of that sort: something short that fits. */
export function fresh(words: Vocabulary, sort: string, depth = 0, barred: readonly string[] = []): Term {
  const known = words.sorts[sort];
  if (known === undefined) return { name: "", args: [] };
  if (known.numbers) {
    const [least, most] = known.numbers;
    return { name: String(Math.min(Math.max(1, least ?? 1), most ?? 1)), args: [] };
  }
  if (known.names[0] !== undefined) return { name: known.names[0], args: [] };
  const terms = offered(known, barred);
  const bare = terms.find(([section, name]) =>
    words.terms[section]?.[name]?.forms.some((form) => form.arguments.length === 0),
  );
  if (bare !== undefined) return { name: bare[1], args: [] };
  const [first] = terms;
  return first === undefined || depth > 4 ? { name: "", args: [] } : begun(words, sort, first[1], depth + 1);
}

/** That term with that form of its entry filled with first values. */
export function begun(words: Vocabulary, sort: string, name: string, depth = 0, form = 0): Term {
  const entry = entryOf(words, sort, name);
  const slots = entry?.forms[form]?.arguments ?? [];
  const args = slots.map((slot, at) =>
    slot.word === undefined
      ? fresh(words, slot.sort as string, depth, without(entry, at))
      : { name: slot.word, args: [] },
  );
  return { name, args };
}

/** Whether nothing in it is still left open. */
export const isWhole = (term: Term): boolean => term.name !== "" && term.args.every(isWhole);

/** Whether an argument of that sort is just a number, or just a name. */
export function shape(sort: Sort): "number" | "name" | "term" {
  if (sort.terms.length > 0 || sort.names.length > 0) return "term";
  return sort.numbers ? "number" : "name";
}
