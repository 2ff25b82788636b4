/** What was on the table and how to get back there: a value, changed by `reduce` only. */

import type { Doc } from "../model";

/** A position with the words for how it came about: `told` is a key of the messages, or an action. */
export interface Moment {
  doc: Doc;
  told: string;
  /** the declaration that led here, where the judge resolved one */
  action?: string;
}

export interface History {
  past: readonly Moment[];
  now: Moment;
  future: readonly Moment[];
}

export type Change =
  | { type: "do"; doc: Doc; told: string; action?: string }
  | { type: "undo" }
  | { type: "redo" }
  | { type: "back_to"; index: number };

/** So many positions can be gone back to. */
export const DEPTH = 200;

export const begin = (doc: Doc, told = "begun"): History => ({ past: [], now: { doc, told }, future: [] });

export function reduce(history: History, change: Change): History {
  const { past, now, future } = history;
  switch (change.type) {
    case "do": {
      if (same(change.doc, now.doc)) return history;
      const { type: _, ...moment } = change;
      return { past: [...past, now].slice(-DEPTH), now: moment, future: [] };
    }
    case "undo": {
      const last = past.at(-1);
      return last === undefined ? history : { past: past.slice(0, -1), now: last, future: [now, ...future] };
    }
    case "redo": {
      const [next, ...rest] = future;
      return next === undefined ? history : { past: [...past, now], now: next, future: rest };
    }
    case "back_to": {
      const moment = past[change.index];
      if (moment === undefined) return history;
      return {
        past: past.slice(0, change.index),
        now: moment,
        future: [...past.slice(change.index + 1), now, ...future],
      };
    }
  }
}

/** Documents are plain data, and edits keep the order of keys. */
export const same = (one: Doc, other: Doc): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other);
