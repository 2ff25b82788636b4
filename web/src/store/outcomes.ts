/** The outcomes of an action as a tree: where the ways part, who decided, and what each led to. */

import type { Choice, Outcome } from "../api";

export interface Branch {
  /** what was chosen to come here; null where outcomes part without a choice that is told */
  choice: Choice | null;
  /** the places of the outcomes that this branch leads to */
  outcomes: number[];
  ways: number;
  forks: Branch[];
}

/** Outcomes grouped by their choices, in the order in which they came. */
export function branches(all: readonly Outcome[]): Branch[] {
  return part(
    all,
    all.map((_, at) => at),
    0,
  );
}

function part(all: readonly Outcome[], members: readonly number[], depth: number): Branch[] {
  const groups = new Map<string, number[]>();
  for (const at of members) {
    const choice = all[at]?.choices[depth];
    const key = choice === undefined ? "" : JSON.stringify([choice.player, choice.rule, choice.chosen]);
    groups.set(key, [...(groups.get(key) ?? []), at]);
  }
  const only = [...groups.entries()];
  const [first] = only;
  // a choice that all of these share decides nothing between them: on to the next
  if (only.length === 1 && first !== undefined && first[0] !== "" && members.length > 1)
    return part(all, members, depth + 1);
  return only.map(([key, group]) => ({
    choice: key === "" ? null : ((all[group[0] as number] as Outcome).choices[depth] as Choice),
    outcomes: group,
    ways: ways(group.map((at) => all[at] as Outcome)),
    forks: key === "" || group.length === 1 ? [] : part(all, group, depth + 1),
  }));
}

/** In how many ways these come about, of all throws and draws. */
export const ways = (all: readonly Outcome[]): number => all.reduce((sum, each) => sum + each.ways, 0);
