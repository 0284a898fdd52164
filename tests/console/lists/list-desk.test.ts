import { describe, expect, test } from "vitest";
import { createFormats } from "../../../src/console/api/formats.ts";
import type { Services } from "../../../src/console/kit/commands/services.ts";
import type { KnownRecords, ListFilter } from "../../../src/console/lists/filters.ts";
import { askedFilters, filterSearch, filterWords, readFilters } from "../../../src/console/lists/filters.ts";
import { listDesk } from "../../../src/console/lists/list-desk.ts";
import { inLanguage } from "../in-language.ts";
import type { Line } from "./panes.ts";
import { line, thePanes } from "./panes.ts";

const plain: readonly ListFilter<Line>[] = [
  { name: "q", title: "record.filter.q" },
  { name: "status", title: "record.filter.q", choices: ["active", "inactive"], column: "status" },
  { name: "amount", title: "record.filter.q", as: "amount", column: "amount" },
  { name: "made", title: "record.filter.q", as: "time", column: "made", value: ({ made }) => made },
  { name: "bank", title: "record.filter.q", longest: 10, column: "bank", value: ({ bank }) => bank },
];

/** The desk of two lines, whose questions are answered in this order; an address of these filters. */
function aDesk(answers: (string | null)[] = [], set: Record<string, string> = {}, filters = plain, loaded: KnownRecords = {}) {
  const at = thePanes([line("1"), line("2", { bank: "" })]);
  at.place.set(set);
  at.deeds.length = 0;
  const services = new Proxy(at.services, {
    get: (deps, service) =>
      service === "ask"
        ? (kind: string, asked: { refuse?(typed: string): unknown }) => {
            at.deeds.push(["ask", kind, asked]);
            // as the sheet does: it stays for as long as what is typed is refused
            for (;;) {
              const answer = answers.shift() ?? null;
              const why = answer === null ? null : (asked.refuse?.(answer) ?? null);
              if (why === null) return Promise.resolve(answer);
              at.deeds.push(["refused", why]);
            }
          }
        : deps[service as keyof Services],
  });
  const now = () => ({ asked: { filters: readFilters(filters, at.place.search) }, place: at.place, formats: createFormats("+08:00") });
  const query = () => ({ sort: "-made", limit: undefined, ...askedFilters(filters, now().asked.filters, 0, 480) });
  const records = {
    fields: () => [],
    mayBeIn: () => false,
    known: () => loaded,
    areKnown: () => true,
    load: () => Promise.resolve(loaded),
  };
  const desk = listDesk({
    screen: "merchants",
    view: "pas.merchant.merchants.view",
    filters,
    records,
    services,
    panes: at.panes,
    query,
    now,
  });
  return { ...at, desk, asked: () => at.deeds.filter(([deed]) => deed === "ask"), set: () => now().asked.filters };
}

describe("f in a column", () => {
  test("takes a day in the reader's words, keeps it in those every link is read with, and shows it in theirs", async () => {
    await inLanguage("de");
    const { desk, at, asked, set } = aDesk(["bald", "Gestern..heute", null]);
    at.column = "made";
    await desk.filterColumn();
    expect(set()).toEqual({ made: "yesterday..today" });
    await desk.filterColumn();
    expect(asked().at(-1)?.[2]).toMatchObject({ initial: "gestern..heute" });
    expect(filterWords({ name: "made", title: "record.filter.q", as: "time" }, "yesterday..today", [])).toBe("gestern..heute");
  });

  test("asks until what was typed can be read, and takes the record out of the address with the old list", async () => {
    const { desk, at, place, deeds, asked, set } = aDesk(["ten", "5..9"], { record: "1" });
    at.column = "amount";
    await desk.filterColumn();
    expect(asked().map(([, , question]) => question)).toMatchObject([{ initial: "" }]);
    expect(deeds).toContainEqual(["refused", { key: "list.said.filter-unreadable", words: { text: "ten" } }]);
    expect([set(), place.get("record")]).toEqual([{ amount: "5..9" }, null]);
  });

  test("takes the filter off where nothing was typed, and leaves it where the question was left", async () => {
    const { desk, at, set } = aDesk([null, ""], { amount: "5" });
    at.column = "amount";
    await desk.filterColumn();
    expect(set()).toEqual({ amount: "5" });
    await desk.filterColumn();
    expect(set()).toEqual({});
  });

  test("adds a choice to those in force, and takes one of them away", async () => {
    const { desk, at, set } = aDesk(["inactive", "active", "inactive"], { status: "active" });
    at.column = "status";
    await desk.filterColumn();
    expect(set()).toEqual({ status: "active,inactive" });
    await desk.filterColumn();
    expect(set()).toEqual({ status: "inactive" });
    await desk.filterColumn();
    expect(set()).toEqual({});
  });

  test("without a filter asks for which, but not for the one that has a field", async () => {
    const { desk, at, asked, set } = aDesk(["bank", "CIMB"]);
    at.column = "charges";
    expect(desk.unfiltered()).toBe("list.refuse.no-filter-here");
    await desk.filterColumn();
    expect(asked()[0]?.[2]).toMatchObject({ options: [{ id: "status" }, { id: "amount" }, { id: "made" }, { id: "bank" }] });
    expect(set()).toEqual({ bank: "CIMB" });
  });
});

test("f in a column of records offers all that the operator may see, whichever are in the rows, and their code and name say which is chosen", async () => {
  const [row, other] = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"];
  const merchants = [
    { uuid: other, code: "AZU", name: "Azure" },
    { uuid: row, code: "HBR", name: "Harbour" },
  ];
  const filter: ListFilter<Line> = {
    name: "merchant",
    title: "record.filter.q",
    record: { to: "merchants", of: () => ({ uuid: row, code: "HBR", name: "Harbour" }) },
  };
  const { desk, at, asked, set } = aDesk([other], {}, [filter], { merchants });
  at.column = "merchant";
  await desk.filterColumn();
  expect(asked()[0]?.[2]).toMatchObject({
    options: [
      { id: other, label: "AZU", note: "Azure" },
      { id: row, label: "HBR", note: "Harbour" },
    ],
  });
  expect(set()).toEqual({ merchant: other });
  expect(filterWords(filter, other, [], { merchants })).toBe("AZU · Azure");
});

test.each([
  ["10000000.01..", "10,000,000.01.."],
  ["..5000", "..5,000"],
  ["5000.00..9000.50", "5,000..9,000.50"],
  ["1250", "1,250"],
  ["ten", "ten"],
])("the amounts %s of a filter are said as rows show them: %s", (asked, said) => {
  expect(filterWords({ name: "amount", title: "record.filter.q", as: "amount" }, asked, [])).toBe(said);
});

test("filtering by the value under the cursor takes a time's day in the zone, and says so where the cell is empty", () => {
  const { desk, at, panes, deeds, set } = aDesk();
  at.column = "made";
  desk.filterByValue();
  expect(set()).toEqual({ made: "2026-11-21" });
  at.column = "bank";
  at.row = panes.source.at(1) ?? null;
  deeds.length = 0;
  desk.filterByValue();
  expect(deeds).toEqual([["say", "list.refuse.nothing-in-cell", {}, "warn"]]);
});

test("the filter set last is dropped first, then those the address came with from their end", async () => {
  const { desk, at, set } = aDesk(["active"], { q: "tan", bank: "CIMB", amount: "5" });
  at.column = "status";
  await desk.filterColumn();
  const left: string[][] = [];
  for (let n = 0; n < 4; n++) {
    desk.dropFilter();
    left.push(Object.keys(set()));
  }
  expect(left).toEqual([["q", "amount", "bank"], ["q", "amount"], ["q"], []]);
  expect(desk.hasFilters()).toBe(false);
});

describe("the dates of a list that is always about some", () => {
  const dated = plain.map((filter) => (filter.name === "made" ? { ...filter, initial: "today" } : filter));

  test("stand at what they are at first, which nobody chose and nothing takes off", () => {
    const { desk, deeds, set } = aDesk([], {}, dated);
    expect([set(), desk.hasFilters()]).toEqual([{ made: "today" }, false]);
    desk.dropFilter();
    expect(deeds).toEqual([]);
  });

  test("are asked for by a command of their own, and go back to what they were at first", async () => {
    const { desk, place, asked, set } = aDesk(["2026-11-01..2026-11-20", ""], {}, dated);
    await desk.askWindow?.();
    expect(asked().at(-1)?.[2]).toMatchObject({ initial: "" });
    expect([set(), desk.hasFilters()]).toEqual([{ made: "2026-11-01..2026-11-20" }, true]);
    await desk.askWindow?.();
    expect([set(), place.get("made")]).toEqual([{ made: "today" }, null]);
    expect(aDesk().desk.askWindow).toBeNull();
  });

  test("are not written into the address by another filter, so that tomorrow the same address is about tomorrow", () => {
    const { set } = aDesk([], {}, dated);
    expect(filterSearch(dated, { ...set(), bank: "CIMB" })).toMatchObject({ made: null, bank: "CIMB" });
    expect(filterSearch(dated, { made: "yesterday" })).toMatchObject({ made: "yesterday", bank: null });
  });
});
