import { beforeAll, describe, expect, test } from "vitest";
import { bankTransactionRoutes } from "../../../src/contract/bank-transaction-routes.ts";
import { depositRoutes } from "../../../src/contract/deposit-routes.ts";
import { routes } from "../../../src/contract/index.ts";
import type { Route } from "../../../src/contract/route.ts";
import { withdrawalRoutes } from "../../../src/contract/withdrawals.ts";
import { listFilters } from "../../../src/console/entity/filters.ts";
import type { QueryField } from "../../../src/console/kit/query/query-field.ts";
import { readQuery } from "../../../src/console/kit/query/query-line.ts";
import type { ListFilter } from "../../../src/console/lists/filters.ts";
import { askedFilters, readFilters } from "../../../src/console/lists/filters.ts";
import { queryFields } from "../../../src/console/lists/query-fields.ts";
import { payerFilters } from "../../../src/console/screens/bank-transactions/payer-filters.ts";
import { depositFilters } from "../../../src/console/screens/deposits/filters.ts";
import { withdrawalFilters } from "../../../src/console/screens/withdrawals/filters.ts";
import { entities } from "../entity/entities.ts";
import { inLanguage } from "../in-language.ts";

beforeAll(() => inLanguage("en"));

type AnyFilters = readonly ListFilter<never>[];
const filtersOf = new Map<Route, AnyFilters>([
  [withdrawalRoutes.listWithdrawals, withdrawalFilters as AnyFilters],
  [depositRoutes.listDeposits, depositFilters as AnyFilters],
  [bankTransactionRoutes.listPayers, payerFilters as AnyFilters],
  ...entities.map((entity): [Route, AnyFilters] => [entity.routes.list, listFilters(entity) as AnyFilters]),
]);

/** A value that each kind of field takes. */
const sampleOf = ({ kind, choices = [] }: QueryField, filter: ListFilter<never>): string =>
  filter.record
    ? "00000000-0000-4000-8000-000000000001"
    : { choices: choices[0]?.id ?? "", amount: "5..9", time: "2026-11-01..2026-11-20", record: "a", text: "a" }[kind];

describe("every filter that the contract offers of a list", () => {
  /** Filters that no line asks for. */
  const unasked: Readonly<Record<string, string>> = {
    "filter[uuid]": "the rows that an event named are read again by it; a person finds a row by its number or opens it",
  };
  const lists = Object.entries<Route>(routes).filter(
    ([, { method, query }]) =>
      method === "GET" &&
      query !== undefined &&
      "cursor" in query.shape &&
      Object.keys(query.shape).some((key) => key.startsWith("filter[")),
  );

  test("is of a list with a query line", () => {
    expect(lists.length).toBeGreaterThan(20);
    expect(lists.filter(([, route]) => !filtersOf.has(route)).map(([name]) => name)).toEqual([]);
  });

  test.each(lists)("%s: is reached by a field of its line", (_, route) => {
    const filters = filtersOf.get(route) ?? [];
    const offered = Object.keys(route.query?.shape ?? {}).filter((key) => key.startsWith("filter[") && !(key in unasked));
    const reached = queryFields(filters, []).flatMap((field, n) => {
      const filter = filters[n];
      const line = `${field.name}:${sampleOf(field, filter as ListFilter<never>)}`;
      const read = readQuery(line, queryFields(filters, []));
      if (!("meaning" in read)) throw new Error(`${line} is not read`);
      return Object.keys(askedFilters(filters, readFilters(filters, read.meaning), 0, 480));
    });
    expect(offered.filter((key) => !reached.includes(key))).toEqual([]);
  });
});
