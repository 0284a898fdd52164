import { describe, expect, test } from "vitest";
import { clearlyBest } from "../../../src/server/bank-lines/auto-match.ts";
import type { Scored } from "../../../src/server/bank-lines/candidates.ts";
import type { ScoredLine, ScoredTransaction } from "../../../src/server/bank-lines/score.ts";
import { scoreOf } from "../../../src/server/bank-lines/score.ts";
import { setsOf } from "../../../src/server/bank-lines/sets.ts";
import { money } from "../../../src/values/money.ts";

const at = new Date("2026-11-21T06:00:00Z");
const later = (minutes: number) => new Date(at.getTime() + minutes * 60_000);
const line = (of: Partial<ScoredLine> = {}): ScoredLine => ({ time: at, reference: null, counterparty: null, description: "", ...of });
const deposit = (of: Partial<ScoredTransaction> = {}): ScoredTransaction => ({
  txn_no: "D2611210009117",
  merchant_txn_no: "SHOP-88213",
  reference_no: null,
  name: "Tan Wei Jie",
  begun: at,
  ended: at,
  known_payer: false,
  ...of,
});
const parts = (of: Partial<ScoredLine>, to: Partial<ScoredTransaction> = {}, contenders = 1) => scoreOf(line(of), deposit(to), contenders);

describe("the amount", () => {
  test("counts whole where nothing else of it fits, and less with every other contender", () => {
    expect([1, 2, 3, 5].map((contenders) => parts({}, {}, contenders).amount)).toEqual([35, 17, 11, 7]);
  });
});

describe("the reference", () => {
  test.each([
    ["FPX TRF TAN WEI JIE D2611210009117", 30],
    ["fpx d2611210009117 thank you", 30],
    ["D261121 0009117", 30],
    ["REF SHOP-88213", 30],
    ["REF SHOP 88213", 30],
    // a longer number is another one
    ["D26112100091170", 0],
    ["REF 88213", 0],
    ["D2611210009118", 0],
    // cut off it may be one of ten
    ["FPX D261121000911", 0],
    ["", 0],
  ])("%s: %i", (description, points) => expect(parts({ description }).reference).toBe(points));

  test("the bank's own reference counts as the text does", () => {
    expect(parts({ reference: "FT26325-99812" }, { reference_no: "FT26325 99812" }).reference).toBe(30);
  });
  test("a number of few digits counts only as a word of its own", () => {
    expect(parts({ description: "CDM 0043 KLCC" }, { merchant_txn_no: "0043" }).reference).toBe(0);
    expect(parts({ description: "DEP 100431" }, { merchant_txn_no: "10043" }).reference).toBe(0);
    expect(parts({ description: "DEP 10043" }, { merchant_txn_no: "10043" }).reference).toBe(30);
  });
});

describe("the name", () => {
  test.each([
    ["Tan Wei Jie", "TAN WEI JIE", 20],
    ["Tan Wei Jie", "WEI JIE TAN", 20],
    ["Tan Wei Jie", "TANWEIJIE", 20],
    ["Nguyễn Văn Đức", "NGUYEN VAN DUC", 20],
    ["Иван Щербаков", "IVAN SHCHERBAKOV", 20],
    ["Łukasz Strauß", "LUKASZ STRAUSS", 20],
    ["Muhammad Haikal bin Azman", "MUHAMMAD HAIKAL B", 18],
    ["Muhammad Haikal bin Azman", "SITI AISHAH NOOR", 0],
    ["Tan Wei Jie", "TAN", 0],
  ])("%s as the counterparty %s: %i", (name, counterparty, points) => expect(parts({ counterparty }, { name }).name).toBe(points));

  test.each([
    ["FPX TRF TAN WEI JIE D2611210009117", 20],
    ["IBG CR WONG LI TING", 0],
    ["DUITNOW TAN", 0],
  ])("in the text %s: %i", (description, points) => expect(parts({ description }).name).toBe(points));

  test("a known payer's account counts as the name", () => {
    expect(parts({ counterparty: "MRS LIM" }).name).toBe(0);
    expect(parts({ counterparty: "MRS LIM" }, { known_payer: true }).name).toBe(20);
  });
});

describe("the time", () => {
  test("is worth most at once and nothing after three days", () => {
    const points = [0, 10, 60, 24 * 60, 72 * 60].map((minutes) => parts({ time: later(minutes) }).time);
    expect(points).toEqual([15, 13, 10, 3, 0]);
  });
  test("within what was begun and ended it is worth all", () => {
    expect(parts({ time: later(30) }, { begun: at, ended: later(60) }).time).toBe(15);
  });
});

test("the total is the sum of the four", () => {
  const { total, ...four } = parts({ description: "TAN WEI JIE D2611210009117", time: later(60) }, {}, 2);
  expect(total).toBe(four.amount + four.reference + four.name + four.time);
  expect(parts({ description: "TAN WEI JIE D2611210009117" }).total).toBe(100);
});

describe("the matcher decides by itself", () => {
  interface Points {
    readonly total: number;
    readonly reference?: number;
    readonly name?: number;
    readonly status?: string;
  }
  const candidate = ({ total, reference = 30, name = 20, status = "pending" }: Points) =>
    ({ row: { status }, score: { total, amount: 35, reference, name, time: 5 } }) as unknown as Scored; // what is asked of it
  const decides = (...all: readonly Points[]) => clearlyBest(all.map(candidate)) !== null;

  test("from 90 points", () => {
    expect([decides({ total: 90 }), decides({ total: 89 }), decides()]).toEqual([true, false, false]);
  });
  test("only 15 or more ahead of the next", () => {
    expect([decides({ total: 95 }, { total: 80 }), decides({ total: 95 }, { total: 81 })]).toEqual([true, false]);
  });
  test("never on the amount alone, whatever it counts", () => {
    expect(decides({ total: 99, reference: 0, name: 0 })).toBe(false);
    expect([decides({ total: 99, name: 0 }), decides({ total: 99, reference: 0 })]).toEqual([true, true]);
  });
  test("never for an expired deposit", () => {
    expect(decides({ total: 99, status: "expired" })).toBe(false);
  });
});

describe("sets", () => {
  const items = (...amounts: string[]) => amounts.map((amount) => ({ amount, moved: money(amount) }));
  const sums = (total: string, ...amounts: string[]) =>
    setsOf(items(...amounts), money(total)).map((set) => set.map(({ amount }) => amount).join(" + "));

  test("of three that sum exactly", () => {
    expect(sums("2650.00", "1000.00", "900.00", "750.00", "640.00")).toEqual(["1000.00 + 900.00 + 750.00"]);
  });
  test("smaller sets come before larger ones, which are then not looked for", () => {
    expect(sums("300.00", "100.00", "200.00", "50.00", "150.00")).toEqual(["100.00 + 200.00"]);
  });
  test("each set once, also among equal amounts", () => {
    expect(sums("200.00", "100.00", "100.00", "100.00")).toHaveLength(3);
  });
  test("of four at most, and never near misses", () => {
    expect(sums("15.00", "1.00", "2.00", "4.00", "8.00")).toEqual(["1.00 + 2.00 + 4.00 + 8.00"]);
    expect(sums("5.00", "1.00", "1.00", "1.00", "1.00", "1.00")).toEqual([]);
    expect(sums("2.00", "1.00", "0.99")).toEqual([]);
  });
});
