import { QueryClient } from "@tanstack/react-query";
import { describe, expect, test } from "vitest";
import type { StatementLine } from "../../../src/contract/statements.ts";
import { createFormats } from "../../../src/console/api/formats.ts";
import type { Api } from "../../../src/console/api/api.ts";
import type { Place } from "../../../src/console/api/place.ts";
import { defineEntity } from "../../../src/console/entity/entity.ts";
import { EntityWork } from "../../../src/console/entity/entity-work.ts";
import { askedList, readPlace } from "../../../src/console/entity/filters.ts";
import { totalsOf } from "../../../src/console/entity/shown.ts";
import { merchantTransactions as statement } from "../../../src/console/screens/merchant-transactions/merchant-transactions-entity.ts";
import { merchants } from "../../../src/console/screens/merchants/merchants-entity.ts";
import { notingServices } from "../kit/fakes.ts";

const now = Date.parse("2026-11-21T06:30:00Z");
const formats = createFormats("+08:00");

test("a statement can only be read: it has no form, no acts and no history", () => {
  const { create, update, status, remove } = statement.routes;
  expect([create, update, status, remove]).toEqual([undefined, undefined, undefined, undefined]);
  expect([statement.form.fields, statement.statuses, statement.hasHistory]).toEqual([[], [], false]);
});

describe("its dates", () => {
  const asked = (search: Record<string, string>) => askedList(statement, readPlace(statement, search), now, 480);
  const days = (from: string, to: string) => ({ "filter[created_at_from]": from, "filter[created_at_to]": to });

  test("are today of the currency's zone, while the address asks for no others or for none that can be read", () => {
    const today = { ...days("2026-11-20T16:00:00.000Z", "2026-11-21T16:00:00.000Z"), sort: "-created_at" };
    expect([asked({}), asked({ created_at: "2026-02-30" })]).toEqual([today, today]);
  });

  test("are those of the address", () => {
    expect(asked({ created_at: "2026-11-01..2026-11-02" })).toMatchObject(days("2026-10-31T16:00:00.000Z", "2026-11-02T16:00:00.000Z"));
  });
});

test("the totals row has the server's figures only, in the columns named, and none while they are on their way", () => {
  const sums = { amount_in: "1250", amount_out: "0", balance: "12345.5", wallet: "7" };
  expect(totalsOf(statement, sums, formats)).toEqual({ amount_in: "1,250.00", amount_out: "0.00", balance: "12,345.50" });
  expect(totalsOf({ ...statement, sums: ["balance"] }, sums, formats)).toEqual({ balance: "12,345.50" });
  expect(totalsOf(statement, null, formats)).toEqual({});
  expect(totalsOf(merchants, { wallet: "7" }, formats)).toBeUndefined();
});

const line = { uuid: "l", version: 1, txn_no: "W-1", transaction: { uuid: "x", kind: "withdrawal" } } as StatementLine; // what a link is made of

describe("a line", () => {
  /** Where it leads, for whoever sees these screens. */
  function linked(row: StatementLine, seen: readonly string[]) {
    const { services } = notingServices();
    const api = { call: () => new Promise(() => undefined) } as unknown as Api; // no answer is read
    const needs = { entity: statement, api, services, queries: new QueryClient(), tenant: "t", currency: "MYR", params: {} };
    const work = new EntityWork(needs);
    const place = {} as Place; // nothing is read of it
    work.draw({
      now: { asked: readPlace(statement, {}), place, formats },
      showForm: () => undefined,
      sees: (screen) => seen.includes(screen),
      may: () => true,
    });
    return work.listDesk.linked?.(row);
  }

  test("leads to its transaction among all of its kind", () => {
    expect(linked(line, ["withdrawals"])).toEqual({ screen: "withdrawals", to: { params: {}, search: { view: "all", record: "x" } } });
  });

  test("leads nowhere while that screen is not there, and where it is about no transaction", () => {
    expect(linked({ ...line, transaction: { uuid: "x", kind: "deposit" } }, ["withdrawals"])).toBeNull();
    expect(linked({ ...line, transaction: null }, ["withdrawals"])).toBeNull();
  });
});

test("a description that sums what the server does not, or whose dates are no filter of times, is refused", () => {
  const { form: _form, ...rest } = statement;
  const define = (change: object) => () => defineEntity({ ...rest, ...change } as unknown as Parameters<typeof defineEntity>[0]); // its own types were checked above
  expect(define({ sums: ["amount_in", "reference_no"] })).toThrow("has no column with a sum: reference_no");
  expect(define({ window: { field: "kind", initial: "today" } })).toThrow("has no filter by time: kind");
  expect(define({})).not.toThrow();
});
