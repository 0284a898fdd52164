import { beforeEach, expect, test } from "vitest";
import { bankTransactionHandlers as act } from "../../../src/server/bank-lines/bank-lines.ts";
import { bankTransactionRoutes as routes } from "../../../src/contract/bank-transaction-routes.ts";
import type { StatementLine } from "../../../src/server/bank-lines/statement-line.ts";
import { aLine, bookLine } from "../../support/bank-lines.ts";
import { testDatabase } from "../../support/database.ts";
import type { Account } from "../../support/factories.ts";
import { fund, makeAccount, makeGroup, makeMerchant } from "../../support/factories.ts";
import { body, makeOffice, only } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

const db = testDatabase();
let office: Office;
let account: Account;

beforeEach(async () => {
  office = await makeOffice(db, { currencies: ["THB"] });
  account = await makeAccount(db, office.tenant, { code: "MBB-07", balance: "1000" });
});

const minutes = (n: number) => new Date(Date.now() + n * 60_000);
const book = (of: Partial<StatementLine>) => bookLine(office, account.id, aLine(of));
const all = async (call = office.call()) => (await act.listStatementBalances(call, body(undefined))).data;
const explained = async (call = office.call()) => {
  const query = routes.readStatementBalance.query.parse({});
  return (await act.readStatementBalance(call, { params: { uuid: account.id }, query, body: undefined })).data;
};

test("the bank's closing is that of the newest line with a balance, beside the ledger's at that time", async () => {
  await book({ time: minutes(10), amount: "200.00", balance: "1200.00" });
  await book({ time: minutes(20), amount: "50.00", balance: "1250.00", reference: "last" });
  await book({ time: minutes(30), amount: "5.00" });
  await makeAccount(db, office.tenant);
  expect(await all()).toMatchObject([
    { payment_account: { code: "MBB-07" }, bank_balance: "1250.00", ledger_balance: "1000.00", difference: "250.00" },
  ]);
});

test("the difference is explained by lines matched to nothing and movements without a line", async () => {
  await book({ time: minutes(-1), amount: "10.00", balance: "1000.00" });
  const line = await book({ time: minutes(10), amount: "200.00", balance: "1200.00" });
  const fee = await book({ time: minutes(11), amount: "15.00", direction: "debit", balance: "1185.00" });
  await act.ignoreBankLines(office.call(), body({ rows: [{ uuid: fee.id, version: 1 }], ignore_as: "fee", reason: "" }));
  await fund(db, office.tenant, "payment-account", account.id, "70");
  const found = await explained();
  expect(found).toMatchObject({ bank_balance: "1185.00", ledger_balance: "1070.00", difference: "115.00", lines_sum: "195.00" });
  expect(found.lines.map(({ uuid }) => uuid)).toEqual([fee.id, line.id, expect.any(String)]);
  expect(found.movements[0]).toMatchObject({ kind: "opening", amount: "70.00", transaction: null });
  const sum = (amount: string) => Math.round(Number(amount) * 100);
  expect(sum(found.opening_difference) + sum(found.lines_sum) - sum(found.movements_sum) + sum(found.rest)).toBe(sum(found.difference));
  expect(found.rest).toBe("0.00");
});

test("a line that is matched and the movement of its deposit explain nothing, because each shows the other", async () => {
  await book({ time: minutes(-1), amount: "10.00", balance: "1000.00" });
  const shop = await makeMerchant(db, office.tenant);
  await makeGroup(db, office.tenant, [account], [shop]);
  const { uuid } = await office.credited(shop, { amount: "300.00" });
  const before = await book({ time: minutes(10), amount: "300.00", balance: "1300.00" });
  const shown = async () => {
    const { lines, movements } = await explained();
    return [lines.some(({ uuid: id }) => id === before.id), movements.some(({ transaction }) => transaction?.uuid === uuid)];
  };
  expect(await shown()).toEqual([true, true]);
  const { rows } = await db.owner.query<{ version: number }>("select version from transactions where id = $1", [uuid]);
  const wanted = { uuid: before.id, version: 1, transactions: [{ uuid, version: rows[0]?.version ?? 0 }] };
  expect(only(await act.matchBankLines(office.call(), body({ rows: [wanted] })))).toMatchObject({ done: true });
  expect(await shown()).toEqual([false, false]);
  expect(await explained()).toMatchObject({ difference: "0.00" });
});

test("an account without a line that has a balance has no statement balance, nor has another tenant's or currency's", async () => {
  await expect(explained()).rejects.toMatchObject({ code: "not-found" });
  await book({ balance: "1.00" });
  const elsewhere = await makeOffice(db);
  await expect(explained(elsewhere.call())).rejects.toMatchObject({ code: "not-found" });
  expect(await all(elsewhere.call())).toEqual([]);
  expect(await all(office.call(office.ann, { currency: "THB" }))).toEqual([]);
});
