/** Laying a position out: each edit takes a document and gives another. Nothing here judges. */

import {
  COLUMNS,
  type Card,
  type Doc,
  type Effect,
  type Face,
  type Kind,
  opponent,
  type Player,
  ROWS,
  type Zone,
} from "../model";

/** Marks that a card sheds when it leaves play (docs/contract.md, section 1). */
const MARKS = [
  "wounds",
  "extra_life",
  "closed",
  "acted",
  "attacked",
  "defended",
  "hidden",
  "entered",
  "since",
  "spent",
  "cell",
  "arrived",
  "moved",
  "chips",
  "controller",
] as const satisfies readonly (keyof Card)[];

/** Values that say nothing because they are what is meant when the key is left out. */
function idle(key: string, value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === "") return true;
  if (value === 0) return key !== "strike" && key !== "cost" && key !== "life";
  if (key === "zone") return value === "play";
  return key === "spent" && Object.keys(value as object).length === 0;
}

function tidy<T extends object>(thing: T): T {
  return Object.fromEntries(Object.entries(thing).filter(([key, value]) => !idle(key, value))) as T;
}

/** An id for a new card of that kind that nothing on the table has yet. */
export function freeId(doc: Doc, kind: string): string {
  const stem = /^[a-z][a-z0-9_]*$/.test(kind) ? kind : "card";
  if (!(stem in doc.cards)) return stem;
  let number = 2;
  while (`${stem}_${number}` in doc.cards) number += 1;
  return `${stem}_${number}`;
}

/** Where a card is put; `before`: the card it is laid in front of, in the order of the document. */
export interface Place {
  player: string;
  zone: Zone;
  cell?: [number, number];
  before?: string;
}

export function addCard(doc: Doc, kind: Kind, place: Place): { doc: Doc; id: string } {
  const id = freeId(doc, kind.id);
  const card: Card = tidy({ kind: kind.id, owner: place.player, zone: place.zone });
  return { doc: moveCard({ ...doc, cards: { ...doc.cards, [id]: card } }, id, place), id };
}

/** A card that is in no catalogue, with its values written out. */
export function addBlank(doc: Doc, place: Place): { doc: Doc; id: string } {
  const id = freeId(doc, "card");
  const classic = doc.edition === "classic";
  const card: Card = {
    type: "creature",
    strike: classic ? [1, 2, 3] : 1,
    life: classic ? 5 : 2,
    owner: place.player,
  };
  if (classic) card.movement = 1;
  return { doc: moveCard({ ...doc, cards: { ...doc.cards, [id]: card } }, id, place), id };
}

export function setCard(doc: Doc, id: string, patch: Partial<Card>): Doc {
  const old = doc.cards[id];
  if (old === undefined) return doc;
  return { ...doc, cards: { ...doc.cards, [id]: tidy({ ...old, ...patch }) } };
}

export function moveCard(doc: Doc, id: string, place: Place): Doc {
  const old = doc.cards[id];
  if (old === undefined) return doc;
  const owner = old.owner ?? old.controller ?? place.player;
  let card: Card = { ...old, owner };
  let effects = doc.effects;
  if (place.zone === "play") {
    if (place.player === owner) delete card.controller;
    else card.controller = place.player;
    delete card.zone;
    const cell =
      doc.edition === "classic" ? (place.cell ?? card.cell ?? freeCell(doc, place.player)) : undefined;
    if (cell !== undefined) card.cell = cell;
  } else {
    if ((old.zone ?? "play") === "play") {
      for (const key of MARKS) delete card[key];
      effects = effects?.filter((effect) => effect.card !== id);
    }
    card = { ...card, owner: place.player, zone: place.zone };
  }
  const cards = reorder({ ...doc.cards, [id]: card }, id, place.before);
  const out: Doc = { ...doc, cards };
  if (doc.pending && place.zone !== "play" && Object.values(doc.pending).includes(id)) delete out.pending;
  return withEffects(out, effects);
}

function reorder(cards: Record<string, Card>, id: string, before: string | undefined): Record<string, Card> {
  if (before === undefined || before === id || !(before in cards)) return cards;
  const ids = Object.keys(cards).filter((other) => other !== id);
  ids.splice(ids.indexOf(before), 0, id);
  return Object.fromEntries(ids.map((each) => [each, cards[each] as Card]));
}

/** A cell of that player's own rows with nothing on it; undefined if there is none. */
export function freeCell(doc: Doc, player: string): [number, number] | undefined {
  const taken = new Set(Object.values(doc.cards).map((card) => card.cell?.join()));
  const first = Object.keys(doc.players)[0] === player;
  const rows = first ? [3, 2, 1] : [ROWS - 2, ROWS - 1, ROWS];
  for (const row of rows)
    for (let column = 1; column <= COLUMNS; column += 1)
      if (!taken.has(`${column},${row}`)) return [column, row];
  return undefined;
}

export function removeCard(doc: Doc, id: string): Doc {
  const { [id]: gone, ...cards } = doc.cards;
  if (gone === undefined) return doc;
  const out: Doc = { ...doc, cards };
  if (doc.pending && Object.values(doc.pending).includes(id)) delete out.pending;
  const left = doc.effects
    ?.filter((effect) => effect.card !== id)
    .map((effect) => {
      if (effect.source !== id) return effect;
      const { source: _, ...rest } = effect;
      return rest;
    });
  return withEffects(out, left);
}

/** Gives a card another id, wherever it is named. The new id must be free. */
export function renameCard(doc: Doc, id: string, to: string): Doc {
  if (id === to || !(id in doc.cards) || to in doc.cards) return doc;
  const name = (each: string) => (each === id ? to : each);
  const cards = Object.fromEntries(Object.entries(doc.cards).map(([each, card]) => [name(each), card]));
  const out: Doc = { ...doc, cards };
  if (doc.pending) {
    const { attacker, target, defender } = doc.pending;
    out.pending = {
      attacker: name(attacker),
      target: name(target),
      ...(defender ? { defender: name(defender) } : {}),
    };
  }
  const effects = doc.effects?.map((effect) => ({
    ...effect,
    card: name(effect.card),
    ...(effect.source ? { source: name(effect.source) } : {}),
  }));
  return withEffects(out, effects);
}

export function addEffect(doc: Doc, effect: Effect): Doc {
  const moments = [
    ...(doc.effects ?? []).map((each, place) => each.since ?? place + 1),
    ...Object.values(doc.cards).flatMap((card) => [card.since ?? 0, card.arrived ?? 0]),
  ];
  // a new moment is one more than the greatest
  const since = effect.since ?? Math.max(0, ...moments) + 1;
  return withEffects(doc, [...(doc.effects ?? []), { ...effect, since }]);
}

/** Puts another effect in the place of one. */
export function changeEffect(doc: Doc, index: number, effect: Effect): Doc {
  return withEffects(
    doc,
    doc.effects?.map((each, place) => (place === index ? effect : each)),
  );
}

export function removeEffect(doc: Doc, index: number): Doc {
  return withEffects(
    doc,
    doc.effects?.filter((_, place) => place !== index),
  );
}

function withEffects(doc: Doc, effects: readonly Effect[] | undefined): Doc {
  const { effects: _, ...rest } = doc;
  return effects === undefined || effects.length === 0 ? rest : { ...rest, effects: [...effects] };
}

export function setPlayer(doc: Doc, id: string, patch: Partial<Player>): Doc {
  const player = tidy({ ...doc.players[id], ...patch });
  // of coins that are open, none is missing from the whole
  if ((player.coins ?? 0) > (player.coins_total ?? player.coins ?? 0)) player.coins_total = player.coins ?? 0;
  return { ...doc, players: { ...doc.players, [id]: player } };
}

/** Gives a player another name, wherever the player is named. The new name must be free. */
export function renamePlayer(doc: Doc, id: string, to: string): Doc {
  if (id === to || !(id in doc.players) || to in doc.players) return doc;
  const name = (each: string): string => (each === id ? to : each);
  const mapped = <T extends object>(thing: T): T =>
    Object.fromEntries(
      Object.entries(thing).map(([key, value]) => [
        key,
        key === "owner" || key === "controller" ? name(value as string) : value,
      ]),
    ) as T;
  const out: Doc = {
    ...doc,
    active: name(doc.active),
    players: Object.fromEntries(Object.entries(doc.players).map(([each, player]) => [name(each), player])),
    cards: Object.fromEntries(Object.entries(doc.cards).map(([each, card]) => [each, mapped(card)])),
  };
  if (doc.result) out.result = name(doc.result);
  return withEffects(out, doc.effects?.map(mapped));
}

export function setTable(doc: Doc, patch: Partial<Doc>): Doc {
  return Object.fromEntries(
    Object.entries({ ...doc, ...patch }).filter(([, value]) => value !== undefined && value !== null),
  ) as unknown as Doc;
}

/** Whether an attack of one card on the other could be announced in the layout: enemies in play. */
export function canFace(doc: Doc, attacker: Face, target: Face): boolean {
  return (
    attacker.zone === "play" &&
    target.zone === "play" &&
    target.controller === opponent(doc, attacker.controller)
  );
}
