import { QueryClient } from "@tanstack/react-query";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { Linked } from "../../../src/contract/controls.ts";
import type { Permission } from "../../../src/contract/permissions.ts";
import { permissionMap } from "../../../src/contract/permissions.ts";
import type { Route } from "../../../src/contract/route.ts";
import type { Api } from "../../../src/console/api/api.ts";
import { completesOf, queryAnswers } from "../../../src/console/frame/query-answers.ts";
import { completionsOf } from "../../../src/console/kit/query/complete.ts";
import { readQuery, writeQuery } from "../../../src/console/kit/query/query-line.ts";
import type { ListFilter } from "../../../src/console/lists/filters.ts";
import { setAmountDecimals } from "../../../src/console/kit/look/amounts.ts";
import { queryFields, queryFieldsOnce } from "../../../src/console/lists/query-fields.ts";
import { replayed } from "../../support/deep.ts";
import { inLanguage } from "../in-language.ts";

beforeAll(() => inLanguage("en"));

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;

const merchant: readonly ListFilter<never>[] = [{ name: "merchant", title: "transaction.column.merchant", record: { to: "merchants" } }];
const fieldsOf = (merchants: readonly Linked[]) => queryFields(merchant, [], { merchants });
const meant = (line: string, merchants: readonly Linked[]) => {
  const read = readQuery(line, fieldsOf(merchants));
  return "meaning" in read ? read.meaning["merchant"] : `${read.fault.why} ${read.fault.text} (${read.fault.nearest})`;
};

describe("a record", () => {
  const harbour = { uuid: uuid(1), code: "HBR", name: "Harbour" };
  const other = { uuid: uuid(2), code: "HB2", name: "Harbour" };
  const azure = { uuid: uuid(3), code: "AZU", name: "Azure Bay" };
  const [first, second] = [
    { uuid: uuid(4), code: null, name: "Night shift" },
    { uuid: uuid(5), code: null, name: "Night shift" },
  ];

  test("is meant by its code, its name or its whole uuid, and is written by its code", () => {
    for (const word of ["AZU", "azu", '"Azure Bay"', azure.uuid]) expect(meant(`merchant:${word}`, [harbour, azure])).toBe(azure.uuid);
    expect(writeQuery({ merchant: azure.uuid }, fieldsOf([harbour, azure]))).toBe("merchant:AZU");
    expect(meant(`merchant:${uuid(9)}`, [azure])).toBe(uuid(9));
  });

  test("of a name that another has too is written by what tells it apart, and is not taken for the other", () => {
    expect(writeQuery({ merchant: other.uuid }, fieldsOf([harbour, other]))).toBe("merchant:HB2");
    expect(writeQuery({ merchant: second.uuid }, fieldsOf([first, second]))).toBe(`merchant:${second.uuid}`);
    expect(writeQuery({ merchant: first.uuid }, fieldsOf([first]))).toBe('merchant:"Night shift"');
    expect(meant("merchant:harbour", [harbour, other])).toMatch(/^unknown-value harbour \(Harbour · HB/);
    const offered = completionsOf("merchant:harb", 13, fieldsOf([harbour, other]));
    expect(offered.map(({ text }) => text)).toEqual(["HB2", "HBR"]);
  });

  test("called as another one's code is, is told apart from it", () => {
    const called = { uuid: uuid(6), code: "XYZ", name: "azu" };
    for (const one of [azure, called])
      expect(meant(writeQuery({ merchant: one.uuid }, fieldsOf([azure, called])), [azure, called])).toBe(one.uuid);
  });

  test("whatever records are called, the line written of one means that one", () => {
    const word = fc.oneof(fc.constantFrom("a", "A", "b", "a b", 'a"b', "a,b", "ä"), fc.string({ minLength: 1, maxLength: 4 }));
    const records = fc
      .array(fc.record({ code: fc.option(word), name: word }), { minLength: 1, maxLength: 8 })
      .map((all) => all.map((one, n) => ({ ...one, uuid: uuid(n) })));
    fc.assert(
      fc.property(records, (all) => {
        for (const one of all) {
          const line = writeQuery({ merchant: one.uuid }, fieldsOf(all));
          expect([line, meant(line, all)]).toEqual([line, one.uuid]);
        }
      }),
      { numRuns: 1_000, ...replayed() },
    );
  });
});

/** The console of an operator with these rights, whose server has these merchants, on two pages, and answers when told to. */
function aConsole(permissions: readonly Permission[]) {
  const calls: { path: string; query: Readonly<Record<string, unknown>> }[] = [];
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  const page = (cursor: unknown) =>
    cursor === undefined
      ? { data: [{ uuid: uuid(1), code: "HBR", name: "Harbour" }], meta: { next: "2", previous: null } }
      : { data: [{ uuid: uuid(2), code: "AZU", name: "Azure" }], meta: { next: null, previous: "1" } };
  const at = {
    tenant: { id: "t" },
    currency: { code: "MYR", country: { timezone: { gmt: "+08:00" } } },
    context: { permissions: permissionMap(permissions) },
  };
  const api = {
    queries: new QueryClient(),
    session: { store: { getState: () => ({ at }) } },
    time: { now: () => Date.parse("2026-11-28T08:00:00Z") },
    call: async ({ path }: Route, { query }: { query: Readonly<Record<string, unknown>> }) => {
      calls.push({ path, query });
      if (!path.endsWith("/merchants")) return { data: [], meta: { next: null, previous: null, count: 0 } };
      await gate;
      return page(query["cursor"]);
    },
  } as unknown as Api; // what a line of the palette asks of it
  return { api, calls, open, of: (end: string) => calls.filter(({ path }) => path.endsWith(end)) };
}
const signal = new AbortController().signal;

describe("in the palette", () => {
  const line = { screen: "withdrawals", line: "merchant:azure pending" } as const;

  test("a line that names a record waits for the records, and is no fault before", async () => {
    const { api, open, of } = aConsole(["pas.merchant.merchants.view"]);
    let answered = false;
    const answer = queryAnswers(api, line, signal).finally(() => (answered = true));
    await expect.poll(() => of("/merchants").length).toBe(1);
    expect(answered).toBe(false);
    open();
    expect(await answer).toMatchObject([{ search: { merchant: uuid(2), status: "pending" }, list: true }]);
    expect(of("/withdrawals")).toMatchObject([{ query: { "filter[merchant]": uuid(2), "filter[status]": "pending" } }]);
  });

  test("one that names none asks for none", async () => {
    const { api, of } = aConsole(["pas.merchant.merchants.view"]);
    await queryAnswers(api, { screen: "withdrawals", line: "pending >5000" }, signal);
    expect([of("/merchants"), of("/withdrawals").length]).toEqual([[], 1]);
  });

  test("who may not see merchants is not told of them, and names one by its whole uuid", async () => {
    const { api, of, open } = aConsole([]);
    open();
    expect(await queryAnswers(api, line, signal)).toMatchObject([{ refused: true }]);
    await queryAnswers(api, { ...line, line: `merchant:${uuid(2)}` }, signal);
    expect(of("/merchants")).toEqual([]);
    expect(of("/withdrawals")).toMatchObject([{ query: { "filter[merchant]": uuid(2) } }]);
  });

  test("records are offered as they are typed", async () => {
    const { api, open } = aConsole(["pas.merchant.merchants.view"]);
    const complete = await completesOf(api, "withdrawals");
    open();
    const typed = "wd merchant:az";
    const offered = await complete("merchant:az", typed, typed.length);
    expect(offered.map(({ from, to, text }) => typed.slice(0, from) + text + typed.slice(to))).toEqual(["wd merchant:AZU"]);
  });
});

test("what each key asks for is put together once, and anew for another language, another currency or other records", async () => {
  const filters: readonly ListFilter<never>[] = [...merchant, { name: "amount", title: "transaction.column.amount", as: "amount" }];
  const fields = queryFieldsOnce(filters);
  const [none, known] = [{}, { merchants: [{ uuid: uuid(1), code: "HBR", name: "Harbour" }] }];
  const choices = (of: Readonly<Partial<Record<"merchants", readonly Linked[]>>>) => fields(of)[0]?.choices?.length;
  expect(fields(none)).toBe(fields(none));
  expect([choices(none), choices(known), choices(none)]).toEqual([0, 1, 0]);
  try {
    expect(fields(none)[1]?.decimals).toBe(2);
    setAmountDecimals(0);
    expect(fields(none)[1]?.decimals).toBe(0);
    expect(fields(none)[0]?.words).toEqual(["Merchant"]);
    await inLanguage("de");
    expect(fields(none)[0]?.words).toEqual(["Händler", "Merchant"]);
  } finally {
    setAmountDecimals(2);
    await inLanguage("en");
  }
});
