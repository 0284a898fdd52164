import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import type { StatementLine } from "../../contract/statements.ts";
import type { TransactionStatus } from "../../contract/transactions.ts";
import { amountText } from "../../values/money.ts";
import type { TransactionKind } from "../db/tables/kinds.ts";
import { lineId, transactionOf } from "./reach.ts";

/** What a posting earned: a deposit approved again may have had another amount. */
const postedFee = sql`coalesce((select f.amount from ledger_entries f
  join ledger_accounts i on i.tenant_id = f.tenant_id and i.id = f.account_id and i.kind = 'fee-income'
  where f.tenant_id = g.tenant_id and f.group_id = g.id), 0)`;

/**
 * What a movement cost. A withdrawal and a settlement cost their fee when they are held and get it back when they are released, so that the
 * fees of a merchant's day are those it bore; a payment account's are those earned with it.
 */
export const feeIn = (isMerchants: boolean): RawBuilder<unknown> =>
  isMerchants
    ? sql`case when g.kind = 'deposit' and x.recalls = 0 or g.kind = 'withdrawal.hold' then x.fee when g.kind = 'withdrawal.release' then -x.fee
        when g.kind = 'settlement.hold' then y.fee when g.kind = 'settlement.release' then -y.fee
        when g.kind in ('deposit', 'deposit.recall') then ${postedFee} end`
    : sql`case when g.kind in ('deposit', 'withdrawal') and x.recalls = 0 then x.fee
        when g.kind in ('deposit', 'deposit.recall', 'withdrawal', 'withdrawal.recall', 'settlement', 'settlement.recall') then ${postedFee} end`;

interface LineRow {
  readonly id: string;
  readonly created_at: Date;
  readonly kind: string;
  readonly source: "api" | "manual" | null;
  readonly reason: string | null;
  readonly merchant_id: string | null;
  readonly merchant_code: string | null;
  readonly merchant_name: string | null;
  readonly account_id: string | null;
  readonly account_code: string | null;
  readonly account_bank: string | null;
  readonly counter_id: string | null;
  readonly counter_code: string | null;
  readonly counter_bank: string | null;
  readonly transaction_id: string | null;
  readonly transaction_kind: TransactionKind | "transfer" | null;
  readonly status: TransactionStatus | null;
  readonly txn_no: string | null;
  readonly merchant_txn_no: string | null;
  readonly reference_no: string | null;
  readonly customer_name: string | null;
  readonly amount: string | null;
  readonly charges: string | null;
  readonly charges_type: "fixed" | "percent" | null;
  readonly charges_borne_by: "merchant" | "house" | null;
  readonly final_amount: string | null;
  readonly merchant_receive: string | null;
  readonly amount_in: string | null;
  readonly amount_out: string | null;
  readonly fee: string | null;
  readonly previous_balance: string;
  readonly balance: string;
  readonly payment_date: Date | null;
  readonly requested_at: Date | null;
  readonly requested_by: string | null;
  readonly processed_at: Date | null;
  readonly processed_by: string | null;
  readonly approved_at: Date | null;
  readonly approved_by: string | null;
  readonly rejected_at: Date | null;
  readonly rejected_by: string | null;
  readonly reject_reason: string | null;
  readonly expired_at: Date | null;
  readonly completed_at: Date | null;
  readonly last_action_at: Date | null;
  readonly last_action_by: string | null;
  readonly remark: string | null;
  readonly has_receipt: boolean;
  readonly by: string | null;
  readonly key: string[];
}
export type { LineRow };

const nameOf = (user: RawBuilder<unknown>) => sql`(select u.name from users u where u.id = ${user})`;
const actorOf = (n: RawBuilder<unknown>) => sql`(select v.actor from transaction_events v where v.tenant_id = x.tenant_id
  and v.transaction_id = x.id and v.n = ${n})`;

/** A fact of transaction x or transfer y. */
const either = (column: string) => sql`coalesce(${sql.ref(`x.${column}`)}, ${sql.ref(`y.${column}`)})`;
/** Columns that both have, under their own names. */
const both = (...columns: readonly string[]) => sql.join(columns.map((column) => sql`${either(column)} as ${sql.ref(column)}`));

/** All that a line tells, for the movements `found` (columns account_id, seq, group_id, amount and `key`), each looked up by its key. */
export const linesOf = (
  tenant: string,
  found: RawBuilder<unknown>,
  isMerchants: boolean,
): RawBuilder<unknown> => sql`select e.key, e.created_at, e.seq,
    ${lineId} as id, g.kind, coalesce(x.source, case when y.id is not null or g.by_user is not null then 'manual' end) as source, g.reason,
    m.id as merchant_id, m.code as merchant_code, m.name as merchant_name, p.id as account_id, p.code as account_code, p.bank as account_bank,
    c.id as counter_id, c.code as counter_code, c.bank as counter_bank,
    ${either("id")} as transaction_id, coalesce(x.kind, case when y.id is not null then 'transfer' end) as transaction_kind,
    x.merchant_txn_no, x.customer_name, x.processed_at, x.expired_at, case when x.kind = 'deposit' then x.merchant_amount end as merchant_receive,
    ${both("status", "txn_no", "reference_no", "amount", "charges", "charges_type", "charges_borne_by", "final_amount", "payment_date")},
    ${both("approved_at", "rejected_at", "reject_reason", "completed_at", "last_action_at", "remark")},
    case when e.amount > 0 then e.amount end as amount_in, case when e.amount < 0 then -e.amount end as amount_out, ${feeIn(isMerchants)} as fee,
    e.previous_balance, e.balance, ${either("created_at")} as requested_at, coalesce(${actorOf(sql`1`)}, ${nameOf(sql`y.created_by`)}) as requested_by,
    ${nameOf(sql`x.processed_by`)} as processed_by, ${nameOf(either("approved_by"))} as approved_by, ${nameOf(either("rejected_by"))} as rejected_by,
    coalesce(${nameOf(sql`x.last_action_by`)}, ${actorOf(sql`x.events`)}, y.last_actor) as last_action_by,
    ${either("receipt_id")} is not null as has_receipt, ${nameOf(sql`g.by_user`)} as by
  from (${found}) e
  join ledger_accounts a on a.tenant_id = ${tenant} and a.id = e.account_id
  join ledger_groups g on g.tenant_id = ${tenant} and g.id = e.group_id
  ${transactionOf}
  left join merchants m on m.tenant_id = ${tenant} and m.id = ${isMerchants ? sql`a.owner_id` : either("merchant_id")}
  left join payment_accounts p on p.tenant_id = ${tenant} and p.id = ${isMerchants ? sql`coalesce(x.payment_account_id, y.source_id)` : sql`a.owner_id`}
  left join payment_accounts c on c.tenant_id = ${tenant} and c.id = ${isMerchants ? sql`null::uuid` : sql`case a.owner_id when y.source_id then y.target_id when y.target_id then y.source_id end`}`;

const amountOrNull = (amount: string | null): string | null => (amount === null ? null : amountText(amount));
const instantOrNull = (at: Date | null): string | null => at?.toISOString() ?? null;

export function lineView(row: LineRow): StatementLine {
  const { id, transaction_id, transaction_kind, merchant_id, account_id, counter_id, key: _key, ...rest } = row;
  return {
    ...rest,
    uuid: id,
    version: 1,
    created_at: row.created_at.toISOString(),
    merchant_uuid: merchant_id,
    account_uuid: account_id,
    counter_uuid: counter_id,
    transaction: transaction_id === null || transaction_kind === null ? null : { uuid: transaction_id, kind: transaction_kind },
    amount: amountOrNull(row.amount),
    charges: amountOrNull(row.charges),
    final_amount: amountOrNull(row.final_amount),
    merchant_receive: amountOrNull(row.merchant_receive),
    amount_in: amountOrNull(row.amount_in),
    amount_out: amountOrNull(row.amount_out),
    fee: amountOrNull(row.fee),
    previous_balance: amountText(row.previous_balance),
    balance: amountText(row.balance),
    payment_date: instantOrNull(row.payment_date),
    requested_at: instantOrNull(row.requested_at),
    processed_at: instantOrNull(row.processed_at),
    approved_at: instantOrNull(row.approved_at),
    rejected_at: instantOrNull(row.rejected_at),
    expired_at: instantOrNull(row.expired_at),
    completed_at: instantOrNull(row.completed_at),
    last_action_at: instantOrNull(row.last_action_at),
  };
}
