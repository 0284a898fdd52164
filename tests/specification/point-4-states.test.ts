import type { Page } from "playwright";
import { beforeAll, describe, expect, test } from "vitest";
import { sessionRoutes } from "../../src/contract/session.ts";
import { screens } from "../../src/contract/screens.ts";
import { accountStates, shownAccountStatuses } from "../../src/contract/payment-accounts.ts";
import { transactionStatuses } from "../../src/contract/transactions.ts";
import { withdrawalRoutes } from "../../src/contract/withdrawals.ts";
import english from "../../locales/en.json" with { type: "json" };
import { makeAccount } from "../support/factories.ts";
import { testHall } from "../support/hall.ts";
import { makeFloor } from "../e2e/floor.ts";
import type { Floor } from "../e2e/floor.ts";
import type { Office } from "../support/payments.ts";
import { makeOffice } from "../support/payments.ts";
import { toast } from "../e2e/kept-toasts.ts";
import { answer, arrive, atWithdrawals, operatorRights, pathOf, seat, seatByForm } from "./desk.ts";

const hall = testHall();
let floor: Floor;
let there: Office;
beforeAll(async () => {
  floor = await makeFloor(hall, 3);
  there = await makeOffice(hall.db);
});

describe("4 · Auth: signed out becomes signed in when login succeeds and context, config and profile load", () => {
  test("and the page behind the sign-in opens", async () => {
    const { page } = await seatByForm(hall, floor.office);
    expect(pathOf(page)).not.toBe("/login");
    expect(await page.evaluate(() => document.cookie)).toContain("access_token=");
  });
});

describe("4 · Any failure in that sequence clears the session", () => {
  test.each([
    ["context", sessionRoutes.readContext.path],
    ["config", sessionRoutes.readConfig.path],
    ["profile", sessionRoutes.readProfile.path],
  ])("%s", async (_, path) => {
    const who = await hall.employ(floor.office, "Nurul Aisyah", operatorRights);
    const page = await hall.open();
    await page.route(`**${path}`, answer(500, { message: "broken" }));
    await page.getByLabel("E-mail").fill(who.email);
    await page.getByLabel("Password", { exact: true }).fill(who.password);
    await page.keyboard.press("Enter");
    await page.locator(".step .alert").waitFor();
    expect(pathOf(page)).toBe("/login");
    expect(await page.evaluate(() => document.cookie)).not.toContain("_token=");
    await page.unroute(`**${path}`);
    await page.goto(`${hall.url()}/`);
    await arrive(page, "/login");
  });
});

describe("4 · Transaction statuses (labels)", () => {
  test("are pending, process, approved, rejected, completed, expired", () => {
    expect(transactionStatuses.map((status) => english[`status.${status}`].toLowerCase()).toSorted()).toEqual(
      ["pending", "process", "approved", "rejected", "completed", "expired"].toSorted(),
    );
  });
});

describe("4 · Other statuses in labels: active, inactive, suspend, overuse", () => {
  test("are what an account may be, each with its word, of what it is now", () => {
    expect(shownAccountStatuses).toEqual(["active", "inactive", "suspend", "overuse"]);
    expect(shownAccountStatuses.map((status) => english[`status.${status}`])).toEqual(["Active", "Inactive", "Suspended", "Overused"]);
  });
});

describe("4 · Payment account states: normal, suspended, critical (balance below threshold)", () => {
  test("are all there are, each with its word", () => {
    expect(accountStates).toEqual(["normal", "suspended", "critical"]);
    expect(accountStates.map((state) => english[`payment-account.state.${state}`])).toEqual(["Normal", "Suspended", "Critical"]);
  });

  test("at its threshold an account is normal, a cent below it critical, and suspended when it is", async () => {
    const { office } = await makeFloor(hall, 0);
    await makeAccount(hall.db, office.tenant, { code: "EDGE-1", balance: "500.00", threshold: "500.00" });
    await makeAccount(hall.db, office.tenant, { code: "EDGE-2", balance: "499.99", threshold: "500.00" });
    await makeAccount(hall.db, office.tenant, { code: "EDGE-3", balance: "900.00", status: "suspend" });
    const { page } = await seat(hall, office, ["pas.account.accounts.view"], "/payment/payment-accounts");
    const row = (code: string) => page.locator(".grid .rows .row[aria-rowindex]", { hasText: code });
    for (const [code, word] of [
      ["EDGE-1", "Normal"],
      ["EDGE-2", "Critical"],
      ["EDGE-3", "Suspended"],
    ] as const) {
      // oxlint-disable-next-line no-await-in-loop -- three rows of one page
      await row(code).waitFor();
      // oxlint-disable-next-line no-await-in-loop -- as above
      expect(await row(code).locator(".cell").nth(1).innerText(), code).toBe(word);
    }
  });
});

describe("4 · Actions: activate, inactivate, approve, reject, change status, send callback", () => {
  /** An act from the row's menu. */
  async function fromMenu(page: Page, id: string, name = `command.${id}`): Promise<void> {
    await page.keyboard.press(".");
    await page.locator("[cmdk-input]").fill(`.${english[name as keyof typeof english]}`);
    await page.locator(`[cmdk-item][data-selected=true][data-value="${id}"]`).waitFor();
    await page.keyboard.press("Enter");
  }

  test("change status: a merchant is inactivated, and activated again", async () => {
    const { office, merchant } = await makeFloor(hall, 0);
    const { page } = await seat(
      hall,
      office,
      ["pas.merchant.merchants.view", "pas.merchant.merchants.change-status"],
      "/payment/merchants",
    );
    await page.locator(".stat .aim .id").waitFor();
    const stored = async () =>
      (await hall.db.owner.query<{ status: string }>("select status from merchants where id = $1", [merchant.id])).rows[0]?.status;
    for (const status of ["inactive", "active"] as const) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await fromMenu(page, "record.change-status", "command.record.change-status.merchant");
      // oxlint-disable-next-line no-await-in-loop
      await page.locator(".pal .asked").waitFor();
      // oxlint-disable-next-line no-await-in-loop
      await page.locator(`[cmdk-item][data-value="${status}"]`).click();
      // oxlint-disable-next-line no-await-in-loop
      await page.locator(".sheet textarea").fill("As agreed");
      // oxlint-disable-next-line no-await-in-loop
      await page.keyboard.press("Control+Enter");
      // oxlint-disable-next-line no-await-in-loop
      await expect.poll(stored).toBe(status);
      // the page acts on the row as it knows it
      // oxlint-disable-next-line no-await-in-loop
      await page.locator(".grid .rows .cell", { hasText: new RegExp(`^${english[`status.${status}`]}$`) }).waitFor();
    }
  });

  test("approve, reject and send callback: each acts on the withdrawal under the cursor", async () => {
    const { office } = await makeFloor(hall, 2);
    const rights = [...operatorRights, "pas.transaction.withdrawals.reject", "pas.transaction.withdrawals.send-callback"] as const;
    const { page } = await seat(hall, office, rights, screens.withdrawals.path);
    const sent: string[] = [];
    page.on("response", (response) => {
      if (response.request().method() === "POST" && response.ok()) sent.push(new URL(response.url()).pathname);
    });
    await atWithdrawals(page);
    const hasSent = async (path: string) => {
      await expect.poll(() => sent).toContain(path);
    };
    await page.keyboard.press("t");
    await hasSent(withdrawalRoutes.claimWithdrawals.path);
    await page.locator('.acts .btn.go:not([aria-disabled="true"])').waitFor();
    await page.keyboard.press("a");
    await hasSent(withdrawalRoutes.approveWithdrawals.path);
    await page.goto(`${hall.url()}/payment/withdrawals?view=all&status=pending`);
    await page.locator(".stat .aim .id").waitFor();
    await page.keyboard.press("r");
    await page.locator(".sheet .option").first().waitFor();
    await page.keyboard.press("1");
    await page.keyboard.press("Enter");
    await hasSent(withdrawalRoutes.rejectWithdrawals.path);
    await page.goto(`${hall.url()}/payment/withdrawals?view=all&status=rejected`);
    await page.locator(".stat .aim .id").waitFor();
    await fromMenu(page, "withdrawal.send-callback");
    await hasSent(withdrawalRoutes.sendWithdrawalCallbacks.path);
    const { rows } = await hall.db.owner.query<{ status: string }>(
      "select status from transactions where tenant_id = $1 and kind = 'withdrawal' order by status",
      [office.tenant.id],
    );
    expect(rows.map(({ status }) => status).filter((status) => status === "pending")).toEqual([]);
    expect(rows.map(({ status }) => status)).toContain("rejected");
  });
});

/** A second tenant for the same person, with rows of its own. */
async function member(): Promise<Awaited<ReturnType<typeof seat>>> {
  const who = await hall.employ(floor.office, "Nurul Aisyah", [...operatorRights, "dashboard.view"]);
  await hall.db.owner.query("insert into memberships (tenant_id, user_id) values ($1, $2)", [there.tenant.id, who.id]);
  await hall.db.owner.query(
    `with g as (insert into user_groups (tenant_id, code, name, permissions) values ($1, $4, 'Guest', $2) returning id)
      insert into membership_groups (tenant_id, user_id, group_id) select $1, $3, id from g`,
    [there.tenant.id, [...operatorRights, "dashboard.view"], who.id, `guest-${who.id.slice(0, 8)}`],
  );
  return { page: await hall.open({ as: who, path: "/payment/withdrawals" }), who };
}

describe("4 · Tenant switch", () => {
  test("to a tenant in the available list: the context reloads and the user goes to the dashboard", async () => {
    const { page } = await member();
    const { rows } = await hall.db.owner.query<{ id: string; name: string }>("select id, name from tenants where id = any($1)", [
      [floor.office.tenant.id, there.tenant.id],
    ]);
    const current = (await page.locator(".head .tenant .cut").innerText()).trim();
    const other = rows.find(({ name }) => name !== current);
    const contexts: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/auth/context")) contexts.push(request.headers()["x-tenant-id"] ?? "");
    });
    await page.locator(".head .tenant").click();
    await page.locator("[cmdk-input]").fill(other?.name ?? "");
    await page.locator("[cmdk-item]", { hasText: other?.name ?? "" }).waitFor();
    await page.keyboard.press("Enter");
    await arrive(page, "/dashboard");
    await page.locator(".head .tenant", { hasText: other?.name ?? "" }).waitFor();
    expect(contexts).toContain(other?.id);
  });

  test("to any other is refused by the server, too", async () => {
    const { page, who } = await seat(hall, floor.office);
    const status = await page.evaluate(
      async ([path, tenant]) => {
        const token = /access_token=([^;]+)/.exec(document.cookie)?.[1] ?? "";
        const reply = await fetch(path ?? "", { headers: { authorization: `Bearer ${token}`, "x-tenant-id": tenant ?? "" } });
        return [reply.status, ((await reply.json()) as { message: string }).message];
      },
      [sessionRoutes.readContext.path, there.tenant.id],
    );
    expect([who.id, ...status]).toEqual([who.id, 403, "Invalid tenant ID"]);
  });
});

describe("4 · Currency switch", () => {
  test("must be a currency in the list; then config reloads, the current page reloads and counters refresh", async () => {
    const office = await makeOffice(hall.db, { currencies: ["THB"] });
    const { page } = await seat(hall, office, operatorRights, "/payment/withdrawals?view=all");
    await page.locator(".head .pick", { hasText: "MYR" }).waitFor();
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.headers()["x-currency"] === "THB") asked.push(new URL(request.url()).pathname);
    });
    await page.locator(".head .pick", { hasText: "MYR" }).click();
    await page.locator("[cmdk-input]").fill("THB");
    await page.locator("[cmdk-item]", { hasText: "THB" }).waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".head .pick", { hasText: "THB" }).waitFor();
    await expect
      .poll(() => ["/config", "/withdrawals", "/notification/details"].filter((end) => asked.some((path) => path.endsWith(end))))
      .toEqual(["/config", "/withdrawals", "/notification/details"]);
    expect(pathOf(page)).toBe("/payment/withdrawals");
    expect(new URL(page.url()).searchParams.get("view")).toBe("all");
  });
});

describe("4 · Profile fetch failure while opening the console", () => {
  test("shows a toast titled Error with the server's message", async () => {
    const { page } = await seat(hall, floor.office);
    await atWithdrawals(page);
    await page.route(`**${sessionRoutes.readProfile.path}`, answer(500, { message: "no profile today" }));
    await page.reload();
    await toast(page, { title: "Error", text: "no profile today" });
  });
});
