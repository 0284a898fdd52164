import type { Page } from "playwright";
import { beforeAll, describe, expect, test } from "vitest";
import { permissions, permissionTable } from "../../src/contract/permissions.ts";
import { routes } from "../../src/contract/index.ts";
import { screens } from "../../src/contract/screens.ts";
import type { ScreenName } from "../../src/contract/screens.ts";
import { sessionRoutes } from "../../src/contract/session.ts";
import { depositHandlers } from "../../src/server/payments/deposits.ts";
import { makeAccount, makePerson } from "../support/factories.ts";
import { giveDirectly, makeAccountOf, makeUserGroup, putIntoGroup } from "../support/people.ts";
import { testHall } from "../support/hall.ts";
import type { Employee } from "../support/hall.ts";
import { body } from "../support/payments.ts";
import { makeFloor } from "../e2e/floor.ts";
import type { Floor } from "../e2e/floor.ts";
import { atRest } from "../e2e/at-rest.ts";
import { arrive, atWithdrawals, lookUp, rightsFor, seat } from "./desk.ts";
import { builtScreens } from "./waiting.ts";

const hall = testHall();
let floor: Floor;
beforeAll(async () => {
  floor = await makeFloor(hall, 2);
});

/** The context as the server tells it to this person. */
async function contextOf(who: Employee): Promise<{ user_groups: string[]; permissions: Record<string, string[]> }> {
  const json = { "content-type": "application/json" };
  const login = await fetch(hall.url() + sessionRoutes.login.path, {
    method: "POST",
    headers: json,
    body: JSON.stringify({ email: who.email, password: who.password }),
  });
  const { data } = (await login.json()) as { data: { access_token: string } };
  const context = await fetch(hall.url() + sessionRoutes.readContext.path, {
    headers: { authorization: `Bearer ${data.access_token}`, "x-tenant-id": floor.office.tenant.id },
  });
  return ((await context.json()) as { data: { user_groups: string[]; permissions: Record<string, string[]> } }).data;
}

describe("6 · A permission is a string of area plus action with at least two dotted parts", () => {
  test("every one there is", () => {
    expect(permissions.filter((permission) => permission.split(".").length < 2)).toEqual([]);
    expect(permissions).toContain("pas.transaction.deposits.view");
  });
});

describe("6 · It is allowed if the area's list in the context contains the action", () => {
  test("the context maps area to actions, and the screen opens by it", async () => {
    const who = await hall.employ(floor.office, "Siti", ["pas.transaction.withdrawals.view", "pas.transaction.withdrawals.process"]);
    const held = (await contextOf(who)).permissions["pas.transaction.withdrawals"] ?? [];
    expect(held.toSorted()).toEqual(["process", "view"]);
    const { page } = await seat(hall, floor.office, ["pas.transaction.withdrawals.view"]);
    await atWithdrawals(page);
  });
});

describe("6 · An any-of check is supported", () => {
  test.each(["pas.transaction.withdrawals.view", "pas.transaction.deposits.view", "pas.account.accounts.view"] as const)(
    "counters load with %s alone",
    async (right) => {
      const answers: number[] = [];
      const listen = async (page: Page) =>
        void page.on("response", (response) => response.url().includes("/notification/details") && answers.push(response.status()));
      await hall.open({ as: await hall.employ(floor.office, "Siti", [right]), before: listen });
      await expect.poll(() => answers[0]).toBe(200);
    },
  );
});

describe("6 · Area prefixes: pas, cas, vs, gps", () => {
  test("every area of a data screen begins with one of them", () => {
    const plain = ["profile", "dashboard", "tenant-setting", "audit-log"];
    const areas = Object.keys(permissionTable).filter((area) => !plain.includes(area));
    expect(new Set(areas.map((area) => area.split(".")[0]))).toEqual(new Set(["pas", "cas", "vs", "gps"]));
  });
});

describe("6 · Members of the group with code owner receive all permissions automatically", () => {
  test("though the group names none", async () => {
    const who = await hall.employ(floor.office, "Owner", []);
    await hall.db.owner.query(
      `with g as (insert into user_groups (tenant_id, code, name, permissions) values ($1, 'owner', 'Owner', '{}')
          on conflict (tenant_id, code) do update set name = excluded.name returning id)
        insert into membership_groups (tenant_id, user_id, group_id) select $1, $2, id from g`,
      [floor.office.tenant.id, who.id],
    );
    const context = await contextOf(who);
    expect(context.user_groups).toContain("owner");
    const held = Object.entries(context.permissions).flatMap(([area, actions]) => actions.map((action) => `${area}.${action}`));
    expect(held.toSorted()).toEqual([...permissions].toSorted());
  });
});

describe("6 · Users can also hold direct permissions", () => {
  test("beside those of their groups", async () => {
    const who = await hall.employ(floor.office, "Siti", ["pas.transaction.withdrawals.view"]);
    await hall.db.owner.query("update memberships set permissions = $3 where tenant_id = $1 and user_id = $2", [
      floor.office.tenant.id,
      who.id,
      ["dashboard.view"],
    ]);
    expect((await contextOf(who)).permissions).toEqual({ "pas.transaction.withdrawals": ["view"], dashboard: ["view"] });
  });
});

describe("6 · Permissions granted through a user group show as disabled boxes", () => {
  test("ticked, locked, and with the group named, beside those given directly", async () => {
    const { office } = floor;
    const colleague = await makePerson(hall.db, office.tenant, "Tan Wei Ming");
    await putIntoGroup(
      hall.db,
      office.tenant,
      colleague,
      await makeUserGroup(hall.db, office.tenant, ["vs.vendor.items.view"], { name: "Night shift" }),
    );
    await giveDirectly(hall.db, office.tenant, colleague, ["vs.vendor.vendors.view"]);
    const rights = ["cas.user.users.view", "cas.user.users.update", "vs.vendor.items.view", "vs.vendor.vendors.view"] as const;
    const { page } = await seat(hall, office, rights, `${screens.users.path}?record=${colleague.id}`);
    await page.locator(".stat .aim .id", { hasText: colleague.name }).waitFor();
    await page.keyboard.press("e");
    const box = (permission: string) => page.locator(`.sheet [data-permission="${permission}"]`);
    const given = box("vs.vendor.items.view");
    await expect.poll(() => given.isChecked()).toBe(true);
    expect(await given.getAttribute("aria-disabled")).toBe("true");
    expect(await given.getAttribute("aria-label")).toContain("Night shift");
    await given.focus();
    await page.keyboard.press("Space");
    expect(await given.isChecked()).toBe(true);
    expect([await box("vs.vendor.vendors.view").isChecked(), await box("vs.vendor.vendors.view").getAttribute("aria-disabled")]).toEqual([
      true,
      null,
    ]);
  });
});

describe.each([
  ['6 · Inviting is permission-gated ("No invite permission")', "create", "account", ["No invite permission"]],
  [
    '6 · Creating users is permission-gated ("No create user permission")',
    "invite",
    "nobody",
    ["User not found", "No create user permission"],
  ],
] as const)("%s", (_, held, whose, said) => {
  test("who may only do the other is told so after the look-up, and goes no further", async () => {
    const email = whose === "account" ? (await makeAccountOf(hall.db)).email : `${crypto.randomUUID()}@example.com`;
    const page = await lookUp(hall, floor.office, ["cas.user.users.view", `cas.user.users.${held}`], email);
    const refused = page.locator(".sheet [role=alert] p");
    await refused.first().waitFor();
    expect(await refused.allInnerTexts()).toEqual(said);
    expect(await page.locator(".sheet form, .sheet input").count()).toBe(0);
  });
});

describe("6 · Real-time deposit, withdraw and payment-account events are listened to only with the respective view permission", () => {
  const events = {
    deposit: { right: "pas.transaction.deposits.view", counter: "process" },
    withdraw: { right: "pas.transaction.withdrawals.view", counter: "pending" },
    paymentAccount: { right: "pas.account.accounts.view", counter: "critical" },
  } as const;
  const names = Object.keys(events) as (keyof typeof events)[]; // Object.keys widens

  test.each(names)("of the three published, %s alone comes to who holds its right alone, and moves its counter", async (own) => {
    const { office, merchant } = await makeFloor(hall, 0);
    const heard: string[] = [];
    const listen = async (page: Page) =>
      void page.on("websocket", (socket) =>
        socket.on("framereceived", ({ payload }) => {
          const { event } = JSON.parse(String(payload)) as { event: string };
          if (!event.startsWith("pusher")) heard.push(event);
        }),
      );
    const page = await hall.open({ as: await hall.employ(office, "Siti", [events[own].right]), before: listen });
    await page.locator(".stat .dot:not(.wait, .bad, .off)").waitFor();
    await atRest(page);
    await expect.poll(() => page.locator(".ctr").count()).toBe(1);
    const figure = page.locator(`.ctr.h-${events[own].counter} .fig b`);
    await expect.poll(() => figure.innerText()).toBe("0");
    // nothing but the event may bring the counter the next number
    await page.route("**/notification/details", () => undefined);

    const { id, version } = await office.deposit(merchant);
    await depositHandlers.processDeposits(office.call(), body({ rows: [{ uuid: id, version }] }));
    const withdrawal = await office.withdraw(merchant);
    await makeAccount(hall.db, office.tenant, { balance: "1.00", threshold: "500.00" });
    const { publisher } = hall.server().deps;
    for (const name of [...names.filter((one) => one !== own), own]) publisher.changed(office.tenant.id, name, [withdrawal.id]);
    await publisher.flush();
    await expect.poll(() => figure.innerText()).toBe("1");
    expect(heard).toEqual([own]);
  });

  test("without any of the three the tenant's channel is not joined, but one that tells of nothing but one's own rights", async () => {
    const asked: string[] = [];
    const listen = async (page: Page) =>
      void page.on("websocket", (socket) =>
        socket.on("framesent", ({ payload }) => {
          const { event, data } = JSON.parse(String(payload)) as { event: string; data: { channel?: string } };
          if (event === "pusher:subscribe") asked.push(data.channel ?? "");
        }),
      );
    const page = await hall.open({ as: await hall.employ(floor.office, "Siti", ["profile.view"]), before: listen });
    await page.locator(".stat .mode").waitFor();
    await atRest(page);
    expect(asked).toEqual([`private-rights.${floor.office.tenant.id}`]);
  });
});

describe("6 · Notification counters load only with any of the accounts, withdraws or deposits view permissions", () => {
  test("without any of the three nothing is asked", async () => {
    const asked: string[] = [];
    const listen = async (page: Page) =>
      void page.on("request", (request) => request.url().includes("/notification/details") && asked.push(request.url()));
    const page = await hall.open({ as: await hall.employ(floor.office, "Siti", ["profile.view", "dashboard.view"]), before: listen });
    await page.locator(".dashboard .figure").first().waitFor();
    await atRest(page);
    expect(asked).toEqual([]);
  });
});

describe("6 · Route permissions are listed in point 2", () => {
  /** What a built screen asks of the server first. */
  const own = {
    dashboard: "readDashboard",
    deposits: "listDeposits",
    withdrawals: "listWithdrawals",
    transfers: "listTransfers",
    "merchant-callbacks": "listMerchantCallbacks",
    "bank-transactions": "listBankLines",
    merchants: "listMerchants",
    "merchant-transactions": "listMerchantStatementLines",
    "payment-accounts": "listPaymentAccounts",
    "payment-account-transactions": "listAccountStatementLines",
    "payment-account-live-balances": "listLiveBalances",
    "payment-account-daily-reports": "listAccountDays",
    "merchant-daily-reports": "listMerchantDays",
    "cash-flow-reports": "listCashFlowDays",
    "rate-limit-groups": "listRateLimitGroups",
    "payment-groups": "listPaymentGroups",
    "payout-templates": "listPayoutTemplates",
    users: "listUsers",
    "user-groups": "listUserGroups",
    "audit-log": "listAuditEntries",
    vendors: "listVendors",
    "vendor-categories": "listVendorCategories",
    "vendor-items": "listVendorItems",
    "master-accounts": "listMasterAccounts",
    "master-account": "readMasterAccount",
    "score-watchers": "listScoreWatchers",
    "downtime-schedule": "listDowntimes",
    "game-merchants": "listGameMerchants",
    "merchant-providers": "listMerchantProviders",
    "merchant-provider": "readMerchantProvider",
    "provider-games": "listProviderGames",
    setting: "readSettings",
    "profile-edit": "updateProfile",
  } as const satisfies Partial<Record<ScreenName, keyof typeof routes>>;
  const entries = Object.entries(own) as [keyof typeof own, keyof typeof routes][]; // Object.entries widens

  test("every built screen has a call of its own, but one's profile, which is part of every sign-in", () => {
    expect(builtScreens.filter((name) => !(name in own))).toEqual(["profile"]);
  });

  test.each(entries)("%s: the server demands the same right of %s", (name, route) => {
    expect([routes[route].permission].flat()).toEqual(rightsFor(name));
  });
});

describe("6 · Everything is tenant-scoped", () => {
  test("a record of another tenant answers like one that does not exist", async () => {
    const other = await makeFloor(hall, 1);
    const { rows } = await hall.db.owner.query<{ id: string }>("select id from transactions where tenant_id = $1", [
      other.office.tenant.id,
    ]);
    const { page } = await seat(hall, floor.office);
    await arrive(page, screens.withdrawals.path);
    const read = (id: string) =>
      page.evaluate(async (uuid) => {
        const cookie = (name: string) => new RegExp(`${name}=([^;]+)`).exec(document.cookie)?.[1] ?? "";
        const reply = await fetch(`/service/payment/api/tenant/v1/withdrawals/${uuid}`, {
          headers: { authorization: `Bearer ${cookie("access_token")}`, "x-tenant-id": cookie("tenant_id"), "x-currency": "MYR" },
        });
        return [reply.status, await reply.text()];
      }, id);
    expect(await read(rows[0]?.id ?? "")).toEqual(await read("00000000-0000-4000-8000-000000000000"));
  });
});
