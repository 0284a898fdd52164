import { describe, expect, test } from "vitest";
import { withdrawalHandlers } from "../../../src/server/payments/withdrawals.ts";
import { transferHandlers } from "../../../src/server/transfers/transfers.ts";
import { asking } from "../../../src/values/asked.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount, makeMerchant } from "../../support/factories.ts";
import { body, makeOffice } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";
import { transferForm, transfersBy } from "../../support/transfers.ts";

const db = testDatabase();

const settings = { recall_seconds: 60, tiers: { MYR: { confirm_from: "5000.00", second_from: "50000.00" } } };

async function scene(source: object = {}, target: object = {}, given: object = settings) {
  const office = await makeOffice(db, { settings: given });
  const from = await makeAccount(db, office.tenant, { balance: "1000", ...source });
  const to = await makeAccount(db, office.tenant, { balance: "0", ...target });
  return { office, from, to, ann: transfersBy(office), ben: transfersBy(office, office.ben) };
}

const used = async ({ db: { owner }, tenant }: Office) =>
  Object.fromEntries(
    (
      await owner.query<{ what: string; used: number }>(
        `select a.code || ' ' || u.kind || ' ' || u.period as what, u.used::float8 as used from limit_usage u
          join payment_accounts a on a.tenant_id = u.tenant_id and a.id = u.payment_account_id where u.tenant_id = $1 and u.used > 0`,
        [tenant.id],
      )
    ).rows.map((row) => [row.what, row.used]),
  );

test("a bank transfer waits with its money reserved, and moves it, charges apart, when it is confirmed", async () => {
  const { office, from, to, ann } = await scene();
  const made = await ann.transfer(from, to, "600.00", { charges_value: "2.50" });
  expect(made).toMatchObject({ status: "pending", awaits: "confirmation", final_amount: "602.50", tier: 1 });
  expect(made.txn_no).toMatch(/^T\d{13}$/);
  expect(await office.balance("payment-account", from.id)).toBe("1000.00");
  await expect(ann.transfer(from, to, "397.51")).rejects.toMatchObject({
    code: "payment-account.insufficient",
    detail: { source: ["Only 397.50 is payable, 397.51 is needed"] },
  });
  const approved = await ann.approve(made);
  expect(approved).toMatchObject({ status: "approved", awaits: null, previous_balance: "1000.00", version: 2 });
  expect(await office.balance("payment-account", from.id)).toBe("397.50");
  expect(await office.balance("payment-account", to.id)).toBe("600.00");
  expect(await office.balance("bank-charges")).toBe("2.50");
  const { money, sides, history } = await ann.read(made);
  expect(money).toEqual([
    { account: "payment-account", label: from.code, before: "1000.00", change: "-602.50", after: "397.50" },
    { account: "payment-account", label: to.code, before: "0.00", change: "600.00", after: "600.00" },
    { account: "bank-charges", label: "", before: "0.00", change: "2.50", after: "2.50" },
  ]);
  expect(sides.map(({ side, line }) => [side, line])).toEqual([
    ["source", null],
    ["target", null],
  ]);
  expect(history.map(({ act }) => act)).toEqual(["transfer.approve", "transfer.create"]);
  expect(office.announced.at(-1)).toEqual({ tenant: office.tenant.id, event: "paymentAccount", uuids: [made.uuid, from.id, to.id] });
});

test("while it is pending its detail shows the money as it would move", async () => {
  const { from, to, ann } = await scene();
  const { money } = await ann.read(await ann.transfer(from, to, "100.00", { charges_type: "percent", charges_value: "0.5" }));
  expect(money).toEqual([
    { account: "payment-account", label: from.code, before: "1000.00", change: "-100.50", after: "899.50" },
    { account: "payment-account", label: to.code, before: "0.00", change: "100.00", after: "100.00" },
    { account: "bank-charges", label: "", before: "0.00", change: "0.50", after: "0.50" },
  ]);
});

test("no payout takes what a pending transfer has reserved", async () => {
  const { office, from, to, ann } = await scene();
  const merchant = await makeMerchant(db, office.tenant, { wallet: "5000" });
  await ann.transfer(from, to, "600.00");
  const claimed = await office.claimed(merchant, { amount: "500.00" });
  const row = { uuid: claimed.uuid, version: claimed.version, payment_account: from.id };
  const { data } = await withdrawalHandlers.approveWithdrawals(office.call(), body({ rows: [row] }));
  expect(data.outcomes).toMatchObject([
    {
      done: false,
      problem: {
        code: "payment-account.insufficient",
        data: { accounts: [{ unfit: { values: { payable: "400.00", needed: "500.00" } } }] },
      },
    },
  ]);
});

test("a manual transfer is posted when it is made, with its reference and when it was done", async () => {
  const { office, from, to, ann } = await scene();
  const made = await ann.manual(from, to, "300.00");
  expect(made).toMatchObject({
    kind: "manual-transfer",
    status: "approved",
    reference_no: "FT 1",
    payment_date: "2026-05-03T04:00:00.000Z",
    approved_by: { name: "Ann Lim" },
  });
  expect(await office.balance("payment-account", to.id)).toBe("300.00");
  expect(await ann.tryApprove(made)).toMatchObject({ problem: { code: "transaction.already-decided", data: { by: "Ann Lim" } } });
});

describe("limits", () => {
  test("what leaves counts against the source's withdrawal limits with its charges, what arrives against the target's deposit limits", async () => {
    const { office, from, to, ann } = await scene({ code: "FROM" }, { code: "TO" });
    const made = await ann.transfer(from, to, "100.00", { charges_value: "1.00" });
    const counted = { "FROM withdrawal day": 101, "FROM withdrawal month": 101, "TO deposit day": 100, "TO deposit month": 100 };
    expect(await used(office)).toEqual(counted);
    const approved = await ann.approve(made);
    expect(await used(office)).toEqual(counted);
    const back = await ann.recall(approved);
    expect(await used(office)).toEqual(counted);
    await ann.reject(back);
    expect(await used(office)).toEqual({});
  });

  test.each([
    ["the source's day", { withdrawal_daily_limit: 100 }, {}, { source: ["Only 100.00 is left of the daily limit"] }],
    ["the source's month", { withdrawal_monthly_limit: 100 }, {}, { source: ["Only 100.00 is left of the monthly limit"] }],
    ["the target's day", {}, { deposit_daily_limit: 100 }, { target: ["Only 100.00 is left of the daily limit"] }],
    ["the target's month", {}, { deposit_monthly_limit: 100 }, { target: ["Only 100.00 is left of the monthly limit"] }],
  ])("%s is never exceeded, and the field says what is left", async (_, source, target, detail) => {
    const { office, from, to, ann } = await scene(source, target);
    await expect(ann.transfer(from, to, "100.01")).rejects.toMatchObject({ code: "payment-account.over-limit", detail });
    expect(await used(office)).toEqual({});
    expect((await ann.transfer(from, to, "100.00")).status).toBe("pending");
    await expect(ann.manual(from, to, "0.01")).rejects.toMatchObject({ code: "payment-account.over-limit" });
  });

  test("the day and the month are the currency's, and give back where they were counted", async () => {
    const { office, from, to, ann } = await scene({ withdrawal_daily_limit: 100, withdrawal_monthly_limit: 150 });
    const on = (days: number) => ({ ...office.call(), currencyFacts: { minorDigits: 2, zoneMinutes: 480 + days * 24 * 60 } });
    const make = async (days: number, amount: string) =>
      (await transferHandlers.createTransfer(on(days), body(transferForm(from, to, amount)))).data;
    const first = await make(0, "100.00");
    await expect(make(0, "0.01")).rejects.toMatchObject({ code: "payment-account.over-limit" });
    // in the same month or the next, another day has its own limit
    expect((await make(40, "100.00")).status).toBe("pending");
    await expect(make(40, "0.01")).rejects.toMatchObject({ detail: { source: ["Only 0.00 is left of the daily limit"] } });
    await expect(make(41, "50.01")).rejects.toMatchObject({ detail: { source: [expect.stringContaining("left of the monthly limit")] } });
    await ann.reject(first);
    expect((await make(0, "100.00")).status).toBe("pending");
  });
});

describe("an account", () => {
  test.each(["inactive", "suspend"])("that is %s takes part in nothing new, on either side", async (status) => {
    const { from, to, ann } = await scene({}, { status });
    const line = [`Must be active, but is ${status === "suspend" ? "suspended" : status}`];
    await expect(ann.transfer(from, to)).rejects.toMatchObject({ code: "payment-account.unfit", detail: { target: line } });
    await expect(ann.manual(to, from)).rejects.toMatchObject({ code: "payment-account.unfit", detail: { source: line } });
  });

  test("keeps its hold and its reserve", async () => {
    const { from, to, ann } = await scene({ hold_amount: 200, hold_reason: "court order", reserve_amount: 300 });
    await expect(ann.transfer(from, to, "500.01")).rejects.toMatchObject({ code: "payment-account.insufficient" });
    expect((await ann.transfer(from, to, "500.00")).status).toBe("pending");
  });

  test("is not its own target", async () => {
    const { from, ann } = await scene();
    await expect(ann.transfer(from, from)).rejects.toMatchObject({ detail: { target: ["Must be another account"] } });
  });

  test("that lost the reserved money meanwhile does not fall below zero", async () => {
    const { office, from, to, ann } = await scene();
    const made = await ann.transfer(from, to, "600.00");
    // as a deposit recalled for the money's owner does
    const legs = JSON.stringify([
      { account: from.ledger, amount: "-500" },
      { kind: "adjustment", owner: null, amount: "500" },
    ]);
    const client = await db.owner.connect();
    await client.query("begin");
    await client.query("select set_config('app.tenant_id', $1, true)", [office.tenant.id]);
    await client.query("select post_legs('correction', 'MYR', null, null, null, $1, false, null)", [legs]);
    await client.query("commit");
    client.release();
    expect(await ann.tryApprove(made)).toMatchObject({ problem: { code: "payment-account.insufficient" } });
    expect((await ann.read(made)).row).toMatchObject({ status: "pending", version: 1 });
  });
});

describe("taking back", () => {
  test("a pending one ends it, reserve and limits with it, and says who did", async () => {
    const { office, from, to, ann, ben } = await scene();
    const made = await ann.transfer(from, to, "900.00");
    expect(await ben.recall(made)).toMatchObject({ status: "rejected", reject_reason: "recalled", rejected_by: { name: "Ben Ooi" } });
    expect((await ann.transfer(from, to, "1000.00")).status).toBe("pending");
    expect(await ann.tryRecall(made)).toMatchObject({ problem: { code: "transaction.already-decided", data: { by: "Ben Ooi" } } });
    expect(await office.balance("payment-account", from.id)).toBe("1000.00");
  });

  test("a confirmed one within the window makes it wait again, its money reserved", async () => {
    const { office, from, to, ann } = await scene();
    const back = await ann.recall(await ann.approve(await ann.transfer(from, to, "600.00")));
    expect(back).toMatchObject({ status: "pending", awaits: "confirmation", approved_at: null, version: 3 });
    expect(await office.balance("payment-account", from.id)).toBe("1000.00");
    expect(await office.balance("payment-account", to.id)).toBe("0.00");
    await expect(ann.transfer(from, to, "400.01")).rejects.toMatchObject({ code: "payment-account.insufficient" });
    expect((await ann.approve(back)).status).toBe("approved");
  });

  test("one that was posted when it was made takes it back whole", async () => {
    const { office, from, to, ann } = await scene();
    expect(await ann.recall(await ann.manual(from, to, "300.00"))).toMatchObject({ status: "rejected", approved_at: null });
    expect(await office.balance("payment-account", to.id)).toBe("0.00");
    expect(await used(office)).toEqual({});
  });

  test("is too late after the window, or without one", async () => {
    const { from, to, ann } = await scene({}, {}, { recall_seconds: 0 });
    expect(await ann.tryRecall(await ann.manual(from, to, "300.00"))).toMatchObject({
      problem: { code: "transfer.recall-closed", data: { by: "Ann Lim", status: "approved" } },
    });
  });

  test("is refused where the money was spent or promised meanwhile", async () => {
    const { office, from, to, ann } = await scene();
    const third = await makeAccount(db, office.tenant, { balance: "0" });
    const made = await ann.manual(from, to, "300.00");
    const onward = await ann.transfer(to, third, "200.00");
    expect(await ann.tryRecall(made)).toMatchObject({ problem: { code: "payment-account.insufficient" } });
    await ann.approve(onward);
    expect(await ann.tryRecall(made)).toMatchObject({ problem: { code: "payment-account.insufficient" } });
    expect(await office.balance("payment-account", to.id)).toBe("100.00");
  });
});

test("the loser of a race is told who won, and sees the row as it is", async () => {
  const { from, to, ann, ben } = await scene();
  const made = await ann.transfer(from, to, "100.00");
  await ben.reject(made, "Wrong account");
  expect(await ann.tryApprove(made)).toMatchObject({
    problem: { code: "transaction.already-decided", data: { by: "Ben Ooi", row: { status: "rejected", reject_reason: "Wrong account" } } },
  });
  const other = await ann.transfer(from, to, "100.00");
  await transferHandlers.remarkTransfer(ann.call, {
    params: { uuid: other.uuid },
    query: undefined,
    body: { version: other.version, remark: "by cheque" },
  });
  expect(await ann.tryApprove(other)).toMatchObject({ problem: { code: "transaction.stale", data: { row: { remark: "by cheque" } } } });
});

test("a repeated request makes one transfer and one approval", async () => {
  const { office, from, to } = await scene();
  const form = transferForm(from, to, "100.00");
  const key = "transfer-key-1";
  const make = () => transferHandlers.createTransfer(office.call(office.ann, { key, body: form }), body(form));
  const [first, second] = [await make(), await make()];
  expect(second).toEqual(first);
  const act = { rows: [{ uuid: first.data.uuid, version: 1 }] };
  const approve = () => transferHandlers.approveTransfers(office.call(office.ann, { key: "transfer-key-2", body: act }), body(act));
  expect(await approve()).toEqual(await approve());
  expect(await office.balance("payment-account", to.id)).toBe("100.00");
});

test("the list finds transfers by account on either side, merchant, kind, what they wait for, number and reference", async () => {
  const { office, from, to, ann } = await scene();
  const merchant = await makeMerchant(db, office.tenant, { wallet: "1000" });
  const [one, other, third] = [await ann.transfer(from, to), await ann.manual(from, to, "10.00"), await ann.adjust(merchant, "10.00")];
  const list = async (query: object) => {
    const { data } = await transferHandlers.listTransfers(office.call(), {
      query: { direction: "next", limit: 100, ...query } as never, // as the route parses it
      params: undefined,
      body: undefined,
    });
    return data.map(({ txn_no }) => txn_no);
  };
  const [a, b, c] = [one.txn_no, other.txn_no, third.txn_no];
  expect(await list({ sort: ["created_at"] })).toEqual([a, b, c]);
  expect(await list({ "filter[account]": asking(to.id), sort: ["created_at"] })).toEqual([a, b]);
  expect(await list({ "filter[merchant]": asking(merchant.id) })).toEqual([c]);
  expect(await list({ "filter[merchant]": { isNot: true, of: [merchant.id] }, sort: ["created_at"] })).toEqual([a, b]);
  expect(await list({ "filter[account]": { isNot: true, of: [to.id] } })).toEqual([c]);
  expect(await list({ "filter[awaits]": ["confirmation"] })).toEqual([a]);
  expect(await list({ "filter[kind]": ["manual-transfer"] })).toEqual([b]);
  expect(await list({ q: a.slice(-6) })).toEqual([a]);
  expect(await list({ "filter[reference_no]": asking("ft 1") })).toEqual([b]);
  expect((await list({ sort: ["-amount"] }))[0]).toBe(a);
});

test("is found by the accounts and the merchant it is of, not by its number alone", async () => {
  const { office, from, to, ann } = await scene({ code: "TILL-9" }, { code: "VAULT" });
  const merchant = await makeMerchant(db, office.tenant, { wallet: "5000", code: "HARBOUR", name: "Harbour Play" });
  const [moved, paid] = [await ann.transfer(from, to, "100.00"), await ann.cashOut(merchant)];
  const found = async (q: string) => {
    const { data } = await transferHandlers.listTransfers(office.call(), {
      params: undefined,
      body: undefined,
      query: { q, limit: 10, direction: "next" },
    });
    return data.map(({ uuid }) => uuid);
  };
  expect(await Promise.all(["till-9", "vault", "harbour", "play", "nobody"].map(found))).toEqual([
    [moved.uuid],
    [moved.uuid],
    [paid.uuid],
    [paid.uuid],
    [],
  ]);
});
