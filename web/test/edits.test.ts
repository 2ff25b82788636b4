import { describe, expect, it } from "vitest";
import type { Doc, Kind } from "../src/model";
import {
  addBlank,
  addCard,
  addEffect,
  freeCell,
  moveCard,
  removeCard,
  removeEffect,
  renameCard,
  renamePlayer,
  setCard,
  setPlayer,
  setTable,
} from "../src/store/edits";

const ORC: Kind = {
  id: "orc",
  name: { en: "Orc", ru: "Орк" },
  type: "creature",
  class: [],
  element: ["steppe"],
  cost: 1,
  strike: 2,
  life: 3,
  abilities: [],
  edition: "heroes",
  set: 1,
  number: 1,
  complete: true,
};

const table = (): Doc => ({
  active: "p1",
  players: { p1: { coins: 2, coins_total: 5 }, p2: {} },
  cards: {
    hero: { type: "hero", life: 20, owner: "p1" },
    groll: { kind: "groll", owner: "p1", wounds: 2, closed: true, entered: 3 },
    enemy: { type: "creature", life: 4, owner: "p2" },
  },
  effects: [
    { card: "groll", ability: "mod(strike,2)", source: "enemy", since: 4 },
    { card: "enemy", ability: "charge", since: 5 },
  ],
  pending: { attacker: "groll", target: "enemy" },
});

describe("cards", () => {
  it("are added with an id that is free", () => {
    const one = addCard(table(), ORC, { player: "p2", zone: "hand" });
    const two = addCard(one.doc, ORC, { player: "p2", zone: "hand" });
    expect([one.id, two.id]).toEqual(["orc", "orc_2"]);
    expect(two.doc.cards["orc_2"]).toEqual({ kind: "orc", owner: "p2", zone: "hand" });
  });

  it("of one’s own have what the judge requires", () => {
    const { doc, id } = addBlank(table(), { player: "p1", zone: "play" });
    expect(doc.cards[id]).toMatchObject({ type: "creature", life: 2, owner: "p1" });
  });

  it("leave no key behind that says nothing", () => {
    const doc = setCard(table(), "groll", { wounds: 0, closed: false, spent: {} });
    expect(doc.cards["groll"]).toEqual({ kind: "groll", owner: "p1", entered: 3 });
  });

  it("keep a strike and a life of 0 where these are written", () => {
    expect(setCard(table(), "enemy", { strike: 0 }).cards["enemy"]).toHaveProperty("strike", 0);
  });

  it("that leave play shed marks, effects and the attack", () => {
    const doc = moveCard(table(), "groll", { player: "p1", zone: "graveyard" });
    expect(doc.cards["groll"]).toEqual({ kind: "groll", owner: "p1", zone: "graveyard" });
    expect(doc.effects?.map((effect) => effect.card)).toEqual(["enemy"]);
    expect(doc.pending).toBeUndefined();
  });

  it("that go over to the other side are controlled there and owned here", () => {
    const taken = moveCard(table(), "groll", { player: "p2", zone: "play" });
    expect(taken.cards["groll"]).toMatchObject({ owner: "p1", controller: "p2", wounds: 2 });
    expect(moveCard(taken, "groll", { player: "p1", zone: "play" }).cards["groll"]).not.toHaveProperty(
      "controller",
    );
  });

  it("are laid before others", () => {
    const doc = moveCard(table(), "enemy", { player: "p2", zone: "play", before: "hero" });
    expect(Object.keys(doc.cards)).toEqual(["enemy", "hero", "groll"]);
  });

  it("are removed with all that names them", () => {
    const doc = removeCard(table(), "enemy");
    expect(doc.cards).not.toHaveProperty("enemy");
    expect(doc.effects).toEqual([{ card: "groll", ability: "mod(strike,2)", since: 4 }]);
    expect(doc.pending).toBeUndefined();
  });

  it("are renamed wherever they are named, in their place", () => {
    const doc = renameCard(table(), "groll", "big");
    expect(Object.keys(doc.cards)).toEqual(["hero", "big", "enemy"]);
    expect(doc.pending).toEqual({ attacker: "big", target: "enemy" });
    expect(renameCard(table(), "enemy", "foe").effects?.[0]).toMatchObject({ card: "groll", source: "foe" });
    expect(renameCard(table(), "groll", "hero")).toEqual(table());
  });

  it("find a cell of their own rows on the board of classic", () => {
    const board: Doc = { edition: "classic", active: "p1", players: { p1: {}, p2: {} }, cards: {} };
    expect(freeCell(board, "p1")).toEqual([1, 3]);
    expect(freeCell(board, "p2")).toEqual([1, 4]);
    const one = addBlank(board, { player: "p1", zone: "play" }).doc;
    expect(one.cards["card"]?.cell).toEqual([1, 3]);
    expect(addBlank(one, { player: "p1", zone: "play" }).doc.cards["card_2"]?.cell).toEqual([2, 3]);
  });
});

describe("effects", () => {
  it("are laid at a moment after all others", () => {
    const doc = addEffect(table(), { card: "hero", ability: "armor(1)" });
    expect(doc.effects?.at(-1)).toEqual({ card: "hero", ability: "armor(1)", since: 6 });
  });

  it("are taken off one by one, and the last with its list", () => {
    const one = removeEffect(table(), 0);
    expect(one.effects?.map((effect) => effect.ability)).toEqual(["charge"]);
    expect(removeEffect(one, 0)).not.toHaveProperty("effects");
  });
});

describe("the table", () => {
  it("has no more open coins than coins", () => {
    expect(setPlayer(table(), "p1", { coins: 7 }).players["p1"]).toEqual({ coins: 7, coins_total: 7 });
    expect(setPlayer(table(), "p1", { coins: 0 }).players["p1"]).toEqual({ coins_total: 5 });
  });

  it("renames a player wherever the player is named, in the same seat", () => {
    const before = {
      ...table(),
      result: "p1",
      effects: [{ card: "groll", ability: "charge", controller: "p1" }],
    };
    const doc = renamePlayer(before, "p1", "steppe");
    expect(Object.keys(doc.players)).toEqual(["steppe", "p2"]);
    expect([doc.active, doc.result, doc.cards["groll"]?.owner, doc.effects?.[0]?.controller]).toEqual(
      Array(4).fill("steppe"),
    );
    expect(JSON.stringify(doc)).not.toContain('"p1"');
    expect(renamePlayer(before, "p1", "p2")).toBe(before);
  });

  it("drops what is taken back", () => {
    expect(setTable(table(), { pending: null })).not.toHaveProperty("pending");
  });

  it("is never changed in place", () => {
    const before = table();
    moveCard(before, "groll", { player: "p2", zone: "hand" });
    removeCard(before, "enemy");
    addEffect(before, { card: "hero", ability: "charge" });
    expect(before).toEqual(table());
  });
});
