/** Cards and actions as people call them. */

import { doc, lang, table } from "../store/desk";
import { actionWords } from "../i18n";
import { parseAction } from "../terms";

/** The name of the card of that id: with the id where another card has the same name. */
export function cardName(id: string): string {
  const item = table.value.find((each) => each.id === id);
  if (item === undefined) return id;
  const twins = table.value.filter((each) => each.name === item.name).length > 1;
  return twins ? `${item.name} (${id})` : item.name;
}

export function actionName(text: string): string {
  const { verb, args } = parseAction(text);
  return actionWords(verb, args, (part) => (part in doc.value.cards ? cardName(part) : part));
}

/** For searching: small letters, and ё as е. */
export const plain = (text: string): string => text.toLocaleLowerCase(lang.value).replaceAll("ё", "е").trim();
