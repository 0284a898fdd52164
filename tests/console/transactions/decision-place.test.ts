import { describe, expect, test } from "vitest";
import { withdrawals } from "../../../src/console/screens/withdrawals/withdrawals.ts";
import { askedList, defaultSort as sortOf, readPlace as readOf, sortText } from "../../../src/console/transactions/decision-place.ts";
import { viewOf } from "../../../src/console/transactions/decision-views.ts";

const readPlace = (search: Readonly<Record<string, string>>) => readOf(withdrawals, search);
const defaultSort = (view: string) => sortOf(viewOf(withdrawals.views, view));

const now = Date.parse("2026-11-21T06:30:00Z");

describe("what an address asks", () => {
  test("what it says wrongly is left out, the rest is kept", () => {
    expect(readPlace({ view: "none", status: "pending,lost", amount: "5..9", created: "2026-02-30", sort: "-colour", q: " tan " })).toEqual(
      {
        view: "queue",
        filters: { amount: "5..9", q: "tan" },
        sort: [],
      },
    );
  });

  test("age runs against the time of creation, other columns with theirs", () => {
    for (const sort of ["created_at", "-created_at", "amount", "-amount", "-txn_no"]) expect(sortText(readPlace({ sort }).sort)).toBe(sort);
    expect(readPlace({ sort: "created_at" }).sort).toEqual([{ id: "age", desc: true }]);
  });

  test("where rows are decided the date of creation stands for their order, since their age is how long they took", () => {
    for (const view of ["all", "today"] as const) {
      expect(readPlace({ view, sort: "created_at" }).sort).toEqual([{ id: "created", desc: false }]);
      expect(sortText(readPlace({ view, sort: "-created_at,amount" }).sort)).toBe("-created_at,amount");
      expect(defaultSort(view)).toEqual([{ id: "created", desc: true }]);
    }
    expect(defaultSort("queue")).toEqual([]);
    expect(defaultSort("mine")).toEqual([{ id: "age", desc: false }]);
  });

  test("several columns sort in their order; one unknown, one said again and a fourth are left out", () => {
    const sort = "status,-amount,created_at";
    expect(readPlace({ sort }).sort).toEqual([
      { id: "status", desc: false },
      { id: "amount", desc: true },
      { id: "age", desc: true },
    ]);
    expect(sortText(readPlace({ sort }).sort)).toBe(sort);
    expect(sortText(readPlace({ sort: "colour,-amount,amount,status,txn_no,created_at" }).sort)).toBe("-amount,status,txn_no");
  });

  test("a text longer than the list call takes is none", () => {
    const long = "9".repeat(41);
    expect(readPlace({ bank: long, account: long, customer: long }).filters).toEqual({ bank: long, customer: long });
  });

  test("becomes the list's query", () => {
    const asked = readPlace({
      view: "all",
      amount: "5..9",
      created: "last:1h",
      approved: "2026-11-20",
      merchant: "22222222-2222-4222-8222-222222222222",
      sort: "-amount",
    });
    expect(askedList(withdrawals.filters, asked, now, 480)).toEqual({
      view: "all",
      sort: "-amount",
      "filter[merchant]": "22222222-2222-4222-8222-222222222222",
      "filter[amount_from]": "5",
      "filter[amount_to]": "9",
      "filter[created_from]": "2026-11-21T05:30:00.000Z",
      "filter[approved_from]": "2026-11-19T16:00:00.000Z",
      "filter[approved_to]": "2026-11-20T16:00:00.000Z",
    });
  });
});
