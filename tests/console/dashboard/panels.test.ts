import { describe, expect, test } from "vitest";
import type { Dashboard } from "../../../src/contract/dashboard.ts";
import { screens } from "../../../src/contract/screens.ts";
import type { ScreenName } from "../../../src/contract/screens.ts";
import { deposits } from "../../../src/console/screens/deposits/deposits.ts";
import { withdrawals } from "../../../src/console/screens/withdrawals/withdrawals.ts";
import { readPlace } from "../../../src/console/transactions/decision-place.ts";
import { readPlace as readRecords } from "../../../src/console/entity/filters.ts";
import { merchants } from "../../../src/console/screens/merchants/merchants-entity.ts";
import { paymentAccounts } from "../../../src/console/screens/payment-accounts/payment-accounts-entity.ts";
import { itemsOf, panelNames, placeOf, step } from "../../../src/console/screens/dashboard/panels.ts";
import type { Item, PanelName } from "../../../src/console/screens/dashboard/panels.ts";

const nothing = { count: 0, amount: "0.00" };
const day = {
  deposits: nothing,
  withdrawals: nothing,
  fees: "0.00",
  approval_rate: null,
  rejected: 0,
  median_seconds: null,
  p95_seconds: null,
};
const uuid = "0190a1b2-0000-7000-8000-000000000001";
const board: Dashboard = {
  day: "2026-11-21",
  as_of: "2026-11-21T06:32:00Z",
  today: day,
  yesterday: day,
  hours: Array.from({ length: 24 }, (_, hour) => ({
    hour,
    deposits: { count: 2, amount: "1500.00" },
    withdrawals: { count: 1, amount: "400.00" },
    deposits_yesterday: "900.00",
    median_seconds: 108,
    p95_seconds: 362,
  })),
  queue: {
    open: 0,
    oldest_at: null,
    amber_minutes: 5,
    red_minutes: 10,
    ages: [
      { from: 0, to: 1, count: 0 },
      { from: 1, to: 1.5, count: 2 },
      { from: 10, to: null, count: 4 },
    ],
  },
  merchants: [{ uuid, name: "Harbour Play", count: 3, amount: "1900.00", approval_rate: 100 }],
  accounts: [{ uuid, code: "UOB-01", balance: "840.20", threshold: "5000.00", since: null }],
  callbacks: [{ uuid, name: "Rimba Games", sent: 281, first_try: 81.4, waiting: 38, oldest_at: null }],
  operators: [
    { name: "Nurul Aisyah", doing: "W20261121004821", decided: 46 },
    { name: "Krit Chaiyaporn", doing: null, decided: 19 },
    { name: "Mei Ling", doing: "D20261121000077", decided: 4 },
  ],
};
const t = (key: string, words: Readonly<Record<string, string | number>> = {}) =>
  `${key}${Object.values(words)
    .map((word) => ` ${word}`)
    .join("")}`;
const items = (name: PanelName, lane: "deposits" | "withdrawals" = "withdrawals") => itemsOf(board, name, { t, lane, hour: 14 });

describe("what a figure leads to", () => {
  const hour = (text: string) => ({
    view: "today",
    status: "approved,completed",
    approved: `2026-11-21T${text}:00..2026-11-21T${text}:59`,
  });

  test("an hour's deposits and withdrawals lead to their own lists, of that hour alone", () => {
    expect(items("flow")[14]).toMatchObject({
      name: expect.stringContaining("dashboard.so-far 14:00"),
      behind: { screen: "withdrawals", search: hour("14") },
    });
    expect(items("flow", "deposits")[3]).toMatchObject({
      name: expect.stringContaining("03:00"),
      behind: { screen: "deposits", search: hour("03") },
    });
    expect(items("minutes")[5]?.behind).toEqual({ screen: "withdrawals", search: hour("05") });
    expect(items("flow")[14]?.notes).toContain("dashboard.flow.net +1,100.00");
  });

  test("an age of the queue leads to the withdrawals of that age", () => {
    expect(items("ages").map(({ behind }) => behind)).toEqual([
      { screen: "withdrawals", search: { view: "queue", created: "-60s.." } },
      { screen: "withdrawals", search: { view: "queue", created: "-90s..-60s" } },
      { screen: "withdrawals", search: { view: "queue", created: "..-600s" } },
    ]);
  });

  test("a merchant leads to its own withdrawals of the day", () => {
    expect(items("merchants")[0]?.behind).toEqual({
      screen: "withdrawals",
      search: { view: "today", status: "approved,completed", merchant: uuid },
    });
  });

  test("an operator leads to the withdrawal or the deposit they are deciding", () => {
    expect(items("operators")[0]?.behind).toEqual({ screen: "withdrawals", search: { view: "process", q: "W20261121004821" } });
    expect(items("operators")[2]?.behind).toEqual({ screen: "deposits", search: { view: "queue", q: "D20261121000077" } });
    expect(items("operators")[1]?.behind.note).toBe("dashboard.said.everybody");
  });

  test.each(panelNames)("each address from %s is one its screen understands in full", (name) => {
    const read: Partial<Record<ScreenName, (search: Readonly<Record<string, string>>) => Readonly<Record<string, string | undefined>>>> = {
      withdrawals: (search) => ({ view: readPlace(withdrawals, search).view, ...readPlace(withdrawals, search).filters }),
      deposits: (search) => ({ view: readPlace(deposits, search).view, ...readPlace(deposits, search).filters }),
      merchants: (search) => readRecords(merchants, search).filters,
      "payment-accounts": (search) => readRecords(paymentAccounts, search).filters,
    };
    for (const { behind } of items(name)) {
      expect(screens).toHaveProperty(behind.screen);
      const { record: _, ...asked } = behind.search;
      expect(read[behind.screen]?.(behind.search) ?? asked).toEqual(asked);
    }
  });
});

describe("the cursor", () => {
  const rows = (...ids: string[]): Item[] => ids.map((id) => ({ id, name: id, notes: [], behind: { screen: "withdrawals", search: {} } }));

  test("follows its row when that moves, and keeps its place when that leaves", () => {
    expect(placeOf(rows("b", "c", "a"), { id: "a", at: 0 })).toBe(2);
    expect(placeOf(rows("b", "c"), { id: "a", at: 5 })).toBe(1);
    expect(placeOf([], { id: "a", at: 0 })).toBe(-1);
    expect(placeOf(rows("a"), undefined)).toBe(0);
  });

  test("goes to the later hour with Right, and with Left where the page runs from right to left", () => {
    expect([step("right", true, false), step("left", true, false)]).toEqual([1, -1]);
    expect([step("right", true, true), step("left", true, true)]).toEqual([-1, 1]);
  });

  test("goes down rows with Down in either direction of reading, and not sideways", () => {
    expect([step("down", false, true), step("up", false, false), step("left", false, false)]).toEqual([1, -1, 0]);
    expect(step("down", true, false)).toBe(0);
    expect(step("last", true, true)).toBe("last");
  });
});
