import { expect, test } from "vitest";
import type { Withdrawal } from "../../../src/contract/withdrawals.ts";
import { withdrawalHandlers as act } from "../../../src/server/payments/withdrawals.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount, makeMerchant } from "../../support/factories.ts";
import { body, makeOffice, only } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

const db = testDatabase();

const detail = async (office: Office, { uuid }: { uuid: string }) =>
  (await act.readWithdrawal(office.call(), { params: { uuid }, query: undefined, body: undefined })).data;
const approve = async (office: Office, { uuid, version }: Withdrawal, more: object = {}) =>
  only(await act.approveWithdrawals(office.call(), body({ rows: [{ uuid, version, ...more }] })));
const charge = (account: { id: string }, value: string) =>
  db.owner.query("update payment_accounts set charges_value = $2 where id = $1", [account.id, value]);

/** A withdrawal of 500.00 at 1 % with 2.00 of charges held, by a merchant with `left` beside. */
async function held(left: string) {
  const office = await makeOffice(db);
  const wallet = String(507 + Number(left));
  const merchant = await makeMerchant(db, office.tenant, { wallet, withdrawal_rate: "1", charges_borne_by: "merchant" });
  const account = await makeAccount(db, office.tenant, { code: "PAYS", charges_value: "2" });
  return { office, merchant, account, row: await office.claimed(merchant) };
}

test("charges that rose after the hold beyond the merchant's wallet refuse the approval for what it lacks, not as busy", async () => {
  const { office, account, row, merchant } = await held("3");
  await charge(account, "8");
  expect(await approve(office, row)).toMatchObject({
    done: false,
    problem: {
      code: "withdrawal.check-failed",
      status: 422,
      data: { checks: [{ name: "wallet-hold", result: "fail", values: { held: "507.00", wallet: "3.00", needed: "513.00" } }] },
    },
  });
  expect(await office.balance("hold", merchant.id)).toBe("507.00");
});

test("charges that rose after the hold are debited from the wallet where it covers them, and the check says so before", async () => {
  const { office, account, row, merchant } = await held("10");
  await charge(account, "8");
  const { checks } = await detail(office, row);
  expect(checks.find(({ name }) => name === "wallet-hold")).toEqual({
    name: "wallet-hold",
    result: "pass",
    values: { held: "507.00", wallet: "10.00", needed: "513.00" },
  });
  expect(await approve(office, row)).toMatchObject({ done: true, row: { charges: "8.00" } });
  expect(await office.balance("wallet", merchant.id)).toBe("4.00");
});

test("a wallet emptied between the check and the payment is refused for good at once, not as busy", async () => {
  const { office, account, row, merchant } = await held("10");
  await charge(account, "8");
  const { id: reserve } = (
    await db.owner.query<{ id: string }>("select id from ledger_accounts where tenant_id = $1 and kind = 'wallet' and owner_id = $2", [
      office.tenant.id,
      merchant.id,
    ])
  ).rows[0] ?? { id: "" };
  const other = await db.owner.connect();
  try {
    // another debit of this wallet is not committed yet and holds the lock
    await other.query("begin");
    await other.query("select set_config('app.tenant_id', $1, true)", [office.tenant.id]);
    await other.query("select ledger_post('adjustment', $1, null, null, null, $2)", [
      office.tenant.currency,
      JSON.stringify([
        { account: reserve, amount: "-10" },
        { account: (await ledgerOf(office, "adjustment")) ?? "", amount: "-10" },
      ]),
    ]);
    const approval = approve(office, row);
    await expect.poll(() => waiting(office), { timeout: 10_000 }).toBeGreaterThan(0);
    await other.query("commit");
    expect(await approval).toMatchObject({ done: false, problem: { code: "merchant.insufficient-balance", status: 422 } });
  } finally {
    other.release(true);
  }
});

async function ledgerOf(office: Office, kind: string): Promise<string | undefined> {
  const { rows } = await db.owner.query<{ id: string }>("select id from ledger_accounts where tenant_id = $1 and kind = $2", [
    office.tenant.id,
    kind,
  ]);
  return rows[0]?.id;
}

/** Those who wait for a lock in this database. */
async function waiting(office: Office): Promise<number> {
  const { rows } = await office.db.owner.query<{ n: number }>(
    "select count(*)::integer as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rows[0]?.n ?? 0;
}
