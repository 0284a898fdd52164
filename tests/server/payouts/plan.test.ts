import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { z } from "zod";
import { permissions } from "../../../src/contract/permissions.ts";
import type { PayoutPlan } from "../../../src/contract/payouts.ts";
import { PayoutRequest } from "../../../src/contract/payouts.ts";
import { withdrawalHandlers as act } from "../../../src/server/payments/withdrawals.ts";
import { payoutHandlers } from "../../../src/server/payouts/payouts.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount, makeMerchant, makeRateGroup } from "../../support/factories.ts";
import type { Merchant } from "../../support/factories.ts";
import { body, done, makeOffice, only } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

const db = testDatabase();

const tiers = { MYR: { confirm_from: "1000.00", second_from: "5000.00" } };

/** An office with a merchant that can pay. */
async function desk(settings: object = {}) {
  const office = await makeOffice(db, { settings: { tiers, ...settings } });
  return { office, merchant: await makeMerchant(db, office.tenant, { wallet: "1000000" }) };
}

/** Withdrawals of these amounts, each of another customer to a payee of its own. */
async function waiting(office: Office, merchant: Merchant, ...amounts: string[]) {
  const rows = [];
  for (const amount of amounts) {
    // oxlint-disable-next-line no-await-in-loop -- one after another, so that each is of its own time
    const { id, version } = await office.withdraw(merchant, { amount, member: randomUUID() });
    rows.push({ uuid: id, version });
  }
  return rows;
}

async function plan(office: Office, asked: z.input<typeof PayoutRequest>, options?: Parameters<Office["call"]>[1]): Promise<PayoutPlan> {
  const { data } = await payoutHandlers.planPayouts(office.call(office.ann, options), body(PayoutRequest.parse(asked)));
  return data;
}

const ref = ({ uuid, version }: { uuid: string; version: number }) => ({ uuid, version });
const codes = ({ rows, accounts }: PayoutPlan) => rows.map(({ account }) => accounts.find(({ uuid }) => uuid === account)?.code ?? null);
const reasons = ({ rows }: PayoutPlan) => rows.map((row) => row.reasons.map(({ code }) => code));

test("many are paid from one account that holds them, with what that leaves", async () => {
  const { office, merchant } = await desk();
  const large = {
    code: "A",
    balance: "10000",
    reserve_amount: "1000",
    hold_amount: "500",
    charges_value: "1.00",
    withdrawal_daily_limit: "9000",
  };
  await makeAccount(db, office.tenant, large);
  await makeAccount(db, office.tenant, { code: "B", balance: "900" });
  const made = await plan(office, { rows: await waiting(office, merchant, "700.00", "800.00", "900.00") });
  expect(codes(made)).toEqual(["A", "A", "A"]);
  expect(made.accounts.find(({ code }) => code === "A")).toMatchObject({
    count: 3,
    amount: "2400.00",
    charges: "3.00",
    balance: "10000.00",
    balance_after: "7597.00",
    payable: "8500.00",
    payable_after: "6097.00",
    daily_left_after: "6597.00",
    monthly_left_after: null,
  });
  expect(made.placed).toEqual({ count: 3, amount: "2400.00", accounts: 1, charges: "3.00", charges_of_house: "3.00" });
  expect(made).toMatchObject({ matching: 3, missing: [], cannot: { count: 0, amount: "0.00" }, payable_after: "6997.00" });
});

test("what does not fit says why, with the numbers of the account that comes nearest as the plan leaves it", async () => {
  const { office, merchant } = await desk();
  const near = await makeAccount(db, office.tenant, { code: "B", balance: "1000", reserve_amount: "100" });
  const far = await makeAccount(db, office.tenant, { code: "C", balance: "500" });
  const low = await makeAccount(db, office.tenant, { code: "A", withdrawal_maximum: "50" });
  const made = await plan(office, { rows: await waiting(office, merchant, "800.00", "600.00") });
  expect(codes(made)).toEqual(["B", null]);
  expect(made.rows[1]?.reasons).toEqual([
    { code: "balance", values: { payable: "500.00", needed: "600.00" }, accounts: [far.id, near.id] },
    { code: "maximum", values: { amount: "600.00", maximum: "50.00" }, accounts: [low.id] },
  ]);
  expect(made.cannot).toEqual({ count: 1, amount: "600.00" });
});

test.each<[what: string, account: Record<string, unknown>, code: string]>([
  ["its day", { withdrawal_daily_limit: "1000" }, "daily"],
  ["its month", { withdrawal_monthly_limit: "1000" }, "monthly"],
  ["its payable balance", { balance: "1300", reserve_amount: "200", hold_amount: "50" }, "balance"],
  ["charges too", { balance: "1200", charges_value: "0.01" }, "balance"],
])("one account pays no more than %s allows", async (_, account, code) => {
  const { office, merchant } = await desk();
  await makeAccount(db, office.tenant, { code: "A", ...account });
  const made = await plan(office, { rows: await waiting(office, merchant, "600.00", "600.00") });
  expect(codes(made).toSorted()).toEqual(["A", null]);
  expect(reasons(made)).toContainEqual([code]);
});

test.each<[what: string, account: Record<string, unknown>, code: string]>([
  ["the minimum", { withdrawal_minimum: "601" }, "minimum"],
  ["the maximum", { withdrawal_maximum: "599" }, "maximum"],
  ["the purpose", { purpose: "deposit" }, "purpose"],
  ["the method", { method: "e_wallet" }, "method"],
  ["the status", { status: "inactive" }, "inactive"],
])("an account is not used where %s forbids it", async (_, account, code) => {
  const { office, merchant } = await desk();
  await makeAccount(db, office.tenant, account);
  const made = await plan(office, { rows: await waiting(office, merchant, "600.00") });
  expect(reasons(made)).toEqual([[code]]);
  expect(made.accounts[0]).toMatchObject({ count: 0, unfit: { code } });
});

test("an account pays no more in its window than its rate-limit group allows, and a customer neither", async () => {
  const { office, merchant } = await desk();
  const rate_limit_group_id = await makeRateGroup(db, office.tenant, {
    account_window_minutes: 60,
    account_max_count: 3,
    account_turnover: "1000",
  });
  const account = await makeAccount(db, office.tenant, { rate_limit_group_id });
  const four = await waiting(office, merchant, "100.00", "100.00", "100.00", "100.00");
  const made = await plan(office, { rows: four });
  expect(reasons(made).flat()).toEqual(["rate"]);
  expect(made.accounts[0]?.rate).toEqual({ minutes: 60, count: 3, max_count: 3, turnover: "300.00", max_turnover: "1000.00" });
  const large = await plan(office, { rows: await waiting(office, merchant, "700.00", "700.00") });
  expect(reasons(large).flat()).toEqual(["rate"]);

  const perMember = await makeRateGroup(db, office.tenant, { member_window_minutes: 60, member_max_count: 1 });
  await db.owner.query("update payment_accounts set rate_limit_group_id = $2 where id = $1", [account.id, perMember]);
  const member = randomUUID();
  const [first, second] = [await office.withdraw(merchant, { member }), await office.withdraw(merchant, { member })];
  const ofOne = await plan(office, { rows: [second, first].map(({ id, version }) => ({ uuid: id, version })) });
  expect(ofOne.rows.map(({ uuid, account: paid }) => [uuid, paid])).toEqual([
    [first.id, account.id],
    [second.id, null],
  ]);
});

test("a pin holds or says why not; what is left out stays out", async () => {
  const { office, merchant } = await desk();
  const a = await makeAccount(db, office.tenant, { code: "A" });
  const b = await makeAccount(db, office.tenant, { code: "B", balance: "550" });
  const rows = await waiting(office, merchant, "500.00", "500.00", "500.00");
  const [one = "", two = "", three = ""] = rows.map(({ uuid }) => uuid);
  const pins = [one, two].map((uuid) => ({ uuid, account: b.id }));
  const pinned = await plan(office, { rows, pins, without: { rows: [three] } });
  expect(codes(pinned)).toEqual(["B", null, null]);
  expect(pinned.rows[0]?.ground).toBe("pinned");
  expect(pinned.rows[1]?.reasons).toEqual([{ code: "balance", values: { payable: "50.00", needed: "500.00" }, accounts: [b.id] }]);
  expect(reasons(pinned)[2]).toEqual(["left-out"]);
  expect([pinned.left_out, pinned.cannot.count]).toEqual([{ count: 1, amount: "500.00" }, 1]);

  const without = await plan(office, { rows, pins: pins.slice(0, 1), without: { accounts: [b.id] } });
  expect(codes(without)).toEqual([null, "A", "A"]);
  expect(reasons(without)[0]).toEqual(["no-account"]);
  expect(without.accounts.map(({ code, left_out }) => [code, left_out])).toEqual(
    expect.arrayContaining([
      ["A", false],
      ["B", true],
    ]),
  );
  expect(a.id).toBe(without.rows[1]?.account);
});

test("the grounds: the payee's bank, the only account, or room", async () => {
  const { office, merchant } = await desk();
  await makeAccount(db, office.tenant, { code: "A", bank: "Maybank", withdrawal_maximum: "1000" });
  await makeAccount(db, office.tenant, { code: "B", bank: "CIMB", withdrawal_minimum: "500" });
  const [small, middle, large] = await waiting(office, merchant, "400.00", "700.00", "2000.00");
  await db.owner.query("update transactions set bank = 'OCBC' where id = $1", [middle?.uuid]);
  const grounds = async (...rows: (typeof small)[]) =>
    (await plan(office, { rows: rows.filter((row) => row !== undefined) })).rows.map(({ ground }) => ground);
  expect(await grounds(small, middle, large)).toEqual(["only", "room", "only"]);
  const [same] = await waiting(office, merchant, "600.00");
  expect(await grounds(same)).toEqual(["same-bank"]);
});

test("what another decided, holds or changed, or waits for a second person, is not planned", async () => {
  const { office, merchant } = await desk();
  await makeAccount(db, office.tenant);
  const [gone, stale] = await waiting(office, merchant, "100.00", "200.00");
  if (!gone || !stale) throw new Error("nothing was made");
  const theirs = await office.claimed(merchant, { amount: "300.00", member: randomUUID() }, office.ben);
  const mine = await office.claimed(merchant, { amount: "400.00", member: randomUUID() });
  await act.rejectWithdrawals(office.call(), body({ rows: [gone], reason: { code: "duplicate" } }));
  const rows = [gone, { ...stale, version: stale.version + 1 }, theirs, mine].map(ref);
  const made = await plan(office, { rows });
  expect(reasons(made)).toEqual([["not-open"], ["stale"], ["claimed"], []]);
  expect(made.rows[2]?.reasons[0]?.values).toEqual({ by: "Ben Ooi" });
  expect(made.rows[1]?.version).toBe(stale.version);

  const large = await office.claimed(merchant, { amount: "6000.00", member: randomUUID() }, office.ben);
  const confirmed = { amount: large.amount, holder: large.holder };
  const approval = await act.approveWithdrawals(office.call(office.ben), body({ rows: [{ ...ref(large), confirmed }] }));
  const half = done(only(approval));
  expect(reasons(await plan(office, { rows: [ref(half)] }))).toEqual([["second-needed"]]);
});

test("a free one is not planned for who may not claim", async () => {
  const { office, merchant } = await desk();
  await makeAccount(db, office.tenant);
  const rows = await waiting(office, merchant, "100.00");
  const without = permissions.filter((one) => one !== "pas.transaction.withdrawals.process");
  expect(reasons(await plan(office, { rows }, { permissions: without }))).toEqual([["no-right"]]);
});

test("charges that a merchant bears come from its wallet, which is spent once", async () => {
  const { office } = await desk();
  // the account used when they were created was free of charge
  const merchant = await makeMerchant(db, office.tenant, { wallet: "1007", charges_borne_by: "merchant" });
  const account = await makeAccount(db, office.tenant, { code: "A" });
  const rows = await waiting(office, merchant, "500.00", "500.00");
  await db.owner.query("update payment_accounts set charges_value = 5 where id = $1", [account.id]);
  const made = await plan(office, { rows });
  expect(codes(made).toSorted()).toEqual(["A", null]);
  expect(reasons(made)).toContainEqual(["wallet-hold"]);
  expect(made.placed).toMatchObject({ charges: "5.00", charges_of_house: "0.00" });
});

test("the tier of the sum stands beside the tier of each", async () => {
  const { office, merchant } = await desk();
  await makeAccount(db, office.tenant);
  const rows = await waiting(office, merchant, "900.00", "900.00", "1200.00");
  const made = await plan(office, { rows });
  expect([made.tier, made.tiers, made.rows.map(({ tier }) => tier)]).toEqual([2, tiers.MYR, [1, 1, 3]]);
  expect((await plan(office, { rows: rows.slice(0, 1) })).tier).toBe(1);
  const five = [...rows, ...(await waiting(office, merchant, "999.00", "999.00", "999.00"))];
  expect(await plan(office, { rows: five })).toMatchObject({ tier: 3, second: 1 });
});

test("all that match are found by the list's view and filters, the oldest of them as many as a plan takes", async () => {
  const { office, merchant } = await desk();
  const other = await makeMerchant(db, office.tenant, { wallet: "1000000" });
  await makeAccount(db, office.tenant);
  const [small, large] = await waiting(office, merchant, "100.00", "300.00");
  await waiting(office, other, "300.00");
  const filters = { "filter[merchant]": merchant.id, "filter[amount_from]": "200.00" };
  const made = await plan(office, { all: { view: "queue", ...filters } });
  expect(made.rows.map(({ uuid }) => uuid)).toEqual([large?.uuid]);
  expect(made.matching).toBe(1);
  expect((await plan(office, { all: { "filter[merchant]": merchant.id } })).rows.map(({ uuid }) => uuid)).toEqual([
    small?.uuid,
    large?.uuid,
  ]);
  expect((await plan(office, { all: { view: "mine" } })).rows).toEqual([]);
});

test("another tenant's and another currency's withdrawals are missing, and their accounts pay nothing", async () => {
  const { office, merchant } = await desk();
  const elsewhere = await desk();
  await makeAccount(db, elsewhere.office.tenant);
  const theirs = await makeAccount(db, elsewhere.office.tenant);
  const rows = await waiting(elsewhere.office, elsewhere.merchant, "100.00");
  const own = await waiting(office, merchant, "100.00");
  const made = await plan(office, { rows: [...rows, ...own], pins: own.map(({ uuid }) => ({ uuid, account: theirs.id })) });
  expect(made.missing).toEqual(rows.map(({ uuid }) => uuid));
  expect([made.rows.length, reasons(made), made.accounts]).toEqual([1, [["no-account"]], []]);
});

test("nothing changes by a plan", async () => {
  const { office, merchant } = await desk();
  await makeAccount(db, office.tenant);
  const rows = await waiting(office, merchant, "100.00");
  await plan(office, { rows });
  const { rows: kept } = await db.owner.query("select version, status, claimed_by from transactions where id = $1", [rows[0]?.uuid]);
  expect(kept).toEqual([{ version: rows[0]?.version, status: "pending", claimed_by: null }]);
});
