import { expect, test } from "vitest";
import { permissions } from "../../../src/contract/permissions.ts";
import { withdrawalHandlers } from "../../../src/server/payments/withdrawals.ts";
import { dashboardHandlers } from "../../../src/server/reports/dashboard.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount, makeGroup, makeMerchant } from "../../support/factories.ts";
import { body, makeOffice, only } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

const db = testDatabase();

async function scene() {
  const office = await makeOffice(db, { settings: { sla: { amber_minutes: 5, red_minutes: 10 } } });
  const merchant = await makeMerchant(db, office.tenant, {
    deposit_rate: "1.5",
    withdrawal_rate: "1",
    wallet: "10000",
    name: "Harbour Play",
  });
  const account = await makeAccount(db, office.tenant);
  await makeGroup(db, office.tenant, [account], [merchant]);
  return { office, merchant, account };
}

const read = async (office: Office, currency?: string) => {
  const call = office.call(office.ann, { permissions: [...permissions], ...(currency !== undefined && { currency }) });
  return (await dashboardHandlers.readDashboard(call, { params: undefined, query: undefined, body: undefined })).data;
};

const approvedDeposit = async ({ office, merchant }: Awaited<ReturnType<typeof scene>>, amount: string): Promise<string> =>
  (await office.credited(merchant, { amount })).uuid;

/** As if it had happened `hours` hours earlier. */
const earlier = (id: string, hours: number) =>
  db.owner.query(
    `update transactions set created_at = created_at - make_interval(hours => $2), approved_at = approved_at - make_interval(hours => $2),
       last_action_at = last_action_at - make_interval(hours => $2) where id = $1`,
    [id, hours],
  );

test("an empty day has all its hours, and no rate of nothing", async () => {
  const office = await makeOffice(db);
  const board = await read(office);
  expect(board.hours.map(({ hour }) => hour)).toEqual(Array.from({ length: 24 }, (_, hour) => hour));
  expect(board.today).toEqual({
    deposits: { count: 0, amount: "0.00" },
    withdrawals: { count: 0, amount: "0.00" },
    fees: "0.00",
    approval_rate: null,
    rejected: 0,
    median_seconds: null,
    p95_seconds: null,
  });
  expect([board.merchants, board.accounts, board.callbacks, board.queue.open]).toEqual([[], [], [], 0]);
});

test("what was approved today counts in its hour and in the total, in amount, count and fee", async () => {
  const at = await scene();
  await approvedDeposit(at, "1000.00");
  await approvedDeposit(at, "500.00");
  const board = await read(at.office);
  expect(board.today).toMatchObject({ deposits: { count: 2, amount: "1500.00" }, fees: "22.50" });
  const hours = board.hours.filter(({ deposits }) => deposits.count > 0);
  // a test that runs across the full hour has them in two
  expect(hours.reduce((sum, { deposits }) => sum + deposits.count, 0)).toBe(2);
  expect(board.merchants).toEqual([{ uuid: at.merchant.id, name: "Harbour Play", count: 2, amount: "1500.00", approval_rate: 100 }]);
});

test("yesterday is compared up to the same time only, and its hours stand beside today's", async () => {
  const at = await scene();
  await earlier(await approvedDeposit(at, "300.00"), 24);
  await earlier(await approvedDeposit(at, "70.00"), 48);
  await approvedDeposit(at, "1000.00");
  const board = await read(at.office);
  expect([board.today.deposits.amount, board.yesterday.deposits.amount]).toEqual(["1000.00", "300.00"]);
  expect(board.hours.reduce((sum, { deposits_yesterday }) => sum + Number(deposits_yesterday), 0)).toBe(300);
});

test("a rejected withdrawal lowers the approval rate and moves no volume", async () => {
  const at = await scene();
  const { office, merchant } = at;
  const good = await office.claimed(merchant, { amount: "100.00" });
  const bad = await office.claimed(merchant, { amount: "900.00" });
  const approved = only(
    await withdrawalHandlers.approveWithdrawals(
      office.call(),
      body({ rows: [{ uuid: good.uuid, version: good.version, payment_account: at.account.id }] }),
    ),
  );
  expect(approved.done).toBe(true);
  await withdrawalHandlers.rejectWithdrawals(
    office.call(),
    body({ rows: [{ uuid: bad.uuid, version: bad.version }], reason: { code: "account-closed" } }),
  );
  const { today, merchants } = await read(office);
  expect(today).toMatchObject({ withdrawals: { count: 1, amount: "100.00" }, rejected: 1, approval_rate: 50 });
  expect(merchants).toMatchObject([{ count: 1, amount: "100.00", approval_rate: 50 }]);
});

test("merchants stand by the day's volume, the largest first", async () => {
  const at = await scene();
  const other = await makeMerchant(db, at.office.tenant, { wallet: "10000", name: "Anchor Games" });
  await makeGroup(db, at.office.tenant, [at.account], [other]);
  await approvedDeposit({ ...at, merchant: other }, "90.00");
  await approvedDeposit(at, "1000.00");
  expect((await read(at.office)).merchants.map(({ name }) => name)).toEqual(["Harbour Play", "Anchor Games"]);
});

test("open withdrawals stand in the bar of their age, by the tenant's own limit", async () => {
  const at = await scene();
  const rows = await Promise.all([1, 2, 3].map(() => at.office.withdraw(at.merchant, { amount: "10.00" })));
  for (const [n, minutes] of [0, 6, 45].entries()) {
    // oxlint-disable-next-line no-await-in-loop -- three rows
    await db.owner.query("update transactions set created_at = now() - make_interval(mins => $2) where id = $1", [rows[n]?.id, minutes]);
  }
  const { queue } = await read(at.office);
  expect(queue).toMatchObject({ open: 3, amber_minutes: 5, red_minutes: 10 });
  expect(queue.ages.filter(({ count }) => count > 0)).toEqual([
    { from: 0, to: 1, count: 1 },
    { from: 6, to: 7, count: 1 },
    { from: 10, to: null, count: 1 },
  ]);
});

test("an account below its threshold is named with both figures", async () => {
  const at = await scene();
  await db.owner.query("update payment_accounts set threshold = 5000000, critical = true, critical_since = now() where id = $1", [
    at.account.id,
  ]);
  expect((await read(at.office)).accounts).toMatchObject([{ uuid: at.account.id, balance: "1000000.00", threshold: "5000000.00" }]);
});

test("the account longest below its threshold stands first, with since when; one that is stopped for good is not named", async () => {
  const at = await scene();
  const make = (code: string, more: object = {}) =>
    makeAccount(db, at.office.tenant, { code, balance: "10.00", threshold: "500.00", ...more });
  const [young, old] = [await make("YOUNG"), await make("OLD")];
  await make("CLOSED", { status: "inactive" });
  for (const [account, minutes] of [
    [young, 3],
    [old, 40],
  ] as const) {
    // oxlint-disable-next-line no-await-in-loop -- two rows
    await db.owner.query("update payment_accounts set critical_since = now() - make_interval(mins => $2) where id = $1", [
      account.id,
      minutes,
    ]);
  }
  const { accounts } = await read(at.office);
  expect(accounts.map(({ code, since }) => [code, Math.round((Date.now() - Date.parse(since ?? "")) / 60_000)])).toEqual([
    ["OLD", 40],
    ["YOUNG", 3],
  ]);
});

/** A claimed withdrawal of that amount approved, as if it had waited so many seconds. */
async function approvedWithdrawal({ office, merchant, account }: Awaited<ReturnType<typeof scene>>, waited: number): Promise<void> {
  const { uuid, version } = await office.claimed(merchant, { amount: "10.00" });
  const outcome = only(
    await withdrawalHandlers.approveWithdrawals(office.call(), body({ rows: [{ uuid, version, payment_account: account.id }] })),
  );
  if (!outcome.done) throw new Error(outcome.problem.code);
  await db.owner.query("update transactions set created_at = approved_at - make_interval(secs => $2) where id = $1", [uuid, waited]);
}

test("half of the approvals took the median or less, all but a twentieth the p95, in the day and in their hour", async () => {
  const at = await scene();
  // oxlint-disable-next-line no-await-in-loop -- one after the other, as operators do
  for (const waited of [20, 40, 60, 80, 900]) await approvedWithdrawal(at, waited);
  const { today, hours } = await read(at.office);
  expect(today).toMatchObject({ median_seconds: 60, p95_seconds: 900, withdrawals: { count: 5 } });
  const busy = hours.filter(({ withdrawals }) => withdrawals.count > 0);
  expect(busy.map(({ p95_seconds }) => p95_seconds)).toContain(900);
  expect(hours.filter(({ withdrawals }) => withdrawals.count === 0).every(({ median_seconds }) => median_seconds === null)).toBe(true);
});

test("callbacks: sent, of those tried the share that went at once, and what is tried and waits, since when", async () => {
  const at = await scene();
  // oxlint-disable-next-line no-await-in-loop -- one after the other
  for (let n = 0; n < 5; n++) await approvedDeposit(at, "10.00");
  const { rows } = await db.owner.query<{ id: string }>("select id from outbox where tenant_id = $1 order by id", [at.office.tenant.id]);
  await db.owner.query("update outbox set state = 'cancelled' where tenant_id = $1", [at.office.tenant.id]);
  const states = [
    ["delivered", 1],
    ["delivered", 1],
    ["delivered", 3],
    ["pending", 2],
    ["failed", 10],
  ] as const;
  for (const [n, [state, attempts]] of states.entries()) {
    // oxlint-disable-next-line no-await-in-loop -- five rows
    await db.owner.query("update outbox set state = $2, attempts = $3, created_at = created_at - make_interval(mins => $4) where id = $1", [
      rows[n]?.id,
      state,
      attempts,
      n === 4 ? 30 : 0,
    ]);
  }
  const [line, ...more] = (await read(at.office)).callbacks;
  // no merchant was called: what only the dispatcher may say is taken back before the invariants are looked at
  await db.owner.query("update outbox set state = 'cancelled', attempts = 0 where tenant_id = $1", [at.office.tenant.id]);
  expect([line, more]).toMatchObject([{ uuid: at.merchant.id, name: "Harbour Play", sent: 3, first_try: 40, waiting: 2 }, []]);
  expect(Math.round((Date.now() - Date.parse(line?.oldest_at ?? "")) / 60_000)).toBe(30);
});

test("operators: who holds what now, and what they decided in the last hour", async () => {
  const at = await scene();
  const held = await at.office.claimed(at.merchant, { amount: "10.00" }, at.office.ben);
  await approvedWithdrawal(at, 20);
  await approvedWithdrawal(at, 20);
  expect((await read(at.office)).operators).toEqual([
    { name: "Ben Ooi", doing: held.txn_no, decided: 0 },
    { name: "Ann Lim", doing: null, decided: 2 },
  ]);
});

test("another tenant's and another currency's figures are not counted", async () => {
  const at = await scene();
  await approvedDeposit(at, "1000.00");
  const other = await makeOffice(db, { currencies: ["THB"] });
  expect((await read(other)).today.deposits.count).toBe(0);
  expect((await read(at.office)).today.deposits.count).toBe(1);
});
