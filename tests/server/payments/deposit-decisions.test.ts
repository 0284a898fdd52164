import { expect, test } from "vitest";
import type { Deposit } from "../../../src/contract/deposits.ts";
import { depositHandlers as act } from "../../../src/server/payments/deposits.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount, makeGroup, makeMerchant } from "../../support/factories.ts";
import type { Person } from "../../support/factories.ts";
import { body, done, makeOffice, only, refusals } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

const db = testDatabase({ pool: 24, patient: true });

const tiers = { MYR: { confirm_from: "1000.00", second_from: "5000.00" } };
async function scene({ columns = {}, settings = {} }: { columns?: Record<string, string>; settings?: Record<string, unknown> } = {}) {
  const office = await makeOffice(db, { settings: { tiers, recall_seconds: 60, ...settings } });
  const merchant = await makeMerchant(db, office.tenant, { deposit_rate: "1.5" });
  const account = await makeAccount(db, office.tenant, { balance: "0", ...columns });
  await makeGroup(db, office.tenant, [account], [merchant]);
  const used = async () =>
    (
      await db.owner.query<{ used: string }>("select distinct used::text from limit_usage where payment_account_id = $1", [account.id])
    ).rows.map((row) => row.used);
  return { office, merchant, account, used };
}

type More = Partial<Parameters<typeof act.approveDeposits>[1]["body"]["rows"][number]>;
const approve = async (office: Office, { uuid, version }: Deposit, more: More = {}, person = office.ann) =>
  only(await act.approveDeposits(office.call(person), body({ rows: [{ uuid, version, ...more }] })));
const second = async (office: Office, { uuid, version }: Deposit, confirmed: { amount: string; payer: string }, person: Person) =>
  only(await act.secondApproveDeposits(office.call(person), body({ rows: [{ uuid, version, confirmed }] })));
const recall = async (office: Office, { uuid, version }: Deposit, person = office.ann) =>
  only(await act.recallDeposits(office.call(person), body({ rows: [{ uuid, version }] })));
const read = async (office: Office, uuid: string) =>
  (await act.readDeposit(office.call(), { params: { uuid }, query: undefined, body: undefined })).data;
const payer = "Tan Wei Ming";
const check = async (office: Office, uuid: string, name: string) => (await read(office, uuid)).checks.find((one) => one.name === name);

test("only who has claimed a deposit approves it", async () => {
  const { office, merchant } = await scene();
  const free = await office.paid(merchant);
  expect(await approve(office, free)).toMatchObject({ problem: { code: "deposit.not-claimed" } });
  const bens = await office.taken(merchant, { member: "M2" }, office.ben);
  expect(await approve(office, bens)).toMatchObject({ problem: { code: "deposit.claimed", data: { row: { uuid: bens.uuid } } } });
  expect(await approve(office, bens, { claim: true })).toMatchObject({ problem: { code: "deposit.claimed" } });
  const weak = office.call(office.ann, { permissions: ["pas.transaction.deposits.approve"] });
  const { uuid, version } = free;
  await expect(act.approveDeposits(weak, body({ rows: [{ uuid, version, claim: true }] }))).rejects.toMatchObject({
    code: "permission.missing",
  });
  expect(await approve(office, free, { claim: true })).toMatchObject({ done: true, row: { status: "approved", claim: null } });
});

test("what another has claimed is not rejected, and what waits for a second person is approved first by nobody again", async () => {
  const { office, merchant } = await scene();
  const { uuid, version } = await office.taken(merchant, { amount: "500.00" });
  const rejecting = body({ rows: [{ uuid, version }], reason: { code: "duplicate" } });
  expect(only(await act.rejectDeposits(office.call(office.ben), rejecting))).toMatchObject({ problem: { code: "deposit.claimed" } });

  const row = await office.taken(merchant, { amount: "6000.00" });
  const waiting = done(await approve(office, row, { confirmed: { amount: "6000.00", payer } }));
  for (const person of [office.ann, office.ben]) {
    expect(await approve(office, waiting, { confirmed: { amount: "6000.00", payer } }, person)).toMatchObject({
      problem: { code: "deposit.second-needed" },
    });
  }
});

test("the second tier confirms amount and payer, the third needs a second person, who may hand it back", async () => {
  const { office, merchant } = await scene();
  const large = await office.taken(merchant, { amount: "1000.00" });
  expect(large.tier).toBe(2);
  const wanted = { problem: { code: "deposit.confirm-needed", data: { tier: 2, amount: "1000.00", payer } } };
  expect(await approve(office, large)).toMatchObject(wanted);
  expect(await approve(office, large, { confirmed: { amount: "1000.00", payer: "Someone else" } })).toMatchObject(wanted);
  expect(await approve(office, large, { confirmed: { amount: "999.00", payer } })).toMatchObject(wanted);
  expect(await approve(office, large, { confirmed: { amount: "1000.00", payer } })).toMatchObject({ row: { status: "approved" } });

  const confirmed = { amount: "5000.00", payer };
  const first = done(await approve(office, await office.taken(merchant, { amount: "5000.00", member: "M2" }), { confirmed }));
  expect(first).toMatchObject({ status: "process", claim: null, first_approved_by: { name: "Ann Lim" } });
  expect(await office.balance("wallet", merchant.id)).toBe("985.00");
  expect(await approve(office, first, { confirmed, claim: true })).toMatchObject({ problem: { code: "deposit.second-needed" } });
  expect(await second(office, first, confirmed, office.ann)).toMatchObject({ problem: { code: "deposit.second-same-person" } });
  const { uuid, version } = first;
  const handBack = async (person: Person) =>
    only(await act.handBackDeposits(office.call(person), body({ rows: [{ uuid, version }], reason: "Ask the customer" })));
  expect(await handBack(office.ann)).toMatchObject({ problem: { code: "deposit.second-same-person" } });
  const back = done(await handBack(office.ben));
  expect(back).toMatchObject({ status: "process", first_approved_by: null });
  const again = done(await approve(office, back, { confirmed, claim: true }, office.ben));
  expect(await second(office, again, confirmed, office.ann)).toMatchObject({
    row: { status: "approved", approved_by: { name: "Ann Lim" } },
  });
  expect(await office.balance("wallet", merchant.id)).toBe("5910.00");
});

test("the amount that arrived is credited at the same rate, and the requested one stays visible, also to the merchant", async () => {
  const { office, merchant, account, used } = await scene();
  const row = await office.taken(merchant, { amount: "500.00" });
  expect(await approve(office, row, { amount: "480.00" })).toMatchObject({ problem: { code: "reason.missing" } });
  expect(await approve(office, row, { amount: "480.001", reason: "less" })).toMatchObject({ problem: { code: "amount.too-precise" } });
  const reason = "The customer paid less";
  const approved = done(await approve(office, row, { amount: "480.00", reason }));
  expect(approved).toMatchObject({
    amount: "480.00",
    asked_amount: "500.00",
    amount_reason: reason,
    fee: "7.20",
    final_amount: "480.00",
    merchant_receive: "472.80",
  });
  expect(await office.balance("wallet", merchant.id)).toBe("472.80");
  expect(await office.balance("payment-account", account.id)).toBe("480.00");
  expect(await used()).toEqual(["480.0000"]);
  expect((await read(office, row.uuid)).history.at(-1)).toMatchObject({ act: "approve", reason });
  const { rows } = await db.owner.query("select body::jsonb -> 'data' as data from outbox where transaction_id = $1", [row.uuid]);
  expect(rows).toMatchObject([
    { data: { amount: "480.00", asked_amount: "500.00", amount_reason: reason, fee: "7.20", merchant_receive: "472.80" } },
  ]);
});

test("the tier is that of the amount that arrived, and the second person confirms that one", async () => {
  const { office, merchant, used } = await scene();
  const row = await office.taken(merchant, { amount: "500.00" });
  const more = { amount: "6000.00", reason: "The customer paid more" };
  const wanted = { problem: { code: "deposit.confirm-needed", data: { tier: 3, amount: "6000.00" } } };
  expect(await approve(office, row, { ...more, confirmed: { amount: "500.00", payer } })).toMatchObject(wanted);
  const first = done(await approve(office, row, { ...more, confirmed: { amount: "6000.00", payer } }));
  expect(first).toMatchObject({ status: "process", amount: "6000.00", asked_amount: "500.00" });
  expect(await used()).toEqual(["6000.0000"]);
  const { uuid, version } = first;
  const back = done(
    only(await act.handBackDeposits(office.call(office.ben), body({ rows: [{ uuid, version }], reason: "Check the slip" }))),
  );
  expect(back).toMatchObject({ amount: "500.00", asked_amount: null, amount_reason: null, fee: "7.50" });
  expect(await used()).toEqual(["500.0000"]);
  const again = done(await approve(office, back, { ...more, confirmed: { amount: "6000.00", payer }, claim: true }));
  expect(await second(office, again, { amount: "500.00", payer }, office.ben)).toMatchObject({
    problem: { code: "deposit.confirm-needed" },
  });
  expect(await second(office, again, { amount: "6000.00", payer }, office.ben)).toMatchObject({ row: { status: "approved" } });
  expect(await office.balance("wallet", merchant.id)).toBe("5910.00");
});

test("a first approval of another amount that is rejected leaves the requested amounts and no limit use", async () => {
  const { office, merchant, used } = await scene();
  const row = await office.taken(merchant, { amount: "500.00" });
  const confirmed = { amount: "6000.00", payer };
  const first = done(await approve(office, row, { amount: "6000.00", reason: "more", confirmed }));
  const { uuid, version } = first;
  const rejected = only(
    await act.rejectDeposits(office.call(office.ben), body({ rows: [{ uuid, version }], reason: { code: "duplicate" } })),
  );
  expect(rejected).toMatchObject({ row: { status: "rejected", amount: "500.00", asked_amount: null } });
  expect(await used()).toEqual(["0.0000"]);
});

test("a recall takes the money back, restores what was requested and sends no callback; the next approval is a new one", async () => {
  const { office, merchant, account, used } = await scene();
  const row = await office.taken(merchant, { amount: "500.00" });
  const approved = done(await approve(office, row, { amount: "450.00", reason: "less" }));
  expect(approved.recallable_until).not.toBeNull();
  const recalled = done(await recall(office, approved, office.ben));
  expect(recalled).toMatchObject({
    status: "process",
    amount: "500.00",
    asked_amount: null,
    fee: "7.50",
    approved_at: null,
    claim: { name: "Ben Ooi" },
    flags: ["returned"],
  });
  expect([await office.balance("wallet", merchant.id), await office.balance("payment-account", account.id)]).toEqual(["0.00", "0.00"]);
  expect(await used()).toEqual(["500.0000"]);
  const states = async () =>
    (await db.owner.query<{ state: string }>("select state from outbox where transaction_id = $1 order by event_n", [row.uuid])).rows.map(
      ({ state }) => state,
    );
  expect(await states()).toEqual(["cancelled"]);
  expect(await recall(office, recalled)).toMatchObject({ problem: { code: "deposit.not-approved" } });
  expect(await approve(office, recalled, {}, office.ben)).toMatchObject({ row: { status: "approved", amount: "500.00" } });
  expect(await states()).toEqual(["cancelled", "pending"]);
  expect(await office.balance("wallet", merchant.id)).toBe("492.50");
});

test("no recall after the window, none without one, and none of money the merchant has spent", async () => {
  const { office, merchant } = await scene();
  const late = done(await approve(office, await office.taken(merchant)));
  await db.owner.query("update transactions set recallable_until = now() where id = $1", [late.uuid]);
  expect(await recall(office, late)).toMatchObject({ problem: { code: "deposit.recall-closed" } });
  const spent = done(await approve(office, await office.taken(merchant, { member: "M2" })));
  await office.withdraw(merchant, { amount: "900.00" });
  expect(await recall(office, spent)).toMatchObject({ problem: { code: "merchant.insufficient-balance" } });
  const never = await scene({ settings: { recall_seconds: 0 } });
  const kept = done(await approve(never.office, await never.office.taken(never.merchant)));
  expect(kept.recallable_until).toBeNull();
  expect(await recall(never.office, kept)).toMatchObject({ problem: { code: "deposit.recall-closed" } });
});

test("approve and recall, both by two at once: the money moves once each way", async () => {
  const { office, merchant } = await scene();
  const row = await office.taken(merchant);
  const outcomes = await Promise.all([approve(office, row), approve(office, row), approve(office, row, {}, office.ben)]);
  expect(outcomes.filter((one) => one.done)).toHaveLength(1);
  expect(refusals(outcomes).map(({ code }) => code)).toEqual(["transaction.already-decided", "transaction.already-decided"]);
  const approved = done(outcomes.find((one) => one.done) ?? refuse());
  const recalls = await Promise.all([recall(office, approved), recall(office, approved, office.ben)]);
  expect(recalls.filter((one) => one.done)).toHaveLength(1);
  expect(await office.balance("wallet", merchant.id)).toBe("0.00");
});
const refuse = (): never => {
  throw new Error("one approval wins");
};

test("a deposit by hand is in process at once, counts even above a limit, and without proof needs a second person", async () => {
  const { office, merchant, account, used } = await scene({ columns: { deposit_daily_limit: "100" } });
  const form = { merchant: merchant.id, payment_account: account.id, amount: "120.00", member: "M9", customer_name: payer };
  const { data: row } = await act.createManualDeposit(office.call(), body({ ...form, reference_no: "R-1", remark: "by phone" }));
  expect(row).toMatchObject({
    status: "process",
    source: "manual",
    tier: 3,
    fee: "1.80",
    flags: ["limit", "unproved"],
    remark: "by phone",
  });
  expect(await used()).toEqual(["120.0000"]);
  expect(await check(office, row.uuid, "proof")).toMatchObject({ result: "warn", values: { by: "none" } });
  const confirmed = { amount: "120.00", payer };
  const first = done(await approve(office, row, { claim: true, confirmed }));
  expect(first).toMatchObject({ status: "process", first_approved_by: { name: "Ann Lim" } });
  expect(await second(office, first, confirmed, office.ann)).toMatchObject({ problem: { code: "deposit.second-same-person" } });
  expect(await second(office, first, confirmed, office.ben)).toMatchObject({ row: { status: "approved", merchant_receive: "118.20" } });

  const receipt = (await act.createManualDeposit(office.call(), body({ ...form, amount: "10.00", member: "M8" }))).data;
  await db.owner.query(
    `with added as (insert into receipts (tenant_id, id, transaction_id, currency, type, size, hash, name, actor)
        values ($1, gen_random_uuid(), $2, 'MYR', 'image/png', 9, sha256('slip'), 'slip.png', 'Ann Lim') returning id)
      update transactions set receipt_id = added.id from added where transactions.id = $2`,
    [office.tenant.id, receipt.uuid],
  );
  expect(await check(office, receipt.uuid, "proof")).toMatchObject({ result: "pass", values: { by: "receipt" } });
  expect((await read(office, receipt.uuid)).row.tier).toBeLessThan(3);
});

test("a deposit by hand is refused for an account of another tenant or for withdrawals only, and for an inactive merchant", async () => {
  const { office, merchant, account } = await scene();
  const elsewhere = await scene();
  const paying = await makeAccount(db, office.tenant, { balance: "0", purpose: "withdrawal" });
  const form = { merchant: merchant.id, payment_account: account.id, amount: "120.00", member: "M9", customer_name: payer };
  const create = (more: Partial<typeof form>) => act.createManualDeposit(office.call(), body({ ...form, ...more }));
  await expect(create({ payment_account: elsewhere.account.id })).rejects.toMatchObject({ code: "not-found" });
  await expect(create({ payment_account: paying.id })).rejects.toMatchObject({ code: "payment-account.unfit" });
  await expect(create({ merchant: elsewhere.merchant.id })).rejects.toMatchObject({ code: "not-found" });
  await db.owner.query("update merchants set status = 'suspended' where id = $1", [merchant.id]);
  await expect(create({})).rejects.toMatchObject({ code: "merchant.inactive" });
});

test("the checks say in numbers what speaks against a deposit, and a warning raises its tier", async () => {
  const { office, merchant, account } = await scene({ columns: { deposit_daily_limit: "2000" } });
  const row = await office.paid(merchant, { merchant_txn_no: "A" });
  expect(row).toMatchObject({ tier: 1, flags: [] });
  expect(await check(office, row.uuid, "line-amount")).toEqual({ name: "line-amount", result: "notice", values: {} });
  expect(await check(office, row.uuid, "daily-headroom")).toMatchObject({ result: "pass", values: { after: "500.00", left: "1500.00" } });
  const twin = await office.paid(merchant, { merchant_txn_no: "B" });
  expect(await check(office, row.uuid, "same-payer")).toMatchObject({ result: "warn", values: { count: "1", txn_no: twin.txn_no } });
  expect((await read(office, row.uuid)).row).toMatchObject({ tier: 2, flags: ["duplicate"] });

  const references = await Promise.all([office.deposit(merchant, { member: "M2" }), office.deposit(merchant, { member: "M3" })]);
  for (const { id, version } of references) {
    done(only(await act.processDeposits(office.call(), body({ rows: [{ uuid: id, version, reference_no: "REF-7" }] }))));
  }
  expect(await check(office, references[0].id, "reference-used")).toMatchObject({
    result: "warn",
    values: { reference: "REF-7", count: "1", txn_no: references[1].txn_no },
  });
  expect(await check(office, row.uuid, "reference-used")).toBeUndefined();

  await db.owner.query("update payment_accounts set status = 'suspend' where id = $1", [account.id]);
  await db.owner.query("update merchants set status = 'suspended' where id = $1", [merchant.id]);
  expect(await check(office, row.uuid, "account-status")).toMatchObject({ result: "warn", values: { status: "suspend" } });
  expect(await check(office, row.uuid, "merchant-active")).toMatchObject({ result: "warn" });
});

test("a bank line of another amount blocks the approval, and another payer raises the tier", async () => {
  const { office, merchant, account } = await scene();
  const row = await office.taken(merchant, { amount: "500.00" });
  const matched = async (uuid: string, amount: string, counterparty: string) => {
    const { rows } = await db.owner.query<{ id: string }>(
      `insert into bank_lines (tenant_id, currency, payment_account_id, time, direction, amount, counterparty, status, source, digest)
        values ($1, 'MYR', $2, now(), 'credit', $3, $4, 'matched', 'hand', sha256(gen_random_uuid()::text::bytea)) returning id`,
      [office.tenant.id, account.id, amount, counterparty],
    );
    await db.owner.query(
      `insert into bank_matches (tenant_id, line_id, n, transaction_id, amount, score_amount, score_reference, score_name, score_time, automatic)
        values ($1, $2, 1, $3, $4, 35, 30, 20, 15, false)`,
      [office.tenant.id, rows[0]?.id, uuid, amount],
    );
  };
  await matched(row.uuid, "480.00", "TAN WEI MING");
  expect(await check(office, row.uuid, "line-amount")).toMatchObject({ result: "fail", values: { amount: "500.00", line: "480.00" } });
  expect(await approve(office, row)).toMatchObject({
    problem: { code: "deposit.check-failed", data: { checks: [{ name: "line-amount" }] } },
  });
  expect(await approve(office, row, { amount: "480.00", reason: "less" })).toMatchObject({ row: { status: "approved" } });
  const other = await office.taken(merchant, { amount: "60.00", member: "M2" });
  await matched(other.uuid, "60.00", "Someone Else");
  expect((await read(office, other.uuid)).row).toMatchObject({ tier: 2, flags: ["name-mismatch"] });
});

test("the detail shows what an approval moves, and what it has moved", async () => {
  const { office, merchant, account } = await scene();
  const row = await office.taken(merchant, { amount: "500.00" });
  const before = await read(office, row.uuid);
  expect(before.money.map((line) => [line.account, line.before, line.change, line.after])).toEqual([
    ["wallet", "0.00", "492.50", "492.50"],
    ["payment-account", "0.00", "500.00", "500.00"],
    ["fee-income", "0.00", "7.50", "7.50"],
  ]);
  expect(before.account).toMatchObject({ uuid: account.id, balance_after: "500.00", daily_used: "500.00" });
  done(await approve(office, row));
  const after = await read(office, row.uuid);
  expect(after.money).toEqual(before.money);
  expect(after).toMatchObject({ checks: [], callback: { state: "held" } });
  await office.deposit(merchant);
  const next = await office.paid(merchant, { amount: "20.00" });
  expect(await read(office, next.uuid)).toMatchObject({
    customer_last: [{ status: "pending" }, { uuid: row.uuid, status: "approved" }],
    customer_total: { count: 1, amount: "500.00" },
  });
});
