import { describe, expect, it } from "vitest";
import type { Vocabulary } from "../src/api";
import {
  begun,
  entryOf,
  formAt,
  fresh,
  isWhole,
  offered,
  type Part,
  partsOf,
  slotsFor,
  within,
  without,
} from "../src/store/forms";
import { parseTerm, writeTerm } from "../src/terms";

const sort = (more: object) => ({
  en: "",
  ru: "",
  numbers: null,
  names: [],
  any_name: false,
  terms: [],
  ...more,
});
const entry = (...forms: { arguments: object[]; rest: boolean }[]) => ({
  en: "",
  ru: "",
  forms,
  without: [] as string[],
  edition: null as string | null,
});
const words = {
  sorts: {
    ability: sort({
      terms: [
        ["ability", "mod"],
        ["ability", "armor"],
        ["ability", "grant"],
        ["ability", "charge"],
        ["ability", "withstands"],
      ],
    }),
    verb: sort({
      terms: [
        ["verb", "attack"],
        ["verb", "move"],
        ["verb", "close"],
        ["verb", "destroy"],
      ],
    }),
    filter: sort({
      terms: [
        ["filter", "and"],
        ["filter", "any"],
        ["filter", "class"],
      ],
    }),
    positive: sort({ numbers: [1, 1000] }),
    selector: sort({
      terms: [
        ["selector", "self"],
        ["selector", "target"],
      ],
    }),
    index: sort({ numbers: [1, 9] }),
    change: sort({ numbers: [-1000, 1000] }),
    class: sort({ any_name: true }),
  },
  terms: {
    ability: {
      mod: entry(
        { arguments: [{ word: "strike" }, { sort: "change" }], rest: false },
        { arguments: [{ word: "life" }, { sort: "change" }], rest: false },
      ),
      armor: entry({ arguments: [{ sort: "positive" }], rest: false }),
      grant: entry({ arguments: [{ sort: "filter" }, { sort: "ability" }], rest: false }),
      charge: entry({ arguments: [], rest: false }),
      withstands: {
        ...entry({ arguments: [{ sort: "verb" }, { sort: "filter" }], rest: false }),
        without: ["attack", "move"],
      },
    },
    verb: {
      attack: entry({ arguments: [], rest: false }),
      move: { ...entry({ arguments: [], rest: false }), edition: "classic" },
      close: entry({ arguments: [], rest: false }),
      destroy: entry({ arguments: [], rest: false }),
    },
    selector: {
      self: entry({ arguments: [], rest: false }),
      target: entry(
        { arguments: [{ sort: "index" }], rest: false },
        { arguments: [{ sort: "filter" }], rest: false },
      ),
    },
    filter: {
      and: entry({ arguments: [{ sort: "filter" }, { sort: "filter" }], rest: true }),
      any: entry({ arguments: [], rest: false }),
      class: entry({ arguments: [{ sort: "class" }], rest: false }),
    },
  },
} as unknown as Vocabulary;

describe("forms of terms", () => {
  it("begin with what fits", () => {
    expect(writeTerm(begun(words, "ability", "mod"))).toBe("mod(strike,1)");
    expect(writeTerm(begun(words, "ability", "grant"))).toBe("grant(any,charge)");
    expect(writeTerm(fresh(words, "positive"))).toBe("1");
  });

  it("tell forms with equal counts apart by their words", () => {
    const mod = entryOf(words, "ability", "mod");
    expect(mod && formAt(words, mod, parseTerm("mod(life,2)"))).toBe(1);
    expect(mod && formAt(words, mod, parseTerm("mod(cost,2)"))).toBe(-1);
  });

  it("tell forms with equal counts apart by what stands in them", () => {
    const target = entryOf(words, "selector", "target");
    const form = (text: string) => target && formAt(words, target, parseTerm(text));
    expect(form("target(1)")).toBe(0);
    expect(form("target(any)")).toBe(1);
    expect(form("target(nonsense)")).toBe(0);
  });

  it("are taken apart, each word in its section", () => {
    const told = (part: Part | null): unknown =>
      part && [part.section, part.term.name, ...part.parts.map(told)];
    expect(told(partsOf(words, "ability", parseTerm("grant(and(any,class(orc)),armor(2))")))).toEqual([
      "ability",
      "grant",
      ["filter", "and", ["filter", "any"], ["filter", "class"]],
      ["ability", "armor"],
    ]);
    expect(partsOf(words, "ability", parseTerm("any"))).toBeNull();
  });

  it("let the last part be repeated where it may", () => {
    const and = entryOf(words, "filter", "and");
    expect(and && slotsFor(words, and, parseTerm("and(any,any,any)"))?.length).toBe(3);
    expect(and && slotsFor(words, and, parseTerm("and(any)"))).toBeUndefined();
  });

  it("are whole once nothing is left open", () => {
    expect(isWhole(begun(words, "filter", "class"))).toBe(false);
    expect(isWhole(parseTerm("class(orc)"))).toBe(true);
  });

  it("leave out words that mean nothing in their place", () => {
    const withstands = entryOf(words, "ability", "withstands");
    const verbs = (place: number) =>
      offered(words.sorts["verb"]!, without(withstands, place)).map(([, name]) => name);
    expect(verbs(0)).toEqual(["close", "destroy"]);
    expect(verbs(1)).toEqual(["attack", "move", "close", "destroy"]);
    // nor do they begin with one
    expect(writeTerm(begun(words, "ability", "withstands"))).toBe("withstands(close,any)");
    expect(writeTerm(fresh(words, "verb"))).toBe("attack");
  });

  it("leave out words of another edition", () => {
    const verbs = (edition: "heroes" | "classic") =>
      within(words, edition).sorts["verb"]?.terms.map(([, name]) => name);
    expect(verbs("heroes")).toEqual(["attack", "close", "destroy"]);
    expect(verbs("classic")).toEqual(["attack", "move", "close", "destroy"]);
  });
});
