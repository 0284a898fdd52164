import { describe, expect, test } from "vitest";
import { testDatabase } from "../../support/database.ts";
import { makeAccount, makeMerchant } from "../../support/factories.ts";
import { makeOffice } from "../../support/payments.ts";
import { transfersBy } from "../../support/transfers.ts";

const db = testDatabase();

async function scene(wallet = "1000", merchantIs: object = {}, settings: object = {}) {
  const office = await makeOffice(db, { settings: { recall_seconds: 60, ...settings } });
  const merchant = await makeMerchant(db, office.tenant, { wallet, settlement_rate: "0.5", ...merchantIs });
  const account = await makeAccount(db, office.tenant, { balance: "5000" });
  const money = async () => ({
    wallet: await office.balance("wallet", merchant.id),
    hold: await office.balance("hold", merchant.id),
    account: await office.balance("payment-account", account.id),
    fee: await office.balance("fee-income", merchant.id),
    charges: await office.balance("bank-charges", merchant.id),
  });
  return { office, merchant, account, money, ann: transfersBy(office), ben: transfersBy(office, office.ben) };
}

describe("a wallet adjustment", () => {
  test("credits or debits at once, against the adjustment account, and keeps its reason with the posting", async () => {
    const { office, merchant, ann, money } = await scene();
    const credit = await ann.adjust(merchant, "250.00");
    expect(credit).toMatchObject({
      status: "approved",
      direction: "credit",
      previous_balance: "1000.00",
      reason: "Fee charged twice on 3 May",
    });
    const debit = await ann.adjust(merchant, "1250.00", { direction: "debit" });
    expect(debit).toMatchObject({ status: "approved", previous_balance: "1250.00" });
    expect((await money()).wallet).toBe("0.00");
    const { rows } = await db.owner.query("select kind, reason, by_user from ledger_groups where tenant_id = $1 and transaction_id = $2", [
      office.tenant.id,
      credit.uuid,
    ]);
    expect(rows).toEqual([{ kind: "adjustment", reason: "Fee charged twice on 3 May", by_user: office.ann.id }]);
    expect((await ann.read(credit)).money).toMatchObject([
      { account: "wallet", before: "1000.00", change: "250.00", after: "1250.00" },
      { account: "adjustment", change: "250.00" },
    ]);
  });

  test("never overdraws the wallet", async () => {
    const { merchant, ann, money } = await scene();
    await expect(ann.adjust(merchant, "1000.01", { direction: "debit" })).rejects.toMatchObject({ code: "merchant.insufficient-balance" });
    expect((await money()).wallet).toBe("1000.00");
  });

  test("is taken back within the window, unless the merchant has spent it", async () => {
    const { merchant, ann, ben, money } = await scene();
    const credit = await ann.adjust(merchant, "250.00");
    expect(await ben.recall(credit)).toMatchObject({ status: "rejected", rejected_by: { name: "Ben Ooi" } });
    expect((await money()).wallet).toBe("1000.00");
    const other = await ann.adjust(merchant, "250.00");
    await ann.adjust(merchant, "1100.00", { direction: "debit" });
    expect(await ann.tryRecall(other)).toMatchObject({ problem: { code: "merchant.insufficient-balance" } });
    expect((await money()).wallet).toBe("150.00");
  });
});

describe("a settlement", () => {
  test("holds amount and fee, and pays from the account when it is confirmed", async () => {
    const { merchant, account, ann, money } = await scene();
    const made = await ann.settle(merchant, account, "800.00", { charges_value: "2.00" });
    expect(made).toMatchObject({
      status: "pending",
      awaits: "confirmation",
      fee: "4.00",
      final_amount: "802.00",
      merchant_amount: "804.00",
      previous_balance: "1000.00",
      account_number: "7001234567",
    });
    expect(await money()).toEqual({ wallet: "196.00", hold: "804.00", account: "5000.00", fee: "0.00", charges: "0.00" });
    expect(await ann.approve(made)).toMatchObject({ status: "approved", previous_balance: "1000.00" });
    expect(await money()).toEqual({ wallet: "196.00", hold: "0.00", account: "4198.00", fee: "4.00", charges: "2.00" });
  });

  test("lets the merchant bear the bank's charges where those are the merchant's", async () => {
    const { merchant, account, ann, money } = await scene("1000", { charges_borne_by: "merchant" });
    const made = await ann.settle(merchant, account, "800.00", { charges_value: "2.00" });
    expect(made).toMatchObject({ merchant_amount: "806.00", charges_borne_by: "merchant" });
    await ann.approve(made);
    expect(await money()).toEqual({ wallet: "194.00", hold: "0.00", account: "4198.00", fee: "4.00", charges: "0.00" });
  });

  test("reserves what its account will pay, and gives wallet and reserve back when it is rejected", async () => {
    const { merchant, account, ann, ben, money } = await scene("9000");
    const made = await ann.settle(merchant, account, "4000.00");
    await expect(ann.settle(merchant, account, "1000.01")).rejects.toMatchObject({ code: "payment-account.insufficient" });
    expect(await ben.reject(made, "Account closed")).toMatchObject({ status: "rejected", reject_reason: "Account closed" });
    expect(await money()).toMatchObject({ wallet: "9000.00", hold: "0.00" });
    expect((await ann.settle(merchant, account, "5000.00")).status).toBe("pending");
  });

  test("is held again when its payment is taken back, and may then be rejected", async () => {
    const { merchant, account, ann, money } = await scene();
    const back = await ann.recall(await ann.approve(await ann.settle(merchant, account, "800.00")));
    expect(back).toMatchObject({ status: "pending", awaits: "confirmation" });
    expect(await money()).toMatchObject({ wallet: "196.00", hold: "804.00", account: "5000.00", fee: "0.00" });
    await ann.reject(back);
    expect(await money()).toMatchObject({ wallet: "1000.00", hold: "0.00" });
  });

  test("never takes more than the wallet has, with its fee", async () => {
    const { merchant, account, ann, money } = await scene();
    await expect(ann.settle(merchant, account, "995.03")).rejects.toMatchObject({ code: "merchant.insufficient-balance" });
    expect((await ann.settle(merchant, account, "995.02")).merchant_amount).toBe("1000.00");
    expect((await money()).wallet).toBe("0.00");
  });

  test("is at least what the tenant has set for the currency", async () => {
    const { merchant, account, ann } = await scene("1000", {}, { settlement_minimum: { MYR: "100.00" } });
    await expect(ann.settle(merchant, account, "99.99")).rejects.toMatchObject({
      code: "transfer.below-minimum",
      detail: { amount: ["Must be at least 100.00, the smallest settlement"] },
    });
    expect((await ann.cashOut(merchant, "100.00")).status).toBe("pending");
  });

  test("as a cash-out leaves by no account: the settlement ledger has it, by its reference", async () => {
    const { office, merchant, ann, money } = await scene();
    const made = await ann.cashOut(merchant, "400.00");
    expect(made).toMatchObject({ status: "pending", source: null, bank: null, reference_no: "CASH 7", lines: { needed: 0 } });
    await ann.approve(made);
    expect(await office.balance("settlement")).toBe("400.00");
    expect(await money()).toMatchObject({ wallet: "598.00", hold: "0.00", account: "5000.00", fee: "2.00" });
  });

  test("counts against its account's withdrawal limits", async () => {
    const { merchant, ann, office } = await scene();
    const narrow = await makeAccount(db, office.tenant, { withdrawal_daily_limit: 500 });
    await expect(ann.settle(merchant, narrow, "500.01")).rejects.toMatchObject({
      code: "payment-account.over-limit",
      detail: { source: ["Only 500.00 is left of the daily limit"] },
    });
    expect((await ann.settle(merchant, narrow, "500.00")).status).toBe("pending");
  });
});
