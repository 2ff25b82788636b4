import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";

type Short = typeof import("../src/ui/short");
let short: Short["abilityShort"];
let lang: { value: "en" | "ru" };

beforeAll(async () => {
  vi.stubGlobal("innerWidth", 1200);
  vi.stubGlobal("navigator", { language: "en" });
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined }));
  short = (await import("../src/ui/short")).abilityShort;
  lang = (await import("../src/store/desk")).lang;
});

afterEach(() => {
  lang.value = "en";
});

describe("an ability in a few words", () => {
  it.each([
    ["mod(strike,3)", "strike +3"],
    ["mod(life,-2)", "life −2"],
    ["is(strike,0)", "strike = 0"],
    ["mod(strike,count(any))", "strike +…"],
    ["cannot(attack)", "may not attack"],
    ["use(and(coins(1),close),wound(2,target(creature)))", "→ wounds 2"],
    ["use(close,both(heal(1,self),draw(1)))", "→ heals 1, draws 1"],
    ["use(close,lay(mod(strike,1),self,leaves))", "→ strike +1"],
    ["spell(optional(destroy(target(creature))))", "destroys"],
    ["on(hire,shot(2,target(any)))", "entering: shot 2"],
    ["grant(creature,mod(strike,1))", "grants: strike +1"],
    ["not a term", "not a term"],
  ])("%s: %s", (text, told) => {
    expect(short(text)).toBe(told);
  });

  it("is told in Russian, too", () => {
    lang.value = "ru";
    expect(short("on(hire,shot(2,target(any)))")).toBe("войдя: выстрел 2");
  });
});
