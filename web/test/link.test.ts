import { describe, expect, it } from "vitest";
import { decode, encode } from "../src/codec/link";
import { emptyTable } from "../src/model";

describe("a link", () => {
  it("contains the position, in letters that an address may have", async () => {
    const doc = { ...emptyTable(), cards: { шиа: { name: "Шиа «защитница»", life: 4 } } };
    const fragment = await encode(doc);
    expect(fragment).toMatch(/^#s1=[A-Za-z0-9_-]+$/);
    expect(await decode(fragment)).toEqual(doc);
  });

  it("is much shorter than the document", async () => {
    const cards = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [`card_${at}`, { kind: "groll", owner: "p1", wounds: 2 }]),
    );
    const doc = { ...emptyTable(), cards };
    expect((await encode(doc)).length).toBeLessThan(JSON.stringify(doc).length / 3);
  });

  it("about something else holds no position", async () => {
    expect(await decode("")).toBeNull();
    expect(await decode("#table")).toBeNull();
  });

  it("that is damaged is told, not shown", async () => {
    const fragment = await encode(emptyTable());
    await expect(decode(`${fragment.slice(0, -6)}AAAAAA`)).rejects.toThrow();
    await expect(decode("#s1=%%%")).rejects.toThrow();
  });

  it("that would unfold without end is refused", async () => {
    const bomb = await encode("0".repeat(3_000_000));
    expect(bomb.length).toBeLessThan(10_000);
    await expect(decode(bomb)).rejects.toThrow(RangeError);
  });
});
