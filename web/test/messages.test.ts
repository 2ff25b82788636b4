import { describe, expect, it } from "vitest";
import { ACTIONS, DEEDS, EFFECTS, GISTS, MESSAGES, type Pair, TRIGGERS, VERBS } from "../src/messages";

const all: [string, Pair][] = [MESSAGES, GISTS, EFFECTS, TRIGGERS, VERBS, ACTIONS, DEEDS].flatMap((each) =>
  Object.entries(each as Record<string, Pair>),
);
const parts = (text: string): string[] =>
  [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string).sort();

describe("messages", () => {
  it.each(all)("%s says the same in both languages", (_, [english, russian]) => {
    expect(parts(russian)).toEqual(parts(english));
    expect(english.trim()).toBe(english);
    expect(russian.trim()).toBe(russian);
  });

  it("are Russian where they should be", () => {
    const foreign = all.filter(
      ([, [, russian]]) => !/[а-яё]/i.test(russian) && /[a-z]/i.test(russian.replaceAll(/\{\w+\}/g, "")),
    );
    expect(foreign.map(([key]) => key)).toEqual([]);
  });
});
