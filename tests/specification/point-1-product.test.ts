import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Permission } from "../../src/contract/permissions.ts";
import { screens } from "../../src/contract/screens.ts";
import { addressOf } from "../../src/contract/addresses.ts";
import { paymentAccountHandlers } from "../../src/server/accounts/payment-accounts.ts";
import { rateLimitGroupHandlers } from "../../src/server/rate-limits/rate-limit-groups.ts";
import { judgeArrived } from "../../src/server/bank-lines/auto-match.ts";
import { bookLine, lineOf } from "../support/bank-lines.ts";
import type { Account, Merchant } from "../support/factories.ts";
import { makeAccount, makeGroup, makeMerchant, makePerson, makeRateGroup, setSettings } from "../support/factories.ts";
import { makeProvider } from "../support/game-provider.ts";
import { testHall } from "../support/hall.ts";
import { uniquePng } from "../support/receipts.ts";
import { enableTwoFactor } from "../support/sign-in.ts";
import { makeAccountOf } from "../support/people.ts";
import { makeOffice } from "../support/payments.ts";
import type { Office } from "../support/payments.ts";
import { atRest } from "../e2e/at-rest.ts";
import { startAnswering } from "../support/answering.ts";
import { makeMasterAccount } from "../support/master-accounts.ts";
import { lookUp, seat } from "./desk.ts";

const hall = testHall({ environment: { DEVELOPMENT: "true" } });
let office: Office;
let account: Account;
let shop: Merchant;

const lines = "pas.transaction.bank-transactions";
const rights: readonly Permission[] = [`${lines}.view`, `${lines}.match`, `${lines}.unmatch`, "pas.transaction.deposits.view"];
const path = screens["bank-transactions"].path;

beforeAll(async () => {
  office = await makeOffice(hall.db, { settings: { recall_seconds: 0 } });
  account = await makeAccount(hall.db, office.tenant);
  shop = await makeMerchant(hall.db, office.tenant, { wallet: "1000" });
  await makeGroup(hall.db, office.tenant, [account], [shop]);
});

beforeEach(() => setSettings(hall.db, office.tenant, { auto_match: false, approve_on_match: false }));

/** A deposit, and the bank's line that pays it. */
async function paid(amount: string) {
  const deposit = await office.deposit(shop, { amount });
  const line = await bookLine(office, account.id, lineOf(deposit));
  return { deposit, line };
}

const statusOf = async (id: string) => {
  const { rows } = await hall.db.owner.query<{ status: string }>("select status from transactions where id = $1", [id]);
  return rows[0]?.status;
};

describe("1 · Bank transaction match, unmatch, suggest matches", () => {
  test("m takes the suggestion beside the line, Shift+M with a reason undoes it", async () => {
    const { deposit, line } = await paid("431.00");
    const { page } = await seat(hall, office, rights, `${path}?record=${line.id}`);
    await page.locator(".matching .suggestion").first().waitFor();
    await atRest(page);
    await page.keyboard.press("m");
    await page.locator(".detail .decide .st", { hasText: /^Matched$/ }).waitFor();
    expect(await statusOf(deposit.id)).toBe("process");
    await atRest(page);
    await page.keyboard.press("Shift+M");
    await page.locator(".sheet textarea").fill("wrong customer");
    await page.keyboard.press("Control+Enter");
    await page.locator(".detail .decide .st", { hasText: /^Unmatched$/ }).waitFor();
  });
});

describe("1 · Bank lines matched by themselves (setting auto_match)", () => {
  test("a line that is clearly one deposit's is matched where the tenant has set it, and says that nobody did it", async () => {
    const { deposit, line } = await paid("432.00");
    await judgeArrived(office.deps, office.tenant.id, 100);
    expect(await statusOf(deposit.id)).toBe("pending");
    await setSettings(hall.db, office.tenant, { auto_match: true });
    const another = await paid("433.00");
    await judgeArrived(office.deps, office.tenant.id, 100);
    expect(await statusOf(another.deposit.id)).toBe("process");
    const { page } = await seat(hall, office, rights, `${path}?record=${another.line.id}`);
    await page.locator(".detail .decide .st", { hasText: /^Matched$/ }).waitFor();
    await page.locator(".detail .event", { hasText: "system" }).waitFor();
    expect(line.id).not.toBe(another.line.id);
  });
});

describe("1 · A match approves its deposit (setting approve_on_match)", () => {
  test("a matched deposit is credited without another act", async () => {
    await setSettings(hall.db, office.tenant, { auto_match: true, approve_on_match: true });
    const { deposit } = await paid("434.00");
    await judgeArrived(office.deps, office.tenant.id, 100);
    await expect.poll(() => statusOf(deposit.id)).toMatch(/^(approved|completed)$/);
  });
});

describe("1 · Inviting or creating a user from an e-mail look-up in steps (user found or not found)", () => {
  const rightsToAdd = ["cas.user.users.view", "cas.user.users.invite", "cas.user.users.create"] as const;
  const membership = async (email: string) => {
    const { rows } = await hall.db.owner.query<{ name: string; status: string; force: boolean }>(
      `select u.name, m.status, u.force_reset_password as force from memberships m join users u on u.id = m.user_id
        where m.tenant_id = $1 and u.email = $2`,
      [office.tenant.id, email],
    );
    return rows[0];
  };

  test("found: invited, and pending until the mailed link is followed", async () => {
    const { email } = await makeAccountOf(hall.db, "Tan Wei Ming");
    const page = await lookUp(hall, office, rightsToAdd, email);
    await page.locator(".sheet [role=status]", { hasText: "has an account and can be invited." }).waitFor();
    await page.keyboard.press("Control+Enter");
    await page.locator(".row", { hasText: email }).waitFor();
    expect(await membership(email)).toEqual({ name: "Tan Wei Ming", status: "pending", force: false });
  });

  test("not found: created with a temporary password that is shown once", async () => {
    const email = `${crypto.randomUUID()}@example.com`;
    const page = await lookUp(hall, office, rightsToAdd, email);
    await page.locator(".sheet [role=status]", { hasText: "User not found" }).waitFor();
    await page.locator(".sheet").getByLabel("Name").fill("Farah Aziz");
    await page.locator(".sheet").getByLabel("How they get in").selectOption("shown");
    await page.keyboard.press("Control+Enter");
    await page.locator(".sheet", { hasText: "Temporary password of Farah Aziz" }).waitFor();
    expect(await membership(email)).toEqual({ name: "Farah Aziz", status: "active", force: true });
  });
});

describe("1 · Two-factor of a user is reset (cas.user.users.reset-two-factor)", () => {
  test("from the user's detail, after a question", async () => {
    const colleague = await makePerson(hall.db, office.tenant, "Tan Wei Ming");
    await enableTwoFactor(hall.db, office.deps, colleague.id);
    const { page } = await seat(
      hall,
      office,
      ["cas.user.users.view", "cas.user.users.reset-two-factor"],
      `${screens.users.path}?record=${colleague.id}`,
    );
    await page
      .locator(".detail")
      .getByRole("button", { name: /^Reset two-factor/ })
      .click();
    await page.locator(".sheet", { hasText: "Reset the two-factor sign-in of Tan Wei Ming?" }).waitFor();
    await page.keyboard.press("Control+Enter");
    await page.locator(".stat .said", { hasText: "Two-factor sign-in of Tan Wei Ming is off." }).waitFor();
    const { rowCount } = await hall.db.owner.query("select from two_factor where user_id = $1 and secret is not null", [colleague.id]);
    expect(rowCount).toBe(0);
  });
});

describe("1 · Suspending an account with its balance cleared", () => {
  test("moves its whole balance away, leaves zero, and blocks new use", async () => {
    const closed = await makeAccount(hall.db, office.tenant, { balance: "1000" });
    const { data } = await paymentAccountHandlers.clearPaymentAccount(office.call(), {
      params: { uuid: closed.id },
      query: undefined,
      body: { version: 1, target: "", charges_type: "fixed", charges_value: "", reason: "Closed by the bank" },
    });
    expect(data.row).toMatchObject({ status: "suspend", state: "suspended", balance: "0.00" });
    expect(data.transfer).toMatchObject({ kind: "clearing", status: "approved", amount: "1000.00" });
    expect(await office.balance("payment-account", closed.id)).toBe("0.00");
  });
});

describe("1 · Rate-limit group usage statistics and account assignment", () => {
  test("an account assigned to a group is counted, and what it has used of its limit is told", async () => {
    const group = await makeRateGroup(hall.db, office.tenant, { account_window_minutes: 60, account_max_count: 3 });
    const till = await makeAccount(hall.db, office.tenant);
    const customer = await makeMerchant(hall.db, office.tenant);
    await makeGroup(hall.db, office.tenant, [till], [customer]);
    const params = { uuid: group };
    await rateLimitGroupHandlers.assignRateLimitAccounts(office.call(), {
      params,
      query: undefined,
      body: { version: 1, accounts: [till.id] },
    });
    await office.deposit(customer, { amount: "50.00" });
    const { data } = await rateLimitGroupHandlers.readRateLimitUsage(office.call(), { params, query: undefined, body: undefined });
    expect(data.accounts.rows).toMatchObject([{ uuid: till.id, kind: "deposit", count: 1, left_count: 2, reached: false }]);
    const read = await rateLimitGroupHandlers.readRateLimitGroup(office.call(), { params, query: undefined, body: undefined });
    expect(read.data.row).toMatchObject({ account_count: 1 });
  });
});

describe("1 · Checking credit balance", () => {
  test("p asks the provider of the account under the cursor, and its balance, credit and time are told", async () => {
    const provider = await startAnswering((_, response) => response.end('{"data":{"balance":"815.25","currency":"MYR","credit":true}}'));
    await setSettings(hall.db, office.tenant, { loopback_callbacks: true });
    const settings = { check_url: `${provider.url}/credit`, check_headers: [] };
    const house = await makeMasterAccount(hall.db, office.tenant, { code: "LOTUS-1", name: "Lotus Slots", settings });
    const area = "gps.provider.master-accounts";
    const place = `${screens["master-accounts"].path}?record=${house}`;
    const { page } = await seat(hall, office, [`${area}.view`, `${area}.check-credit`], place);
    await page.locator(".detail .decide", { hasText: "Lotus Slots" }).waitFor();
    await atRest(page);
    await page.keyboard.press("p");
    await page.locator(".detail .sec .ln", { hasText: "Balance" }).filter({ hasText: "815.25" }).first().waitFor();
    await page.locator(".stat .said", { hasText: "1 account checked" }).waitFor();
    const { rows } = await hall.db.owner.query("select balance, has_credit, misses from master_accounts where id = $1", [house]);
    expect(rows).toEqual([{ balance: "815.2500", has_credit: true, misses: 0 }]);
    await provider.stop();
  });
});

describe("1 · Bulk and single adding of provider games, game image", () => {
  const rights = ["view", "create", "update", "change-status"].map((act) => `gps.provider.games.${act}` as Permission);
  const open = async () => {
    const provider = await makeProvider(hall.db, office.tenant, await makeMerchant(hall.db, office.tenant), { name: "Lotus Gaming" });
    const path = addressOf("provider-games", { params: { merchantProviderUuid: provider } });
    const { page } = await seat(hall, office, [...rights, "gps.provider.merchant-providers.view"], path);
    await page.locator(".stat .mode").waitFor();
    await atRest(page);
    const kept = async () =>
      (
        await hall.db.owner.query<{ code: string; pictured: boolean; status: string }>(
          "select code, image is not null as pictured, status from provider_games where merchant_provider_id = $1 order by code",
          [provider],
        )
      ).rows;
    return { page, kept };
  };

  test("one by its form, with a picture that is shown", async () => {
    const { page, kept } = await open();
    await page.keyboard.press("c");
    const sheet = page.locator(".sheet");
    await sheet.getByLabel("Code").fill("dragon-1");
    await sheet.getByLabel("Name").fill("Dragon Bay");
    await sheet.locator("input[type=file]").setInputFiles({ name: "dragon.png", mimeType: "image/png", buffer: uniquePng() });
    await sheet.locator("img.game-thumb").waitFor();
    await page.keyboard.press("Control+Enter");
    await sheet.waitFor({ state: "detached" });
    expect(await kept()).toEqual([{ code: "dragon-1", pictured: true, status: "active" }]);
    await page.locator(".detail .game-picture img").waitFor();
    await page.locator(".game-thumb[src]").first().waitFor();
  });

  test("many by pasted lines: what is wrong is named before anything is written, and all are inactivated by keys", async () => {
    const { page, kept } = await open();
    await page.keyboard.press("Shift+C");
    await page.locator(".import").waitFor();
    await page.locator(".import").evaluate((sheet) => {
      const data = new DataTransfer();
      data.setData("text/plain", "a-1,First,slot\na-2,Second,live casino\na-3,,slot\na-2,Again,slot");
      sheet.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    });
    const why = page.locator(".import .why");
    await expect.poll(() => why.allInnerTexts()).toEqual(["Name: Must be filled in", "Code: Appears twice"]);
    expect(await kept()).toEqual([]);
    await page.keyboard.press("Control+Enter");
    await page.locator(".import", { hasText: "Done: 2 of 2" }).waitFor();
    await page.keyboard.press("Control+Enter");
    await page.locator(".sheet").waitFor({ state: "detached" });
    await page.locator(".stat .aim .id").waitFor();
    await page.keyboard.press("Control+a");
    await page.keyboard.press("r");
    await expect.poll(async () => (await kept()).map(({ status }) => status)).toEqual(["inactive", "inactive"]);
  });
});
