import { beforeEach, expect, test } from "vitest";
import { bankTransactionHandlers as act } from "../../../src/server/bank-lines/bank-lines.ts";
import { depositHandlers } from "../../../src/server/payments/deposits.ts";
import { withdrawalHandlers } from "../../../src/server/payments/withdrawals.ts";
import { aLine, bookLine, lineNow, lineOf } from "../../support/bank-lines.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount, makeGroup, makeMerchant } from "../../support/factories.ts";
import type { Account, Merchant } from "../../support/factories.ts";
import { body, done, makeOffice, only } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

const db = testDatabase();
let office: Office;
let shop: Merchant;
let account: Account;
beforeEach(async () => {
  office = await makeOffice(db, { settings: { recall_seconds: 60 } });
  account = await makeAccount(db, office.tenant, { balance: "100000" });
  shop = await makeMerchant(db, office.tenant, { wallet: "100000" });
  await makeGroup(db, office.tenant, [account], [shop]);
});

type Ref = { readonly id: string };
async function refOf(table: "transactions" | "bank_lines", { id }: Ref) {
  const { rows } = await db.owner.query<{ version: number }>(`select version from ${table} where id = $1`, [id]);
  return { uuid: id, version: rows[0]?.version ?? 0 };
}
const match = async (line: Ref, ...transactions: readonly Ref[]) =>
  done(
    only(
      await act.matchBankLines(
        office.call(),
        body({
          rows: [
            {
              ...(await refOf("bank_lines", line)),
              transactions: await Promise.all(transactions.map((row) => refOf("transactions", row))),
            },
          ],
        }),
      ),
    ),
  );
const reason = { code: "duplicate" };
const reject = async (row: Ref) =>
  only(await depositHandlers.rejectDeposits(office.call(), body({ rows: [await refOf("transactions", row)], reason })));
const historyOf = async ({ id }: Ref) =>
  (await act.readBankLine(office.call(), { params: { uuid: id }, query: undefined, body: undefined })).data.history;

test("a rejected deposit gives its line back, unmatched, with the reason of the rejection in the line's history", async () => {
  const row = await office.deposit(shop);
  const line = await bookLine(office, account.id, lineOf(row));
  await match(line, row);
  done(await reject(row));
  expect(await lineNow(office, line.id)).toMatchObject({ status: "unmatched", matched: [], version: 3 });
  expect((await historyOf(line))[0]).toMatchObject({ act: "bank-line.unmatch", by: "Ann Lim", reason: "duplicate" });
  const { rows } = await db.owner.query("select undone_by, undone_reason from bank_matches where line_id = $1", [line.id]);
  expect(rows).toEqual([{ undone_by: office.ann.id, undone_reason: "duplicate" }]);
  // whose money it is, somebody else may say
  const other = await office.deposit(shop, { member: "M2" });
  await match(line, other);
});

test("one of a set gives the whole line back, and leaves the others in process", async () => {
  const [one, two] = [await office.deposit(shop, { amount: "120.00" }), await office.deposit(shop, { amount: "80.00" })];
  const line = await bookLine(office, account.id, aLine({ amount: "200.00" }));
  await match(line, one, two);
  done(await reject(one));
  expect(await lineNow(office, line.id)).toMatchObject({ status: "unmatched", matched: [] });
  const { rows } = await db.owner.query("select status from transactions where id = $1", [two.id]);
  expect(rows).toEqual([{ status: "process" }]);
});

test("one of a set is not rejected while another that only the line proves is credited; with a receipt it is", async () => {
  const [one, two] = [await office.deposit(shop, { amount: "120.00" }), await office.deposit(shop, { amount: "80.00" })];
  const line = await bookLine(office, account.id, aLine({ amount: "200.00" }));
  await match(line, one, two);
  const { uuid, version } = await refOf("transactions", one);
  const { rows } = await db.owner.query<{ amount: string; customer_name: string }>(
    "select amount, customer_name from transactions where id = $1",
    [uuid],
  );
  await office.credit({ uuid, version, amount: rows[0]?.amount ?? "", customer_name: rows[0]?.customer_name ?? "" });
  expect(await reject(two)).toMatchObject({ problem: { code: "bank-line.only-proof" } });
  expect(await lineNow(office, line.id)).toMatchObject({ status: "matched" });
  await db.owner.query("update transactions set first_approved_by = $2 where id = $1", [uuid, office.ben.id]);
  done(await reject(two));
  expect(await lineNow(office, line.id)).toMatchObject({ status: "unmatched" });
});

test("a line given back is announced, so that lists of lines show that its money waits", async () => {
  const row = await office.deposit(shop);
  const line = await bookLine(office, account.id, lineOf(row));
  await match(line, row);
  office.announced.length = 0;
  done(await reject(row));
  expect(office.announced).toContainEqual({ tenant: office.tenant.id, event: "bankLine", uuids: [line.id] });
});

test("with the line goes what the match taught of the payer", async () => {
  const row = await office.deposit(shop);
  const line = await bookLine(office, account.id, lineOf(row, { counterparty_account: "5140-1234" }));
  await match(line, row);
  const times = async () => (await db.owner.query("select times from bank_payers where tenant_id = $1", [office.tenant.id])).rows;
  expect(await times()).toEqual([{ times: 1 }]);
  done(await reject(row));
  expect(await times()).toEqual([{ times: 0 }]);
});

test("a withdrawal that is recalled gives its line back, because the next approval may pay it from another account", async () => {
  const held = await office.claimed(shop);
  const rows = [{ uuid: held.uuid, version: held.version, confirmed: { amount: held.amount, holder: held.holder } }];
  done(only(await withdrawalHandlers.approveWithdrawals(office.call(), body({ rows }))));
  const paid = { id: held.uuid };
  const line = await bookLine(office, account.id, aLine({ direction: "debit", amount: "500.00" }));
  await match(line, paid);
  done(only(await withdrawalHandlers.recallWithdrawals(office.call(), body({ rows: [await refOf("transactions", paid)] }))));
  expect(await lineNow(office, line.id)).toMatchObject({ status: "unmatched", matched: [] });
  expect((await historyOf(line))[0]).toMatchObject({ act: "bank-line.unmatch", by: "Ann Lim" });
});

test("the rejection of a deposit without a line changes no line", async () => {
  const [row, other] = [await office.deposit(shop), await office.deposit(shop)];
  const line = await bookLine(office, account.id, lineOf(other));
  await match(line, other);
  done(await reject(row));
  expect(await lineNow(office, line.id)).toMatchObject({ status: "matched", version: 2 });
});
