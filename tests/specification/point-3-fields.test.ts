import { randomInt } from "node:crypto";
import type { Page } from "playwright";
import { beforeAll, describe, expect, test } from "vitest";
import { screens } from "../../src/contract/screens.ts";
import { depositHandlers } from "../../src/server/payments/deposits.ts";
import { expireDue } from "../../src/server/payments/lapses.ts";
import { withdrawalHandlers } from "../../src/server/payments/withdrawals.ts";
import { receiptHandlers } from "../../src/server/files/receipt-handlers.ts";
import { makeFloor } from "../e2e/floor.ts";
import type { Floor } from "../e2e/floor.ts";
import { uploaded } from "../support/bank-imports.ts";
import { makeDowntime } from "../support/downtimes.ts";
import { testHall } from "../support/hall.ts";
import { body, done, only } from "../support/payments.ts";
import { makeMasterAccount } from "../support/master-accounts.ts";
import { uniquePng } from "../support/receipts.ts";
import { seat } from "./desk.ts";

const hall = testHall();
let floor: Floor;
const paths = {
  deposit: "/payment/deposits",
  withdrawal: "/payment/withdrawals",
  "master-account": screens["master-accounts"].path,
} as const;

beforeAll(async () => {
  floor = await makeFloor(hall, 0, 0, { recall_seconds: 0 });
  await hall.db.owner.query("update merchants set deposit_rate = 1.5, withdrawal_rate = 1 where id = $1", [floor.merchant.id]);
  await hall.db.owner.query("update payment_accounts set charges_type = 'percent', charges_value = 0.5 where id = $1", [floor.account.id]);
});

/** The record's card, once all of it is there. */
async function card(kind: "deposit" | "withdrawal", uuid: string): Promise<Page> {
  const { page } = await seat(
    hall,
    floor.office,
    ["pas.transaction.deposits.view", "pas.transaction.withdrawals.view"],
    `${paths[kind]}?view=all&record=${uuid}`,
  );
  await page.locator(".detail .sec.last").waitFor();
  return page;
}

/** What its lines say, by their names. */
const lines = async (page: Page): Promise<Record<string, string>> =>
  Object.fromEntries(
    await page.locator(".detail .ln:has(> .name)").evaluateAll((all) =>
      all.map((line) => [
        line.querySelector(".name")?.textContent ?? "",
        [...line.children]
          .slice(1)
          .map(({ textContent }) => textContent)
          .join(" ") ||
          (line.lastChild?.textContent ?? ""),
      ]),
    ),
  );

const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d [AP]M/);
const timeBy = (name: string) => expect.stringMatching(new RegExp(`^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d [AP]M ${name}$`));

describe("3 · Transaction: type, source, txn no, merchant txn no, reference no, customer, amounts, charges, dates and by whom, remark, receipt", () => {
  test("a deposit shows type, source, numbers, customer, amounts, charges, dates with who acted, remark and receipt", async () => {
    const { office, merchant } = floor;
    const paid = await office.paid(merchant, { amount: "1000.00", merchant_txn_no: "ORDER-77", customer_name: "Tan Wei Jie" });
    const bytes = uniquePng();
    await receiptHandlers.addDepositReceipt(office.call(), {
      params: { uuid: paid.uuid },
      query: undefined,
      body: undefined,
      file: uploaded(bytes, "slip.png"),
    });
    await hall.db.owner.query("update transactions set reference_no = 'FT-88', payment_date = now() where id = $1", [paid.uuid]);
    const { data: seen } = await depositHandlers.readDeposit(office.call(), {
      params: { uuid: paid.uuid },
      query: undefined,
      body: undefined,
    });
    const credited = await office.credit(seen.row);
    const params = { uuid: credited.uuid };
    await depositHandlers.remarkDeposit(office.call(), {
      params,
      query: undefined,
      body: { version: credited.version, remark: "called the customer" },
    });

    const page = await card("deposit", credited.uuid);
    const head = await page.locator(".detail .decide").innerText();
    for (const part of [credited.txn_no, "1,000.00", "Tan Wei Jie", "FT-88"]) expect(head).toContain(part);
    expect(await lines(page)).toMatchObject({
      Source: "Merchant API",
      Created: time,
      "Payment date": time,
      Processed: timeBy("Ann Lim"),
      Approved: timeBy("Ann Lim"),
      "Last action": timeBy("Ann Lim"),
      "Merchant’s number": "ORDER-77",
      Reference: "FT-88",
      "Charges type": "Fixed amount",
      Final: "1,000.00",
      "Merchant receives": "985.00",
      "Balance before": "1,000,000.00",
      Remark: "called the customer",
    });
    // fee, charges and who bears them stand over the money, before and after in it
    await page.locator(".detail h2", { hasText: /^Money.*fee 15\.00, charge 0\.00 by/ }).waitFor();
    await page.locator(".detail .receipts img, .detail .receipts button").first().waitFor();
    await page.context().close();
  });

  test("a rejected one shows when, by whom and why, an expired one when and by whom, and both by whom they were created", async () => {
    const { office, merchant } = floor;
    const rejected = await office.paid(merchant, { amount: "20.00" });
    done(
      only(
        await depositHandlers.rejectDeposits(
          office.call(),
          body({ rows: [{ uuid: rejected.uuid, version: rejected.version }], reason: { code: "other", text: "nothing came" } }),
        ),
      ),
    );
    const expired = await office.deposit(merchant, { amount: "30.00" });
    await hall.db.owner.query("update transactions set expires_at = now() - interval '1 minute' where id = $1", [expired.id]);
    await expireDue(office.deps, office.tenant.id, 10);
    const one = await card("deposit", rejected.uuid);
    expect(await lines(one)).toMatchObject({
      Created: timeBy(merchant.name),
      Rejected: timeBy("Ann Lim"),
      Reason: "nothing came",
    });
    await one.context().close();
    const other = await card("deposit", expired.id);
    expect(await lines(other)).toMatchObject({
      Created: timeBy(merchant.name),
      Expired: timeBy("system"),
      "Last action": timeBy("system"),
    });
    await other.context().close();
  });

  test("a withdrawal shows its own", async () => {
    const { office, merchant } = floor;
    const claimed = await office.claimed(merchant, { amount: "500.00", merchant_txn_no: "PAY-9" });
    const confirmed = { amount: claimed.amount, holder: claimed.holder };
    done(
      only(
        await withdrawalHandlers.approveWithdrawals(
          office.call(),
          body({ rows: [{ uuid: claimed.uuid, version: claimed.version, confirmed }] }),
        ),
      ),
    );
    const page = await card("withdrawal", claimed.uuid);
    const head = await page.locator(".detail .decide").innerText();
    for (const part of [claimed.txn_no, "500.00", "TAN WEI MING"]) expect(head).toContain(part);
    expect(await lines(page)).toMatchObject({
      Source: "Merchant API",
      Created: time,
      "Payment date": time,
      Processed: timeBy("Ann Lim"),
      Approved: timeBy("Ann Lim"),
      "Merchant’s number": "PAY-9",
      "Charges type": "Percent",
      Final: "502.50",
      "Balance before": expect.stringMatching(/^[\d,]+\.\d\d$/),
    });
    await page.locator(".detail h2", { hasText: /^Money.*fee 5\.00, charge 2\.50 by/ }).waitFor();
  });
});

describe("3 · Master account: upline, threshold, balance, state, enable notification, require proxy, is error, last notified, last checked, has credit, credentials, UUID, tenant ID, currency code", () => {
  const area = "gps.provider.master-accounts";
  const account = (columns: object) =>
    makeMasterAccount(hall.db, floor.office.tenant, {
      secrets: floor.office.deps.secrets,
      credentials: { key: "sesame-4711" },
      code: `LOTUS-${randomInt(1_000_000)}`,
      upline: "Lotus Group Asia",
      threshold: "1000",
      balance: "815.25",
      has_credit: true,
      critical: true,
      critical_since: new Date(),
      last_checked_at: new Date(),
      last_notified_at: new Date(),
      settings: { require_proxy: true, proxy_url: "https://proxy.example" },
      ...columns,
    });
  const opened = async (uuid: string): Promise<Page> => {
    const { page } = await seat(
      hall,
      floor.office,
      [`${area}.view`, `${area}.view-credentials`],
      `${paths["master-account"]}?record=${uuid}`,
    );
    await page.locator(".detail .sec.last").waitFor();
    return page;
  };

  test("its record shows all of them but the credentials, of which it says that they are kept", async () => {
    const { tenant } = floor.office;
    const uuid = await account({});
    const page = await opened(uuid);
    expect(await lines(page)).toMatchObject({
      Upline: "Lotus Group Asia",
      "Critical below": "1,000.00",
      Balance: "815.25",
      State: "Critical",
      Notify: "yes",
      "Through a proxy": "yes",
      Error: "no",
      "Last notified": time,
      "Last checked": time,
      "Has credit": "yes",
      "Credentials kept": "yes",
      UUID: uuid,
      "Tenant ID": tenant.id,
      Currency: tenant.currency,
    });
    expect(await page.locator("main").innerText(), "shown by their own command only").not.toContain("sesame-4711");
    await page.context().close();
  });

  test("one whose last three checks failed says that it is in error, and the list shows what the record does", async () => {
    const uuid = await account({
      misses: 3,
      failure: "http-status",
      balance: null,
      has_credit: null,
      critical: false,
      critical_since: null,
    });
    const page = await opened(uuid);
    expect(await lines(page)).toMatchObject({ Error: "yes", "Last failure": "The provider answered with status", Balance: "–" });
    const titles = await page.locator(".grid [role=columnheader]").allInnerTexts();
    for (const title of ["State", "Upline", "Balance", "Critical below", "Has credit", "Error", "Last checked"])
      expect(titles.map((one) => one.trim())).toContain(title);
    await page.context().close();
  });
});

describe("3 · Downtime schedule: entity type, entity name, start time, end time", () => {
  test("its row and its record show all of them", async () => {
    const { office } = floor;
    const account = await makeMasterAccount(hall.db, office.tenant, { name: "Mekong Sports" });
    const uuid = await makeDowntime(hall.db, office.tenant, office.ann, { master_account_id: account });
    const { page } = await seat(hall, office, ["gps.provider.downtime.view"], `${screens["downtime-schedule"].path}?record=${uuid}`);
    await page.locator(".detail .sec.last").waitFor();
    const shown = {
      "Entity type": "Master account",
      "Entity name": expect.stringContaining("Mekong Sports"),
      "Start time": time,
      "End time": time,
    };
    expect(await lines(page)).toMatchObject(shown);
    const heads = await page.locator(".grid [role=columnheader]").allInnerTexts();
    for (const title of Object.keys(shown)) expect(heads.map((head) => head.trim())).toContain(title);
  });
});
