import { describe, expect, test } from "vitest";
import type { LiveBalance } from "../../../src/contract/live-balances.ts";
import {
  byHeadroom,
  linesOf,
  sumsOf,
  usedPercent,
  withPoint,
} from "../../../src/console/screens/payment-account-live-balances/live-lines.ts";
import type { LiveLine } from "../../../src/console/screens/payment-account-live-balances/live-lines.ts";
import { anAccount, meta, uuidOf } from "./accounts.ts";

const told = (line: LiveLine) => (line.line === "heading" ? `${line.name ?? "first"} ${line.count}/${line.above}` : line.code);
const lines = (rows: readonly LiveBalance[], grouping: "bank" | "type" | "none" = "bank") =>
  linesOf(rows, () => null, grouping, byHeadroom).map(told);
const used = (percent: number) => ({ used: `${percent}.00`, limit: "100.00" });

describe("accounts are shown", () => {
  test("critical ones first, then those that can pay nothing, then those with a used-up limit, whatever their bank", () => {
    const rows = [
      anAccount(1),
      anAccount(2, { status: "overuse", withdrawal_daily: used(100) }),
      anAccount(3, { payable: "-5.00" }),
      anAccount(4, { state: "critical", bank: "UOB" }),
    ];
    expect(lines(rows)).toEqual(["first 3/0", "MBB-04", "MBB-03", "MBB-02", "Maybank 3/2", "MBB-01", "UOB 1/1"]);
  });

  test("one that only takes deposits does not stand first for having nothing payable, and one that is off never does", () => {
    const rows = [
      anAccount(1, { payable: "-5.00", purpose: "deposit" }),
      anAccount(2, { status: "inactive", state: "critical" }),
      anAccount(3, { payable: "-5.00", state: "suspended", status: "suspend" }),
    ];
    expect(lines(rows, "none")).toEqual(["MBB-01", "MBB-03", "MBB-02"]);
  });

  test("by what is left of the tightest limit that binds them, those that are off last", () => {
    const rows = [
      anAccount(1, { deposit_daily: used(10) }),
      anAccount(2, { deposit_daily: used(99), purpose: "withdrawal" }),
      anAccount(3, { withdrawal_monthly: used(80) }),
      anAccount(4, { withdrawal_daily: used(50) }),
      anAccount(5, { withdrawal_daily: used(95), status: "inactive" }),
    ];
    expect(lines(rows, "none")).toEqual(["MBB-03", "MBB-04", "MBB-01", "MBB-02", "MBB-05"]);
  });

  test("by type under its own headings", () => {
    expect(lines([anAccount(1, { type: "backup" }), anAccount(2)], "type")).toEqual(["backup 1/0", "MBB-01", "normal 1/0", "MBB-02"]);
  });
});

describe("sums", () => {
  test("of amounts are exact, whatever their size", () => {
    const rows = [anAccount(1, { balance: "20000000000000.01" }), anAccount(2, { balance: "-0.02", pending_out: "5.00" })];
    expect(sumsOf(rows)).toMatchObject({ balance: "19999999999999.99", payable: "2000.00" });
  });

  test("of a limit are those of the accounts that have it; where none has it there is none", () => {
    const { limits } = sumsOf([
      anAccount(1, { deposit_daily: { used: "30.00", limit: "50.00" } }),
      anAccount(2, { deposit_daily: { used: "10.00", limit: null } }),
      anAccount(3, { deposit_daily: { used: "10.00", limit: "50.00" } }),
    ]);
    expect(limits.deposit_daily).toEqual({ used: "40.00", limit: "100.00" });
    expect(limits.withdrawal_daily.limit).toBeNull();
    expect(usedPercent(limits.deposit_daily)).toBe(40);
  });

  test("count what is open each way", () => {
    const rows = [anAccount(1, { open_in: { count: 2, amount: "3.00" } }), anAccount(2, { open_out: { count: 1, amount: "4.00" } })];
    expect(sumsOf(rows)).toMatchObject({ in: 2, out: 1 });
  });
});

test("a limit of nothing is used up, and more than all of it is no more than full on the bar's own scale", () => {
  expect(usedPercent({ used: "0.00", limit: "0.00" })).toBe(100);
  expect(usedPercent({ used: "150.00", limit: "100.00" })).toBe(150);
  expect(usedPercent({ used: "1.00", limit: null })).toBeNull();
});

describe("the course of a day goes on with each change", () => {
  const day = { uuid: uuidOf(1), opening: "10.00", points: ["10.00", "12.00"] };
  const at = (minutes: number) => Date.parse(meta.day_starts_at) + minutes * 60_000;

  test("within a quarter of an hour the last balance takes the place of the one before", () => {
    expect(withPoint(day, "15.00", at(29), meta).points).toEqual(["10.00", "15.00"]);
  });

  test("quarters in which nothing happened keep the balance they began with", () => {
    expect(withPoint(day, "15.00", at(61), meta).points).toEqual(["10.00", "12.00", "12.00", "12.00", "15.00"]);
  });

  test("what the clock tells outside of the day changes nothing", () => {
    expect(withPoint(day, "15.00", at(-1), meta)).toBe(day);
    expect(withPoint(day, "15.00", at(24 * 60), meta)).toBe(day);
  });
});
