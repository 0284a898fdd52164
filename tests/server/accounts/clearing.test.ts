import { describe, expect, test } from "vitest";
import { paymentAccountHandlers } from "../../../src/server/accounts/payment-accounts.ts";
import type { ClearingForm } from "../../../src/contract/transfer-forms.ts";
import { testDatabase } from "../../support/database.ts";
import { fund, makeAccount, makeGroup, makeMerchant } from "../../support/factories.ts";
import type { Account, Person } from "../../support/factories.ts";
import { makeOffice } from "../../support/payments.ts";
import { transfersBy } from "../../support/transfers.ts";

const db = testDatabase();

async function scene(columns: object = {}) {
  const office = await makeOffice(db, {
    settings: { recall_seconds: 60, tiers: { MYR: { confirm_from: "1000.00", second_from: "5000.00" } } },
  });
  const account = await makeAccount(db, office.tenant, { balance: "1000", ...columns });
  const other = await makeAccount(db, office.tenant, { balance: "0" });
  const clear = async (more: Partial<ClearingForm & { version: number }> = {}, by: Person = office.ann, of: Account = account) =>
    (
      await paymentAccountHandlers.clearPaymentAccount(office.call(by), {
        params: { uuid: of.id },
        query: undefined,
        body: { version: 1, target: "", charges_type: "fixed", charges_value: "", reason: "Closed by the bank", ...more },
      })
    ).data;
  const read = async () =>
    (await paymentAccountHandlers.readPaymentAccount(office.call(), { params: { uuid: account.id }, query: undefined, body: undefined }))
      .data;
  return { office, account, other, clear, read, ann: transfersBy(office), ben: transfersBy(office, office.ben) };
}

describe("suspending an account with its balance cleared", () => {
  test("to another account moves the whole balance at once, less the bank's charges, and leaves zero", async () => {
    const { office, account, other, clear, read } = await scene({ reserve_amount: 100 });
    const { row, transfer } = await clear({ target: other.id, charges_value: "2.00" });
    expect(row).toMatchObject({ status: "suspend", state: "suspended", balance: "0.00", version: 2 });
    expect(transfer).toMatchObject({ kind: "clearing", status: "approved", amount: "998.00", charges: "2.00", final_amount: "1000.00" });
    expect(await office.balance("payment-account", account.id)).toBe("0.00");
    expect(await office.balance("payment-account", other.id)).toBe("998.00");
    expect((await read()).history[0]).toMatchObject({
      act: "payment-account.clear-balance",
      reason: "Closed by the bank",
      changes: { status: { before: "active", after: "suspend" }, cleared: { after: "1000.00" }, transfer: { after: transfer?.txn_no } },
    });
    expect(office.announced.at(-1)).toMatchObject({ event: "paymentAccount", uuids: expect.arrayContaining([account.id, other.id]) });
  });

  test("to adjustment counts against no limit, and needs no other account", async () => {
    const { office, account, clear } = await scene({ withdrawal_daily_limit: 1 });
    const { transfer } = await clear();
    expect(transfer).toMatchObject({ status: "approved", target: null, amount: "1000.00" });
    expect(await office.balance("payment-account", account.id)).toBe("0.00");
  });

  test("of percent charges takes what the bank takes of the amount that is moved", async () => {
    const { other, clear } = await scene({ balance: "1005" });
    const { transfer } = await clear({ target: other.id, charges_type: "percent", charges_value: "0.5" });
    expect(transfer).toMatchObject({ amount: "1000.00", charges: "5.00" });
  });

  test("without a balance suspends it and posts nothing", async () => {
    const { clear } = await scene({ balance: "0" });
    expect(await clear()).toMatchObject({ row: { status: "suspend" }, transfer: null });
  });

  test("of one suspended before clears what is left on it", async () => {
    const { clear } = await scene({ status: "suspend" });
    expect(await clear()).toMatchObject({ row: { status: "suspend", balance: "0.00" }, transfer: { status: "approved" } });
  });
});

describe("it is refused, and nothing is suspended,", () => {
  test("while anything is open on the account, by kind, number and name", async () => {
    const { office, account, other, clear, read, ann } = await scene();
    const merchant = await makeMerchant(db, office.tenant, { wallet: "60000" });
    await makeGroup(db, office.tenant, [account], [merchant]);
    const deposit = await office.deposit(merchant);
    const [out, into, settled] = [
      await ann.transfer(account, other, "100.00"),
      await ann.transfer(await makeAccount(db, office.tenant), account, "100.00"),
      await ann.settle(merchant, account, "100.00"),
    ];
    const items = [
      { uuid: deposit.id, kind: "deposit", txn_no: deposit.txn_no },
      ...[out, into, settled].map(({ uuid, txn_no }) => ({ uuid, kind: "transfer", txn_no })),
    ];
    await expect(clear()).rejects.toMatchObject({
      code: "payment-account.open-items",
      detail: { deposits: 1, withdrawals: 0, transfers: 3, hold: null, items },
    });
    expect((await read()).row).toMatchObject({ status: "active", version: 1, balance: "1000.00" });
    expect((await read()).open).toBe(4);
  });

  test("while an operator's hold is on it", async () => {
    const { clear } = await scene({ hold_amount: 10, hold_reason: "court order" });
    await expect(clear()).rejects.toMatchObject({
      code: "payment-account.open-items",
      detail: { hold: { amount: "10.00", reason: "court order" } },
    });
  });

  test("where the other account cannot take it", async () => {
    const { office, account, clear, read } = await scene();
    const suspended = await makeAccount(db, office.tenant, { status: "suspend" });
    const narrow = await makeAccount(db, office.tenant, { deposit_daily_limit: 999 });
    await expect(clear({ target: suspended.id })).rejects.toMatchObject({ code: "payment-account.unfit" });
    await expect(clear({ target: narrow.id })).rejects.toMatchObject({ code: "payment-account.over-limit" });
    await expect(clear({ target: account.id })).rejects.toMatchObject({ detail: { target: ["Must be another account"] } });
    expect((await read()).row).toMatchObject({ status: "active", version: 1 });
  });

  test("by who saw another version of it", async () => {
    const { clear, read } = await scene();
    await expect(clear({ version: 2 })).rejects.toMatchObject({ code: "record.stale" });
    expect((await read()).row.status).toBe("active");
  });
});

describe("a large balance", () => {
  test("is suspended at once, and cleared when a second person approves; zero is left", async () => {
    const { office, account, clear, ben, ann } = await scene({ balance: "9000" });
    const { row, transfer } = await clear();
    expect(row).toMatchObject({ status: "suspend", balance: "9000.00", pending_out: "9000.00" });
    expect(transfer).toMatchObject({ status: "pending", awaits: "second" });
    if (!transfer) throw new Error("there is a balance");
    expect(await ann.trySecond(transfer)).toMatchObject({ problem: { code: "transfer.second-same-person" } });
    expect((await ben.second(transfer)).status).toBe("approved");
    expect(await office.balance("payment-account", account.id)).toBe("0.00");
  });

  test("that has changed since is not cleared by half: the second person is told, and the account stays suspended", async () => {
    const { office, account, clear, ben, read } = await scene({ balance: "9000" });
    const { transfer } = await clear();
    if (!transfer) throw new Error("there is a balance");
    await fund(db, office.tenant, "payment-account", account.id, "1");
    expect(await ben.trySecond(transfer)).toMatchObject({
      problem: { code: "transfer.balance-changed", data: { balance: "9001.00", amount: "9000.00" } },
    });
    await ben.reject(transfer, "The balance has changed");
    expect((await read()).row).toMatchObject({ status: "suspend", balance: "9001.00", pending_out: "0.00" });
    expect((await clear({ version: 2 }, office.ben)).transfer).toMatchObject({ amount: "9001.00" });
  });

  test("of an account in use again is not cleared", async () => {
    const { office, account, clear, ben } = await scene({ balance: "9000" });
    const { transfer } = await clear();
    if (!transfer) throw new Error("there is a balance");
    await db.owner.query("update payment_accounts set status = 'active' where tenant_id = $1 and id = $2", [office.tenant.id, account.id]);
    expect(await ben.trySecond(transfer)).toMatchObject({ problem: { code: "transfer.balance-changed" } });
  });
});

test("recalled within the window its balance comes back, and the account stays suspended", async () => {
  const { office, account, clear, ann, read } = await scene();
  const { transfer } = await clear();
  if (!transfer) throw new Error("there is a balance");
  expect((await ann.recall(transfer)).status).toBe("rejected");
  expect(await office.balance("payment-account", account.id)).toBe("1000.00");
  expect((await read()).row.status).toBe("suspend");
});

test("a new deposit comes before a suspension or not at all, so that none is left open on a cleared account", async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const { office, account, clear } = await scene();
      const merchant = await makeMerchant(db, office.tenant);
      await makeGroup(db, office.tenant, [account], [merchant]);
      const [deposited, cleared] = await Promise.allSettled([office.deposit(merchant), clear()]);
      return [deposited.status, cleared.status].join();
    }),
  );
  for (const outcome of outcomes) expect(["fulfilled,rejected", "rejected,fulfilled"]).toContain(outcome);
});
