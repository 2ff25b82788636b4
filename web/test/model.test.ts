import { describe, expect, it } from "vitest";
import { asNow, emptyTable, face } from "../src/model";

const doc = {
  ...emptyTable(),
  cards: { orc: { type: "creature", owner: "p1", strike: 4, life: 2, cost: 3 } },
};
const orc = face(doc, "orc", new Map(), "en");

describe("a card with its values as they are now", () => {
  it("keeps what is printed where it differs", () => {
    const now = orc && asNow(orc, { strike: 10, life: 2, cost: 1 });
    expect(now).toMatchObject({ strike: 10, life: 2, cost: 1, printed: { strike: 4, cost: 3 } });
    expect(now?.printed).not.toHaveProperty("life");
  });

  it("compares strikes of three grades by each", () => {
    const graded = orc && { ...orc, strike: [1, 2, 3] as [number, number, number] };
    expect(graded && asNow(graded, { strike: [1, 2, 3], life: 2, cost: 3 }).printed).toEqual({});
    expect(graded && asNow(graded, { strike: [1, 3, 3], life: 2, cost: 3 }).printed).toEqual({
      strike: [1, 2, 3],
    });
    const one = orc && asNow(orc, { strike: [4, 4, 4], life: 2, cost: 3 });
    expect(one).toMatchObject({ strike: 4, printed: {} });
  });

  it("is as printed where nothing is told", () => {
    expect(orc && asNow(orc, undefined)).toBe(orc);
  });
});
