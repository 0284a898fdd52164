import { expect, test } from "vitest";
import { accountStates, accountTypes, shownAccountStatuses } from "../../../src/contract/payment-accounts.ts";
import { defineColumns } from "../../../src/contract/record-columns.ts";
import { filtersOf } from "../../../src/console/entity/column-filters.ts";
import type { Entity } from "../../../src/console/entity/entity.ts";
import { mayBelong } from "../../../src/console/entity/filters.ts";
import { bankTransactions } from "../../../src/console/screens/bank-transactions/bank-transactions-entity.ts";
import { downtimes } from "../../../src/console/screens/downtime-schedule/downtimes-entity.ts";
import { merchants } from "../../../src/console/screens/merchants/merchants-entity.ts";
import { paymentAccounts } from "../../../src/console/screens/payment-accounts/payment-accounts-entity.ts";
import { vendorItems } from "../../../src/console/screens/vendor-items/vendor-items-entity.ts";

const named = (entity: Entity, field: string) => entity.filters.find((filter) => filter.field === field);

test("filters and sorts are those of the column map in its order, after those the description puts first", () => {
  expect(merchants.filters.map(({ field }) => field)).toEqual(["status", "name", "code", "wallet", "hold", "endpoint", "created_at"]);
  expect(merchants.sorts).toEqual(["name", "code", "status", "created_at"]);
  expect(paymentAccounts.filters.map(({ field, as, choices }) => as ?? choices ?? field).slice(0, 5)).toEqual([
    shownAccountStatuses,
    accountStates,
    accountTypes,
    "bank",
    "amount",
  ]);
});

test("a text takes as many letters as the list call does, and 60 at the most", () => {
  expect([named(merchants, "code")?.longest, named(merchants, "name")?.longest]).toEqual([40, 60]);
});

test("a row's value is what its column shows", () => {
  const item = { uuid: "a", version: 1, vendor: { uuid: "b", name: "Lim Printing", code: null } };
  expect(named(vendorItems, "vendor")?.value(item)).toBe("Lim Printing");
  expect(named(vendorItems, "created_at")?.value(item)).toBe("");
});

test("a row belongs by the choices it tells of itself; of what only the server can tell, it stays", () => {
  const window = { uuid: "a", version: 1, state: "planned", overlap_minutes: 30 };
  const belongs = (asked: Record<string, string>) => mayBelong(downtimes, asked, window);
  expect([belongs({ state: "now,planned" }), belongs({ state: "now" })]).toEqual([true, false]);
  expect(belongs({ overlaps: "true", state: "planned" })).toBe(true);
});

test("a record that rows name is filtered by, and is the value of its column, by its uuid", () => {
  const account = { uuid: "11111111-1111-4111-8111-111111111111", code: "MBB1", bank: "Maybank" };
  const line = { uuid: "a", version: 1, payment_account: account, import_uuid: "22222222-2222-4222-8222-222222222222" };
  const [filter, file] = [named(bankTransactions, "payment_account"), named(bankTransactions, "import_uuid")];
  expect([filter?.record?.to, filter?.record?.of?.(line)]).toEqual([
    "payment-accounts",
    { uuid: account.uuid, code: "MBB1", name: "MBB1" },
  ]);
  expect([filter?.value(line), file?.value(line)]).toEqual([account.uuid, line.import_uuid]);
  expect([file?.record?.to, file?.record?.of?.(line)]).toEqual([undefined, null]);
});

test("one put first must be a filter of the column map", () => {
  const map = defineColumns({ name: { filter: "part", most: 60, sort: true }, balance: { sum: true }, uuid: { filter: "rows" } });
  expect(filtersOf(map, [], []).map(({ field }) => field)).toEqual(["name"]);
  expect(() => filtersOf(map, ["balance"], [])).toThrow("the column map has no filter of: balance");
});
