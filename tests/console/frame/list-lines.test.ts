import { QueryClient } from "@tanstack/react-query";
import { beforeAll, describe, expect, test } from "vitest";
import { addressOf } from "../../../src/contract/addresses.ts";
import { permissions } from "../../../src/contract/permissions.ts";
import type { Route } from "../../../src/contract/route.ts";
import { places, screens } from "../../../src/contract/screens.ts";
import type { ScreenName } from "../../../src/contract/screens.ts";
import type { Found } from "../../../src/contract/search.ts";
import { searchRoutes } from "../../../src/contract/search.ts";
import type { Api } from "../../../src/console/api/api.ts";
import { createFormats } from "../../../src/console/api/formats.ts";
import { readBeside, writeBeside } from "../../../src/console/frame/beside.ts";
import { paletteSearch } from "../../../src/console/frame/palette-search.ts";
import { isFlag } from "../../../src/console/kit/query/query-field.ts";
import { readQuery } from "../../../src/console/kit/query/query-line.ts";
import type { QueryList } from "../../../src/console/kit/query/query-list.ts";
import { text } from "../../../src/console/kit/texts/texts.ts";
import { queryListOf, screenModules } from "../../../src/console/screens/index.ts";
import { sampleRow } from "../../support/sample-of.ts";
import { entities } from "../entity/entities.ts";
import { inLanguage } from "../in-language.ts";

const routed = new Set(Object.keys(screenModules) as ScreenName[]); // Object.keys widens
const now = Date.parse("2026-11-28T06:00:00.000Z");

interface Sent {
  readonly route: Route;
  readonly query: Readonly<Record<string, string | number>>;
}

/** What a server answers a list: its rows, and what it says of all of them. */
type Listed = (sent: Sent) => { readonly data: readonly unknown[]; readonly meta: object };

/** The palette of somebody with these rights, over a server that answers every list alike. */
function palette(listed: Listed, rights: readonly string[] = permissions, found: readonly Found[] = []) {
  const sent: Sent[] = [];
  const held: Record<string, string[]> = {};
  for (const right of rights) (held[right.slice(0, right.lastIndexOf("."))] ??= []).push(right.slice(right.lastIndexOf(".") + 1));
  const currency = { code: "MYR", country: { timezone: { gmt: "+08:00" } } };
  const api = {
    queries: new QueryClient(),
    session: { store: { getState: () => ({ at: { context: { permissions: held }, tenant: { id: "t" }, currency } }) } },
    time: { now: () => now },
    call: async (route: Route, { query }: { query: Sent["query"] }) => {
      sent.push({ route, query });
      return route.path === searchRoutes.search.path ? { data: found } : listed({ route, query });
    },
  } as unknown as Api; // what finding takes of it
  const { findRecords, findAmount, completions } = paletteSearch(api, routed);
  const { signal } = new AbortController();
  return {
    sent,
    find: (typed: string) => findRecords(typed, signal),
    findAmount: (typed: string) => findAmount(typed, signal),
    completions,
  };
}

/** What a list takes of the console until a line of it names a record. */
const unasked = { queries: new QueryClient(), session: { store: { getState: () => ({ at: null }) } } } as unknown as Api;
const list = (name: ScreenName) => queryListOf(name, unasked) as Promise<QueryList>; // null fails the test that asks it

const only = <T>(all: readonly T[]): T => {
  const [one] = all;
  if (one === undefined || all.length > 1) throw new Error(`one is expected, not ${all.length}`);
  return one;
};

/** A line of words and one value of the list's first choice. */
const lineOf = (asked: QueryList) => {
  const choice = asked.fields().find((field) => field.kind === "choices" && !isFlag(field));
  return { choice, line: choice === undefined ? "somebody" : `somebody ${choice.name}:${choice.choices?.[0]?.id ?? ""}` };
};

beforeAll(() => inLanguage("en"));

const lines = places
  .filter((name) => screens[name].subject !== null && routed.has(name))
  .flatMap((name) => screens[name].codes.map((code) => [code, name] as const));

describe("a line that begins with the code of a list", () => {
  test("there is one of every screen with rows that opens without a record", () => {
    expect(lines.map(([code]) => code)).toEqual(expect.arrayContaining(["wd", "dp", "bt", "me", "mer", "gm", "ds", "lb", "tr"]));
    expect(lines.length).toBeGreaterThan(25);
  });

  test.each(lines)("%s is answered with count, sum, oldest and the first rows, and opens what it asks for", async (code, name) => {
    const asked = await list(name);
    const { choice, line } = lineOf(asked);
    // the totals of a list are of the fields its columns sum
    const summed = Object.entries(
      entities.find(({ screen }) => screen === name)?.columnMap ?? { amount: { sum: true }, balance: { sum: true } },
    );
    const sums = Object.fromEntries(summed.flatMap(([field, { sum }], n) => (sum === undefined ? [] : [[field, `${n + 1}000.00`]])));
    const rows = [0, 1].map((n) => sampleRow(asked.route, n));
    const { find, sent } = palette(() => ({ data: rows, meta: { next: "more", previous: null, count: 75, sums } }));
    const [entry, ...found] = await find(`${code} ${line}`);

    const { query, route } = only(sent.filter((one) => one.route.path !== searchRoutes.search.path));
    expect(route.path.endsWith(`/${name}`)).toBe(true);
    expect(route.query?.safeParse(query).error?.issues ?? []).toEqual([]);
    expect(query).toMatchObject({ q: "somebody", limit: 5, with: "count,sums" });

    expect(entry).toMatchObject({ screen: name, list: true, name: text(`screen.${name}`) });
    const meant = readQuery(line, asked.fields());
    expect(entry?.chips).toHaveLength("meaning" in meant ? Object.keys(meant.meaning).length : Number.NaN);
    expect(entry?.note).toContain("Found: 75");
    expect(entry?.note?.includes("Sum")).toBe(Object.keys(sums).length > 0);
    // the oldest comes first wherever the rows have a time
    const row = rows[0] as { readonly created_at?: string };
    const isTimed = asked.route.query?.safeParse({ sort: "created_at" }).success === true;
    expect([query["sort"] === "created_at", entry?.note?.includes("Oldest")]).toEqual([isTimed, isTimed && row.created_at !== undefined]);

    // Enter goes there, Mod+Enter opens the same beside
    const search = entry?.search ?? {};
    const read = readQuery(line, asked.fields());
    expect(search).toMatchObject("meaning" in read ? read.meaning : {});
    expect([search["q"], choice === undefined ? undefined : search[choice.name]]).toEqual(["somebody", choice?.choices?.[0]?.id]);
    expect(addressOf(name, { search })).toContain("q=somebody");
    expect(readBeside(writeBeside(name, { search }))).toEqual({ screen: name, params: {}, search });
    // and the list opened asks for what was counted
    const { limit: _, with: __, ...counted } = query;
    expect(asked.query(search, now, createFormats(undefined).zone)).toEqual(counted);

    const offered = rows.map((one) => asked.rowOf(one));
    expect(found.map(({ id, name: called, screen, list: isList }) => ({ id, called, screen, isList }))).toEqual(
      offered.map(({ id, name: called }) => ({ id, called, screen: name, isList: undefined })),
    );
    expect(found.map(({ search: shown }) => shown["record"])).toEqual(offered.map(({ id }) => id));
  });

  test.each(lines)("%s is completed by the fields of its list", async (code, name) => {
    const { completions } = palette(() => ({ data: [], meta: {} }));
    const field = (await list(name)).fields().find((one) => one.name !== "q");
    const typed = `${code} ${field?.name.slice(0, -1) ?? ""}`;
    expect((await completions(typed, typed.length))?.some(({ label }) => label === field?.name)).toBe(true);
  });

  test("of a list that may not be seen, or of no list, is searched for as any other text", async () => {
    const nobody = palette(
      () => ({ data: [], meta: {} }),
      permissions.filter((one) => one !== "pas.merchant.merchants.view"),
    );
    await nobody.find("mer harbour");
    expect(nobody.completions("mer harbour", 5)).toBeNull();
    await nobody.find("set harbour");
    expect(nobody.sent.map(({ route }) => route.path)).toEqual([searchRoutes.search.path, searchRoutes.search.path]);
  });
});

describe("a line of words alone", () => {
  const customer: Found = {
    kind: "deposit",
    uuid: "a-deposit",
    params: {},
    name: "D2611280000011",
    note: "Ma Thida",
    merchant: "LTS",
    created_at: "2026-11-28T05:00:00.000Z",
    amount: "50.00",
    currency: "MYR",
    status: "pending",
  };

  test.each(["Ma Thida", "Al Amin", "Mr Tan", "Vi Nguyen", "wd harbour"])("is searched for as a whole too: %s", async (typed) => {
    const { find, sent } = palette(() => ({ data: [], meta: {} }), permissions, [customer]);
    const found = await find(typed);
    expect(found.at(-1)?.id).toBe("a-deposit");
    expect(sent.find(({ route }) => route.path === searchRoutes.search.path)?.query).toMatchObject({ q: typed });
  });

  test("is searched for in its list alone where it asks for more than words", async () => {
    const { find, sent } = palette(() => ({ data: [], meta: {} }), permissions, [customer]);
    await find("wd harbour status:pending");
    expect(sent.map(({ route }) => route.path)).not.toContain(searchRoutes.search.path);
  });

  test("offers a row of its list once", async () => {
    const row = sampleRow((await list("deposits")).route, 0) as { uuid: string };
    const { find } = palette(() => ({ data: [row], meta: {} }), permissions, [{ ...customer, uuid: row.uuid }]);
    expect((await find("dp harbour")).filter(({ id }) => id === row.uuid)).toHaveLength(1);
  });
});

describe("an amount", () => {
  const asked = async (typed: string, mode: "find" | "findAmount") => {
    const at = palette(() => ({ data: [], meta: {} }));
    await at[mode](typed);
    return at.sent.flatMap(({ query }) => query["filter[amount_from]"] ?? []);
  };

  test("as amounts are written is found without its sign", async () => {
    for (const typed of ["1,250.00", "1250.00", "1,250", "MYR 1,250.00", "1,250.00 myr"])
      expect([typed, Number((await asked(typed, "find"))[0])]).toEqual([typed, 1_250]);
    for (const typed of ["1250", "USD 1,250.00", "1.2.3", "1,25"]) expect([typed, await asked(typed, "find")]).toEqual([typed, []]);
  });

  test("may have the currency's code before or after it", async () => {
    for (const typed of ["MYR 1,250.00", "1,250.00 MYR", "myr1250", "1250"])
      expect([typed, Number((await asked(typed, "findAmount"))[0])]).toEqual([typed, 1_250]);
    expect(await asked("USD 1,250.00", "findAmount")).toEqual([]);
  });
});

describe("a setting", () => {
  test("is found by whoever may see the settings, and by nobody else", async () => {
    const nothing: Listed = () => ({ data: [], meta: {} });
    const found = async (rights: readonly string[]) =>
      (await palette(nothing, rights).find("approval tiers")).filter(({ screen }) => screen === "setting").length;
    const all = permissions.filter((one) => one !== screens.setting.permission);
    expect(await found(permissions)).toBeGreaterThan(0);
    expect(await found([screens.setting.permission])).toBeGreaterThan(0);
    expect(await found(all)).toBe(0);
    expect(await found([])).toBe(0);
  });
});

describe("where counting takes too long", () => {
  const row = async (n: number) => sampleRow((await list("withdrawals")).route, n);

  test("the answer says that there are more than are shown", async () => {
    const five = await Promise.all([0, 1, 2, 3, 4].map(row));
    const { find } = palette(() => ({ data: five, meta: { next: "more", previous: null } }));
    const [entry] = await find("wd pending");
    expect(entry?.note).toMatch(/^Found: more than 5 · Oldest /);
  });

  test("a list that ends with the rows shown has as many", async () => {
    const two = await Promise.all([0, 1].map(row));
    const { find } = palette(() => ({ data: two, meta: { next: null, previous: null } }));
    const [entry] = await find("wd pending");
    expect(entry?.note).toMatch(/^Found: 2 · Oldest /);
  });
});
