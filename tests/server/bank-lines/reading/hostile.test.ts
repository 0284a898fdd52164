import { describe, expect, test } from "vitest";
import { readAside } from "../../../../src/server/bank-lines/reading/read-aside.ts";
import { createRuleLines } from "../../../../src/values/rule-lines.ts";
import english from "../../../../locales/en.json" with { type: "json" };
import { facts } from "../../../support/bank-imports.ts";
import { hostileFiles } from "../../../support/hostile-files.ts";

const { known } = createRuleLines(english);
const read = (bytes: Uint8Array) => readAside({ bytes, facts, given: null, remembered: [] });

interface Row {
  readonly state: string;
  readonly why?: string;
  readonly line?: { readonly description: string; readonly amount: string };
}

test("there are at least twenty of them", () => {
  expect(hostileFiles.length).toBeGreaterThanOrEqual(20);
});

describe.each(hostileFiles.filter(({ refused }) => refused !== null))("$what", ({ make, refused }) => {
  test(`is refused: ${refused}`, async () => {
    await expect(read(make())).rejects.toThrow(refused ?? "");
    // it is worded in every language, by the text this English line stands for
    expect(known(refused ?? "")?.key).toMatch(/^invalid\.bank-file-/);
  });
});

describe.each(hostileFiles.filter(({ refused }) => refused === null))("$what", ({ make, rows: wanted }) => {
  test("is read, and nothing of it is lost or does anything", async () => {
    const { parcels, counts } = await read(make());
    const rows = parcels.flatMap((parcel) => JSON.parse(parcel) as Row[]); // as the thread writes them
    expect(counts.read + counts.unreadable + counts.passed).toBe(rows.length);
    // a text is a text: no character of it is executed, hidden or left to turn another one's direction
    for (const { line } of rows) expect(line?.description ?? "").not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069\u200b]/u);
    expect(rows.map(({ state, why, line }) => why ?? `${state} ${line?.amount} ${line?.description}`)).toEqual(wanted);
  });
});

test("after all of these, the next file is read as if nothing had been", async () => {
  const { counts } = await read(Buffer.from("Date,Details,Credit\n15/03/2026,a,1.00\n"));
  expect(counts).toEqual({ read: 1, unreadable: 0, passed: 0 });
});
