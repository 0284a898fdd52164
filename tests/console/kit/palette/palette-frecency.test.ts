import { describe, expect, test } from "vitest";
import {
  halfLife,
  heaviest,
  joinUsed,
  nothingUsed,
  usedAgain,
  weightAt,
  withCommand,
  withRecord,
} from "../../../../src/console/kit/palette/palette-frecency.ts";
import type { Used } from "../../../../src/console/kit/palette/palette-frecency.ts";
import { createPaletteStore } from "../../../../src/console/kit/palette/palette-store.ts";
import { aContext } from "../fakes.ts";

const now = 1_800_000_000_000;
const times = (used: Used, id: string, count: number, at: number): Used =>
  Array.from({ length: count }).reduce<Used>((sum) => withCommand(sum, id, at), used);
const order = (used: Used, at: number): string[] => heaviest(used.commands, at, 99).map(({ id }) => id);

describe("what was used often and lately", () => {
  test("a use weighs one, and half of it a week later", () => {
    const use = usedAgain(undefined, now);
    expect([weightAt(use, now), weightAt(use, now + halfLife), weightAt(use, now + 2 * halfLife)]).toEqual([1, 0.5, 0.25]);
    expect(usedAgain(use, now + halfLife)).toEqual({ weight: 1.5, at: now + halfLife });
  });
  test("three uses today weigh more than one a minute ago; three of last month less", () => {
    const used = withCommand(times(nothingUsed, "often", 3, now - 3_600_000), "lately", now - 60_000);
    expect(order(used, now)).toEqual(["often", "lately"]);
    expect(order(withCommand(times(nothingUsed, "often", 3, now - 4 * halfLife), "lately", now), now)).toEqual(["lately", "often"]);
  });
  test("a clock put back makes nothing heavier", () => expect(weightAt({ weight: 1, at: now + halfLife }, now)).toBe(1));
  test("forty commands are kept: the lightest is dropped, never the one just used", () => {
    const many = Array.from({ length: 40 }).reduce<Used>((sum, _, at) => times(sum, `c${at}`, 2 + (at === 7 ? 0 : 1), now), nothingUsed);
    const ids = withCommand(many, "new", now).commands.map(({ id }) => id);
    expect([ids.length, ids.includes("new"), ids.includes("c7")]).toEqual([40, true, false]);
  });
  test("two memories of one user are joined: each entry once, with its greater weight", () => {
    const joined = joinUsed(times(nothingUsed, "a", 3, now), withCommand(times(nothingUsed, "a", 1, now), "b", now), now);
    expect(joined.commands).toEqual([
      { id: "a", weight: 3, at: now },
      { id: "b", weight: 1, at: now },
    ]);
  });
});

test("a record opened from the palette is remembered with its tenant and currency, in the given storage", () => {
  let kept: Used = nothingUsed;
  const palette = createPaletteStore(undefined, () => now);
  palette.keepIn({ read: () => kept, write: (used) => (kept = used) });
  const record = { id: "r1", name: "WD1", screen: "withdrawals", search: {} } as const;
  palette.usedRecord(record);
  expect(kept.records).toEqual([]);
  palette.open(aContext({ tenant: "t1", currency: "MYR" }), "");
  palette.usedRecord(record);
  palette.used("console.help");
  expect(kept).toEqual({
    commands: [{ id: "console.help", weight: 1, at: now }],
    records: [{ id: "r1", name: "WD1", screen: "withdrawals", tenant: "t1", currency: "MYR", weight: 1, at: now }],
  });
  expect(withRecord(kept, { id: "r1", name: "WD1", screen: "withdrawals", tenant: "t1", currency: "MYR" }, now).records[0]?.weight).toBe(2);
});
