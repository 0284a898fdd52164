import { expect, test } from "vitest";
import { addressOf } from "../../../src/contract/addresses.ts";
import type { ScreenName } from "../../../src/contract/screens.ts";
import { firstBeside, readBeside, withoutRecords, writeBeside } from "../../../src/console/frame/beside.ts";

test("the screen beside is named by its path and its own search, and read back", () => {
  const text = writeBeside("merchants", { search: { q: "a&b=c?", status: "active" } });
  expect(text).toBe("/payment/merchants?q=a%26b%3Dc%3F&status=active");
  expect(readBeside(text)).toEqual({ screen: "merchants", params: {}, search: { q: "a&b=c?", status: "active" } });
  expect(writeBeside("withdrawals", {})).toBe("/payment/withdrawals");
});

test("one about other records names them in its path", () => {
  const there = { params: { merchantUuid: "m 1" }, search: { q: "x" } };
  const text = writeBeside("merchant-providers", there);
  expect(text).toBe("/game-provider/merchants/m%201/providers?q=x");
  expect(readBeside(text)).toEqual({ screen: "merchant-providers", ...there });
  expect(() => writeBeside("merchant-providers", {})).toThrow("merchantUuid");
});

test("a second screen has no other screen beside itself", () => {
  expect(writeBeside("merchants", { search: { beside: "/payment/deposits", q: "x" } })).toBe("/payment/merchants?q=x");
});

test("beside deposits stand the bank's lines first and beside these all deposits, where they may be seen; else the same screen", () => {
  const first = (screen: ScreenName, may = true) => firstBeside(screen, addressOf(screen), () => may);
  expect(first("deposits")).toEqual({ screen: "bank-transactions", params: {}, search: {} });
  expect(first("bank-transactions")).toEqual({ screen: "deposits", params: {}, search: { view: "all" } });
  expect(first("bank-transactions", false).screen).toBe("bank-transactions");
  expect(first("withdrawals").screen).toBe("withdrawals");
});

test("the screen put beside one about records is about the same", () => {
  const params = { merchantUuid: "m-1" };
  expect(firstBeside("merchant-providers", addressOf("merchant-providers", { params }), () => true).params).toEqual(params);
});

test("an address that is none of our screens is ignored", () => {
  for (const text of [null, "", "/login", "//evil.example", "/payment/withdrawals/x"]) expect(readBeside(text)).toBeNull();
});

test("in another tenant or currency the address names no record of the old one, on neither side", () => {
  const beside = encodeURIComponent("/payment/merchants?q=a&record=m-1");
  expect(withoutRecords(`?view=all&record=w-1&beside=${beside}`)).toBe(`?view=all&beside=${encodeURIComponent("/payment/merchants?q=a")}`);
  expect(withoutRecords("?record=w-1")).toBe("");
  expect(withoutRecords("?view=all")).toBe("?view=all");
});
