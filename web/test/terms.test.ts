import { describe, expect, it } from "vitest";
import { parseAction, parseTerm, readTerm, targetsOf, writeTerm } from "../src/terms";

describe("terms", () => {
  it("are read and written as they were", () => {
    for (const text of [
      "charge",
      "armor(2)",
      "mod(strike,-3)",
      "lay(delayed(any_turn_end,give_control(self)),target(1),leaves)",
    ])
      expect(writeTerm(parseTerm(text))).toBe(text);
    expect(writeTerm(parseTerm(" mod( strike , 3 ) "))).toBe("mod(strike,3)");
  });

  it("that are none are told by their place", () => {
    for (const text of ["", "armor(", "armor(2", "armor(2))", "Armor(2)", "a b", "1x", "f(,)"]) {
      expect(readTerm(text), text).toBeNull();
      expect(() => parseTerm(text)).toThrow(/column \d/);
    }
  });
});

describe("actions", () => {
  it("have a verb and arguments", () => {
    expect(parseAction("attack( groll, shia )")).toEqual({ verb: "attack", args: ["groll", "shia"] });
    expect(parseAction("end_turn")).toEqual({ verb: "end_turn", args: [] });
  });

  it("aim at what follows the card and, for an ability, its number", () => {
    expect(targetsOf(parseAction("attack(groll,shia)"))).toEqual(["shia"]);
    expect(targetsOf(parseAction("use(mage,1,a,b)"))).toEqual(["a", "b"]);
    expect(targetsOf(parseAction("move(a,2,3)"))).toEqual([]);
    expect(targetsOf(parseAction("defend(shia)"))).toEqual([]);
  });
});
