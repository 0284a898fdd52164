import { expect, test } from "vitest";
import { Address } from "../../../src/console/frame/address.ts";
import type { Standing } from "../../../src/console/frame/address.ts";

/** An address whose writes are under way until `arrive`. */
function madeAddress(search: string) {
  const wrote: { search: string; replace: boolean }[] = [];
  const browser = { search, path: "/audit-log", to: null as string | null };
  const standing = (path: string): Standing => {
    if (browser.path !== path) return "elsewhere";
    return browser.to === null ? "here" : "leaving";
  };
  const set = (params: URLSearchParams, { replace }: { replace: boolean }) => void wrote.push({ search: `?${params}`, replace });
  const address = new Address({ path: "/audit-log", set }, { written: () => browser.search, standing, isOutdated: () => false });
  const write = (name: string, value: string, push = false) =>
    address.change(
      (next) => {
        next.set(name, value);
        return true;
      },
      { push, atOnce: false },
    );
  return { address, browser, wrote, write, set };
}

test("a change made while another is under way keeps both, and one that the user asked for stays a step of the history", () => {
  const { wrote, write } = madeAddress("?request_id=1");
  write("sort", "at", true);
  write("record", "a");
  expect(wrote).toEqual([
    { search: "?request_id=1&sort=at", replace: false },
    { search: "?request_id=1&sort=at&record=a", replace: false },
  ]);
});

test("while the router leaves the screen, only what the user asked for is written", () => {
  const { browser, wrote, write } = madeAddress("?request_id=1");
  browser.to = "/payment/withdrawals";
  write("record", "a");
  expect(wrote).toEqual([]);
  write("sort", "at", true);
  expect(wrote).toEqual([{ search: "?request_id=1&sort=at", replace: false }]);
});

test("a screen that is still drawn writes nothing into the address of the next, and writes again where it is drawn anew", () => {
  const { address, browser, wrote, write, set } = madeAddress("?request_id=1");
  Object.assign(browser, { path: "/payment/withdrawals", search: "?saved=v" });
  write("record", "of the audit log");
  write("sort", "at", true);
  expect(wrote).toEqual([]);
  address.drawn({ path: "/payment/withdrawals", set });
  write("record", "a");
  expect(wrote).toEqual([{ search: "?saved=v&record=a", replace: true }]);
});
