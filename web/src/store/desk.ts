/** All that the page knows, as signals. The table changes by `change` alone; answers follow it. */

import { batch, computed, effect, signal } from "@preact/signals";
import {
  api,
  type Legal,
  type Outcome,
  Problem,
  type Resolved,
  type Rule,
  type Sample,
  type Values,
  type Verdict,
  type Vocabulary,
  type Why,
} from "../api";
import { decode, encode } from "../codec/link";
import { asNow, type Catalogue, decides, type Doc, emptyTable, faces, isDoc, type Lang } from "../model";
import { parseAction, targetsOf } from "../terms";
import { begin, type Change, type History, reduce } from "./history";

export type Tab = "verdicts" | "card" | "outcomes" | "report" | "rules" | "position";
export type Pane = "table" | "cards" | "judge";
export type Theme = "auto" | "light" | "dark";

/** An answer that is on its way, has come, or cannot come. */
export interface Answer<T> {
  state: "idle" | "asking" | "told" | "failed";
  value?: T;
  problem?: Problem;
}

// --- settings, kept in this browser ----------------------------------------------------------------

function kept<T extends string>(key: string, known: readonly T[], otherwise: T): T {
  try {
    const value = localStorage.getItem(`pyengine.${key}`) as T | null;
    return value !== null && known.includes(value) ? value : otherwise;
  } catch {
    return otherwise; // a browser that keeps nothing
  }
}

function keep(key: string, value: string): void {
  try {
    localStorage.setItem(`pyengine.${key}`, value);
  } catch {
    // then it lasts as long as the page
  }
}

const spoken: Lang = navigator.language.toLowerCase().startsWith("ru") ? "ru" : "en";
export const lang = signal<Lang>(kept("lang", ["en", "ru"], spoken));
export const theme = signal<Theme>(kept("theme", ["auto", "light", "dark"], "auto"));

export const shelf = signal<"on" | "off">(kept("shelf", ["on", "off"], innerWidth >= 1600 ? "on" : "off"));

// --- the table and its history ---------------------------------------------------------------------

export const history = signal<History>(begin(emptyTable()));
export const doc = computed<Doc>(() => history.value.now.doc);
export const decider = computed(() => decides(doc.value));

export const selected = signal<string | null>(null);
/** The targets that were pressed for the chosen card so far, in order. */
export const aimed = signal<readonly string[]>([]);
export const asked = signal<string | null>(null);
export const tab = signal<Tab>("verdicts");
export const pane = signal<Pane>("table");
export const rule = signal<string | null>(null);
export const message = signal<string>("");

const phone = matchMedia("(max-width: 759px)");
/** Whether the page is as wide as a phone: one pane at a time. */
export const narrow = signal(phone.matches);
phone.addEventListener("change", (event) => {
  narrow.value = event.matches;
});

export function change(step: Change): void {
  batch(() => {
    history.value = reduce(history.value, step);
    message.value = "";
    if (selected.value !== null && !(selected.value in doc.value.cards)) selected.value = null;
    outcomes.value = { state: "idle" };
    aimed.value = [];
    asked.value = null;
  });
}

export const edit = (next: Doc, told: string): void => change({ type: "do", doc: next, told });

/** Lays another position on the table; what was there can be gone back to. */
export function open(next: Doc, told: string): void {
  batch(() => {
    change({ type: "do", doc: next, told });
    selected.value = null;
    tab.value = "verdicts";
  });
}

// --- what never changes ----------------------------------------------------------------------------

export const catalogue = signal<Catalogue>(new Map());
export const vocabulary = signal<Vocabulary | null>(null);
export const rules = signal<ReadonlyMap<string, Rule>>(new Map());
export const samples = signal<readonly Sample[]>([]);
export const failure = signal<Problem | null>(null);

/** The values of the cards as they are now, and the position that they were told of. */
export const values = signal<Answer<{ about: Doc; values: Record<string, Values> }>>({ state: "idle" });

/** The cards with their values as they are now; while these are asked for, as they were for the same kind. */
export const table = computed(() => {
  const told = values.value.value;
  return faces(doc.value, catalogue.value, lang.value).map((item) =>
    told?.about.cards[item.id]?.kind === item.card.kind ? asNow(item, told?.values[item.id]) : item,
  );
});

// --- answers ---------------------------------------------------------------------------------------

export const legal = signal<Answer<Legal>>({ state: "idle" });
export const why = signal<Answer<Why>>({ state: "idle" });
export const outcomes = signal<Answer<Resolved>>({ state: "idle" });
export const outcome = signal(0);

const byNumbers = new Intl.Collator("en", { numeric: true }); // a2 before a10

export const verdicts = computed<readonly Verdict[]>(() => {
  const told = legal.value.value;
  if (told === undefined) return [];
  return [
    ...told.legal.map((item) => ({ ...item, legal: true })),
    ...told.illegal.map((item) => ({ ...item, legal: false })),
  ].sort((one, other) => byNumbers.compare(one.action, other.action));
});

/** What the outcome that is looked at changes, by card. */
export const changesOn = computed<ReadonlyMap<string, string[]>>(() => {
  const out = new Map<string, string[]>();
  if (tab.value !== "outcomes") return out;
  const shown = outcomes.value.value?.outcomes?.[outcome.value];
  for (const { about, text } of shown?.changes ?? [])
    if (about !== null) out.set(about, [...(out.get(about) ?? []), text]);
  return out;
});

/** The verdicts on the actions of each card. */
export const verdictsOf = computed<ReadonlyMap<string, Verdict[]>>(() => {
  const out = new Map<string, Verdict[]>();
  for (const verdict of verdicts.value) {
    const [agent] = parseAction(verdict.action).args;
    if (agent !== undefined) out.set(agent, [...(out.get(agent) ?? []), verdict]);
  }
  return out;
});

const ownOf = (id: string | null): readonly Verdict[] =>
  id === null ? [] : (verdictsOf.value.get(id) ?? []);
const targets = (verdict: Verdict): string[] => targetsOf(parseAction(verdict.action));
const begins = (verdict: Verdict, with_: readonly string[]): boolean =>
  with_.every((id, at) => targets(verdict)[at] === id);

/** The verdicts on what the chosen card may do, to the targets that were pressed so far. */
export const candidates = computed<readonly Verdict[]>(() =>
  ownOf(selected.value).filter((verdict) => begins(verdict, aimed.value)),
);

/** The targets that are settled: where nothing follows the last one, another may still take its place. */
const stem = computed<readonly string[]>(() => {
  const last = candidates.value.every((verdict) => targets(verdict).length <= aimed.value.length);
  return last ? aimed.value.slice(0, -1) : aimed.value;
});

/** The verdicts on what the chosen card may do next, by the card that would be the target. */
export const aims = computed<ReadonlyMap<string, Verdict[]>>(() => {
  const out = new Map<string, Verdict[]>();
  for (const verdict of ownOf(selected.value)) {
    const next = targets(verdict)[stem.value.length];
    if (next !== undefined && begins(verdict, stem.value)) out.set(next, [...(out.get(next) ?? []), verdict]);
  }
  return out;
});

/** Counts how often the reader asked to try once more. */
const tries = signal(0);
export const retry = (): void => {
  tries.value += 1;
};

/** Keeps an answer up to date: asks anew when what the question reads has changed. */
function follow<T>(
  answer: { value: Answer<T> },
  delay: number,
  question: () => ((signal: AbortSignal) => Promise<T>) | null,
): void {
  effect(() => {
    tries.value;
    const put = question();
    if (put === null) {
      answer.value = { state: "idle" };
      return undefined;
    }
    const leave = new AbortController();
    const last = untold(answer);
    answer.value = { state: "asking", ...(last === undefined ? {} : { value: last }) };
    const timer = setTimeout(() => {
      put(leave.signal).then(
        (value) => leave.signal.aborted || (answer.value = { state: "told", value }),
        (problem: Problem) => leave.signal.aborted || (answer.value = { state: "failed", problem }),
      );
    }, delay);
    return () => {
      clearTimeout(timer);
      leave.abort();
    };
  });
}

/** The last value of an answer, without following it. */
const untold = <T>(answer: { value: Answer<T>; peek?: () => Answer<T> }): T | undefined =>
  (answer.peek?.() ?? answer.value).value;

/** Asks for the outcomes of an action and shows them. */
export async function declare(action: string): Promise<void> {
  const asked = doc.value;
  batch(() => {
    outcomes.value = { state: "asking" };
    outcome.value = 0;
    tab.value = "outcomes";
    pane.value = "judge";
  });
  try {
    const value = await api.resolve(lang.value, asked, action);
    if (doc.value === asked) outcomes.value = { state: "told", value };
  } catch (problem) {
    if (doc.value === asked) outcomes.value = { state: "failed", problem: problem as Problem };
  }
}

/** Goes on from an outcome: its state is the table now. */
export function stepInto(item: Outcome, action: string): void {
  const { edition } = doc.value;
  // a document leaves its edition out if it is the usual one
  const next =
    edition === undefined || item.state.edition !== undefined ? item.state : { edition, ...item.state };
  batch(() => {
    change({ type: "do", doc: next, told: action, action });
    selected.value = null;
    tab.value = "verdicts";
    if (narrow.value) pane.value = "table";
  });
}

export function choose(id: string | null): void {
  batch(() => {
    selected.value = id;
    aimed.value = [];
    asked.value = null;
    if (id !== null && tab.value !== "card") tab.value = "verdicts";
  });
}

/** A card is pressed: as the next target of the chosen one, or it is chosen itself. */
export function press(id: string): void {
  if (selected.value === id) choose(null);
  else if (tab.value === "card" || !aims.value.has(id)) choose(id);
  else aim(id);
}

function aim(id: string): void {
  batch(() => {
    aimed.value = [...stem.value, id];
    // with one action left, or one that needs no more targets, there is nothing more to choose
    const whole = candidates.value.filter((verdict) => targets(verdict).length === aimed.value.length);
    const [only, ...others] = candidates.value.length === 1 ? candidates.value : whole;
    asked.value = only !== undefined && others.length === 0 ? only.action : null;
    tab.value = "verdicts";
  });
}

export function consider(action: string | null): void {
  batch(() => {
    asked.value = action;
    if (action !== null) {
      tab.value = "verdicts";
      pane.value = pane.value === "table" ? "table" : "judge";
    }
  });
}

export function openRule(id: string): void {
  batch(() => {
    rule.value = id;
    tab.value = "rules";
    pane.value = "judge";
  });
}

// --- keeping the table over a reload -----------------------------------------------------------------

const KEPT = "pyengine.table";

function keepTable(): void {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(doc.value));
  } catch {
    // then a reload begins anew
  }
}

/** The table as it was before the page was loaded again in this tab. */
function keptTable(): Doc | null {
  try {
    const text = sessionStorage.getItem(KEPT);
    const value: unknown = text === null ? null : JSON.parse(text);
    return isDoc(value) ? value : null;
  } catch {
    return null;
  }
}

// --- beginning -------------------------------------------------------------------------------------

/** The position of the address, if it holds one. */
async function fromAddress(): Promise<boolean> {
  try {
    const shared = await decode(location.hash);
    if (shared === null) return false;
    const { state } = await api.state(lang.value, shared as Doc);
    history.value = begin({ edition: "heroes", ...state }, "from_link");
  } catch (problem) {
    failure.value = problem instanceof Problem ? problem : new Problem(0, "", [], "bad_link");
    return false;
  }
  return true;
}

export const share = async (): Promise<string> => {
  const link = new URL(location.href);
  link.hash = await encode(doc.value);
  return link.href;
};

export async function start(): Promise<void> {
  effect(() => keep("lang", lang.value));
  effect(() => keep("shelf", shelf.value));
  effect(() => {
    keep("theme", theme.value);
    const root = document.documentElement;
    if (theme.value === "auto") delete root.dataset["theme"];
    else root.dataset["theme"] = theme.value;
  });
  effect(() => {
    document.documentElement.lang = lang.value;
  });
  try {
    const [cards, words, book, known] = await Promise.all([
      api.cards(lang.value),
      api.vocabulary(lang.value),
      api.rules(lang.value),
      api.states(lang.value),
    ]);
    batch(() => {
      catalogue.value = new Map(cards.cards.map((kind) => [kind.id, kind]));
      vocabulary.value = words;
      rules.value = new Map(book.rules.map((each) => [each.id, each]));
      samples.value = known.states;
    });
    const last = keptTable();
    if (await fromAddress()) {
      // the link is what was asked for
    } else if (last !== null) history.value = begin(last);
    else {
      const first = samples.value.find((sample) => sample.id.startsWith("02")) ?? samples.value[0];
      if (first !== undefined) {
        const { state } = await api.sample(lang.value, first.id);
        history.value = begin({ edition: first.edition, ...state }, "begun");
      }
    }
  } catch (problem) {
    failure.value = problem as Problem;
    return;
  }
  effect(keepTable);
  addEventListener("hashchange", () => void fromAddress());
  follow(legal, 150, () => {
    const [told, about] = [lang.value, doc.value];
    return (signal) => api.legal(told, about, signal);
  });
  follow(values, 150, () => {
    const about = doc.value;
    return async (signal) => ({ about, values: (await api.values(lang.peek(), about, signal)).values });
  });
  follow(why, 0, () => {
    const [told, about, action] = [lang.value, doc.value, asked.value];
    return action === null ? null : (signal) => api.why(told, about, action, signal);
  });
}
