/** Cards and actions as people call them. */

import { doc, lang, table } from "../store/desk";
import { actionWords, deedWords, t, word } from "../i18n";
import { parseAction } from "../terms";
import { abilityShort } from "./short";

/** The name of the card of that id: with the id where another card has the same name. */
export function cardName(id: string): string {
  const item = table.value.find((each) => each.id === id);
  if (item === undefined) return id;
  const twins = table.value.filter((each) => each.name === item.name).length > 1;
  return twins ? `${item.name} (${id})` : item.name;
}

/** An action in words; `agent` left out where it stands above a list of what that card may do. */
export function actionName(text: string, agent = true): string {
  const { verb, args } = parseAction(text);
  const name = (part: string): string => (part in doc.value.cards ? cardName(part) : part);
  const [first = "", number = ""] = args;
  const used = verb === "use" ? ability(first, Number(number)) : undefined;
  if (agent) {
    const told = actionWords(verb, args, name);
    return used === undefined ? told : told.replace(/( → .*)?$/, (aims) => ` (${used})${aims}`);
  }
  return deedWords(verb, args.slice(1).map(name), used) ?? actionWords(verb, args, name);
}

/** In a few words, what an activated ability of a card does. */
function ability(id: string, number: number): string | undefined {
  const item = table.value.find((each) => each.id === id);
  const text = item?.abilities.filter((each) => each.startsWith("use("))[number - 1];
  return text === undefined ? undefined : abilityShort(text).replace(/^→ /, "");
}

/** How long an effect lasts. */
export const untilWords = (until: string | number | null | undefined): string =>
  t("effect_until", {
    until: typeof until === "number" ? t("end_of_turn_n", { n: until }) : word(until ?? "leaves"),
  });

/** For searching: small letters, and ё as е. */
export const plain = (text: string): string => text.toLocaleLowerCase(lang.value).replaceAll("ё", "е").trim();
