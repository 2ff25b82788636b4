import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { Outcome, Verdict } from "../src/api";
import { difference, rulingDocument, toYaml } from "../src/codec/ruling";
import type { Doc } from "../src/model";

const state: Doc = {
  edition: "heroes",
  turn: 3,
  active: "p1",
  players: { p1: { coins: 2 }, p2: {} },
  cards: {
    orc: { type: "creature", life: 4, owner: "p1", wounds: 1, spent: { "armor(1)": 1 } },
    elf: { type: "creature", life: 2, owner: "p2" },
  },
  pending: { attacker: "orc", target: "elf" },
};
const after: Doc = {
  turn: 3,
  active: "p1",
  players: { p1: {}, p2: {} },
  cards: {
    orc: { type: "creature", life: 4, owner: "p1", closed: true, acted: true, wounds: 1 },
    elf: { type: "creature", life: 2, owner: "p2", zone: "graveyard" },
    egg_1: { kind: "egg", owner: "p2" },
  },
};
const verdict = (action: string, legal: boolean, rule: string): Verdict => ({
  action,
  legal,
  because: [{ rule, by: null, text: "" }],
});
const outcome: Outcome = {
  ways: 1,
  choices: [],
  changes: [],
  trace: [{ step: "apply", rule: "508.4.3", by: null, what: "elf", value: 2, text: "" }],
  state: after,
};

describe("an outcome", () => {
  it("is told by what differs", () => {
    expect(difference(state, after)).toEqual({
      pending: null,
      players: { p1: { coins: 0 } },
      cards: {
        orc: { closed: true, acted: true, spent: { "armor(1)": 0 } },
        elf: { zone: "graveyard" },
        egg_1: { zone: "play" },
      },
    });
  });

  it("that changes nothing says nothing", () => {
    expect(difference(state, state)).toEqual({});
  });

  it("names a card that is gone", () => {
    const { elf: _, ...cards } = state.cards;
    expect(difference(state, { ...state, cards })).toEqual({ cards: { elf: null } });
  });
});

describe("a ruling", () => {
  const ruling = rulingDocument({
    id: "mine",
    note: "",
    state,
    verdicts: [verdict("pass", true, "509.1"), verdict("defend(elf)", false, "base.target")],
    resolved: { action: "pass", outcomes: [outcome] },
  });

  it("cites each rule once and has no empty parts", () => {
    expect(ruling["cites"]).toEqual(["508.4.3", "509.1", "base.target"]);
    expect(ruling).not.toHaveProperty("note");
    expect(ruling["illegal"]).toEqual({ "defend(elf)": ["base.target"] });
  });

  it("is the same document once it is YAML, a line for each card", () => {
    const text = toYaml(ruling);
    expect(parse(text)).toEqual(ruling);
    expect(text).toContain("\n    elf: {type: creature, life: 2, owner: p2}\n");
    expect(text).toContain('cites: [508.4.3, "509.1", base.target]');
  });
});
