/** Terms in a few words: for the face of a card, for an action, for a choice of the form. */

import { effectGist, gist, triggerGist, verbWord, word } from "../i18n";
import { readTerm, type Term } from "../terms";

const VERBAL = new Set(["cannot", "cannot_be", "may", "must", "protection", "gain", "lose"]);
const NUMBER = /^-?\d+$/;

/** An ability in a few words: its keyword and numbers, or what it does; the term itself is in the hint. */
export function abilityShort(text: string): string {
  const term = readTerm(text);
  return term === null ? text : ofAbility(term);
}

function ofAbility(term: Term): string {
  const [what, value, ...more] = term.args;
  if (what === undefined) return gist(term.name);
  switch (term.name) {
    case "spell":
      return ofEffect(what);
    case "use":
      return `→ ${value ? ofEffect(value) : ""}`;
    case "on":
    case "once_on":
    case "may_on":
    case "delayed":
      return value ? `${triggerGist(what.name)}: ${ofEffect(value)}` : gist(term.name);
    case "grant":
    case "while":
    case "raid":
    case "in_zone":
      return value ? `${gist(term.name)}: ${ofAbility(value)}` : gist(term.name);
    case "instead":
    case "may_instead": {
      const [effect] = more;
      return effect ? `${gist(term.name)}: ${ofEffect(effect)}` : gist(term.name);
    }
    case "mod":
    case "is":
      if (value && more.length === 0) return `${word(what.name)} ${change(value, term.name === "is")}`;
  }
  if (term.name.endsWith("_mod")) return `${gist(term.name)} ${change(what, false)}${value ? "…" : ""}`;
  if (NUMBER.test(what.name)) return `${gist(term.name)} ${what.name}${value ? "…" : ""}`;
  const plain = what.args.length === 0 && value === undefined && VERBAL.has(term.name);
  return plain ? `${gist(term.name)} ${verbWord(what.name)}` : gist(term.name);
}

/** What is added or set, with its sign; an amount that is counted is left open. */
function change(value: Term, set: boolean): string {
  const number = NUMBER.test(value.name) ? value.name.replace(/^-/, "") : "…";
  return `${set ? "= " : value.name.startsWith("-") ? "−" : "+"}${number}`;
}

/** Terms that do what is inside them: the place of that effect. */
const INSIDE: Record<string, number> = {
  delayed: 1,
  if: 1,
  optional: 0,
  by_opponent: 0,
  repeat: 1,
  choose_class: 0,
  choose_number: 1,
};
const JOINED: Record<string, string> = {
  both: ", ",
  then: ", ",
  together: ", ",
  choose: " / ",
  choose_any: " / ",
  otherwise: " / ",
};

/** What an effect does, in a few words. */
export function ofEffect(term: Term): string {
  const [first, second] = term.args;
  if (term.name === "lay" && first) return ofAbility(first);
  const between = JOINED[term.name];
  if (between !== undefined && first && second)
    return [...new Set([ofEffect(first), ofEffect(second)])].join(between);
  if (term.name === "reveal_top" && second) return `${effectGist(term.name)}: ${ofEffect(second)}`;
  const inside = INSIDE[term.name];
  const inner = inside === undefined ? undefined : term.args[inside];
  if (inner !== undefined) return ofEffect(inner);
  return first && NUMBER.test(first.name) ? `${effectGist(term.name)} ${first.name}` : effectGist(term.name);
}
