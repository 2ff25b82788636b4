import type { Verdict } from "../api";
import { t, word } from "../i18n";
import { decides, type Effect, type Face, isClassic } from "../model";
import { aimed, aims, asked, changesOn, choose, doc, press, selected, verdictsOf } from "../store/desk";
import { parseAction } from "../terms";
import { drag } from "./drag";
import { Icon } from "./icons";
import { cardName } from "./names";
import { Pressable } from "./Pressable";
import { abilityShort } from "./short";
import { hint } from "./Tip";

/** How a card stands to the question: it may, may not, or it is not asked. */
export type Light = "none" | "chosen" | "yes" | "no" | "able" | "unable";

export function lightOf(id: string): Light {
  if (selected.value === id) return "chosen";
  if (selected.value !== null) {
    const about = aims.value.get(id);
    if (about === undefined) return "none";
    return about.some((verdict) => verdict.legal) ? "yes" : "no";
  }
  const own = verdictsOf.value.get(id);
  if (own === undefined) return "none";
  return own.some((verdict) => verdict.legal) ? "able" : "unable";
}

/** The verdicts that the light of a card stands for. */
export function verdictsFor(id: string): readonly Verdict[] {
  if (selected.value !== null && selected.value !== id) return aims.value.get(id) ?? [];
  return verdictsOf.value.get(id) ?? [];
}

export function elementOf(item: { element: string[] }): string {
  return item.element.length === 0
    ? "neutral"
    : item.element.length > 1
      ? "mixed"
      : (item.element[0] as string);
}

export const lifeLeft = (item: Face): number =>
  item.life + (item.card.extra_life ?? 0) - (item.card.wounds ?? 0);

const strikeShown = (strike: Face["strike"]): string =>
  Array.isArray(strike) ? strike.join("–") : String(strike);

/** Of a value that is not as printed: whether it is better for the card or worse. */
function changed(now: Face["strike"] | undefined, printed: Face["strike"] | undefined): string {
  if (now === undefined || printed === undefined) return "";
  const sum = (value: Face["strike"]): number =>
    Array.isArray(value) ? value.reduce((all, each) => all + each, 0) : value;
  return sum(now) > sum(printed) ? " better" : " worse";
}

/** All that is to be seen on a card but its name, in words. */
export function said(item: Face): string[] {
  const { card } = item;
  const parts = [word(item.type), ...item.classes.map(word), ...item.element.map(word)];
  if (item.zone === "hand") parts.push(t("cost_n", { n: item.cost }));
  if (item.life > 0) {
    const { strike, life } = item.printed;
    const said = t("strike_n", { n: strikeShown(item.strike) });
    parts.push(strike === undefined ? said : t("printed_n", { what: said, n: strikeShown(strike) }));
    const left = t("life_n", { left: lifeLeft(item), all: item.life });
    parts.push(life === undefined ? left : t("printed_n", { what: left, n: life }));
  }
  for (const mark of ["closed", "acted", "defended", "hidden"] as const) if (card[mark]) parts.push(t(mark));
  if (card.chips) parts.push(t("chips_n", { n: card.chips }));
  return parts;
}

/** The card as a sentence for those who hear the table. */
export function spoken(item: Face): string {
  const parts = [item.name, ...said(item)];
  const verdicts = verdictsFor(item.id);
  const legal = verdicts.filter((verdict) => verdict.legal).length;
  if (legal > 0) parts.push(t("can_do", { n: legal }));
  if (legal < verdicts.length) parts.push(t("cannot_do", { n: verdicts.length - legal }));
  return parts.join(", ");
}

export function effectsOn(id: string): readonly [Effect, number][] {
  return (doc.value.effects ?? [])
    .map((effect, place): [Effect, number] => [effect, place])
    .filter(([effect]) => effect.card === id)
    .sort(([one, a], [other, b]) => (one.since ?? a + 1) - (other.since ?? b + 1));
}

/** The type and the classes of a card; a class that is called like the type is not said again. */
export const kindLine = (type: string, classes: readonly string[]): string =>
  [...new Set([type, ...classes].map(word))].join(" · ");

/** Long words stand smaller rather than broken. */
function tightness({ name, type }: Face): string {
  const longest = Math.max(...name.split(/[\s-]+/).map((part) => part.length)) - (type === "hero" ? 3 : 0);
  return longest > 11 ? " tightest" : longest > 9 ? " tighter" : longest > 7 ? " tight" : "";
}

function Wounds({ item }: { item: Face }) {
  const wounds = item.card.wounds ?? 0;
  if (wounds === 0) return null;
  return wounds > 6 ? (
    <span class="wounds">
      <i class="drop" />×{wounds}
    </span>
  ) : (
    <span class="wounds">
      {Array.from({ length: wounds }, (_, at) => (
        <i class="drop" key={at} />
      ))}
    </span>
  );
}

/** A card on the table, as large as it lies there. */
export function CardView({ item, small = false }: { item: Face; small?: boolean }) {
  const { card } = item;
  const light = lightOf(item.id);
  const role = pendingRole(item.id);
  const about = asked.value === null ? aimed.value : parseAction(asked.value).args;
  const after = changesOn.value.get(item.id);
  const shown = item.abilities.length > 4 ? 3 : 4; // and how many more
  const effects = item.zone === "play" ? effectsOn(item.id) : [];
  const classes = [
    "card",
    `of-${elementOf(item)}`,
    `type-${item.type}`,
    `light-${light}`,
    small && "small",
    card.closed && "closed",
    card.hidden && "face-down",
    role && `role-${role}`,
    about.includes(item.id) && "asked",
    item.zone === "play" && lifeLeft(item) <= 0 && item.life > 0 && "dead",
  ]
    .filter(Boolean)
    .join(" ");
  return (
    <div class={card.closed ? "slot turned" : "slot"} data-card={item.id}>
      <Pressable
        class={classes}
        aria-pressed={selected.value === item.id}
        press={() => press(item.id)}
        onDblClick={() => choose(item.id)}
        {...hint({ kind: "card", id: item.id })}
        {...drag(item.id)}
      >
        <span class="hidden-text">{spoken(item)}</span>
        <span class="face" aria-hidden="true">
          <span class="head">
            {item.type !== "hero" && (card.kind !== undefined || card.cost !== undefined) && (
              <span class={`cost${changed(item.printed.cost, item.cost)}`}>{item.cost}</span>
            )}
            <span class={`name${tightness(item)}`}>{item.name}</span>
          </span>
          <span class="line">{kindLine(item.type, item.classes)}</span>
          {!small && (
            <span class="abilities">
              {item.abilities.slice(0, shown).map((text, at) => (
                <span class="ability" key={at}>
                  {abilityShort(text)}
                </span>
              ))}
              {item.abilities.length > shown && <span class="ability">+{item.abilities.length - shown}</span>}
            </span>
          )}
          {(item.life > 0 || strikeShown(item.strike) !== "0") && (
            <span class="foot">
              {item.type === "hero" && item.strike === 0 ? (
                <span />
              ) : (
                <span class={`stat strike${changed(item.strike, item.printed.strike)}`}>
                  <Icon name="sword" />
                  {strikeShown(item.strike)}
                </span>
              )}
              <Wounds item={item} />
              <span class={`stat life${card.wounds ? " hurt" : ""}${changed(item.life, item.printed.life)}`}>
                <Icon name="heart" fill />
                {lifeLeft(item)}
              </span>
            </span>
          )}
        </span>
      </Pressable>
      {(card.closed ||
        role ||
        card.acted ||
        card.defended ||
        card.attacked ||
        card.chips ||
        isMoving(item)) && (
        <ul class="marks">
          {card.closed &&
            (isClassic(doc.value) && item.zone === "play" ? (
              <li>{t("closed")}</li>
            ) : (
              <li class="mark-name">{item.name}</li>
            ))}
          {role && <li class={`mark-${role}`}>{t(role)}</li>}
          {(["acted", "attacked", "defended"] as const).map(
            (mark) => card[mark] && <li key={mark}>{t(mark)}</li>,
          )}
          {card.chips ? <li>{t("chips_n", { n: card.chips })}</li> : null}
          {isMoving(item) && <li>{t("steps_n", { n: (card.movement ?? 0) - (card.moved ?? 0) })}</li>}
        </ul>
      )}
      {after !== undefined && (
        <ul class="after" aria-label={t("changes")}>
          {after.slice(0, after.length > 3 ? 2 : 3).map((text, at) => (
            <li key={at}>{text}</li>
          ))}
          {after.length > 3 && <li>+{after.length - 2}</li>}
        </ul>
      )}
      {effects.length > 0 && (
        <ol class="chips" aria-label={`${cardName(item.id)}: ${t("effects_on")}`}>
          {effects.map(([effect, place]) => (
            <li key={place} {...hint({ kind: "effect", place })}>
              {abilityShort(effect.ability)}
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

const isMoving = (item: Face): boolean =>
  isClassic(doc.value) && (item.card.movement ?? 0) > 0 && decides(doc.value) === item.controller;

function pendingRole(id: string): "attacker" | "target" | "defender" | null {
  const pending = doc.value.pending;
  if (!pending) return null;
  if (pending.attacker === id) return "attacker";
  if (pending.defender === id) return "defender";
  return pending.target === id ? "target" : null;
}
