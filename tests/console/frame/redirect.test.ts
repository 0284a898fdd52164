import { describe, expect, test } from "vitest";
import { permissionMap } from "../../../src/contract/permissions.ts";
import { pages } from "../../../src/contract/screens.ts";
import type { ScreenName } from "../../../src/contract/screens.ts";
import { inkOn } from "../../../src/console/frame/ink.ts";
import { homePath, loginPath, safeRedirect, visibleScreens } from "../../../src/console/frame/redirect.ts";
import { ChunkLate, withinTime } from "../../../src/console/kit/loading/time-limit.ts";

const origin = "https://pay.example";

/** Addresses that leave the origin, hide their target, or lead back to signing in. */
const refused = [
  null,
  "",
  " ",
  "payment",
  "payment/withdrawals",
  "?view=all",
  "#x",
  ".",
  "./payment",
  "../payment",
  "https://evil.example",
  "HTTPS://evil.example",
  "https:evil.example",
  "http:/evil.example",
  "//evil.example",
  "///evil.example",
  "////evil.example",
  "//evil.example/payment/withdrawals",
  "//pay.example@evil.example",
  "https://pay.example@evil.example",
  "https://pay.example.evil.example/",
  "https://pay.example/payment/withdrawals",
  "//pay.example/payment/withdrawals",
  "/\\evil.example",
  "/\\/evil.example",
  "\\\\evil.example",
  "\\/evil.example",
  "/a\\evil.example",
  "/a/..\\\\evil.example",
  "/\t/evil.example",
  "/\n/evil.example",
  "/\r\n/evil.example",
  "\t//evil.example",
  "/\u0000/evil.example",
  "/\u0001evil",
  "/\u007fevil",
  "/\u0085evil",
  "/\u00a0evil",
  "/\u2028/evil.example",
  "/\ufeff/evil.example",
  " /evil",
  "/evil ",
  "/.//evil.example",
  "/..//evil.example",
  "/a/..//evil.example",
  "/a/b/../..//evil.example",
  "/%2e//evil.example",
  "/%2E%2e//evil.example",
  "/.%2e//evil.example",
  "/a/%2e%2e//evil.example",
  "/./..//evil.example?view=all",
  "/%2f/evil.example",
  "/%2fevil.example",
  "/%2F%2Fevil.example",
  "/%252f%252fevil.example",
  "/%25252fevil.example",
  "/%25%32%66evil.example",
  "/payment%2fwithdrawals",
  "/%5cevil.example",
  "/%5c\\evil.example",
  "/%255cevil.example",
  "/%09/evil.example",
  "/%0a/evil.example",
  "/%0d%0aSet-Cookie:x=1",
  "/%00",
  "/%250a",
  "/%7f",
  "/%252e%252e/evil",
  "/%",
  "/%zz",
  "/%c0%af/evil.example",
  "/%ff",
  "javascript:alert(1)",
  "JavaScript:alert(1)",
  "java\nscript:alert(1)",
  "vbscript:x",
  "data:text/html,x",
  "blob:https://pay.example/x",
  "file:///etc/passwd",
  "mailto:a@b.example",
  "/login",
  "/login/",
  "/login//",
  "/LOGIN",
  "/Login/?redirect=/x",
  "/login?redirect=/login",
  "/login#x",
  "/%6cogin",
  "/%256cogin",
  "/a/../login",
  "/./login",
  "/logout",
  "/logout/",
  "/LogOut",
  "/log%6Fut",
  "/./logout",
  "/payment/../logout?x=1",
];

describe("where a sign-in leads", () => {
  test.each([
    "/payment/withdrawals",
    "/payment/withdrawals?view=mine&q=a%20b#x",
    "/payment/withdrawals?beside=%2Fpayment%2Fdeposits%3Fq%3Dx",
    "/payment/withdrawals?q=%252f%5C%0A",
    "/",
    "/a//b",
    "/loginx",
    "/users/login",
    "/caf%C3%A9",
  ])("%s is kept whole", (path) => {
    expect(safeRedirect(path, origin)).toBe(path);
  });

  test("a path with dot segments is resolved", () => {
    expect(safeRedirect("/payment/../payment/./withdrawals", origin)).toBe("/payment/withdrawals");
  });

  test("the list has more than ninety addresses that lead elsewhere, none twice", () => {
    expect(new Set(refused).size).toBe(refused.length);
    expect(refused.length).toBeGreaterThanOrEqual(90);
  });

  test.each(refused)("%j is not followed", (path) => {
    expect(safeRedirect(path, origin)).toBeNull();
  });

  test("the way to the login page carries the earlier full path", () => {
    expect(loginPath("/payment/withdrawals?view=mine")).toBe("/login?redirect=%2Fpayment%2Fwithdrawals%3Fview%3Dmine");
    expect(loginPath("/payment/withdrawals#x")).toBe("/login?redirect=%2Fpayment%2Fwithdrawals%23x");
    expect(loginPath("/")).toBe("/login");
  });
});

test("the routes without permission are the specification's and that of an invitation, with those who may open them", () => {
  const open = (who: string) => Object.values(pages).flatMap((page) => (page.open === who ? [page.path] : []));
  expect(open("everybody").toSorted()).toEqual(
    [
      "/forgot-password",
      "/internal-server-error",
      "/invitation",
      "/login",
      "/not-found",
      "/offline",
      "/reset-password",
      "/unauthorized",
    ].toSorted(),
  );
  expect(open("signed-in").toSorted()).toEqual(["/forbidden", "/logout"]);
});

describe("the first screen", () => {
  const routed = new Set<ScreenName>(["withdrawals", "dashboard", "users"]);

  test("is the dashboard where it may be seen", () => {
    expect(homePath(routed, permissionMap(["dashboard.view", "pas.transaction.withdrawals.view"]))).toBe("/dashboard");
  });

  test("else the first that may be seen", () => {
    expect(homePath(routed, permissionMap(["cas.user.users.view", "pas.transaction.withdrawals.view"]))).toBe("/payment/withdrawals");
  });

  test("is never one without a route", () => {
    expect(homePath(new Set<ScreenName>(["withdrawals"]), permissionMap(["dashboard.view", "pas.transaction.withdrawals.view"]))).toBe(
      "/payment/withdrawals",
    );
    expect(visibleScreens(routed, permissionMap(["vs.vendor.vendors.view"]))).toEqual([]);
  });

  test("without any right is the page that says so", () => expect(homePath(routed, {})).toBe("/forbidden"));
});

describe("a script chunk", () => {
  test("that has not loaded in time is an error", async () => {
    await expect(withinTime(() => new Promise(() => {}), 5)).rejects.toBeInstanceOf(ChunkLate);
  });
  test("that loads or fails in time does just that", async () => {
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
