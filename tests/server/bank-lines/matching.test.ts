import { beforeEach, describe, expect, test } from "vitest";
import { bankTransactionRoutes as routes } from "../../../src/contract/bank-transaction-routes.ts";
import { bankTransactionHandlers as act } from "../../../src/server/bank-lines/bank-lines.ts";
import type { LineRow } from "../../../src/server/bank-lines/line-rows.ts";
import type { StatementLine } from "../../../src/server/bank-lines/statement-line.ts";
import { inTenant } from "../../../src/server/db/scope.ts";
import { depositHandlers } from "../../../src/server/payments/deposits.ts";
import { completeAfterCallback, expireDue } from "../../../src/server/payments/lapses.ts";
import type { TransactionRow } from "../../../src/server/payments/transaction-rows.ts";
import { withdrawalHandlers } from "../../../src/server/payments/withdrawals.ts";
import { aLine, bookLine, lineNow, lineOf } from "../../support/bank-lines.ts";
import { testDatabase } from "../../support/database.ts";
import type { Account, Merchant } from "../../support/factories.ts";
import { makeAccount, makeGroup, makeMerchant } from "../../support/factories.ts";
import { body, done, makeOffice, only } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

const db = testDatabase();
let office: Office;
let shop: Merchant;
let account: Account;

beforeEach(async () => {
  office = await makeOffice(db, { settings: { recall_seconds: 0 }, currencies: ["THB"] });
  account = await makeAccount(db, office.tenant, { charges_type: "fixed", charges_value: "2" });
  shop = await makeMerchant(db, office.tenant, { wallet: "100000" });
  await makeGroup(db, office.tenant, [account], [shop]);
});

type Ref = { readonly id: string; readonly version: number };
const ref = ({ id, version }: Ref) => ({ uuid: id, version });
const book = (line: StatementLine, to: Account = account) => bookLine(office, to.id, line);
const match = async (line: Ref, transactions: readonly Ref[], call = office.call()) =>
  only(await act.matchBankLines(call, body({ rows: [{ ...ref(line), transactions: transactions.map(ref) }] })));
const unmatch = async (line: Ref, call = office.call()) =>
  only(await act.unmatchBankLines(call, body({ rows: [ref(line)], reason: "another customer's" })));
const suggest = async (line: Ref) =>
  (await act.suggestForBankLine(office.call(), { params: { uuid: line.id }, query: undefined, body: undefined })).data;
const suggested = async (line: Ref) =>
  (await suggest(line)).map(({ transactions }) => transactions.map(({ txn_no }) => txn_no).join(" + "));
const linesFor = async ({ id }: Ref) =>
  (await act.suggestBankLines(office.call(), { query: { transaction: id }, params: undefined, body: undefined })).data;
const code = (outcome: Awaited<ReturnType<typeof match>>) => (outcome.done ? "done" : outcome.problem.code);

async function now({ id }: Ref): Promise<TransactionRow> {
  const { rows } = await db.owner.query<TransactionRow>("select * from transactions where id = $1", [id]);
  return rows[0] as TransactionRow; // it was created
}
async function set({ id }: Ref, columns: string): Promise<TransactionRow> {
  await db.owner.query(`update transactions set ${columns} where id = $1`, [id]);
  return now({ id, version: 1 });
}
async function approve(row: Ref): Promise<void> {
  done(only(await depositHandlers.claimDeposits(office.call(), body({ rows: [ref(await now(row))] }))));
  done(only(await depositHandlers.approveDeposits(office.call(), body({ rows: [ref(await now(row))] }))));
}

/** Nobody reported it paid in time. */
async function expire({ id }: Ref): Promise<TransactionRow> {
  await db.owner.query("update transactions set expires_at = now() - interval '1 second' where id = $1", [id]);
  await expireDue(office.deps, office.tenant.id, 10);
  return now({ id, version: 1 });
}

/** The merchant took the callback of its approval. */
async function complete({ id }: Ref): Promise<void> {
  const { rows } = await db.owner.query<{ id: string; event_n: number }>(
    "update outbox set state = 'delivered', attempts = 1, next_attempt_at = null, delivered_at = now() where transaction_id = $1 returning id, event_n",
    [id],
  );
  const [sent] = rows;
  await db.owner.query("insert into callback_attempts (tenant_id, outbox_id, n, status, milliseconds) values ($1, $2, 1, 200, 5)", [
    office.tenant.id,
    sent?.id,
  ]);
  await inTenant(db.database, office.tenant.id, (scoped) =>
    completeAfterCallback(scoped, { tenant: office.tenant.id, transactionId: id, eventN: sent?.event_n ?? 0 }),
  );
}

/** A withdrawal that was paid from the account. */
async function paid(amount = "250.00"): Promise<TransactionRow> {
  const claimed = await office.claimed(shop, { amount });
  const rows = [{ uuid: claimed.uuid, version: claimed.version, account: account.id, confirmed: { amount, holder: claimed.holder } }];
  const outcome = only(await withdrawalHandlers.approveWithdrawals(office.call(), body({ rows })));
  if (!outcome.done) throw new Error(outcome.problem.code);
  return now({ id: claimed.uuid, version: 1 });
}

describe("a line is suggested", () => {
  test("the deposit of its account, amount and time, with the score's parts", async () => {
    const row = await office.deposit(shop);
    const [first] = await suggest(await book(lineOf(row)));
    expect(first).toMatchObject({
      score: { total: 98, amount: 35, reference: 30, name: 20, time: 13 },
      transactions: [{ txn_no: row.txn_no, name: "Tan Wei Ming", status: "pending", known_payer: false }],
    });
  });

  const minutes = (row: TransactionRow, n: number) => ({ time: new Date(row.created_at.getTime() + n * 60_000) });
  test.each<[string, number, boolean]>([
    ["an hour before it", -60, true],
    ["more than an hour before it", -61, false],
    ["72 hours after it", 72 * 60, true],
    ["more than 72 hours after it", 72 * 60 + 1, false],
  ])("no deposit created outside its window: %s", async (_, at, fits) => {
    const row = await office.deposit(shop);
    expect(await suggested(await book(lineOf(row, minutes(row, at))))).toEqual(fits ? [row.txn_no] : []);
  });

  test("nothing of another account, direction or amount", async () => {
    const row = await office.deposit(shop);
    const elsewhere = await makeAccount(db, office.tenant);
    expect(await suggested(await book(lineOf(row), elsewhere))).toEqual([]);
    expect(await suggested(await book(lineOf(row, { direction: "debit" })))).toEqual([]);
    expect(await suggested(await book(lineOf(row, { amount: "500.01" })))).toEqual([]);
  });

  test("nothing that was rejected or is matched already, but what is expired", async () => {
    const [rejected, matched, expired] = [await office.deposit(shop), await office.deposit(shop), await office.deposit(shop)];
    expect(code(await match(await book(lineOf(matched)), [matched]))).toBe("done");
    const rows = [ref(rejected)];
    await depositHandlers.rejectDeposits(office.call(), body({ rows, reason: { code: "duplicate" } }));
    await expire(expired);
    expect(await suggested(await book(lineOf(expired, { reference: "late" })))).toEqual([expired.txn_no]);
  });

  test("the best five, the best first, each with what the amount leaves open", async () => {
    const all = [];
    for (let n = 0; n < 6; n++) all.push(await office.deposit(shop, { customer_name: `Customer ${"ABCDEF"[n]}`, member: `M${n}` }));
    const wanted = all[4] as TransactionRow;
    const found = await suggest(await book(lineOf(wanted)));
    expect(found).toHaveLength(5);
    expect(found[0]).toMatchObject({ score: { amount: 5 }, transactions: [{ txn_no: wanted.txn_no }] });
  });

  test("sets of up to four where no single deposit fits, and none where one does", async () => {
    const parts = [];
    for (const amount of ["1000.00", "900.00", "750.00", "640.00"]) parts.push(await office.deposit(shop, { amount }));
    const line = await book(aLine({ amount: "2650.00", description: "POOL 3 PAX" }));
    const [set, ...others] = await suggest(line);
    expect(set?.transactions.map(({ txn_no }) => txn_no).toSorted()).toEqual(parts.slice(0, 3).map(({ txn_no }) => txn_no));
    expect([set?.score.amount, others]).toEqual([35, []]);
    const single = await office.deposit(shop, { amount: "2650.00" });
    expect(await suggested(line)).toEqual([single.txn_no]);
  });

  test("the withdrawal that was paid, with the charges in the line or beside it, and none that was not", async () => {
    await office.claimed(shop, { amount: "250.00" });
    const row = await paid("250.00");
    expect(await suggested(await book(lineOf(row, { time: new Date() })))).toEqual([row.txn_no]);
    expect(await suggested(await book(lineOf(row, { time: new Date(), amount: "252.00" })))).toEqual([row.txn_no]);
  });
});

describe("a deposit is suggested", () => {
  test("the unmatched lines that fit it, the best first", async () => {
    const row = await office.deposit(shop);
    const [bare, named, taken] = [
      await book(aLine({ description: "CDM DEP" })),
      await book(lineOf(row)),
      await book(lineOf(row, { reference: "2" })),
    ];
    await act.ignoreBankLines(office.call(), body({ rows: [ref(taken)], ignore_as: "fee", reason: "" }));
    const found = await linesFor(row);
    expect(found.map(({ line }) => line.uuid)).toEqual([named.id, bare.id]);
    expect(found.map(({ score }) => score.amount)).toEqual([17, 17]);
  });
});

describe("matching", () => {
  test("moves a pending deposit to process, keeps the score, and says who did it", async () => {
    const row = await office.deposit(shop);
    const line = await book(lineOf(row));
    const outcome = await match(line, [row]);
    expect(outcome).toMatchObject({ done: true, row: { status: "matched", matched: [{ txn_no: row.txn_no, amount: "500.00" }] } });
    expect(await now(row)).toMatchObject({ status: "process", processed_by: office.ann.id });
    const { data } = await act.readBankLine(office.call(), { params: { uuid: line.id }, query: undefined, body: undefined });
    expect(data.matches).toMatchObject([{ txn_no: row.txn_no, status: "process", automatic: false, by: "Ann Lim", score: { total: 98 } }]);
    expect(data.history.map(({ act: name }) => name)).toEqual(["bank-line.match"]);
    expect(office.announced).toContainEqual({ tenant: office.tenant.id, event: "deposit", uuids: [row.id] });
  });

  test("leaves a decided one as it is", async () => {
    const row = await paid();
    expect(code(await match(await book(lineOf(row, { time: new Date() })), [row]))).toBe("done");
    expect(await now(row)).toMatchObject({ status: row.status, version: row.version });
  });

  test("takes up to four transactions whose sum is the line's amount exactly", async () => {
    const rows = [await office.deposit(shop, { amount: "100.00" }), await office.deposit(shop, { amount: "200.00" })];
    expect(code(await match(await book(aLine({ amount: "300.01" })), rows))).toBe("bank-line.sum");
    const line = await book(aLine({ amount: "300.00" }));
    expect(code(await match(line, rows.slice(0, 1)))).toBe("bank-line.sum");
    expect(code(await match(line, rows))).toBe("done");
    expect((await lineNow(office, line.id)).matched.map(({ amount }) => Number(amount))).toEqual([100, 200]);
    expect((await Promise.all(rows.map(now))).map(({ status }) => status)).toEqual(["process", "process"]);
  });

  test("refuses another account, another direction and an expired deposit", async () => {
    const row = await office.deposit(shop);
    expect(code(await match(await book(lineOf(row), await makeAccount(db, office.tenant)), [row]))).toBe("bank-line.misfit");
    expect(code(await match(await book(lineOf(row, { direction: "debit" })), [row]))).toBe("not-found");
    const expired = await expire(row);
    expect(code(await match(await book(lineOf(row)), [expired]))).toBe("bank-line.misfit");
  });

  test("gives a transaction one line and a line one set", async () => {
    const [one, two] = [await office.deposit(shop), await office.deposit(shop)];
    const [first, second] = [await book(lineOf(one)), await book(lineOf(one, { reference: "again" }))];
    expect(code(await match(first, [one]))).toBe("done");
    expect(code(await match(second, [await now(one)]))).toBe("transaction.matched");
    expect(code(await match(await lineNow(office, first.id), [two]))).toBe("bank-line.not-unmatched");
  });

  test("is refused for a line or a transaction that changed since it was seen", async () => {
    const row = await office.deposit(shop);
    const line = await book(lineOf(row));
    expect(code(await match({ ...line, version: 2 }, [row]))).toBe("record.stale");
    expect(code(await match(line, [{ ...row, version: 2 }]))).toBe("transaction.stale");
  });

  test("sent twice under one key is done once", async () => {
    const row = await office.deposit(shop);
    const line = await book(lineOf(row));
    const call = () => office.call(office.ann, { key: "the-same-key" });
    const [first, second] = [await match(line, [row], call()), await match(line, [row], call())];
    expect(second).toEqual(first);
    expect((await now(row)).version).toBe(2);
  });

  test("finds nothing of another tenant or currency", async () => {
    const row = await office.deposit(shop);
    const line = await book(lineOf(row));
    const elsewhere = await makeOffice(db);
    expect(code(await match(line, [row], elsewhere.call()))).toBe("not-found");
    expect(code(await match(line, [row], office.call(office.ann, { currency: "THB" })))).toBe("not-found");
  });
});

describe("unmatching", () => {
  async function matched(of: Partial<StatementLine> = {}): Promise<{ row: TransactionRow; line: LineRow }> {
    const row = await office.deposit(shop);
    const line = await book(lineOf(row, of));
    expect(code(await match(line, [row]))).toBe("done");
    return { row: await now(row), line: await lineNow(office, line.id) };
  }

  test("frees both, keeps the deposit in process, and its reason in the history", async () => {
    const { row, line } = await matched();
    expect(await unmatch(line)).toMatchObject({ done: true, row: { status: "unmatched", matched: [] } });
    expect(await now(row)).toMatchObject({ status: "process" });
    const { data } = await act.readBankLine(office.call(), { params: { uuid: line.id }, query: undefined, body: undefined });
    expect(data.history[0]).toMatchObject({ act: "bank-line.unmatch", reason: "another customer's" });
    expect(code(await match(await lineNow(office, line.id), [row]))).toBe("done");
  });

  test("is possible while the transaction is approved", async () => {
    const { row, line } = await matched();
    await approve(row);
    expect(code(await unmatch(line))).toBe("done");
  });

  test("is refused once it is completed, unless a receipt or a second person proves it", async () => {
    const { row, line } = await matched();
    await approve(row);
    await complete(row);
    expect(code(await unmatch(line))).toBe("bank-line.only-proof");
    await set(row, `approved_by = '${office.ben.id}', first_approved_by = '${office.ben.id}'`);
    expect(code(await unmatch(line))).toBe("bank-line.only-proof");
    await set(row, `first_approved_by = '${office.ann.id}'`);
    expect(code(await unmatch(line))).toBe("done");
  });

  test("with a receipt is possible", async () => {
    const { row, line } = await matched();
    await approve(row);
    await complete(row);
    // the file itself is of no matter here
    await db.owner.query(`begin; set local session_replication_role = replica;
      update transactions set receipt_id = gen_random_uuid() where id = '${row.id}'; commit`);
    expect(code(await unmatch(line))).toBe("done");
  });

  test("is refused for a line that is not matched, and for one that changed", async () => {
    const { line } = await matched();
    expect(code(await unmatch({ ...line, version: 1 }))).toBe("record.stale");
    expect(code(await unmatch(await book(aLine())))).toBe("bank-line.not-matched");
  });
});

describe("ignoring", () => {
  const ignore = async (line: Ref, reason = "") =>
    only(await act.ignoreBankLines(office.call(), body({ rows: [ref(line)], ignore_as: "own-transfer" as const, reason })));
  const takeBack = async (line: Ref) => only(await act.takeBackBankLines(office.call(), body({ rows: [ref(line)] })));

  test("says as what and why, and can be taken back", async () => {
    const line = await book(aLine());
    expect(await ignore(line, "to the reserve account")).toMatchObject({
      row: { status: "ignored", ignored_as: "own-transfer", ignore_reason: "to the reserve account" },
    });
    expect(await takeBack(await lineNow(office, line.id))).toMatchObject({ row: { status: "unmatched", ignored_as: null } });
    const { data } = await act.readBankLine(office.call(), { params: { uuid: line.id }, query: undefined, body: undefined });
    expect(data.history.map(({ act: name }) => name)).toEqual(["bank-line.take-back", "bank-line.ignore"]);
  });
  test("is refused for a matched line, and taking back for one that is not ignored", async () => {
    const row = await office.deposit(shop);
    const line = await book(lineOf(row));
    expect(await takeBack(line)).toMatchObject({ done: false, problem: { code: "bank-line.not-ignored" } });
    await match(line, [row]);
    expect(await ignore(await lineNow(office, line.id))).toMatchObject({ done: false, problem: { code: "bank-line.not-unmatched" } });
  });
  test("as something else needs a reason", () => {
    const sent = { rows: [{ uuid: account.id, version: 1 }], ignore_as: "other", reason: " " };
    expect(routes.ignoreBankLines.body.safeParse(sent).success).toBe(false);
    expect(routes.ignoreBankLines.body.safeParse({ ...sent, reason: "a test payment" }).success).toBe(true);
  });
});

describe("a payer's account", () => {
  const payers = async () =>
    (await act.listPayers(office.call(), { query: routes.listPayers.query.parse({}), params: undefined, body: undefined })).data;
  const from = { counterparty: "MRS LIM", counterparty_account: "5140-1234" };
  async function taught(): Promise<LineRow> {
    const row = await office.deposit(shop);
    const line = await book(lineOf(row, from));
    await match(line, [row]);
    return lineNow(office, line.id);
  }
  /** The points for the name of the best suggestion for a new line from the same account. */
  async function namePoints(member = "M1"): Promise<number | undefined> {
    const row = await office.deposit(shop, { member });
    return (await suggest(await book(lineOf(row, { ...from, description: row.txn_no })))).find(({ transactions }) =>
      transactions.some(({ uuid }) => uuid === row.id),
    )?.score.name;
  }

  test("is learned from a match, and counts as the name of that customer alone", async () => {
    expect(await namePoints()).toBe(0);
    await taught();
    expect(await payers()).toMatchObject([{ account: "51401234", name: "MRS LIM", member: "M1", times: 1, status: "active" }]);
    expect(await namePoints()).toBe(20);
    expect(await namePoints("M2")).toBe(0);
  });
  test("is forgotten with the match that taught it", async () => {
    await unmatch(await taught());
    expect(await payers()).toEqual([]);
    expect(await namePoints()).toBe(0);
  });
  test("can be revoked with a reason, until a person matches the two again", async () => {
    await taught();
    const [learned] = await payers();
    const rows = [{ uuid: learned?.uuid ?? "", version: learned?.version ?? 0 }];
    expect(only(await act.revokePayers(office.call(), body({ rows, reason: "shared" })))).toMatchObject({ row: { status: "revoked" } });
    expect(await namePoints()).toBe(0);
    const { data } = await act.readPayer(office.call(), { params: { uuid: learned?.uuid ?? "" }, query: undefined, body: undefined });
    expect(data.history[0]).toMatchObject({ act: "payer.revoke", reason: "shared" });
    const row = await office.deposit(shop);
    await match(await book(lineOf(row, { ...from, reference: "again" })), [row]);
    expect(await payers()).toMatchObject([{ times: 2, status: "active" }]);
  });
});

test("late money is an expired deposit that an unmatched line fits", async () => {
  const [late, none] = [await office.deposit(shop), await office.deposit(shop, { amount: "70.00" })];
  const found = async () =>
    inTenant(db.database, office.tenant.id, async () => {
      const { rows } = await db.owner.query<{ id: string }>("select late_deposits($1, $2) as id", [office.tenant.id, "MYR"]);
      return rows.map(({ id }) => id);
    });
  const line = await book(lineOf(late));
  await book(lineOf(none));
  expect(await found()).toEqual([]);
  await expire(late);
  expect(await found()).toEqual([late.id]);
  await act.ignoreBankLines(office.call(), body({ rows: [ref(line)], ignore_as: "fee", reason: "" }));
  expect(await found()).toEqual([]);
});
