import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { all, approveAtOnce, asMerchant as contend, claimedWithdrawals, contenders, tally, units } from "../../support/contenders.ts";
import { makeCrew } from "../../support/crew.ts";
import { testDatabase } from "../../support/database.ts";
import { long } from "../../support/deep.ts";
import { makeAccount, makeGroup, makeRateGroup } from "../../support/factories.ts";
import type { Account } from "../../support/factories.ts";
import type { Served } from "../../support/http.ts";
import { serve } from "../../support/http.ts";
import type { SigningMerchant } from "../../support/merchants.ts";
import { makeSigningMerchant } from "../../support/merchants.ts";
import type { Office } from "../../support/payments.ts";
import { makeOffice } from "../../support/payments.ts";

const rounds = long({ share: 5, whole: 50 });

const db = testDatabase({ pool: 24, patient: true });
let served: Served;
beforeAll(async () => {
  served = await serve(db);
});
afterAll(() => served.app.close());

const round = Array.from({ length: rounds }, (_, n) => n + 1);

const asMerchant = (merchant: SigningMerchant, path: "createDeposit" | "createWithdrawal", amount: string, more?: object) =>
  contend(served, merchant, path, amount, more);

describe("64 contenders for the last but one unit", () => {
  test.each(round)("of a merchant's wallet, round %i: 63 withdrawals are created, never 64", async () => {
    const office = await makeOffice(db);
    const merchant = await makeSigningMerchant(db, office.deps, office.tenant, { wallet: `${units * 10}.00` });
    const answers = await all(() => asMerchant(merchant, "createWithdrawal", "10.00"));
    expect(tally(answers)).toEqual({ 200: units, "merchant.insufficient-balance": 1 });
    expect(await office.balance("wallet", merchant.id)).toBe("0.00");
    expect(await office.balance("hold", merchant.id)).toBe(`${units * 10}.00`);
  });

  test.each(round)("of an account's daily deposit limit, round %i: 63 deposits find it, never 64", async () => {
    const { merchant } = await depositing({ deposit_daily_limit: units * 10 });
    expect(tally(await all(() => asMerchant(merchant, "createDeposit", "10.00")))).toEqual({ 200: units, "account.none-found": 1 });
  });

  test.each(round)("of an account's monthly deposit limit, round %i", async () => {
    const { merchant } = await depositing({ deposit_monthly_limit: units * 10 });
    expect(tally(await all(() => asMerchant(merchant, "createDeposit", "10.00")))).toEqual({ 200: units, "account.none-found": 1 });
  });
});

describe("64 deposits at once over several accounts", () => {
  const perAccount = units / 3;
  /** Three normal accounts that together have room for 63, under `columns`. */
  async function three(office: Office, columns: Readonly<Record<string, unknown>>) {
    const merchant = await makeSigningMerchant(db, office.deps, office.tenant);
    const accounts = await Promise.all([1, 2, 3].map(() => makeAccount(db, office.tenant, columns)));
    await makeGroup(db, office.tenant, accounts, [merchant]);
    return { merchant, accounts };
  }
  const madeOn = async (accounts: readonly Account[]) =>
    Promise.all(
      accounts.map(async ({ id }) => {
        const { rows } = await db.owner.query<{ n: number }>(
          "select count(*)::integer as n from transactions where payment_account_id = $1",
          [id],
        );
        return rows[0]?.n;
      }),
    );

  test.each(round)("each with room for 21 today, round %i: 63 are made, 21 on each", async () => {
    const { merchant, accounts } = await three(await makeOffice(db), { deposit_daily_limit: perAccount * 10 });
    expect(tally(await all(() => asMerchant(merchant, "createDeposit", "10.00")))).toEqual({ 200: units, "account.none-found": 1 });
    expect(await madeOn(accounts)).toEqual([perAccount, perAccount, perAccount]);
  });

  test.each(round)("each allowed 21 an hour, round %i: 63 are made, 21 on each", async () => {
    const office = await makeOffice(db);
    const group = await makeRateGroup(db, office.tenant, { account_window_minutes: 60, account_max_count: perAccount });
    const { merchant, accounts } = await three(office, { rate_limit_group_id: group });
    expect(tally(await all(() => asMerchant(merchant, "createDeposit", "10.00")))).toEqual({ 200: units, "deposit.rate-limited": 1 });
    expect(await madeOn(accounts)).toEqual([perAccount, perAccount, perAccount]);
  });

  test.each(round)("of one customer who is allowed 63 an hour, round %i: 63 are made", async () => {
    const office = await makeOffice(db);
    const group = await makeRateGroup(db, office.tenant, { member_window_minutes: 60, member_turnover: units * 10 });
    const { merchant } = await three(office, { rate_limit_group_id: group });
    const answers = await all(() => asMerchant(merchant, "createDeposit", "10.00", { member: "BUSY" }));
    expect(tally(answers)).toEqual({ 200: units, "deposit.rate-limited": 1 });
  });

  test.each(round)("a backup stands by, round %i: none goes to it while a normal account is only being reserved", async () => {
    const office = await makeOffice(db);
    const merchant = await makeSigningMerchant(db, office.deps, office.tenant);
    const accounts = [await makeAccount(db, office.tenant), await makeAccount(db, office.tenant, { type: "backup" })];
    await makeGroup(db, office.tenant, accounts, [merchant]);
    expect(tally(await all(() => asMerchant(merchant, "createDeposit", "10.00")))).toEqual({ 200: contenders });
    expect(await madeOn(accounts)).toEqual([contenders, 0]);
  });
});

describe("approvals", () => {
  test.each(round)(
    "of 64 withdrawals from an account with room for 63 today, round %i: 63 are paid, one is refused and stays",
    async () => {
      const office = await makeOffice(db, { settings: { claim_limit: 100, recall_seconds: 0 } });
      const merchant = await makeSigningMerchant(db, office.deps, office.tenant, { wallet: "1000000" });
      const account = await makeAccount(db, office.tenant, { withdrawal_daily_limit: units * 10 });
      const crew = await makeCrew(db, served, office, 16);
      const claimed = await claimedWithdrawals(office, merchant, crew, () => ({ amount: "10.00" }));
      expect(await approveAtOnce(claimed)).toEqual({ 200: units, "payment-account.over-limit": 1 });
      const { rows } = await db.owner.query(
        "select status, count(*)::integer as n from transactions where tenant_id = $1 group by 1 order by 1",
        [office.tenant.id],
      );
      expect(rows).toEqual([
        { status: "approved", n: units },
        { status: "process", n: 1 },
      ]);
      expect(await office.balance("payment-account", account.id)).toBe(`${1_000_000 - units * 10}.00`);
    },
  );
});

async function depositing(
  columns: Readonly<Record<string, unknown>>,
  given?: Office,
): Promise<{ office: Office; merchant: SigningMerchant; account: Account }> {
  const office = given ?? (await makeOffice(db));
  const merchant = await makeSigningMerchant(db, office.deps, office.tenant);
  const account = await makeAccount(db, office.tenant, columns);
  await makeGroup(db, office.tenant, [account], [merchant]);
  return { office, merchant, account };
}
