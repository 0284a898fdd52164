import type { RawBuilder, Selectable } from "kysely";
import { sql } from "kysely";
import type { Transfer } from "../../contract/transfers.ts";
import { transferColumns } from "../../contract/transfers.ts";
import { Refusal } from "../../contract/problems.ts";
import { amountText } from "../../values/money.ts";
import type { Scoped } from "../db/scope.ts";
import type { Tables } from "../db/tables.ts";
import type { RecordList } from "../records/record-list.ts";
import { findRecords } from "../records/record-list.ts";

export interface TransferScope {
  readonly tenant: string;
  readonly currency: string;
}

/** A transfer with what every answer about it names beside its columns. */
export interface TransferRow extends Selectable<Tables["transfers"]> {
  /** The database's time, read after the row was locked. */
  readonly now: Date;
  readonly awaits: Transfer["awaits"];
  readonly source_code: string | null;
  readonly source_bank: string | null;
  readonly target_code: string | null;
  readonly target_bank: string | null;
  readonly merchant_code: string | null;
  readonly merchant_name: string | null;
  readonly lines_needed: number;
  readonly lines_matched: number;
  /** id → name of the users the row names */
  readonly people: Readonly<Record<string, string>> | null;
}

/** The select of all transfers in a scope. */
export const transfersOf = ({ tenant, currency }: TransferScope): RawBuilder<unknown> => sql`select t.*, clock_timestamp() as now,
    case when t.status = 'pending' then case when t.tier < 3 then 'confirmation' when t.first_approved_by is null then 'first' else 'second' end
    end as awaits,
    array_remove(array[t.source_id, t.target_id], null) as account,
    s.code as source_code, s.bank as source_bank, d.code as target_code, d.bank as target_bank, m.code as merchant_code, m.name as merchant_name,
    (t.source_id is not null)::integer + (t.target_id is not null)::integer as lines_needed,
    (select count(*)::integer from bank_matches b where b.tenant_id = t.tenant_id and b.transfer_id = t.id and b.undone_at is null)
      as lines_matched,
    (select jsonb_object_agg(u.id, u.name) from users u
      where u.id in (t.created_by, t.approved_by, t.rejected_by, t.first_approved_by)) as people
  from transfers t
  left join payment_accounts s on s.tenant_id = t.tenant_id and s.id = t.source_id
  left join payment_accounts d on d.tenant_id = t.tenant_id and d.id = t.target_id
  left join merchants m on m.tenant_id = t.tenant_id and m.id = t.merchant_id
  where t.tenant_id = ${tenant} and t.currency = ${currency}`;

export const transferList: RecordList<keyof typeof transferColumns> = {
  columns: transferColumns,
  stored: { account: { many: true }, merchant: { column: "merchant_id" }, amount: { sort: [{ name: "amount_key", type: "bigint" }] } },
};

const maybe = (date: Date | null): string | null => date && date.toISOString();

export function transferView(row: TransferRow): Transfer {
  const person = (id: string | null) => (id === null ? null : { uuid: id, name: row.people?.[id] ?? "" });
  const account = (uuid: string | null, code: string | null, bank: string | null) =>
    uuid === null ? null : { uuid, code: code ?? "", bank: bank ?? "" };
  return {
    uuid: row.id,
    version: row.version,
    txn_no: row.txn_no,
    kind: row.kind,
    status: row.status,
    awaits: row.awaits,
    currency: row.currency,
    source: account(row.source_id, row.source_code, row.source_bank),
    target: account(row.target_id, row.target_code, row.target_bank),
    merchant: row.merchant_id === null ? null : { uuid: row.merchant_id, code: row.merchant_code ?? "", name: row.merchant_name ?? "" },
    direction: row.direction,
    bank: row.bank,
    account_number: row.account_number,
    holder: row.holder,
    amount: amountText(row.amount),
    fee: amountText(row.fee),
    charges: amountText(row.charges),
    charges_type: row.charges_type,
    charges_borne_by: row.charges_borne_by,
    final_amount: amountText(row.final_amount),
    merchant_amount: row.merchant_amount && amountText(row.merchant_amount),
    tier: row.tier,
    reference_no: row.reference_no,
    reason: row.reason,
    remark: row.remark,
    payment_date: maybe(row.payment_date),
    previous_balance: row.previous_balance && amountText(row.previous_balance),
    lines: { needed: row.lines_needed, matched: row.lines_matched },
    first_approved_by: person(row.first_approved_by),
    recallable_until: maybe(row.recallable_until),
    created_at: row.created_at.toISOString(),
    created_by: { uuid: row.created_by, name: row.people?.[row.created_by] ?? "" },
    approved_at: maybe(row.approved_at),
    approved_by: person(row.approved_by),
    rejected_at: maybe(row.rejected_at),
    rejected_by: person(row.rejected_by),
    reject_reason: row.reject_reason,
    completed_at: maybe(row.completed_at),
    last_action_at: row.last_action_at.toISOString(),
    last_action_by: { uuid: row.last_action_by, name: row.last_actor },
    has_receipt: row.receipt_id !== null,
    updated_at: row.updated_at.toISOString(),
  };
}

export const findTransfers = (db: Scoped, scope: TransferScope, ids: readonly string[]): Promise<TransferRow[]> =>
  findRecords<TransferRow>(db, transfersOf(scope), ids);

export async function findTransfer(db: Scoped, scope: TransferScope, id: string): Promise<TransferRow> {
  const [row] = await findTransfers(db, scope, [id]);
  if (!row) throw new Refusal("not-found");
  return row;
}

/** The row, locked until the transaction ends. */
export async function lockTransfer(db: Scoped, scope: TransferScope, id: string): Promise<TransferRow> {
  await sql`select from transfers where tenant_id = ${scope.tenant} and currency = ${scope.currency} and id = ${id} for no key update`.execute(
    db,
  );
  return findTransfer(db, scope, id);
}
