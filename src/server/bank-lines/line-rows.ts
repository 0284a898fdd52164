import { sql } from "kysely";
import type { RawBuilder, Selectable } from "kysely";
import type { BankLine } from "../../contract/bank-transactions.ts";
import { bankLineColumns } from "../../contract/bank-transactions.ts";
import type { ProblemCode } from "../../contract/problems.ts";
import { Refusal } from "../../contract/problems.ts";
import type { RowRef } from "../../contract/wire.ts";
import { amountText } from "../../values/money.ts";
import { stale } from "../audit/records.ts";
import type { Scoped } from "../db/scope.ts";
import type { Tables } from "../db/tables.ts";
import type { TransactionKind } from "../db/tables/kinds.ts";
import type { RecordList } from "../records/record-list.ts";
import { findRecords } from "../records/record-list.ts";
import type { LineScope } from "./add-lines.ts";

/** A line with what its view shows beside its columns. */
export interface LineRow extends Omit<Selectable<Tables["bank_lines"]>, "digest"> {
  readonly account_code: string;
  readonly by: string | null;
  readonly matched: { uuid: string; txn_no: string; kind: TransactionKind | "transfer"; amount: string }[];
}

const columns = sql.raw(
  `id tenant_id version currency payment_account_id time direction amount reference counterparty counterparty_account description balance
    status ignored_as ignore_reason source import_id file_name by_user created_at updated_at`
    .split(/\s+/)
    .map((name) => `l.${name}`)
    .join(", "),
);

/** The select of all lines in a scope. */
export const linesOf = ({ tenant, currency }: LineScope): RawBuilder<unknown> => sql`select ${columns}, a.code as account_code,
    case l.direction when 'credit' then l.amount end as credit, case l.direction when 'debit' then l.amount end as debit,
    case l.direction when 'credit' then l.amount else -l.amount end as net,
    (select u.name from users u where u.id = l.by_user) as by,
    case l.status when 'matched' then (
      select coalesce(jsonb_agg(jsonb_build_object('uuid', coalesce(t.id, r.id), 'txn_no', coalesce(t.txn_no, r.txn_no),
        'kind', coalesce(t.kind, 'transfer'), 'amount', m.amount::text) order by m.n), '[]')
      from bank_matches m
      left join transactions t on t.tenant_id = m.tenant_id and t.id = m.transaction_id
      left join transfers r on r.tenant_id = m.tenant_id and r.id = m.transfer_id
      where m.tenant_id = l.tenant_id and m.line_id = l.id and m.undone_at is null) else '[]' end as matched
  from bank_lines l join payment_accounts a on a.tenant_id = l.tenant_id and a.id = l.payment_account_id
  where l.tenant_id = ${tenant} and l.currency = ${currency}`;

export const lineList: RecordList<keyof typeof bankLineColumns> = {
  columns: bankLineColumns,
  stored: { payment_account: { column: "payment_account_id" }, import_uuid: { column: "import_id" } },
};

export const lineView = (row: LineRow): BankLine => ({
  uuid: row.id,
  version: row.version,
  payment_account: { uuid: row.payment_account_id, code: row.account_code },
  time: row.time.toISOString(),
  direction: row.direction,
  amount: amountText(row.amount),
  reference: row.reference,
  counterparty: row.counterparty,
  counterparty_account: row.counterparty_account,
  description: row.description,
  balance: row.balance === null ? null : amountText(row.balance),
  status: row.status,
  ignored_as: row.ignored_as,
  ignore_reason: row.ignore_reason,
  matched: row.matched.map(({ amount, ...one }) => ({ ...one, amount: amountText(amount) })),
  source: row.source,
  file_name: row.file_name,
  import_uuid: row.import_id,
  by: row.by,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

export const findLines = (db: Scoped, scope: LineScope, ids: readonly string[]): Promise<LineRow[]> =>
  findRecords<LineRow>(db, linesOf(scope), ids);

export async function findLine(db: Scoped, scope: LineScope, id: string): Promise<LineRow> {
  const [row] = await findLines(db, scope, [id]);
  if (!row) throw new Refusal("not-found");
  return row;
}

export const refOf = ({ tenant }: LineScope, id: string) => ({ tenant, entity: "bank-line", id }) as const;

/** The refusal of an act that came too late: who changed the line, when, and the line as it is now. */
export async function lostLine(code: ProblemCode, db: Scoped, scope: LineScope, row: LineRow): Promise<Refusal> {
  const { detail } = await stale(db, refOf(scope, row.id), lineView(row));
  return new Refusal(code, detail);
}

/**
 * The line, locked; refused unless its version is the one the caller saw, and its status one the act is for. Transactions are locked
 * before it.
 */
export async function lockLine(
  db: Scoped,
  scope: LineScope,
  ref: RowRef,
  status: LineRow["status"],
  otherwise: ProblemCode,
): Promise<LineRow> {
  await sql`select from bank_lines where tenant_id = ${scope.tenant} and currency = ${scope.currency} and id = ${ref.uuid}
    for no key update`.execute(db);
  const row = await findLine(db, scope, ref.uuid);
  if (row.status !== status) throw await lostLine(otherwise, db, scope, row);
  if (row.version !== ref.version) throw await lostLine("record.stale", db, scope, row);
  return row;
}

/** Sets a line's status; the row is locked by this transaction. */
export async function changeLine(
  db: Scoped,
  scope: LineScope,
  id: string,
  { status, ignoredAs = null, reason = null }: { status: LineRow["status"]; ignoredAs?: LineRow["ignored_as"]; reason?: string | null },
): Promise<LineRow> {
  await sql`update bank_lines set status = ${status}, ignored_as = ${ignoredAs}, ignore_reason = ${reason}, version = version + 1,
      updated_at = clock_timestamp()
    where tenant_id = ${scope.tenant} and id = ${id}`.execute(db);
  return findLine(db, scope, id);
}
