import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { routes } from "../../src/contract/index.ts";
import { bankLineColumns } from "../../src/contract/bank-transactions.ts";
import { linkedOf, listRouteOf } from "../../src/contract/list-route.ts";
import { Merchant } from "../../src/contract/merchants.ts";
import { PaymentAccount } from "../../src/contract/payment-accounts.ts";
import type { RecordColumn } from "../../src/contract/record-columns.ts";
import type { Route } from "../../src/contract/route.ts";
import { screens } from "../../src/contract/screens.ts";
import type { ScreenName } from "../../src/contract/screens.ts";
import { transferColumns } from "../../src/contract/transfers.ts";
import { searchKinds, searchScreens } from "../../src/contract/search.ts";

const contract = resolve(import.meta.dirname, "../../src/contract");
const texts = globSync("*.ts", { cwd: contract }).map((file) => readFileSync(resolve(contract, file), "utf8"));
/** Screens whose records some form refers to. */
const referred = new Set(
  texts.flatMap((text) => [...text.matchAll(/control\("references?", "([\w-]+)"\)/g)].map(([, screen]) => screen as ScreenName)), // typed there
);
const searched = searchKinds.map((kind): ScreenName => searchScreens[kind]);

/** Those whose own list is not what its route is taken for. */
const mistaken = (those: readonly ScreenName[]) =>
  those.filter((screen) => {
    const { path, permission } = listRouteOf(screen);
    const own = Object.values<Route>(routes).find((route) => route.method === "GET" && route.path === path);
    return own?.permission !== permission || ["q", "limit", "cursor"].some((name) => !(name in (own.query?.shape ?? {})));
  });

test("a reference field finds records without full search by their screen's own list", () => {
  expect([...referred].every((screen) => screen in screens)).toBe(true);
  const listed = [...referred].filter((screen) => !searched.includes(screen));
  expect(listed).toEqual(["game-merchants"]);
  expect(mistaken(listed)).toEqual([]);
});

test("a filter by a record has the records of their screen's own list, a payment account by its code and holder", () => {
  const filtered = [bankLineColumns, transferColumns].flatMap((columns) =>
    Object.values<RecordColumn>(columns).flatMap((column) => (column.filter === "reference" && column.to ? [column.to] : [])),
  );
  expect([...new Set(filtered)].toSorted()).toEqual(["merchants", "payment-accounts"]);
  expect(mistaken(filtered)).toEqual([]);
  const rows = { merchants: Merchant, "payment-accounts": PaymentAccount };
  expect(Object.values(rows).map(({ shape }) => ["code", "name", "holder"].filter((field) => field in shape))).toEqual([
    ["code", "name"],
    ["code", "holder"],
  ]);
  expect(
    [{ code: "M1", holder: "Harbour Trading" }, { code: "HBR", name: "Harbour" }, { name: "Nights" }].map((row) =>
      linkedOf({ uuid: "a", ...row }),
    ),
  ).toEqual([
    { uuid: "a", code: "M1", name: "Harbour Trading" },
    { uuid: "a", code: "HBR", name: "Harbour" },
    { uuid: "a", code: null, name: "Nights" },
  ]);
});
