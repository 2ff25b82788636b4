/** What the page says itself, in English and in Russian; words of the game come from the server. */

import type { Lang } from "./model";
import { ACTIONS, DEEDS, EFFECTS, GISTS, MESSAGES, type Pair, TRIGGERS, VERBS } from "./messages";
import { lang, vocabulary } from "./store/desk";

export type Key = keyof typeof MESSAGES;

/** The message of that key in the language of the page. */
export function t(key: Key, parts: Record<string, string | number> = {}): string {
  return fill(MESSAGES[key][lang.value === "en" ? 0 : 1], parts);
}

export const known = (key: string): key is Key => key in MESSAGES;

const fill = (text: string, parts: Record<string, string | number>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(parts[name] ?? whole));

/** A word of the game: a zone, type, element, class, mark; itself if there is no other word for it. */
export function word(value: string): string {
  const words = vocabulary.value;
  const told: Lang = lang.value;
  const pair = words?.words[value] ?? words?.names.classes?.[value] ?? words?.names.elements?.[value];
  return pair?.[told] ?? value;
}

const chosen = (pairs: Record<string, Pair>, name: string): string | undefined =>
  pairs[name]?.[lang.value === "en" ? 0 : 1];

export const verbWord = (name: string): string => chosen(VERBS, name) ?? word(name);

/** An ability by its keyword, else by what it does in a word or two. */
export function gist(name: string): string {
  const told = word(name);
  return told === name ? (chosen(GISTS, name) ?? name.replaceAll("_", " ")) : told;
}

export const effectGist = (name: string): string => chosen(EFFECTS, name) ?? briefOf("effect", name);
export const triggerGist = (name: string): string => chosen(TRIGGERS, name) ?? briefOf("trigger", name);

/** What a word of that section of the vocabulary means, shortly: what its line says first. */
export function briefOf(section: string, name: string): string {
  if (section === "ability") return gist(name);
  if (section === "verb") return verbWord(name);
  const line = vocabulary.value?.terms[section]?.[name]?.[lang.value];
  return line?.split(/[,;:(]/)[0]?.trim() ?? name.replaceAll("_", " ");
}

export const stepWord = (value: string): string => vocabulary.value?.steps[value]?.[lang.value] ?? value;

/** An action in words; `name` gives the name of a card. */
export function actionWords(verb: string, args: readonly string[], name: (id: string) => string): string {
  const frame = ACTIONS[verb];
  if (frame === undefined) return args.length ? `${verb}(${args.join(",")})` : verb;
  const shown = args.map(name);
  const text = fill(
    frame[lang.value === "en" ? 0 : 1],
    Object.fromEntries(shown.map((each, at) => [at, each])),
  );
  const used = verb === "use" ? 2 : verb === "play" ? 1 : shown.length;
  const aims = shown.slice(used);
  return aims.length ? `${text} → ${aims.join(", ")}` : text;
}

/** What a card does, in words that stand below its name; undefined where the action has none. */
export function deedWords(verb: string, rest: readonly string[], used?: string): string | undefined {
  const frame = chosen(DEEDS, verb);
  if (frame === undefined) return undefined;
  const text = fill(frame, { 1: rest[0] ?? "", 2: rest[1] ?? "" });
  const aims = rest.slice(verb === "use" ? 1 : verb === "play" ? 0 : rest.length);
  return `${text}${used === undefined ? "" : ` (${used})`}${aims.length ? ` → ${aims.join(", ")}` : ""}`;
}
