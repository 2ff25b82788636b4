/** The questions that the page asks its server (docs/http.md). Same origin, JSON both ways. */

import type { Doc, Edition, Kind, Lang } from "./model";

export interface Defeat {
  rule: string;
  by: string | null;
  principle: string;
}

export interface Reason {
  rule: string;
  by: string | null;
  text: string;
  defeats?: Defeat[];
}

export interface Verdict {
  action: string;
  legal: boolean;
  because: Reason[];
}

export interface Legal {
  edition: Edition;
  player: string | null;
  legal: Omit<Verdict, "legal">[];
  illegal: Omit<Verdict, "legal">[];
}

export interface Node {
  rule: string | null;
  by: string | null;
  text: string;
  children: Node[];
}

export interface Why extends Verdict {
  tree: Node[];
}

export interface Choice {
  player: string | null;
  rule: string;
  options: string[];
  chosen: string;
  /** what was chosen, and what else could have been, in words */
  text: string;
  options_text: string[];
}

export interface Step {
  step: string;
  rule: string;
  by: string | null;
  what: string;
  value: number | null;
  text: string;
}

/** What differs after an outcome; `about`: the card or player, null: the table. */
export interface Told {
  about: string | null;
  text: string;
}

export interface Outcome {
  ways: number;
  choices: Choice[];
  trace: Step[];
  state: Doc;
  changes: Told[];
}

/** What a card's values are now, with all that changes and sets them. */
export interface Values {
  strike: number | [number, number, number];
  life: number;
  cost: number;
  element: string[];
  class: string[];
}

export type Resolved = { action: string; outcomes: Outcome[] } | (Verdict & { outcomes?: undefined });

export interface Rule {
  id: string;
  kind: string;
  editions: string[];
  title: Record<Lang, string>;
  says: Record<Lang, string>;
  example: Record<Lang, string> | null;
  revisions: { editions: string[]; title: Record<Lang, string>; says: Record<Lang, string> }[];
  see: string[];
  encoded: string[];
  rulings: string[];
}

export type Words = Record<string, Record<Lang, string>>;

export interface Sort extends Record<Lang, string> {
  en: string;
  ru: string;
  numbers: [number | null, number | null] | null;
  names: string[];
  any_name: boolean;
  terms: [string, string][];
}

export interface Entry extends Record<Lang, string> {
  en: string;
  ru: string;
  forms: { arguments: { sort?: string; word?: string }[]; rest: boolean }[];
  /** words that mean nothing as its first argument */
  without: string[];
  /** the only edition that has it; null: every one */
  edition: Edition | null;
}

export interface Vocabulary {
  sorts: Record<string, Sort & { forms?: never }>;
  terms: Record<string, Record<string, Entry>>;
  names: { classes: Words; elements: Words } & Record<string, Words>;
  words: Words;
  steps: Words;
  phases: string[];
  /** what a check looks for, in words */
  codes: Words;
  /** What a check looks for, by searches: codes that are searched together. */
  searches: string[][];
}

export interface Sample {
  id: string;
  about: Partial<Record<Lang, string>>;
  edition: Edition;
}

export interface Finding {
  code: string;
  severity: string;
  rules: string[];
  cards: string[];
  witness: { state: Doc; action?: string | null } | null;
  text: string;
  remedy: string | null;
}

/** A question that judges were asked, with the right answer. */
export interface Ruling {
  ruling: string;
  edition: Edition;
  cites: string[];
  note: string;
  state: Doc;
  legal: string[];
  illegal: Record<string, string[]>;
  resolve: { action: string }[];
}

/** What is searched for contradictions, and how far. */
export interface Search {
  edition: Edition;
  all: boolean;
  scope?: string;
  only?: string[];
}

/** The consistency report. */
export interface Report {
  scope: Record<string, unknown>;
  searched: { code: string; answer: "found" | "none" | "undecided" }[];
  findings: Finding[];
}

/** What was in the way of an answer: problem+json of the server, or no server at all. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    title: string,
    readonly faults: string[],
    readonly code = "",
  ) {
    super(title);
  }
}

async function ask<T>(lang: Lang, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const headers: Record<string, string> = { Accept: "application/json", "Accept-Language": lang };
  const options: RequestInit = { headers, ...(signal ? { signal } : {}) };
  if (body !== undefined) {
    headers["Content-Type"] = "application/json";
    Object.assign(options, { method: "POST", body: JSON.stringify(body) });
  }
  let answer: Response;
  try {
    answer = await fetch(path, options);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Problem(0, "", [], "unreachable");
  }
  const document: unknown = await answer.json().catch(() => null);
  if (answer.ok && document !== null) return document as T;
  const told = (document ?? {}) as { title?: string; detail?: string; faults?: string[]; code?: string };
  const faults = told.faults ?? (told.detail ? [told.detail] : []);
  throw new Problem(answer.status, told.title ?? answer.statusText, faults, told.code);
}

export const api = {
  legal: (lang: Lang, state: Doc, signal?: AbortSignal) =>
    ask<Legal>(lang, `legal?lang=${lang}`, { state }, signal),
  values: (lang: Lang, state: Doc, signal?: AbortSignal) =>
    ask<{ values: Record<string, Values> }>(lang, `values?lang=${lang}`, { state }, signal),
  why: (lang: Lang, state: Doc, action: string, signal?: AbortSignal) =>
    ask<Why>(lang, `why?lang=${lang}`, { state, action }, signal),
  resolve: (lang: Lang, state: Doc, action: string, signal?: AbortSignal) =>
    ask<Resolved>(lang, `resolve?lang=${lang}`, { state, action }, signal),
  /** The document that a text of YAML or JSON holds, or a document as text. */
  state: (lang: Lang, state: Doc | string) =>
    ask<{ state: Doc; yaml: string }>(lang, `state?lang=${lang}`, { state }),
  check: (lang: Lang, search: Search, signal?: AbortSignal) =>
    ask<Report>(lang, `check?lang=${lang}`, search, signal),
  ruling: (lang: Lang, id: string) => ask<Ruling>(lang, `rulings/${encodeURIComponent(id)}`),
  cards: (lang: Lang) => ask<{ cards: Kind[] }>(lang, "cards"),
  vocabulary: (lang: Lang) => ask<Vocabulary>(lang, "vocabulary"),
  rules: (lang: Lang) => ask<{ rules: Rule[] }>(lang, "rules"),
  states: (lang: Lang) => ask<{ states: Sample[] }>(lang, "states"),
  sample: (lang: Lang, id: string) => ask<Sample & { yaml: string; state: Doc }>(lang, `states/${id}`),
};
