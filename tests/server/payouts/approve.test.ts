import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { permissions } from "../../../src/contract/permissions.ts";
import { PayoutRequest } from "../../../src/contract/payouts.ts";
import type { PayoutPlan } from "../../../src/contract/payouts.ts";
import { payoutHandlers } from "../../../src/server/payouts/payouts.ts";
import { withdrawalHandlers as act } from "../../../src/server/payments/withdrawals.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount, makeMerchant, setSettings } from "../../support/factories.ts";
import { body, done, makeOffice } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

const db = testDatabase();

const tiers = { MYR: { confirm_from: "1000.00", second_from: "5000.00" } };

/** An office with a plan of its own for withdrawals of these amounts, each of another customer. */
async function planned(amounts: readonly string[], settings: object = {}) {
  const office = await makeOffice(db, { settings: { tiers, recall_seconds: 60, ...settings } });
  const merchant = await makeMerchant(db, office.tenant, { wallet: "1000000" });
  const account = await makeAccount(db, office.tenant, { balance: "50000" });
  const rows = [];
  for (const amount of amounts) {
    // oxlint-disable-next-line no-await-in-loop -- one after another, so that each is of its own time
    const { id, version } = await office.withdraw(merchant, { amount, member: randomUUID() });
    rows.push({ uuid: id, version });
  }
  return { office, merchant, account, rows, plan: await planOf(office, rows) };
}

async function planOf(office: Office, rows: readonly { uuid: string; version: number }[]): Promise<PayoutPlan> {
  const { data } = await payoutHandlers.planPayouts(office.call(), body(PayoutRequest.parse({ rows })));
  return data;
}

/** The plan as it is confirmed: each row from its account, with its amount and payee where its tier asks. */
const confirmation = ({ rows, placed, tier }: PayoutPlan) => ({
  payout: rows.filter(({ account }) => account !== null).map(({ uuid }) => uuid),
  ...(tier > 1 && { confirmed: placed.amount }),
  rows: rows.flatMap(({ uuid, version, account, amount, holder, tier: own }) =>
    account === null ? [] : [{ uuid, version, payment_account: account, ...(own > 1 && { confirmed: { amount, holder } }) }],
  ),
});

async function confirm(office: Office, asked: ReturnType<typeof confirmation>, options?: Parameters<Office["call"]>[1]) {
  const { data } = await payoutHandlers.approvePayouts(office.call(office.ann, options), body(asked));
  return data.outcomes;
}
type Outcomes = Awaited<ReturnType<typeof confirm>>;
const results = (outcomes: Outcomes) => outcomes.map((outcome) => (outcome.done ? outcome.row.status : outcome.problem.code));

const stateOf = async (uuid: string | undefined) => {
  const { rows } = await db.owner.query(
    "select status, claimed_by, first_approved_by, first_account_id, payment_account_id from transactions where id = $1",
    [uuid],
  );
  return rows[0];
};

test("one confirmation approves all, each from the account of the plan, though the operator may hold one claim", async () => {
  const { office, account, plan, rows } = await planned(["100.00", "200.00", "300.00"], { claim_limit: 1 });
  const outcomes = await confirm(office, confirmation(plan));
  expect(results(outcomes)).toEqual(["approved", "approved", "approved"]);
  expect(await stateOf(rows[0]?.uuid)).toMatchObject({ payment_account_id: account.id, claimed_by: null });
  expect(await office.balance("payment-account", account.id)).toBe("49400.00");
  expect(office.announced).toContainEqual(expect.objectContaining({ event: "withdraw", uuids: rows.map(({ uuid }) => uuid) }));
});

test("the operator's own claims are paid as well, and claims beside them are no hindrance", async () => {
  const { office, merchant, account, plan } = await planned(["100.00"], { claim_limit: 1 });
  const mine = await office.claimed(merchant, { amount: "150.00", member: randomUUID() });
  const rows = [...confirmation(plan).rows, { uuid: mine.uuid, version: mine.version, payment_account: account.id }];
  const outcomes = await confirm(office, { payout: rows.map(({ uuid }) => uuid), rows });
  expect(results(outcomes)).toEqual(["approved", "approved"]);
});

test("the same request again answers the same and pays nothing twice", async () => {
  const { office, account, plan } = await planned(["100.00", "200.00"]);
  const asked = confirmation(plan);
  const options = { key: "payout-key-0001", body: asked };
  const first = await confirm(office, asked, options);
  expect(await confirm(office, asked, options)).toEqual(first);
  expect(await office.balance("payment-account", account.id)).toBe("49700.00");
});

test("a version that is not the planned one is refused, and the withdrawal stays free", async () => {
  const { office, plan, rows } = await planned(["100.00", "200.00"]);
  const version = (rows[0]?.version ?? 0) + 1;
  await act.remarkWithdrawal(office.call(office.ben), {
    ...body({ version: version - 1, remark: "call first" }),
    params: { uuid: rows[0]?.uuid ?? "" },
  });
  expect(results(await confirm(office, confirmation(plan)))).toEqual(["transaction.stale", "approved"]);
  expect(await stateOf(rows[0]?.uuid)).toMatchObject({ status: "pending", claimed_by: null });
});

test("an own claim with another version than the planned one is refused too", async () => {
  const { office, plan, rows } = await planned(["100.00"]);
  await act.claimWithdrawals(office.call(), body({ rows }));
  expect(results(await confirm(office, confirmation(plan)))).toEqual(["transaction.stale"]);
});

test("what another claimed or decided meanwhile is refused row by row", async () => {
  const { office, plan, rows } = await planned(["100.00", "200.00", "300.00"]);
  await act.claimWithdrawals(office.call(office.ben), body({ rows: rows.slice(0, 1) }));
  await act.rejectWithdrawals(office.call(office.ben), body({ rows: rows.slice(1, 2), reason: { code: "duplicate" } }));
  expect(results(await confirm(office, confirmation(plan)))).toEqual(["withdrawal.claimed", "transaction.already-decided", "approved"]);
});

test.each<[what: string, change: string, code: string]>([
  ["the day's limit", "withdrawal_daily_limit = 250", "payment-account.over-limit"],
  ["the reserve", "reserve_amount = 49750", "payment-account.insufficient"],
  ["the status", "status = 'inactive'", "payment-account.unfit"],
])("%s changed between plan and confirmation holds", async (_, change, code) => {
  const { office, account, plan, rows } = await planned(["200.00", "200.00"]);
  await db.owner.query(`update payment_accounts set ${change} where id = $1`, [account.id]);
  const outcomes = results(await confirm(office, confirmation(plan)));
  expect(outcomes.at(-1)).toBe(code);
  expect(outcomes.filter((one) => one === "approved")).toHaveLength(code === "payment-account.unfit" ? 0 : 1);
  expect(await stateOf(rows[1]?.uuid)).toMatchObject({ status: "pending", claimed_by: null });
});

test("two operators who confirm plans for the same account are never over its limit together", async () => {
  const { office, merchant, account } = await planned(["1.00"]);
  await db.owner.query("update payment_accounts set withdrawal_daily_limit = 1000 where id = $1", [account.id]);
  const made = async (person: Office["ann"]) => {
    const rows = [];
    // oxlint-disable-next-line no-await-in-loop -- one after another, so that each is of its own time
    for (let n = 0; n < 6; n++) rows.push(await office.withdraw(merchant, { amount: "150.00", member: randomUUID() }));
    const plan = await planOf(
      office,
      rows.map(({ id, version }) => ({ uuid: id, version })),
    );
    return () => payoutHandlers.approvePayouts(office.call(person), body(confirmation(plan)));
  };
  const both = [await made(office.ann), await made(office.ben)];
  const outcomes = (await Promise.all(both.map((send) => send()))).flatMap(({ data }) => results(data.outcomes));
  expect(outcomes.filter((one) => one === "approved")).toHaveLength(6);
  expect(new Set(outcomes)).toEqual(new Set(["approved", "payment-account.over-limit"]));
});

test("a sum of tier 2 must be repeated, though each withdrawal is of tier 1", async () => {
  const { office, plan } = await planned(["600.00", "600.00"]);
  const { confirmed, ...without } = confirmation(plan);
  expect([plan.tier, plan.rows.map(({ tier }) => tier), confirmed]).toEqual([2, [1, 1], "1200.00"]);
  const detail = { tier: 2, amount: "1200.00", count: 2 };
  await expect(confirm(office, without)).rejects.toMatchObject({ code: "payout.confirm-needed", detail });
  await expect(confirm(office, { ...without, confirmed: "1200.01" })).rejects.toMatchObject({ code: "payout.confirm-needed" });
  expect(results(await confirm(office, { ...without, confirmed: "1200" }))).toEqual(["approved", "approved"]);
});

test("the sum is that of all that were confirmed together, in whichever slices they are sent", async () => {
  const { office, plan } = await planned(["600.00", "600.00"]);
  const { confirmed, rows, payout } = confirmation(plan);
  for (const row of rows) {
    // oxlint-disable-next-line no-await-in-loop -- one slice after another
    await expect(confirm(office, { payout, rows: [row] })).rejects.toMatchObject({ code: "payout.confirm-needed" });
    // oxlint-disable-next-line no-await-in-loop -- likewise
    expect(results(await confirm(office, { payout, ...(confirmed && { confirmed }), rows: [row] }))).toEqual(["approved"]);
  }
});

test("a sum of tier 3 makes every withdrawal wait for a second person, who pays it from the planned account", async () => {
  const { office, account, plan, rows } = await planned(["900.00", "900.00", "900.00", "900.00", "900.00", "900.00"]);
  expect([plan.tier, plan.second]).toEqual([3, 0]);
  const outcomes = await confirm(office, confirmation(plan));
  expect(new Set(results(outcomes))).toEqual(new Set(["process"]));
  expect(await stateOf(rows[0]?.uuid)).toEqual({
    status: "process",
    claimed_by: null,
    first_approved_by: office.ann.id,
    first_account_id: account.id,
    payment_account_id: null,
  });
  expect(await office.balance("payment-account", account.id)).toBe("50000.00");
  const waiting = outcomes.map(done).map(({ uuid, version, amount, holder }) => ({ uuid, version, confirmed: { amount, holder } }));
  const own = await act.secondApproveWithdrawals(office.call(), body({ rows: waiting.slice(0, 1) }));
  expect(results(own.data.outcomes)).toEqual(["withdrawal.second-same-person"]);
  const second = await act.secondApproveWithdrawals(office.call(office.ben), body({ rows: waiting }));
  expect(new Set(results(second.data.outcomes))).toEqual(new Set(["approved"]));
  expect(await office.balance("payment-account", account.id)).toBe("44600.00");
});

test("each withdrawal's own tier counts in a sum that asks for nothing more", async () => {
  const { office, plan } = await planned(["100.00", "1000.00"], { tiers: { MYR: { confirm_from: "1000.00", second_from: "2000.00" } } });
  const asked = confirmation(plan);
  const rows = asked.rows.map(({ uuid, version, payment_account }) => ({ uuid, version, payment_account }));
  expect(results(await confirm(office, { ...asked, rows }))).toEqual(["approved", "withdrawal.confirm-needed"]);
});

test("a tier lowered between plan and confirmation counts", async () => {
  const { office, plan } = await planned(["600.00"]);
  await setSettings(db, office.tenant, { tiers: { MYR: { confirm_from: "500.00", second_from: "5000.00" } } });
  await expect(confirm(office, confirmation(plan))).rejects.toMatchObject({ code: "payout.confirm-needed" });
});

test("another tenant's account pays nothing, and its withdrawals are not found", async () => {
  const { office, plan } = await planned(["100.00"]);
  const elsewhere = await planned(["100.00"]);
  const [own] = confirmation(plan).rows;
  const [theirs] = confirmation(elsewhere.plan).rows;
  if (!own || !theirs) throw new Error("nothing was planned");
  const foreignAccount = { ...own, payment_account: elsewhere.account.id };
  const outcomes = await confirm(office, { payout: [own.uuid, theirs.uuid], rows: [foreignAccount, theirs] });
  expect(results(outcomes)).toEqual(["payment-account.unfit", "not-found"]);
  expect(await stateOf(theirs.uuid)).toMatchObject({ status: "pending" });
});

test("without the right to claim only own claims are paid", async () => {
  const { office, merchant, account, plan } = await planned(["100.00"]);
  const mine = await office.claimed(merchant, { amount: "150.00", member: randomUUID() });
  const rows = [...confirmation(plan).rows, { uuid: mine.uuid, version: mine.version, payment_account: account.id }];
  const without = permissions.filter((one) => one !== "pas.transaction.withdrawals.process");
  const outcomes = await confirm(office, { payout: rows.map(({ uuid }) => uuid), rows }, { permissions: without });
  expect(results(outcomes)).toEqual(["permission.missing", "approved"]);
});
