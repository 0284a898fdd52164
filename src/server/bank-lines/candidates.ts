import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Candidate, MatchScore } from "../../contract/bank-transactions.ts";
import type { TransactionStatus } from "../../contract/transactions.ts";
import { amountText } from "../../values/money.ts";
import type { Scoped } from "../db/scope.ts";
import type { TransactionKind } from "../db/tables/kinds.ts";
import type { LineScope } from "./add-lines.ts";
import type { ScoredLine, ScoredTransaction } from "./score.ts";
import { scoreOf } from "./score.ts";

/** A transaction or transfer beside a line it may belong to. */
export interface CandidateRow extends ScoredTransaction {
  readonly line_id: string;
  readonly id: string;
  readonly version: number;
  readonly kind: TransactionKind | "transfer";
  /** As bank_near tells it: the kind, or the side of a transfer. */
  readonly fits: string;
  readonly status: TransactionStatus;
  /** What the bank moves for it. */
  readonly amount: string;
  /** null, and no member: a transfer between accounts has none. */
  readonly merchant_id: string | null;
  readonly merchant_code: string;
  readonly merchant_name: string;
  readonly member: string;
  readonly created_at: Date;
  /** Unmatched lines that fit it. */
  readonly lines: number;
}
/** Where other lines are of no matter. */
export type Alone = Omit<CandidateRow, "lines">;

/** What is answered of each of these pairs of a line and a transaction, which are found once, before anything is added to them. */
const facts = (
  pairs: RawBuilder<unknown>,
) => sql`with f as materialized (${pairs}) select f.line_id, f.kind as fits, t.id, t.version, t.txn_no, t.merchant_txn_no,
    t.reference_no, t.kind, t.status, f.amount, case t.kind when 'deposit' then t.customer_name else t.holder end as name,
    m.id as merchant_id, m.code as merchant_code, m.name as merchant_name, t.member, t.created_at, f.begun, f.ended,
    t.kind = 'deposit' and exists (select from bank_lines l join bank_payers p on p.tenant_id = l.tenant_id and p.currency = l.currency
      and p.account = l.counterparty_account and p.merchant_id = t.merchant_id and p.member = t.member and p.status = 'active' and p.times > 0
      where l.tenant_id = f.tenant_id and l.id = f.line_id) as known_payer
  from f
  join transactions t on t.tenant_id = f.tenant_id and t.id = f.transaction_id
  join merchants m on m.tenant_id = t.tenant_id and m.id = t.merchant_id
  union all
  select f.line_id, f.kind, t.id, t.version, t.txn_no, null, t.reference_no, 'transfer', f.status, f.amount,
    case f.kind when 'source' then coalesce(t.holder, o.holder) else o.holder end, m.id, coalesce(m.code, ''), coalesce(m.name, ''), '',
    t.created_at, f.begun, f.ended, false
  from f
  join transfers t on t.tenant_id = f.tenant_id and t.id = f.transaction_id
  left join payment_accounts o on o.tenant_id = t.tenant_id and o.id = case f.kind when 'source' then t.target_id else t.source_id end
  left join merchants m on m.tenant_id = t.tenant_id and m.id = t.merchant_id`;

/** The transactions that fit each of these lines. */
export async function candidatesOf(db: Scoped, { tenant, currency }: LineScope, lines: readonly string[]): Promise<CandidateRow[]> {
  if (lines.length === 0) return [];
  const { rows } = await sql<Alone>`${facts(sql`select f.* from bank_fits() f
    where f.tenant_id = ${tenant} and f.currency = ${currency} and f.line_id = any(${lines}::uuid[])`)}`.execute(db);
  return withRivals(db, tenant, rows);
}

/** Counted for all at once, because each by itself would read the lines again. */
async function withRivals(db: Scoped, tenant: string, rows: readonly Alone[]): Promise<CandidateRow[]> {
  if (rows.length === 0) return [];
  const ids = [...new Set(rows.map(({ id }) => id))];
  // by kind as well, because a line of a transfer's one side is no rival of the other's
  const counted = await sql<{
    id: string;
    fits: string;
    lines: number;
  }>`select f.transaction_id as id, f.kind as fits, count(*)::integer as lines
    from bank_fits() f
    where f.tenant_id = ${tenant} and f.transaction_id = any(${ids}::uuid[]) and f.line_status = 'unmatched' group by 1, 2`.execute(db);
  const lines = new Map(counted.rows.map((one) => [`${one.id} ${one.fits}`, one.lines]));
  return rows.map((row) => ({ ...row, lines: lines.get(`${row.id} ${row.fits}`) ?? 0 }));
}

/** The unmatched lines that fit a transaction. */
export async function linesFitting(db: Scoped, { tenant, currency }: LineScope, transaction: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select f.line_id as id from bank_fits() f
    where f.tenant_id = ${tenant} and f.currency = ${currency} and f.transaction_id = ${transaction} and f.line_status = 'unmatched'
    order by f.line_time desc limit 200`.execute(db);
  return rows.map(({ id }) => id);
}

/** Most transactions a set is looked for among. */
const mostParts = 80;

/** Open or paid transactions of smaller amounts near the line, closest in time first: what a set may be made of. */
export async function partsOf(db: Scoped, { tenant, currency }: LineScope, line: string): Promise<Alone[]> {
  const near = sql`select f.* from bank_near() f
    where f.tenant_id = ${tenant} and f.currency = ${currency} and f.line_id = ${line} and f.amount < f.line_amount and f.status <> 'expired'
      and f.kind in ('deposit', 'withdrawal')
      and f.begun <= f.line_until and f.ended >= f.line_since
    order by abs(extract(epoch from f.line_time - f.begun)), f.transaction_id limit ${sql.lit(mostParts)}`;
  const { rows } = await sql<Alone>`select c.* from (${facts(near)}) c join bank_lines l on l.tenant_id = ${tenant} and l.id = c.line_id
    order by abs(extract(epoch from l.time - c.begun)), c.id`.execute(db);
  return rows;
}

/** These transactions beside the line, whatever their amounts and times: what a person wants to match it to. */
export async function chosenFor(
  db: Scoped,
  { tenant, currency }: LineScope,
  line: string,
  transactions: readonly string[],
): Promise<(Alone & { readonly charged: string })[]> {
  const { rows } = await sql<Alone & { charged: string }>`select c.*,
      coalesce(x.final_amount, case c.fits when 'source' then y.final_amount else y.amount end) as charged
    from (${facts(sql`select f.* from bank_near() f where f.tenant_id = ${tenant} and f.currency = ${currency} and f.line_id = ${line}
        and f.transaction_id = any(${transactions}::uuid[])`)}) c
    left join transactions x on x.tenant_id = ${tenant} and x.id = c.id
    left join transfers y on y.tenant_id = ${tenant} and y.id = c.id`.execute(db);
  return rows;
}

/** A candidate with its score. */
export interface Scored {
  readonly row: Alone;
  readonly score: MatchScore;
}

/** Each candidate of one line with its score, the best first. */
export function scored(line: ScoredLine, candidates: readonly CandidateRow[]): Scored[] {
  return candidates
    .map((row) => ({ row, score: scoreOf(line, row, Math.max(candidates.length, row.lines, 1)) }))
    .toSorted((a, b) => b.score.total - a.score.total || a.row.created_at.getTime() - b.row.created_at.getTime());
}

/** Whose it is; null: a transfer between our own accounts. */
export const merchantOf = (row: { merchant_id: string | null; merchant_code: string; merchant_name: string }): Candidate["merchant"] =>
  row.merchant_id === null ? null : { uuid: row.merchant_id, code: row.merchant_code, name: row.merchant_name };

export const candidateView = ({ row, score }: Scored): Candidate => ({
  uuid: row.id,
  version: row.version,
  txn_no: row.txn_no,
  kind: row.kind,
  status: row.status,
  amount: amountText(row.amount),
  reference_no: row.reference_no,
  name: row.name,
  merchant: merchantOf(row),
  created_at: row.created_at.toISOString(),
  score,
  known_payer: row.known_payer,
});
