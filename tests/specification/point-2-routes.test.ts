import type { Page } from "playwright";
import { beforeAll, describe, expect, test } from "vitest";
import type { Permission } from "../../src/contract/permissions.ts";
import { railGroups } from "../../src/console/frame/nav-groups.ts";
import { permissions } from "../../src/contract/permissions.ts";
import { pages, screens } from "../../src/contract/screens.ts";
import type { ScreenName } from "../../src/contract/screens.ts";
import english from "../../locales/en.json" with { type: "json" };
import { signIn, testHall } from "../support/hall.ts";
import type { Office } from "../support/payments.ts";
import { makeOffice } from "../support/payments.ts";
import { arrive, operatorRights, pathOf, rightsFor, seat } from "./desk.ts";
import { builtScreens, waitingScreens } from "./waiting.ts";

const hall = testHall();
let office: Office;
beforeAll(async () => {
  office = await makeOffice(hall.db);
});

/** Public path → its title. */
const publicPages = {
  "/login": english["login.title"],
  "/forgot-password": english["forgot.title"],
  "/reset-password": english["reset.title"],
  "/unauthorized": english["page.unauthorized.title"],
  "/not-found": english["page.not-found.title"],
  "/internal-server-error": english["page.server-error.title"],
  "/offline": english["page.offline.title"],
} as const;

/** The table of the document, as it stands there: path → its right, or null where it says "permission not shown". */
const table: Readonly<Record<string, string | null>> = {
  "/profile": "profile.view",
  "/profile/edit": "profile.update",
  "/dashboard": "dashboard.view",
  "/setting": "tenant-setting.view",
  "/payment/merchants": null,
  "/payment/merchant-transactions": null,
  "/payment/payment-accounts": null,
  "/payment/payment-groups": null,
  "/payment/payment-account-transactions": null,
  "/payment/payment-account-live-balances": null,
  "/payment/deposits": "pas.transaction.deposits.view",
  "/payment/withdrawals": null,
  "/payment/payment-account-daily-reports": null,
  "/payment/merchant-daily-reports": null,
  "/payment/cash-flow-reports": null,
  "/payment/rate-limit-groups": null,
  "/payment/bank-transactions": null,
  "/users": null,
  "/user-groups": null,
  "/vendors": null,
  "/vendor-categories": null,
  "/vendor-items": null,
  "/game-provider/merchants": null,
  "/game-provider/master-account": null,
  "/game-provider/master-account/{masterAccountUuid}": null,
  "/game-provider/merchants/{merchantUuid}/providers": null,
  "/game-provider/merchants/{merchantUuid}/providers/{merchantProviderUuid}": null,
  "/game-provider/merchant-providers/{merchantProviderUuid}/games": null,
  "/game-provider/downtime-schedule": null,
  "/game-provider/score-watchers": null,
};

/** Paths of our own, which the document does not have: what a bank's bulk file is written by, and who did what. */
const further = ["/payment/payout-templates", "/payment/transfers", "/payment/merchant-callbacks", "/audit-log"];

/** The area the document gives a path's right, where it names one: point 2's notes and point 6's prefixes. */
const areas: readonly (readonly [RegExp, string])[] = [
  [/^\/payment\//, "pas."],
  [/^\/(users|user-groups)$/, "cas."],
  [/^\/vendor/, "vs."],
  [/^\/game-provider\//, "gps."],
];

const screenNames = Object.keys(screens) as ScreenName[]; // Object.keys widens
const screenAt = (path: string) => screenNames.find((name) => screens[name].path === path);

describe("2 · The table of signed-in routes", () => {
  test("holds every path there is and no other", () => {
    expect(screenNames.map((name) => screens[name].path).toSorted()).toEqual([...Object.keys(table), ...further].toSorted());
    expect(Object.fromEntries(Object.values(pages).map(({ path, open }) => [path, open]))).toEqual({
      ...Object.fromEntries(Object.keys(publicPages).map((path) => [path, "everybody"])),
      // an addition: where a mailed invitation is accepted
      "/invitation": "everybody",
      "/forbidden": "signed-in",
      "/logout": "signed-in",
    });
  });

  test.each(Object.entries(table))("%s needs %s", (path, right) => {
    const name = screenAt(path);
    const rights = name === undefined ? [] : rightsFor(name);
    const area = areas.find(([pattern]) => pattern.test(path))?.[1] ?? "";
    const wanted = new RegExp(right === null ? `^${area.replace(".", "\\.")}[\\w.-]+\\.view$` : `^${right.replaceAll(".", "\\.")}$`);
    expect([rights.length, rights.filter((one) => !wanted.test(one))]).toEqual([1, []]);
  });

  test("/payment/payment-account-live-balances reuses the payment accounts view permission", () => {
    expect(rightsFor("payment-account-live-balances")).toEqual(rightsFor("payment-accounts"));
  });
});

const nameOf = (screen: ScreenName) => (english as Readonly<Record<string, string>>)[`screen.${screen}`] ?? screen;
/** Built screens reachable without a record's id. */
const places = builtScreens.filter((name) => !screens[name].path.includes("{"));
/** One's own pages are reached by the palette, by keys and from the header. */
const inNavigation = (name: ScreenName) => railGroups.some((group) => group.includes(name));

describe.each(Object.entries(publicPages))("2 · %s is public", (path, title) => {
  test("opens without a session, under its own title", async () => {
    const page = await hall.open({ path });
    await expect.poll(() => page.title()).toBe(`${title} – Countinghouse`);
    expect(pathOf(page)).toBe(path);
  });
});

describe("2 · /login redirects to the dashboard if already signed in", () => {
  test("leads on at once", async () => {
    const { page } = await seat(hall, office, ["dashboard.view", "profile.view"], "/login");
    await arrive(page, "/dashboard");
  });
});

describe("2 · /forbidden needs sign-in only", () => {
  test("whoever is signed in sees it, without any right", async () => {
    const { page } = await seat(hall, office, [], "/forbidden");
    await page.getByRole("heading", { name: english["page.forbidden.title"] }).waitFor();
    expect(pathOf(page)).toBe("/forbidden");
  });

  test("whoever is not is sent to sign in", async () => {
    const page = await hall.open({ path: "/forbidden" });
    await arrive(page, "/login");
  });
});

describe("2 · / goes to /dashboard if signed in, otherwise /login", () => {
  test("signed out", async () => {
    const page = await hall.open({ path: "/" });
    await arrive(page, "/login");
  });

  test("signed in, though other screens are open too", async () => {
    const { page } = await seat(hall, office, all);
    await arrive(page, "/dashboard");
    await page.goto(`${hall.url()}/payment/withdrawals`);
    await page.locator(railLink("withdrawals")).waitFor();
    await page.goto(`${hall.url()}/`);
    await arrive(page, "/dashboard");
  });
});

describe("2 · Unknown paths go to not-found", () => {
  test.each(["/nothing-here", "/payment", "/payment/withdrawals/extra/more", "/LOGIN2"])("%s, signed out", async (path) => {
    const page = await hall.open({ path });
    await arrive(page, "/not-found");
  });

  test("signed in", async () => {
    const { page } = await seat(hall, office, operatorRights, "/payment/nothing");
    await arrive(page, "/not-found");
  });
});

describe("2 · Signed-in routes sent to login carry a redirect query holding the earlier full path", () => {
  test.each(places.map((name) => screens[name].path))("%s", async (path) => {
    const page = await hall.open({ path: `${path}?view=all&status=pending` });
    await arrive(page, "/login");
    expect(new URL(page.url()).searchParams.get("redirect")).toBe(`${path}?view=all&status=pending`);
  });

  test("and signing in leads there", async () => {
    const who = await hall.employ(office, "Nurul Aisyah");
    const page = await hall.open({ path: "/payment/withdrawals?view=all" });
    await signIn(page, who);
    await arrive(page, "/payment/withdrawals");
    expect(new URL(page.url()).searchParams.get("view")).toBe("all");
  });
});

describe("2 · /logout clears all local and session storage", () => {
  test("of the whole origin, and the session ends on the server", async () => {
    const { page, who } = await seat(hall, office);
    await page.evaluate(() => {
      localStorage.setItem("left", "1");
      sessionStorage.setItem("left", "1");
    });
    await page.goto(`${hall.url()}/logout`);
    await arrive(page, "/login");
    expect(await page.evaluate(() => [localStorage.length, sessionStorage.length])).toEqual([0, 0]);
    const { rows } = await hall.db.owner.query("select 1 from sessions where user_id = $1 and ended_at is null", [who.id]);
    expect(rows).toEqual([]);
  });
});

const all = permissions as readonly Permission[];
const railLink = (name: ScreenName) => `nav a[href="${screens[name].path}"]`;

/** The screens the palette offers, by the ":" that asks for screens alone; it is opened and closed again. */
async function offeredByPalette(page: Page): Promise<string[]> {
  await page.locator(".stat .mode").waitFor();
  await page.keyboard.press("Control+k");
  await page.locator("[cmdk-input]").fill(":");
  const rows = page.locator("[cmdk-item]");
  await rows.and(page.locator('[data-value^="go."]')).first().waitFor();
  // rows that are not in view are drawn as one goes there
  await page.keyboard.press("End");
  const count = Number(/of (\d+)/.exec(await page.locator(".pal .in .label").innerText())?.[1]);
  await expect.poll(() => rows.count()).toBe(count);
  const found = await rows.evaluateAll((all) => all.map((row) => row.getAttribute("data-value") ?? ""));
  await page.keyboard.press("Escape");
  await page.locator("[cmdk-input]").waitFor({ state: "detached" });
  return found.filter((value) => value.startsWith("go."));
}

// another screen the palette names in either case: that it is there shows that rows are drawn and found by this
const control = (name: ScreenName): ScreenName => (name === "withdrawals" ? "merchants" : "withdrawals");

describe.each(places.map((name) => [screens[name].path, name] as const))("2 · %s", (path, name) => {
  const needed = rightsFor(name);

  test("opens with its right alone, titled by the screen and the product, and is offered", async () => {
    const { page } = await seat(hall, office, needed.slice(0, 1), path);
    await expect.poll(() => page.title()).toBe(`${nameOf(name)} – Countinghouse`);
    expect(pathOf(page)).toBe(path);
    if (inNavigation(name)) await page.locator(railLink(name)).waitFor();
    const offered = places.filter((one) => rightsFor(one)[0] === needed[0]);
    expect((await offeredByPalette(page)).toSorted()).toEqual(offered.map((one) => `go.${one}`).toSorted());
  });

  test("without its right shows forbidden, and neither navigation nor palette offers it", async () => {
    const { page } = await seat(
      hall,
      office,
      all.filter((right) => !needed.includes(right)),
      path,
    );
    await arrive(page, "/forbidden");
    await page.goto(hall.url() + screens[control(name)].path);
    await page.locator(railLink(control(name))).waitFor();
    expect(await page.locator(railLink(name)).count()).toBe(0);
    const offered = await offeredByPalette(page);
    expect(offered).toContain(`go.${control(name)}`);
    expect(offered).not.toContain(`go.${name}`);
  });
});

test("2 · a screen not built yet is offered nowhere, and its path is not found", async () => {
  const { page } = await seat(hall, office, all);
  await page.locator(railLink("withdrawals")).waitFor();
  const links = await page.locator("nav a").evaluateAll((found) => found.map((link) => link.getAttribute("href")));
  const offered = await offeredByPalette(page);
  expect(offered.toSorted()).toEqual(places.map((name) => `go.${name}`).toSorted());
  for (const name of waitingScreens) {
    const path = screens[name].path.replaceAll(/\{\w+\}/g, office.ann.id);
    // oxlint-disable-next-line no-await-in-loop -- one page goes from one to the next
    await page.goto(hall.url() + path);
    // oxlint-disable-next-line no-await-in-loop -- as above
    await arrive(page, "/not-found");
    expect(links).not.toContain(path);
  }
});
