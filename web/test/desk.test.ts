import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Legal, Outcome } from "../src/api";
import { emptyTable, type Doc } from "../src/model";

type Desk = typeof import("../src/store/desk");
let desk: Desk;

/** Answers of a server, by address; each waits until it is let go. */
const waiting: {
  path: string;
  body: { state?: Doc; action?: string };
  answer: (value: unknown, status?: number) => void;
}[] = [];

beforeAll(async () => {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  };
  vi.stubGlobal("localStorage", storage);
  vi.stubGlobal("sessionStorage", storage);
  vi.stubGlobal("innerWidth", 1200);
  vi.stubGlobal("navigator", { language: "en" });
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined }));
  vi.stubGlobal("location", new URL("http://localhost/"));
  vi.stubGlobal("addEventListener", () => undefined);
  vi.stubGlobal("document", { documentElement: { dataset: {}, lang: "" } });
  vi.stubGlobal(
    "fetch",
    (path: string, options: RequestInit) =>
      new Promise((resolve, reject) => {
        options.signal?.addEventListener("abort", () => reject(new DOMException("", "AbortError")));
        const body = options.body === undefined ? {} : JSON.parse(String(options.body));
        const answer = (value: unknown, status = 200) =>
          resolve(new Response(JSON.stringify(value), { status }));
        waiting.push({ path: path.split("?")[0] as string, body, answer });
      }),
  );
  desk = await import("../src/store/desk");
  void desk.start();
  await vi.waitFor(() => expect(waiting.length).toBe(4));
  const library: Record<string, unknown> = {
    cards: { cards: [] },
    vocabulary: { words: {} },
    rules: { rules: [] },
    states: { states: [] },
  };
  for (const each of waiting.splice(0)) each.answer(library[each.path]);
  await vi.waitFor(() => expect(waiting.some((each) => each.path === "legal")).toBe(true));
});

beforeEach(() => {
  waiting.length = 0;
  desk.tab.value = "verdicts";
  desk.open(
    { ...emptyTable(), cards: { a: { owner: "p1" }, b: { owner: "p2" }, c: { owner: "p2" } }, turn: turn++ },
    "from_new",
  );
});
afterEach(() => vi.restoreAllMocks());

let turn = 1;
const line = (action: string) => ({ action, because: [] });
const told = (legal: string[], illegal: string[] = []): Legal => ({
  edition: "heroes",
  player: "p1",
  legal: legal.map(line),
  illegal: illegal.map(line),
});
const asks = (path: string) =>
  vi.waitFor(() => {
    const found = waiting.find((each) => each.path === path);
    if (found === undefined) throw new Error(`nobody asked ${path}`);
    waiting.splice(waiting.indexOf(found), 1);
    return found;
  });
const judged = async (legal: string[], illegal: string[] = []) => {
  (await asks("legal")).answer(told(legal, illegal));
  await vi.waitFor(() => expect(desk.legal.value.state).toBe("told"));
};
const outcome = (state: Doc): Outcome => ({ ways: 1, choices: [], trace: [], changes: [], state });

describe("the desk", () => {
  it("asks about what lies there now, and forgets the answer to what lay there before", async () => {
    const first = await asks("legal");
    desk.edit({ ...desk.doc.value, turn: 77 }, "did_table");
    const second = await asks("legal");
    second.answer(told(["end_turn"]));
    first.answer(told(["pass"]));
    await vi.waitFor(() => expect(desk.legal.value.state).toBe("told"));
    expect(second.body.state?.turn).toBe(77);
    expect(desk.verdicts.value.map((verdict) => verdict.action)).toEqual(["end_turn"]);
  });

  it("keeps the faults that the server tells", async () => {
    (await asks("legal")).answer({ code: "bad_input", title: "bad", faults: ["turn: -1 is below 0"] }, 422);
    await vi.waitFor(() => expect(desk.legal.value.state).toBe("failed"));
    expect(desk.legal.value.problem?.faults).toEqual(["turn: -1 is below 0"]);
  });

  it("lights up what the chosen card may do, and asks once a target is pressed", async () => {
    await judged(["attack(a,b)", "end_turn"], ["attack(a,c)"]);
    desk.press("a");
    expect([...desk.aims.value.keys()].sort()).toEqual(["b", "c"]);
    desk.press("c");
    expect(desk.asked.value).toBe("attack(a,c)");
    desk.press("b"); // takes the place of the last one
    expect(desk.asked.value).toBe("attack(a,b)");
    desk.press("a");
    expect([desk.selected.value, desk.asked.value]).toEqual([null, null]);
  });

  it("takes several targets in their order, and waits where more than one action is left", async () => {
    await judged(["use(a,1,b,c)", "use(a,1,c,b)", "use(a,2,b)"]);
    desk.press("a");
    desk.press("b");
    expect(desk.candidates.value.map((verdict) => verdict.action)).toEqual(["use(a,1,b,c)", "use(a,2,b)"]);
    desk.press("c");
    expect(desk.asked.value).toBe("use(a,1,b,c)");
  });

  it("chooses a card that is no target", async () => {
    await judged(["attack(a,b)"]);
    desk.press("a");
    desk.press("c");
    expect(desk.selected.value).toBe("c");
  });

  it("shows no outcomes of a position that has gone", async () => {
    await judged(["end_turn"]);
    const declared = desk.declare("end_turn");
    const question = await asks("resolve");
    desk.change({ type: "undo" });
    question.answer({ action: "end_turn", outcomes: [] });
    await declared;
    expect(desk.outcomes.value.state).toBe("idle");
  });

  it("steps into an outcome in the edition of the position, and back", async () => {
    const before = desk.doc.value;
    desk.stepInto(outcome({ active: "p2", players: { p1: {}, p2: {} }, cards: {} }), "end_turn");
    expect([desk.doc.value.edition, desk.doc.value.active]).toEqual(["heroes", "p2"]);
    expect(desk.history.value.now.action).toBe("end_turn");
    desk.change({ type: "undo" });
    expect(desk.doc.value).toBe(before);
  });

  it("lets go of a card that is no longer there", () => {
    desk.choose("a");
    desk.edit({ ...desk.doc.value, cards: {} }, "did_remove");
    expect(desk.selected.value).toBeNull();
  });
});
