/** The documents that go to the judge and come back (docs/contract.md), and how a table reads them. */

export type Lang = "en" | "ru";
export type Edition = "heroes" | "heroes_2" | "classic";
export type Zone = "play" | "hand" | "deck" | "graveyard" | "reserve";

export const EDITIONS: readonly Edition[] = ["heroes", "heroes_2", "classic"];
export const ZONES: readonly Zone[] = ["play", "hand", "deck", "graveyard", "reserve"];
export const ELEMENTS = ["steppe", "mountain", "forest", "swamp", "darkness"] as const;
export const COLUMNS = 5;
export const ROWS = 6;

/** What a kind, or a card written out in the document, prints. */
export interface Printed {
  name?: string;
  type?: string;
  class?: string[];
  element?: string[];
  cost?: number;
  strike?: number | [number, number, number];
  life?: number;
  abilities?: string[];
}

export interface Card extends Printed {
  kind?: string;
  owner?: string;
  controller?: string;
  zone?: Zone;
  wounds?: number;
  extra_life?: number;
  closed?: boolean;
  acted?: boolean;
  attacked?: boolean;
  defended?: boolean;
  hidden?: boolean;
  entered?: number;
  since?: number;
  spent?: Record<string, number>;
  cell?: [number, number];
  arrived?: number;
  movement?: number;
  moved?: number;
  chips?: number;
}

export interface Effect {
  card: string;
  ability: string;
  source?: string | null;
  controller?: string;
  since?: number;
  spent?: number;
  until?: string | number;
}

export interface Player {
  coins?: number;
  coins_total?: number;
  missed?: number;
  deck_order?: "known" | "unknown";
  drawn?: number;
  attacks?: number;
  known_top?: number;
}

export interface Pending {
  attacker: string;
  target: string;
  defender?: string | null;
}

export interface Doc {
  edition?: Edition;
  turn?: number;
  active: string;
  phase?: string;
  players: Record<string, Player>;
  cards: Record<string, Card>;
  effects?: Effect[];
  pending?: Pending | null;
  result?: string | null;
}

/** An entry of the catalogue. */
export interface Kind {
  id: string;
  name: Record<Lang, string>;
  type: string;
  class: string[];
  element: string[];
  cost: number;
  strike: number | [number, number, number];
  life: number;
  abilities: string[];
  edition: string;
  set: number | null;
  number: number | null;
  complete: boolean;
}

export type Catalogue = ReadonlyMap<string, Kind>;

/** A card as it lies on the table: its printed values with those of its kind beneath. */
export interface Face {
  id: string;
  card: Card;
  name: string;
  type: string;
  classes: string[];
  element: string[];
  cost: number;
  strike: number | [number, number, number];
  life: number;
  abilities: string[];
  owner: string;
  controller: string;
  zone: Zone;
  /** what is printed, where it is something else now */
  printed: { strike?: Strike; life?: number; cost?: number };
}

export type Strike = number | [number, number, number];

/** The same card with its values as they are now; what is printed is kept where it differs. */
export function asNow(item: Face, now: { strike: Strike; life: number; cost: number } | undefined): Face {
  if (now === undefined) return item;
  const printed: Face["printed"] = {};
  const same = grades(now.strike) === grades(item.strike);
  if (!same) printed.strike = item.strike;
  if (now.life !== item.life) printed.life = item.life;
  if (now.cost !== item.cost) printed.cost = item.cost;
  return { ...item, strike: same ? item.strike : now.strike, life: now.life, cost: now.cost, printed };
}

/** A strike by its grades; one number stands for three that are equal. */
const grades = (strike: Strike): string => (Array.isArray(strike) ? strike : [strike, strike, strike]).join();

const KEYS = ["type", "class", "element", "cost", "strike", "life", "abilities"] as const;

/** The card of that id as it lies there; undefined if there is none. */
export function face(doc: Doc, id: string, kinds: Catalogue, lang: Lang): Face | undefined {
  const card = doc.cards[id];
  if (card === undefined) return undefined;
  const kind = card.kind === undefined ? undefined : kinds.get(card.kind);
  const printed: Record<string, unknown> = {};
  for (const key of KEYS) printed[key] = card[key] ?? kind?.[key];
  const owner = card.owner ?? card.controller ?? "";
  return {
    id,
    card,
    name: card.name ?? kind?.name[lang] ?? card.kind ?? id,
    type: (printed["type"] as string | undefined) ?? "creature",
    classes: (printed["class"] as string[] | undefined) ?? [],
    element: (printed["element"] as string[] | undefined) ?? [],
    cost: (printed["cost"] as number | undefined) ?? 0,
    strike: (printed["strike"] as Face["strike"] | undefined) ?? 0,
    life: (printed["life"] as number | undefined) ?? 0,
    abilities: (printed["abilities"] as string[] | undefined) ?? [],
    owner,
    controller: card.controller ?? owner,
    zone: card.zone ?? "play",
    printed: {},
  };
}

export function faces(doc: Doc, kinds: Catalogue, lang: Lang): Face[] {
  return Object.keys(doc.cards).map((id) => face(doc, id, kinds, lang) as Face);
}

/** Whose side a card lies on: in play its controller's, elsewhere its owner's. */
export const side = (item: Face): string => (item.zone === "play" ? item.controller : item.owner);

export const opponent = (doc: Doc, player: string): string =>
  Object.keys(doc.players).find((id) => id !== player) ?? player;

/** The player who has the next decision (null: the game is over). */
export function decides(doc: Doc): string | null {
  if (doc.result) return null;
  return doc.pending && !doc.pending.defender ? opponent(doc, doc.active) : doc.active;
}

export const isClassic = (doc: Doc): boolean => doc.edition === "classic";

/** Whether a value has the shape of a document: what the table needs to be drawn; the judge reads the rest. */
export function isDoc(value: unknown): value is Doc {
  const { active, players, cards } = (value ?? {}) as Partial<Doc>;
  const mapping = (each: unknown): boolean =>
    typeof each === "object" && each !== null && !Array.isArray(each);
  return (
    typeof active === "string" &&
    mapping(players) &&
    Object.keys(players as object).length === 2 &&
    mapping(cards)
  );
}

/** A new table: two players, nothing on it. */
export function emptyTable(edition: Edition = "heroes"): Doc {
  return { edition, turn: 1, active: "p1", players: { p1: {}, p2: {} }, cards: {} };
}
