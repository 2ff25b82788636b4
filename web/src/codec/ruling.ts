/** What the judge says now, as a ruling: a question with its answer (docs/contract.md, section 7). */

import { Document, isMap, isScalar, isSeq, visit } from "yaml";
import type { Outcome, Verdict } from "../api";
import type { Card, Doc } from "../model";

export interface Ruling {
  id: string;
  note: string;
  state: Doc;
  verdicts: readonly Verdict[];
  resolved: { action: string; outcomes: readonly Outcome[] } | null;
}

/** The document of a ruling. */
export function rulingDocument({ id, note, state, verdicts, resolved }: Ruling): Record<string, unknown> {
  const legal = verdicts.filter((verdict) => verdict.legal).map((verdict) => verdict.action);
  const illegal = Object.fromEntries(
    verdicts.filter((verdict) => !verdict.legal).map((verdict) => [verdict.action, rulesOf([verdict])]),
  );
  const traced = (resolved?.outcomes ?? []).flatMap((each) => each.trace.map((step) => step.rule));
  const cites = [...new Set([...rulesOf(verdicts), ...traced])].sort();
  return {
    ruling: id,
    cites,
    ...(note === "" ? {} : { note }),
    state,
    ...(legal.length > 0 ? { legal } : {}),
    ...(Object.keys(illegal).length > 0 ? { illegal } : {}),
    ...(resolved === null
      ? {}
      : {
          resolve: [
            {
              action: resolved.action,
              outcomes: resolved.outcomes.map((each) => difference(state, each.state)),
            },
          ],
        }),
  };
}

const rulesOf = (verdicts: readonly Verdict[]): string[] =>
  [...new Set(verdicts.flatMap((verdict) => verdict.because.map((reason) => reason.rule)))].sort();

/** What an outcome says: the keys that differ from the position; a card that is gone is null. */
export function difference(before: Doc, after: Doc): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  const table = ["turn", "active", "phase", "pending", "result"] as const;
  const usual = {
    turn: 1,
    active: null,
    phase: before.edition === "classic" ? "choice" : "main",
    pending: null,
    result: null,
  };
  for (const key of table) {
    const [old, now] = [before[key] ?? usual[key], after[key] ?? usual[key]];
    if (!equal(old, now)) out[key] = now;
  }
  const players = changed(before.players, after.players, (old, now) =>
    keys(old as object, now as object, PLAYER_DEFAULTS),
  );
  if (players) out["players"] = players;
  const cards = changed(before.cards, after.cards, cardKeys);
  if (cards) out["cards"] = cards;
  if (!equal(before.effects ?? [], after.effects ?? [])) out["effects"] = after.effects ?? [];
  return out;
}

const PLAYER_DEFAULTS = { coins: 0, missed: 0, deck_order: "known", drawn: 0, attacks: 0, known_top: 0 };
const CARD_DEFAULTS = {
  zone: "play",
  wounds: 0,
  extra_life: 0,
  closed: false,
  acted: false,
  attacked: false,
  defended: false,
  hidden: false,
  entered: 0,
  since: 0,
  spent: {},
  cell: null,
  arrived: 0,
  movement: 0,
  moved: 0,
  chips: 0,
};

/** A card that has left play is told by its zone alone: it has shed its marks. */
function cardKeys(old: object, now: object): Record<string, unknown> {
  const [was, is] = [old as Card, now as Card];
  if ((was.zone ?? "play") === "play" && (is.zone ?? "play") !== "play") return { zone: is.zone };
  const out = keys(old, now, CARD_DEFAULTS);
  const [before, after] = [was.controller ?? was.owner, is.controller ?? is.owner];
  if (before !== after) out["controller"] = after;
  // a pool that is whole again is not written in the position, so it is written here
  if ("spent" in out)
    out["spent"] = {
      ...Object.fromEntries(Object.keys(was.spent ?? {}).map((key) => [key, 0])),
      ...is.spent,
    };
  return out;
}

function keys(old: object, now: object, defaults: Record<string, unknown>): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const [key, usual] of Object.entries(defaults)) {
    const before = (old as Record<string, unknown>)[key] ?? usual;
    const after = (now as Record<string, unknown>)[key] ?? usual;
    if (!equal(before, after)) out[key] = after;
  }
  return out;
}

function changed<T extends object>(
  before: Record<string, T>,
  after: Record<string, T>,
  tell: (old: object, now: object) => Record<string, unknown>,
): Record<string, unknown> | null {
  const out: Record<string, unknown> = {};
  for (const id of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, now] = [before[id], after[id]];
    if (now === undefined) out[id] = null;
    else if (old === undefined) out[id] = { zone: (now as Card).zone ?? "play" };
    else {
      const told = tell(old, now);
      if (Object.keys(told).length > 0) out[id] = told;
    }
  }
  return Object.keys(out).length > 0 ? out : null;
}

const equal = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** A document as YAML: each card, player, effect and outcome on a line of its own, like those of the project. */
export function toYaml(document: object): string {
  const doc = new Document(document);
  visit(doc, {
    Map(_, node, path) {
      if (path.length > 1 && isLine(path)) node.flow = true;
    },
    Seq(_, node) {
      if (node.items.every((item) => isScalar(item))) node.flow = true;
    },
  });
  return doc.toString({ lineWidth: 0, flowCollectionPadding: false });
}

/** Cards, players, effects and outcomes are one line each. */
function isLine(path: readonly unknown[]): boolean {
  const holder = path.at(-1);
  const parent = path.at(-2);
  const key = (pair: unknown): string => {
    const { key: name } = (pair ?? {}) as { key?: { value?: unknown } };
    return String(name?.value ?? "");
  };
  if (isSeq(holder)) return key(parent) === "effects" || key(parent) === "outcomes";
  const above = path.at(-3);
  return isMap(parent) && ["cards", "players"].includes(key(above));
}
