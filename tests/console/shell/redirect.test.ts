import { describe, expect, test } from "vitest";
import { permissionMap } from "../../../src/contract/permissions.ts";
import type { ScreenName } from "../../../src/contract/screens.ts";
import { inkOn } from "../../../src/console/shell/ink.ts";
import { homePath, loginPath, safeRedirect, visibleScreens } from "../../../src/console/shell/redirect.ts";
import { ChunkLate, withinTime } from "../../../src/console/shell/time-limit.ts";

const origin = "https://pay.example";

describe("where a signing in leads", () => {
  test.each(["/payment/withdrawals", "/payment/withdrawals?view=mine&q=a%20b#x", "/", "/a//b"])("%s is kept whole", (path) => {
    expect(safeRedirect(path, origin)).toBe(path);
  });

  test.each([
    null,
    "",
    "payment",
    "https://evil.example",
    "//evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    " /evil",
    "javascript:alert(1)",
    "data:text/html,x",
    "/login",
    "/login?redirect=/login",
    "/logout",
    "/./logout",
    "/%5c\\evil.example",
  ])("%j is not followed", (path) => {
    expect(safeRedirect(path, origin)).toBeNull();
  });

  test("the way to the login page carries the earlier full path", () => {
    expect(loginPath("/payment/withdrawals?view=mine")).toBe("/login?redirect=%2Fpayment%2Fwithdrawals%3Fview%3Dmine");
    expect(loginPath("/")).toBe("/login");
  });
});

describe("the first screen", () => {
  const routed = new Set<ScreenName>(["withdrawals", "dashboard", "users"]);

  test("is the dashboard where it may be seen", () => {
    expect(homePath(routed, permissionMap(["dashboard.view", "pas.transaction.withdrawals.view"]))).toBe("/dashboard");
  });

  test("else the first that may be seen", () => {
    expect(homePath(routed, permissionMap(["cas.user.users.view", "pas.transaction.withdrawals.view"]))).toBe("/payment/withdrawals");
  });

  test("is never one that is not routed", () => {
    expect(homePath(new Set<ScreenName>(["withdrawals"]), permissionMap(["dashboard.view", "pas.transaction.withdrawals.view"]))).toBe(
      "/payment/withdrawals",
    );
    expect(visibleScreens(routed, permissionMap(["vs.vendor.vendors.view"]))).toEqual([]);
  });

  test("without any right is the page that says so", () => expect(homePath(routed, {})).toBe("/forbidden"));
});

describe("a script chunk", () => {
  test("that has not come in time is an error", async () => {
    await expect(withinTime(() => new Promise(() => {}), 5)).rejects.toBeInstanceOf(ChunkLate);
  });
  test("that comes, or fails, in time is just that", async () => {
    await expect(withinTime(() => Promise.resolve(7), 1_000)).resolves.toBe(7);
    await expect(withinTime(() => Promise.reject(new Error("404")), 1_000)).rejects.toThrow("404");
  });
});

test("the tenant's code can be read on its colour", () => {
  expect([inkOn("#a9bd3a"), inkOn("#7b2ff2"), inkOn("#ffffff"), inkOn("#000000"), inkOn("olive")]).toEqual([
    "#14181f",
    "#ffffff",
    "#14181f",
    "#ffffff",
    "#ffffff",
  ]);
});
