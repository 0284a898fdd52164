import { expect, test } from "vitest";
import { readBeside, writeBeside } from "../../../src/console/shell/beside.ts";

test("the screen beside is named by its path and its own search, and read back", () => {
  const text = writeBeside("merchants", { q: "a&b=c?", status: "active" });
  expect(text).toBe("/payment/merchants?q=a%26b%3Dc%3F&status=active");
  expect(readBeside(text)).toEqual({ screen: "merchants", search: { q: "a&b=c?", status: "active" } });
  expect(writeBeside("withdrawals", {})).toBe("/payment/withdrawals");
});

test("a screen beside has none beside itself", () => {
  expect(writeBeside("merchants", { beside: "/payment/deposits", q: "x" })).toBe("/payment/merchants?q=x");
});

test("an address that is none of our screens is no screen", () => {
  for (const text of [null, "", "/login", "//evil.example", "/payment/withdrawals/x"]) expect(readBeside(text)).toBeNull();
});
