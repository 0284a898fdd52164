import { sql } from "kysely";
import type { TransferStatus } from "../../contract/transfers.ts";
import { amountText } from "../../values/money.ts";
import { bare, mostOf } from "./finder.ts";
import type { Finder } from "./finder.ts";
import { numbersIn, numbersInEachCase, uuidsIn } from "./typed.ts";

/** Transfers by id, number, its last six digits or more, and the bank's reference; each way by an index. They have no name. */
export const findTransfers: Finder = async (db, { tenant, currency }, typed) => {
  const { ids, plain } = typed;
  if (ids.length === 0) return [];
  const most = sql.lit(mostOf(typed));
  const all = sql`from transfers t where t.tenant_id = ${tenant} and t.currency = ${currency}`;
  const uuids = uuidsIn(typed);
  const tails = plain.filter((number) => /^\d{6,}$/.test(number));
  const ways = [
    ...(uuids.length > 0 ? [sql`(select t.id, 0 as rank ${all} and t.id = any(${uuids}::uuid[]))`] : []),
    sql`(select t.id, 0 as rank ${all} and t.txn_no = any(${numbersIn(typed).map((one) => one.toUpperCase())}::text[]) limit ${most})`,
    sql`(select t.id, 0 as rank ${all} and t.reference_no = any(${numbersInEachCase(typed)}::text[]) limit ${most})`,
    ...tails.map(
      (tail) =>
        sql`(select t.id, 1 as rank ${all} and t.txn_tail = ${tail.slice(-6)} and right(t.txn_no, ${tail.length}) = ${tail} limit ${most})`,
    ),
  ];
  const { rows } = await sql<{
    id: string;
    txn_no: string;
    amount: string;
    status: TransferStatus;
    created_at: Date;
    accounts: string;
    merchant: string | null;
    rank: number;
  }>`select t.id, t.txn_no, t.amount, t.status, t.created_at, concat_ws(' → ', s.code, coalesce(g.code, t.holder)) as accounts,
      m.code as merchant, f.rank
    from (select w.id, min(w.rank) as rank from (${sql.join(ways, sql` union all `)}) w group by 1) f
    join transfers t on t.tenant_id = ${tenant} and t.id = f.id
    left join payment_accounts s on s.tenant_id = t.tenant_id and s.id = t.source_id
    left join payment_accounts g on g.tenant_id = t.tenant_id and g.id = t.target_id
    left join merchants m on m.tenant_id = t.tenant_id and m.id = t.merchant_id
    order by f.rank, t.created_at desc, t.id limit ${most}`.execute(db);
  return rows.map((row) => ({
    rank: row.rank,
    found: {
      ...bare,
      kind: "transfer",
      uuid: row.id,
      name: row.txn_no,
      note: row.accounts,
      merchant: row.merchant,
      created_at: row.created_at.toISOString(),
      amount: amountText(row.amount),
      currency,
      status: row.status,
    },
  }));
};
