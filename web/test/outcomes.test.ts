import { describe, expect, it } from "vitest";
import type { Choice, Outcome } from "../src/api";
import { emptyTable } from "../src/model";
import { branches, ways } from "../src/store/outcomes";

const choice = (player: string | null, chosen: string): Choice => ({
  player,
  rule: "516.3",
  options: [],
  chosen,
  text: chosen,
  options_text: [],
});
const outcome = (choices: Choice[], many = 1): Outcome => ({
  ways: many,
  choices,
  trace: [],
  changes: [],
  state: emptyTable(),
});

describe("the tree of choices", () => {
  it("parts where outcomes part", () => {
    const all = [
      outcome([choice("p1", "a"), choice("p2", "x")]),
      outcome([choice("p1", "a"), choice("p2", "y")]),
      outcome([choice("p1", "b")]),
    ];
    const tree = branches(all);
    expect(tree.map((branch) => branch.choice?.chosen)).toEqual(["a", "b"]);
    expect(tree[0]?.forks.map((branch) => [branch.choice?.chosen, branch.outcomes])).toEqual([
      ["x", [0]],
      ["y", [1]],
    ]);
    expect(tree[1]?.outcomes).toEqual([2]);
  });

  it("does not part at what all have in common", () => {
    const all = [
      outcome([choice("p1", "same"), choice(null, "x")]),
      outcome([choice("p1", "same"), choice(null, "y")]),
    ];
    expect(branches(all).map((branch) => branch.choice?.chosen)).toEqual(["x", "y"]);
  });

  it("holds every outcome once, those without a choice too", () => {
    const all = [outcome([]), outcome([]), outcome([choice("p1", "a")])];
    const leaves = branches(all).flatMap((branch) => branch.outcomes);
    expect(leaves.sort()).toEqual([0, 1, 2]);
  });

  it("counts throws and draws", () => {
    const all = [outcome([choice(null, "ace")], 3), outcome([choice(null, "king")], 5)];
    expect(ways(all)).toBe(8);
    expect(branches(all).map((branch) => branch.ways)).toEqual([3, 5]);
  });
});
