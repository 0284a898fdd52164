import { sql } from "kysely";
import type { bankTransactionRoutes } from "../../contract/bank-transaction-routes.ts";
import { ignoredAs, payerColumns } from "../../contract/bank-transactions.ts";
import { Refusal } from "../../contract/problems.ts";
import type { TransactionStatus } from "../../contract/transactions.ts";
import type { RowRef } from "../../contract/wire.ts";
import { amountText } from "../../values/money.ts";
import { actorOf } from "../audit/record.ts";
import { audit, historyOf } from "../audit/records.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import { inTenant } from "../db/scope.ts";
import type { TransactionKind } from "../db/tables/kinds.ts";
import type { Handlers } from "../handlers.ts";
import { once } from "../idempotency.ts";
import { onRows } from "../payments/acts.ts";
import { findRecords, listRecords } from "../records/record-list.ts";
import { addLines } from "./add-lines.ts";
import { statementBalances, statementDifference } from "./balances.ts";
import { merchantOf } from "./candidates.ts";
import type { LineRow } from "./line-rows.ts";
import { changeLine, findLine, lineList, linesOf, lineView, lockLine, refOf } from "./line-rows.ts";
import type { Moved } from "./match.ts";
import { matchLine, nothingMoved, unmatchLine } from "./match.ts";
import type { PayerRow } from "./payers.ts";
import { payerList, payersOf, payerView, revokePayer } from "./payers.ts";
import { publishMoved } from "./publish-moved.ts";
import { applyRules, readRules, saveRules, tryRules } from "./rules.ts";
import { suggestForLine, suggestLines } from "./suggestions.ts";

interface MadeRow {
  readonly id: string;
  readonly txn_no: string;
  readonly kind: TransactionKind | "transfer";
  readonly status: TransactionStatus;
  readonly amount: string;
  readonly reference_no: string | null;
  readonly name: string;
  readonly merchant_id: string | null;
  readonly merchant_code: string;
  readonly merchant_name: string;
  readonly created_at: Date;
  readonly score_amount: number;
  readonly score_reference: number;
  readonly score_name: number;
  readonly score_time: number;
  readonly automatic: boolean;
  readonly by: string | null;
  readonly made_at: Date;
}

/** The matches of a line that stand, as they were judged when they were made. */
async function matchesOf(db: Scoped, { tenant }: StaffCall, line: string) {
  const { rows } = await sql<MadeRow>`select coalesce(t.id, r.id) as id, coalesce(t.txn_no, r.txn_no) as txn_no,
      coalesce(t.kind, 'transfer') as kind, coalesce(t.status, r.status) as status, m.amount, coalesce(t.reference_no, r.reference_no) as reference_no,
      coalesce(case t.kind when 'deposit' then t.customer_name else t.holder end, r.holder, o.holder) as name, h.id as merchant_id,
      coalesce(h.code, '') as merchant_code, coalesce(h.name, '') as merchant_name, coalesce(t.created_at, r.created_at) as created_at, m.score_amount, m.score_reference, m.score_name, m.score_time, m.automatic, u.name as by, m.made_at
    from bank_matches m
    left join transactions t on t.tenant_id = m.tenant_id and t.id = m.transaction_id
    left join transfers r on r.tenant_id = m.tenant_id and r.id = m.transfer_id
    left join payment_accounts o on o.tenant_id = r.tenant_id and o.id = case m.side when 'source' then r.target_id else r.source_id end
    left join merchants h on h.tenant_id = m.tenant_id and h.id = coalesce(t.merchant_id, r.merchant_id)
    left join users u on u.id = m.by_user
    where m.tenant_id = ${tenant} and m.line_id = ${line} and m.undone_at is null order by m.n`.execute(db);
  return rows.map((row) => ({
    uuid: row.id,
    txn_no: row.txn_no,
    kind: row.kind,
    status: row.status,
    amount: amountText(row.amount),
    reference_no: row.reference_no,
    name: row.name,
    merchant: merchantOf(row),
    created_at: row.created_at.toISOString(),
    score: {
      total: row.score_amount + row.score_reference + row.score_name + row.score_time,
      amount: row.score_amount,
      reference: row.score_reference,
      name: row.score_name,
      time: row.score_time,
    },
    automatic: row.automatic,
    by: row.by,
    at: row.made_at.toISOString(),
  }));
}

async function ignore(
  db: Scoped,
  call: StaffCall,
  ref: RowRef,
  { ignore_as, reason }: { readonly ignore_as: (typeof ignoredAs)[number]; readonly reason: string },
  moved: Moved,
): Promise<LineRow> {
  const line = await lockLine(db, call, ref, "unmatched", "bank-line.not-unmatched");
  const now = await changeLine(db, call, line.id, { status: "ignored", ignoredAs: ignore_as, reason: reason || null });
  const after = { status: now.status, ignored_as: ignore_as };
  await audit(db, refOf(call, line.id), actorOf(call), "ignore", { before: { status: line.status }, after, reason: reason || null });
  moved.lines.add(line.id);
  return now;
}

async function takeBack(db: Scoped, call: StaffCall, ref: RowRef, moved: Moved): Promise<LineRow> {
  const line = await lockLine(db, call, ref, "ignored", "bank-line.not-ignored");
  const now = await changeLine(db, call, line.id, { status: "unmatched" });
  const before = { status: line.status, ignored_as: line.ignored_as };
  await audit(db, refOf(call, line.id), actorOf(call), "take-back", { before, after: { status: now.status } });
  moved.lines.add(line.id);
  return now;
}

/** Runs an act on lines that concerns transactions, too, and announces these once all is committed. */
async function onLines<R extends RowRef, V>(call: StaffCall, rows: readonly R[], act: (db: Scoped, ref: R, moved: Moved) => Promise<V>) {
  const moved = nothingMoved();
  try {
    return await onRows(call, null, rows, async (db, ref) => ({ answer: await act(db, ref, moved) }));
  } finally {
    publishMoved(call.deps, call.tenant, moved);
  }
}

const read = <T>(call: StaffCall, work: (db: Scoped) => Promise<T>): Promise<T> => inTenant(call.deps.database, call.tenant, work);

export const bankTransactionHandlers: Handlers<typeof bankTransactionRoutes, StaffCall> = {
  listBankLines: (call, { query }) =>
    read(call, async (db) => {
      const { rows, meta } = await listRecords<LineRow, keyof typeof lineList.columns & string>(db, call, lineList, linesOf(call), query);
      return { data: rows.map(lineView), meta };
    }),

  readBankLine: (call, { params: { uuid } }) =>
    read(call, async (db) => {
      const row = lineView(await findLine(db, call, uuid));
      return { data: { row, matches: await matchesOf(db, call, uuid), history: await historyOf(db, refOf(call, uuid)) } };
    }),

  async createBankLine(call, { body: { payment_account, time, ...typed } }) {
    const data = await once(call, null, async (db) => {
      const { rows } = await sql`select from payment_accounts
        where tenant_id = ${call.tenant} and currency = ${call.currency} and id = ${payment_account}`.execute(db);
      if (rows.length === 0) throw new Refusal("request.invalid", { payment_account: ["Names a record that does not exist"] });
      const line = { ...typed, time: new Date(time), balance: null };
      const { ids } = await addLines(db, call, payment_account, [line], { source: "hand", by: call.caller.id });
      const [id] = ids;
      if (id === undefined) throw new Refusal("bank-line.known");
      const row = lineView(await findLine(db, call, id));
      const { payment_account: account, direction, amount, reference, counterparty, counterparty_account, description } = row;
      const after = { payment_account: account.code, time: row.time, direction, amount, reference, counterparty, counterparty_account };
      await audit(db, refOf(call, id), actorOf(call), "create", { after: { ...after, description } });
      return { answer: row };
    });
    call.deps.publisher.changed(call.tenant, "bankLine", [data.uuid]);
    return { data };
  },

  suggestForBankLine: (call, { params: { uuid } }) => read(call, async (db) => ({ data: await suggestForLine(db, call, uuid) })),
  suggestBankLines: (call, { query: { transaction } }) => read(call, async (db) => ({ data: await suggestLines(db, call, transaction) })),

  matchBankLines: (call, { body: { rows } }) =>
    onLines(call, rows, (db, wanted, moved) => matchLine(db, call, actorOf(call), wanted, moved)),
  unmatchBankLines: (call, { body: { rows, reason } }) =>
    onLines(call, rows, (db, ref, moved) => unmatchLine(db, call, actorOf(call), ref, reason, moved)),
  ignoreBankLines: (call, { body: { rows, ...why } }) =>
    onLines(call, rows, async (db, ref, moved) => lineView(await ignore(db, call, ref, why, moved))),
  takeBackBankLines: (call, { body: { rows } }) =>
    onLines(call, rows, async (db, ref, moved) => lineView(await takeBack(db, call, ref, moved))),

  listPayers: (call, { query }) =>
    read(call, async (db) => {
      const { rows, meta } = await listRecords<PayerRow, keyof typeof payerColumns>(db, call, payerList, payersOf(call), query);
      return { data: rows.map(payerView), meta };
    }),
  readPayer: (call, { params: { uuid } }) =>
    read(call, async (db) => {
      const [row] = await findRecords<PayerRow>(db, payersOf(call), [uuid]);
      if (!row) throw new Refusal("not-found");
      return { data: { row: payerView(row), history: await historyOf(db, { tenant: call.tenant, entity: "payer", id: uuid }) } };
    }),
  revokePayers: (call, { body: { rows, reason } }) => onLines(call, rows, (db, ref) => revokePayer(db, call, actorOf(call), ref, reason)),

  readBankRules: (call) => read(call, async (db) => ({ data: await readRules(db, call) })),
  saveBankRules: async (call, { body }) => ({
    data: await once(call, null, async (db) => ({ answer: await saveRules(db, call, actorOf(call), body) })),
  }),
  tryBankRules: (call, { body: { rules } }) => read(call, async (db) => ({ data: { rules: await tryRules(db, call, rules) } })),
  async applyBankRules(call, { body: { version } }) {
    let taken: string[] = [];
    const data = await once(call, null, async (db) => {
      const saved = await readRules(db, call);
      if (saved.version !== version) throw new Refusal("record.stale", { by: saved.by ?? "", at: saved.updated_at, row: saved });
      taken = await applyRules(db, call, null, actorOf(call));
      return { answer: { ignored: taken.length } };
    });
    if (taken.length > 0) call.deps.publisher.changed(call.tenant, "bankLine", taken);
    return { data };
  },

  listStatementBalances: (call) => read(call, async (db) => ({ data: await statementBalances(db, call) })),
  readStatementBalance: (call, { params: { uuid }, query: { days } }) =>
    read(call, async (db) => ({ data: await statementDifference(db, call, uuid, days) })),
};
