import { expect, test } from "vitest";
import type { Check } from "../../../src/contract/transactions.ts";
import type { Withdrawal } from "../../../src/contract/withdrawals.ts";
import { withdrawalHandlers as act } from "../../../src/server/payments/withdrawals.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount, makeMerchant } from "../../support/factories.ts";
import { body, makeOffice, only } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

const db = testDatabase();

const detail = async (office: Office, { uuid }: { uuid: string }) =>
  (await act.readWithdrawal(office.call(), { params: { uuid }, query: undefined, body: undefined })).data;
const listed = async (office: Office, { uuid }: { uuid: string }) =>
  (
    await act.listWithdrawals(office.call(), {
      query: { view: "all", limit: 10, direction: "next", "filter[uuid]": [uuid] },
      params: undefined,
      body: undefined,
    })
  ).data[0];
const approve = async (office: Office, { uuid, version }: Withdrawal, more: object = {}, person = office.ann) =>
  only(await act.approveWithdrawals(office.call(person), body({ rows: [{ uuid, version, ...more }] })));
const check = ({ checks }: { checks: readonly Check[] }, name: Check["name"]) => checks.find((one) => one.name === name);

test.each(["suspended", "inactive"])("an open payout of a merchant that is %s warns and needs one hand more", async (status) => {
  const office = await makeOffice(db);
  const merchant = await makeMerchant(db, office.tenant, { wallet: "1000" });
  await makeAccount(db, office.tenant);
  const row = await office.claimed(merchant);
  const before = await detail(office, row);
  expect(check(before, "merchant-active")).toMatchObject({ result: "pass", values: { status: "active" } });
  expect(before.row.tier).toBe(1);
  await db.owner.query("update merchants set status = $2 where id = $1", [merchant.id, status]);
  const after = await detail(office, row);
  expect(check(after, "merchant-active")).toMatchObject({ result: "warn", values: { status } });
  expect(after.row.tier).toBe(2);
  expect((await listed(office, row))?.tier).toBe(2);
  expect(await approve(office, row)).toMatchObject({ done: false, problem: { code: "withdrawal.confirm-needed" } });
});

test("a payee is an account number at a bank: the same number elsewhere is another payee", async () => {
  const office = await makeOffice(db);
  const merchant = await makeMerchant(db, office.tenant, { wallet: "90000" });
  await makeAccount(db, office.tenant);
  const paid = await office.claimed(merchant, { bank: "Maybank", account_number: "5551234", amount: "100.00" });
  expect(await approve(office, paid)).toMatchObject({ done: true });
  const elsewhere = await office.claimed(merchant, { bank: "CIMB", account_number: "5551234", amount: "100.00" });
  const stranger = await detail(office, elsewhere);
  expect(check(stranger, "first-payee")).toMatchObject({ result: "notice", values: { first: "true" } });
  expect(check(stranger, "same-payee")).toMatchObject({ result: "pass", values: { count: "0" } });
  expect((await listed(office, elsewhere))?.flags).toEqual(["first-payee"]);
  // however the bank is written
  const again = await office.claimed(merchant, { bank: "MAY BANK", account_number: "555-1234", amount: "100.00" });
  const known = await detail(office, again);
  expect(check(known, "first-payee")).toMatchObject({ result: "pass", values: { first: "false" } });
  expect(check(known, "same-payee")).toMatchObject({ result: "warn", values: { count: "1" } });
  expect((await listed(office, again))?.flags).toEqual(["duplicate"]);
  expect(known.payee_open).toEqual([]);
});

test("an account suspended while its payment is being made does not pay; another that may does", async () => {
  const office = await makeOffice(db);
  const merchant = await makeMerchant(db, office.tenant, { wallet: "2000" });
  const first = await makeAccount(db, office.tenant, { code: "A-FIRST" });
  const suspendWhile = async (work: () => Promise<unknown>) => {
    const other = await db.owner.connect();
    try {
      await other.query("begin");
      await other.query("update payment_accounts set status = 'suspend' where id = $1", [first.id]);
      const approval = work();
      // until it waits for the account, or has paid
      let settled = false;
      void approval.finally(() => (settled = true));
      await expect.poll(async () => settled || (await waiting()) > 0, { timeout: 10_000 }).toBe(true);
      await other.query("commit");
      return await approval;
    } finally {
      other.release(true);
    }
  };
  const one = await office.claimed(merchant);
  expect(await suspendWhile(() => approve(office, one, { payment_account: first.id }))).toMatchObject({
    done: false,
    problem: { code: "payment-account.unfit" },
  });
  await db.owner.query("update payment_accounts set status = 'active' where id = $1", [first.id]);
  await makeAccount(db, office.tenant, { code: "B-OTHER", type: "backup" });
  expect(await suspendWhile(() => approve(office, one))).toMatchObject({ done: true, row: { payment_account: { code: "B-OTHER" } } });
  expect(await office.balance("payment-account", first.id)).toBe("1000000.00");
});

/** Those who wait for a lock in this database. */
async function waiting(): Promise<number> {
  const { rows } = await db.owner.query<{ n: number }>(
    "select count(*)::integer as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rows[0]?.n ?? 0;
}

test("a recall never exceeds the claim limit: then the item comes back free", async () => {
  const office = await makeOffice(db, { settings: { claim_limit: 1, recall_seconds: 60 } });
  const merchant = await makeMerchant(db, office.tenant, { wallet: "2000" });
  await makeAccount(db, office.tenant);
  const recall = async (outcome: Awaited<ReturnType<typeof approve>>) => {
    if (!outcome.done) throw new Error(outcome.problem.code);
    const { uuid, version } = outcome.row;
    return only(await act.recallWithdrawals(office.call(), body({ rows: [{ uuid, version }] })));
  };
  const approved = await approve(office, await office.claimed(merchant));
  await office.claimed(merchant, { amount: "200.00" });
  const back = await recall(approved);
  expect(back).toMatchObject({ done: true, row: { status: "pending", claim: null, approved_by: null } });
  expect(await office.balance("hold", merchant.id)).toBe("700.00");
  const { rows } = await db.owner.query("select count(*)::integer as n from transactions where claimed_by = $1", [office.ann.id]);
  expect(rows).toEqual([{ n: 1 }]);
  // below the limit the recaller has it again
  const ben = await act.claimWithdrawals(
    office.call(office.ben),
    body({ rows: [back.done ? { uuid: back.row.uuid, version: back.row.version } : { uuid: "", version: 0 }] }),
  );
  const claimed = only(ben);
  if (!claimed.done) throw new Error(claimed.problem.code);
  const paid = await approve(office, claimed.row, { confirmed: { amount: claimed.row.amount, holder: claimed.row.holder } }, office.ben);
  if (!paid.done) throw new Error(paid.problem.code);
  const { uuid, version } = paid.row;
  expect(only(await act.recallWithdrawals(office.call(office.ben), body({ rows: [{ uuid, version }] })))).toMatchObject({
    row: { status: "process", claim: { name: "Ben Ooi" } },
  });
});
