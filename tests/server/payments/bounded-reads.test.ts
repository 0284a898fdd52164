import { beforeAll, expect, test } from "vitest";
import { WithdrawalQuery } from "../../../src/contract/withdrawals.ts";
import { inTenant } from "../../../src/server/db/scope.ts";
import { loadAccounts } from "../../../src/server/payments/accounts.ts";
import { memberUses } from "../../../src/server/payments/limits.ts";
import { withdrawalHandlers } from "../../../src/server/payments/withdrawals.ts";
import { money } from "../../../src/values/money.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount, makeMerchant, makeRateGroup } from "../../support/factories.ts";
import type { Merchant } from "../../support/factories.ts";
import { body, makeOffice } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";
import { readsBy } from "../../support/reads-by.ts";

// Rows without their history: only how many of them are read is looked at.
const db = testDatabase({ invariants: false });
const many = 20_000;
let office: Office;
let merchant: Merchant;

beforeAll(async () => {
  office = await makeOffice(db, { settings: { claim_limit: 100 } });
  merchant = await makeMerchant(db, office.tenant, { wallet: "1000000" });
  const counted = await makeRateGroup(db, office.tenant, {
    account_window_minutes: 1440,
    account_max_count: 50,
    member_window_minutes: 1440,
    member_max_count: 50,
  });
  const summed = await makeRateGroup(db, office.tenant, {
    account_window_minutes: 1440,
    account_turnover: "500",
    member_window_minutes: 1440,
    member_turnover: "500",
  });
  const accounts = [
    await makeAccount(db, office.tenant, { rate_limit_group_id: counted }),
    await makeAccount(db, office.tenant, { rate_limit_group_id: summed }),
    await makeAccount(db, office.tenant),
  ];
  // all within the windows, of one customer, from each account alike
  await db.owner.query(
    `insert into transactions (tenant_id, kind, txn_no, merchant_id, merchant_txn_no, status, currency, method, member, customer_name,
        bank, account_number, holder, amount, final_amount, merchant_amount, payment_account_id, created_at, approved_at)
      select $1, 'withdrawal', 'W261120' || lpad(n::text, 7, '0'), $2, 'L' || n, 'completed', 'MYR', 'bank_transfer', 'BUSY',
        'Customer', 'Maybank', (5000000 + n)::text, 'X', 10, 10, 10, ($3::uuid[])[1 + n % 3], now() - n * interval '1 second',
        now() - n * interval '1 second'
      from generate_series(1, $4::integer) n`,
    [office.tenant.id, merchant.id, accounts.map(({ id }) => id), many],
  );
  for (let n = 0; n < 12; n++)
    await office.withdraw(merchant, { member: "BUSY", amount: "10.00", customer_name: "Customer", account_number: `${900_000 + n}` });
  await db.owner.query("vacuum analyze transactions");
}, 300_000);

test("what accounts have used of their rate limits is read until no limit has room left", async () => {
  const scope = { currency: office.tenant.currency, kind: "withdrawal", zoneMinutes: 480 } as const;
  const reads = await readsBy(db, (database) => inTenant(database, office.tenant.id, (scoped) => loadAccounts(scoped, scope)));
  expect(reads).toBeLessThan(500);
});

test("what customers have used of theirs is read until no limit has room left", async () => {
  const members = [{ merchant_id: merchant.id, member: "BUSY" }];
  const reach = { minutes: 1440, count: 50, amount: money("500") };
  const reads = await readsBy(db, (database) =>
    inTenant(database, office.tenant.id, (scoped) => memberUses(scoped, "withdrawal", members, reach)),
  );
  expect(reads).toBeLessThan(500);
});

test("a page of the queue reads no more for a customer of thousands", async () => {
  const query = WithdrawalQuery.parse({ view: "queue", limit: 10 });
  const reads = await readsBy(db, async (database) => {
    const call = { ...office.call(), deps: { ...office.deps, database } };
    expect((await withdrawalHandlers.listWithdrawals(call, { query, params: undefined, body: undefined })).data).toHaveLength(10);
  });
  expect(reads).toBeLessThan(1_000);
});

test("taking the next of a customer of thousands reads a bounded part of them", async () => {
  const reads = await readsBy(db, async (database) => {
    const call = { ...office.call(), deps: { ...office.deps, database } };
    const { data } = await withdrawalHandlers.takeNextWithdrawal(call, body({ skip: [] }));
    expect(data.customer_total).toEqual({ count: 1_000, amount: "10000.00" });
  });
  expect(reads).toBeLessThan(3_000);
});

test("what a payee of thousands was paid is read of the newest only, in the queue, at one row and when one is taken", async () => {
  await db.owner.query(
    `insert into transactions (tenant_id, kind, txn_no, merchant_id, merchant_txn_no, status, currency, method, member, customer_name,
        bank, account_number, holder, amount, final_amount, merchant_amount, created_at)
      select $1, 'withdrawal', 'W261119' || lpad(n::text, 7, '0'), $2, 'P' || n, 'rejected', 'MYR', 'bank_transfer', 'P' || n,
        'Customer', 'Maybank', '7700770077', 'X', 10, 10, 10, now() - n * interval '1 second'
      from generate_series(1, $3::integer) n`,
    [office.tenant.id, merchant.id, many],
  );
  await db.owner.query("vacuum analyze transactions");
  const { id } = await office.withdraw(merchant, { member: "ONE", amount: "10.00", bank: "Maybank", account_number: "7700770077" });
  const callOn = (database: Parameters<Parameters<typeof readsBy>[1]>[0]) => ({ ...office.call(), deps: { ...office.deps, database } });
  const listed = await readsBy(db, async (database) => {
    const query = WithdrawalQuery.parse({ view: "queue", limit: 50 });
    const { data } = await withdrawalHandlers.listWithdrawals(callOn(database), { query, params: undefined, body: undefined });
    expect(data.map(({ uuid }) => uuid)).toContain(id);
  });
  const detailed = await readsBy(db, async (database) => {
    const { data } = await withdrawalHandlers.readWithdrawal(callOn(database), { query: undefined, params: { uuid: id }, body: undefined });
    expect(data.payee_open).toEqual([]);
  });
  // each of the facts reads the newest thousand at most
  expect([listed < 3_000, detailed < 5_000], `${listed} and ${detailed} rows`).toEqual([true, true]);
});
