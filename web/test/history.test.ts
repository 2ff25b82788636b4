import { describe, expect, it } from "vitest";
import { emptyTable } from "../src/model";
import { begin, DEPTH, type History, reduce } from "../src/store/history";

const turn = (number: number) => ({ ...emptyTable(), turn: number });
const done = (history: History, number: number) =>
  reduce(history, { type: "do", doc: turn(number), told: "did_table" });

describe("the history", () => {
  it("goes back and forth over what was done", () => {
    const three = [2, 3].reduce(done, begin(turn(1)));
    const back = reduce(reduce(three, { type: "undo" }), { type: "undo" });
    expect(back.now.doc.turn).toBe(1);
    expect(reduce(back, { type: "undo" })).toBe(back);
    const forth = reduce(reduce(back, { type: "redo" }), { type: "redo" });
    expect(forth).toEqual(three);
    expect(reduce(forth, { type: "redo" })).toBe(forth);
  });

  it("forgets what was undone once something else is done", () => {
    const undone = reduce([2, 3].reduce(done, begin(turn(1))), { type: "undo" });
    const other = done(undone, 9);
    expect(other.future).toEqual([]);
    expect(other.past.map((moment) => moment.doc.turn)).toEqual([1, 2]);
  });

  it("does not count what changes nothing", () => {
    const history = begin(turn(1));
    expect(done(history, 1)).toBe(history);
  });

  it("keeps the declaration that led to a position", () => {
    const history = reduce(begin(turn(1)), {
      type: "do",
      doc: turn(2),
      told: "end_turn",
      action: "end_turn",
    });
    expect(history.now).toEqual({ doc: turn(2), told: "end_turn", action: "end_turn" });
  });

  it("goes back to any position, and all that came later can be had again", () => {
    const history = [2, 3, 4].reduce(done, begin(turn(1)));
    const back = reduce(history, { type: "back_to", index: 1 });
    expect([back.past.length, back.now.doc.turn]).toEqual([1, 2]);
    expect(back.future.map((moment) => moment.doc.turn)).toEqual([3, 4]);
    expect(reduce(history, { type: "back_to", index: 7 })).toBe(history);
  });

  it("is as long as it may be and no longer", () => {
    const long = Array.from({ length: DEPTH + 5 }, (_, at) => at + 2).reduce(done, begin(turn(1)));
    expect(long.past.length).toBe(DEPTH);
  });
});
