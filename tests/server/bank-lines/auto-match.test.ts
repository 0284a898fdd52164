import { beforeEach, describe, expect, test } from "vitest";
import { judgeArrived } from "../../../src/server/bank-lines/auto-match.ts";
import { bankTransactionHandlers as act } from "../../../src/server/bank-lines/bank-lines.ts";
import type { LineRow } from "../../../src/server/bank-lines/line-rows.ts";
import type { BankRule } from "../../../src/contract/bank-transactions.ts";
import { depositHandlers } from "../../../src/server/payments/deposits.ts";
import { expireDue } from "../../../src/server/payments/lapses.ts";
import { withdrawalHandlers } from "../../../src/server/payments/withdrawals.ts";
import type { StatementLine } from "../../../src/server/bank-lines/statement-line.ts";
import { aLine, bookLine, bookLines, lineNow, lineOf } from "../../support/bank-lines.ts";
import { testDatabase } from "../../support/database.ts";
import type { Account, Merchant } from "../../support/factories.ts";
import { makeAccount, makeGroup, makeMerchant, setSettings } from "../../support/factories.ts";
import { body, done, makeOffice, only } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

const db = testDatabase();
let office: Office;
let shop: Merchant;
let account: Account;

beforeEach(async () => {
  office = await makeOffice(db, { settings: { auto_match: true, recall_seconds: 0 } });
  account = await makeAccount(db, office.tenant);
  shop = await makeMerchant(db, office.tenant, { wallet: "1000" });
  await makeGroup(db, office.tenant, [account], [shop]);
});

const book = (line: StatementLine) => bookLine(office, account.id, line);
const judge = () => judgeArrived(office.deps, office.tenant.id, 100);
const after = async (line: LineRow) => {
  await judge();
  return lineNow(office, line.id);
};
const statusOf = async (id: string) => {
  const { rows } = await db.owner.query<{ status: string }>("select status from transactions where id = $1", [id]);
  return rows[0]?.status;
};

describe("an arrived line", () => {
  test("is matched where one deposit is clearly its own, by the system, and the deposit is taken up", async () => {
    const row = await office.deposit(shop);
    const line = await book(lineOf(row));
    expect(await after(line)).toMatchObject({ status: "matched", matched: [{ txn_no: row.txn_no }] });
    expect(await statusOf(row.id)).toBe("process");
    const { data } = await act.readBankLine(office.call(), { params: { uuid: line.id }, query: undefined, body: undefined });
    expect(data.matches).toMatchObject([{ automatic: true, by: null, score: { total: 98 } }]);
    expect(data.history).toMatchObject([{ act: "bank-line.match", by: "system" }]);
    expect(office.announced).toContainEqual({ tenant: office.tenant.id, event: "deposit", uuids: [row.id] });
  });

  test("stays unmatched unless the tenant allows it", async () => {
    await setSettings(db, office.tenant, { auto_match: false });
    expect(await after(await book(lineOf(await office.deposit(shop))))).toMatchObject({ status: "unmatched" });
  });

  test.each<[string, Partial<StatementLine>]>([
    ["the amount alone", { counterparty: null, description: "CDM DEP 0043" }],
    ["amount and name alone", { description: "CDM DEP" }],
    ["amount and reference alone", { counterparty: "SITI AISHAH NOOR" }],
  ])("is not matched by %s", async (_, of) => {
    expect(await after(await book(lineOf(await office.deposit(shop), of)))).toMatchObject({ status: "unmatched" });
  });

  test("is not matched where another deposit of the amount fits, or another line does", async () => {
    const [row] = [await office.deposit(shop), await office.deposit(shop)];
    expect(await after(await book(lineOf(row)))).toMatchObject({ status: "unmatched" });
    const alone = await office.deposit(shop, { amount: "77.00" });
    const twice = await bookLines(office, account.id, [lineOf(alone), lineOf(alone, { reference: "again" })]);
    await judge();
    const lines = await Promise.all(twice.ids.map((id) => lineNow(office, id)));
    expect(lines.map(({ status }) => status)).toEqual(["unmatched", "unmatched"]);
  });

  test("is not matched to an expired deposit, which is late money", async () => {
    const row = await office.deposit(shop);
    await db.owner.query("update transactions set expires_at = now() - interval '1 second' where id = $1", [row.id]);
    await expireDue(office.deps, office.tenant.id, 10);
    expect(await after(await book(lineOf(row)))).toMatchObject({ status: "unmatched" });
  });

  test("teaches no payer when it is matched automatically, because nobody has confirmed whose account it is", async () => {
    const line = await book(lineOf(await office.deposit(shop), { counterparty_account: "5140-1234" }));
    expect(await after(line)).toMatchObject({ status: "matched" });
    expect((await db.owner.query("select from bank_payers where tenant_id = $1", [office.tenant.id])).rowCount).toBe(0);
  });

  test("is looked at once", async () => {
    await book(aLine());
    expect(await judge()).toHaveLength(1);
    expect(await judge()).toHaveLength(0);
  });

  test("is not taken from the person who was faster", async () => {
    const row = await office.deposit(shop);
    const line = await book(lineOf(row));
    const wanted = { uuid: line.id, version: line.version, transactions: [{ uuid: row.id, version: row.version }] };
    expect(only(await act.matchBankLines(office.call(), body({ rows: [wanted] })))).toMatchObject({ done: true });
    await judge();
    const { data } = await act.readBankLine(office.call(), { params: { uuid: line.id }, query: undefined, body: undefined });
    expect(data.matches).toMatchObject([{ automatic: false }]);
  });
});

test("a deposit that arrives after its line is matched then", async () => {
  const line = await book(aLine({ counterparty: "Tan Wei Ming", reference: "SHOP-000-4711" }));
  expect(await after(line)).toMatchObject({ status: "unmatched" });
  const row = await office.deposit(shop, { merchant_txn_no: "SHOP-000-4711" });
  expect(await after(line)).toMatchObject({ status: "matched", matched: [{ txn_no: row.txn_no }] });
});

test("a withdrawal that is approved after its line came is matched then", async () => {
  const { uuid, version, txn_no, amount, holder } = await office.claimed(shop);
  const line = await book(aLine({ direction: "debit", counterparty: holder, description: `IBG ${txn_no}` }));
  expect(await after(line)).toMatchObject({ status: "unmatched" });
  const rows = [{ uuid, version, payment_account: account.id, confirmed: { amount, holder } }];
  done(only(await withdrawalHandlers.approveWithdrawals(office.call(), body({ rows }))));
  expect(await after(line)).toMatchObject({ status: "matched", matched: [{ txn_no }] });
});

test("an expired deposit that is taken up again is matched then", async () => {
  const row = await office.deposit(shop);
  await db.owner.query("update transactions set expires_at = now() - interval '1 second' where id = $1", [row.id]);
  await expireDue(office.deps, office.tenant.id, 10);
  const line = await book(lineOf(row));
  expect(await after(line)).toMatchObject({ status: "unmatched" });
  const rows = [{ uuid: row.id, version: 2 }];
  done(only(await depositHandlers.reopenDeposits(office.call(), body({ rows, reason: "Late money" }))));
  expect(await after(line)).toMatchObject({ status: "matched", matched: [{ txn_no: row.txn_no }] });
});

test("a deposit whose amount is put right is matched to the line of that amount", async () => {
  const { uuid, version, txn_no } = await office.taken(shop);
  const line = await book(aLine({ amount: "480.00", counterparty: "Tan Wei Ming", description: `FPX TRF ${txn_no}` }));
  expect(await after(line)).toMatchObject({ status: "unmatched" });
  const rows = [{ uuid, version, amount: "480.00", reason: "Paid less", confirmed: { amount: "480.00", payer: "Tan Wei Ming" } }];
  done(only(await depositHandlers.approveDeposits(office.call(), body({ rows }))));
  expect(await after(line)).toMatchObject({ status: "matched", matched: [{ txn_no }] });
});

describe("a tenant that approves on match", () => {
  beforeEach(() => setSettings(db, office.tenant, { approve_on_match: true }));
  const matched = async (of: { amount?: string } = {}) => {
    const row = await office.deposit(shop, of);
    await book(lineOf(row));
    await judge();
    return row;
  };

  test("has the deposit credited in the platform's name as soon as a line proves it", async () => {
    const row = await matched();
    expect(await statusOf(row.id)).toBe("approved");
    const { rows } = await db.owner.query("select act, actor from transaction_events where transaction_id = $1 order by n", [row.id]);
    expect(rows.slice(1)).toEqual([
      { act: "process", actor: "system" },
      { act: "approve", actor: "system" },
    ]);
  });
  test("has it so whoever matches", async () => {
    await setSettings(db, office.tenant, { auto_match: false });
    const row = await office.deposit(shop);
    const { id, version } = await book(lineOf(row));
    const rows = [{ uuid: id, version, transactions: [{ uuid: row.id, version: row.version }] }];
    expect(only(await act.matchBankLines(office.call(), body({ rows })))).toMatchObject({ done: true });
    expect(await statusOf(row.id)).toBe("approved");
  });
  test("leaves to people what must be confirmed", async () => {
    expect(await statusOf((await matched({ amount: "5000.00" })).id)).toBe("process");
  });
  test("leaves to people what somebody has claimed", async () => {
    const { uuid, version } = await office.taken(shop, { amount: "61.00" });
    const { id, version: seen } = await book(aLine({ amount: "61.00", counterparty: "Tan Wei Ming" }));
    const rows = [{ uuid: id, version: seen, transactions: [{ uuid, version }] }];
    expect(only(await act.matchBankLines(office.call(office.ben), body({ rows })))).toMatchObject({ done: true });
    expect(await statusOf(uuid)).toBe("process");
  });
  test("does nothing of the kind unless it is turned on", async () => {
    await setSettings(db, office.tenant, { approve_on_match: false });
    expect(await statusOf((await matched()).id)).toBe("process");
  });
});

describe("text rules", () => {
  const rule = (of: Partial<BankRule>): BankRule => ({
    contains: "",
    from: "",
    direction: "both",
    amount_from: "",
    amount_to: "",
    ignore_as: "fee",
    ...of,
  });
  const save = async (rules: BankRule[], version = 0) => (await act.saveBankRules(office.call(), body({ version, rules }))).data;
  const fee = rule({ contains: "bank charge", direction: "debit", amount_to: "50.00" });
  const own = rule({ from: "House Sdn", ignore_as: "own-transfer" });

  test("set aside what arrives, before it can be matched, the first that fits", async () => {
    await save([fee, own, rule({ contains: "BANK", ignore_as: "settlement" })]);
    const row = await office.deposit(shop);
    const lines = [
      await book(aLine({ direction: "debit", amount: "15.00", description: "BANK CHARGE NOV" })),
      await book(lineOf(row, { counterparty: "HOUSE SDN BHD" })),
      await book(aLine({ direction: "debit", amount: "51.00", description: "BANK CHARGE NOV" })),
      await book(aLine({ description: "CDM DEP" })),
    ];
    await judge();
    const now = await Promise.all(lines.map(({ id }) => lineNow(office, id)));
    expect(now.map(({ ignored_as }) => ignored_as)).toEqual(["fee", "own-transfer", "settlement", null]);
    expect(now.map(({ ignore_reason }) => ignore_reason)).toEqual(["bank charge", "House Sdn", "BANK", null]);
    const { data } = await act.readBankLine(office.call(), { params: { uuid: now[0]?.id ?? "" }, query: undefined, body: undefined });
    expect(data.history).toMatchObject([{ act: "bank-line.ignore", by: "system", reason: "bank charge" }]);
  });

  test("by the counterparty's account, however it is spaced", async () => {
    await save([rule({ from: "5140 1234", ignore_as: "own-transfer" })]);
    expect(await after(await book(aLine({ counterparty_account: "51401234" })))).toMatchObject({ ignored_as: "own-transfer" });
  });

  test("tried beforehand say what each would take, and change nothing", async () => {
    const lines = [
      await book(aLine({ direction: "debit", amount: "15.00", description: "BANK CHARGE NOV" })),
      await book(aLine({ direction: "debit", amount: "5.00", description: "BANK CHARGE OCT" })),
      await book(aLine({ counterparty: "House Sdn Bhd" })),
    ];
    const { data } = await act.tryBankRules(office.call(), body({ rules: [fee, fee, own] }));
    expect(data.rules.map(({ count, amount }) => [count, amount])).toEqual([
      [2, "20.00"],
      [0, "0.00"],
      [1, "500.00"],
    ]);
    expect(data.rules[2]?.lines.map(({ uuid }) => uuid)).toEqual([lines[2]?.id]);
    expect((await lineNow(office, lines[0]?.id ?? "")).status).toBe("unmatched");
  });

  test("applied take what is unmatched now, in the name of who applied them", async () => {
    const line = await book(aLine({ direction: "debit", amount: "15.00", description: "BANK CHARGE NOV" }));
    await judge();
    const { version } = await save([fee]);
    expect((await act.applyBankRules(office.call(), body({ version }))).data).toEqual({ ignored: 1 });
    const { data } = await act.readBankLine(office.call(), { params: { uuid: line.id }, query: undefined, body: undefined });
    expect(data).toMatchObject({ row: { status: "ignored" }, history: [{ act: "bank-line.ignore", by: "Ann Lim" }] });
  });

  test("are saved whole, by whoever saw the last of them", async () => {
    expect(await save([fee])).toMatchObject({ version: 1, by: "Ann Lim", rules: [{ contains: "bank charge" }] });
    await expect(save([own])).rejects.toMatchObject({ code: "record.stale" });
    await expect(save([own], 7)).rejects.toMatchObject({ code: "record.stale" });
    expect(await save([own, fee], 1)).toMatchObject({ version: 2, rules: [{ from: "House Sdn" }, { contains: "bank charge" }] });
  });

  test("are of one tenant and currency", async () => {
    await save([fee]);
    const elsewhere = await makeOffice(db);
    expect((await act.readBankRules(elsewhere.call(), body(undefined))).data).toMatchObject({ version: 0, rules: [] });
  });
});
