import { sql } from "kysely";
import type { BankLine } from "../../contract/bank-transactions.ts";
import { amountText } from "../../values/money.ts";
import { bare, mostOf } from "./finder.ts";
import type { Finder } from "./finder.ts";
import { namesOf, numbersOf } from "./terms.ts";
import { uuidsIn } from "./typed.ts";

/**
 * Lines of the banks' statements, by id, reference, the other side's account number (whole or its last four digits) and name; each way by an
 * index, the newest first.
 */
export const findLines: Finder = async (db, { tenant, currency }, typed) => {
  const { ids, plain } = typed;
  const most = mostOf(typed);
  const all = sql`from bank_lines l where l.tenant_id = ${tenant} and l.currency = ${currency}`;
  const { names, typos } = await namesOf(db, { tenant, currency }, "counterparty", typed);
  const numbers = await numbersOf(db, { tenant, currency }, "counterparty-account", typed);
  const uuids = uuidsIn(typed);
  const by = (rank: number, column: string, values: readonly string[]) =>
    values.length === 0
      ? []
      : [
          sql`(select n.id, ${sql.lit(rank)} as rank from unnest(${values}::text[]) one cross join lateral (select l.id, l.time ${all}
            and ${sql.ref(`l.${column}`)} = one order by l.time desc limit ${sql.lit(most)}) n order by n.time desc limit ${sql.lit(most)})`,
        ];
  const ways = [
    ...(uuids.length > 0 ? [sql`(select l.id, 0 as rank ${all} and l.id = any(${uuids}::uuid[]))`] : []),
    ...by(0, "reference", [...new Set(ids.flatMap((id) => [id, id.toUpperCase()]))]),
    ...by(0, "counterparty_account", plain),
    ...by(1, "counterparty_account", numbers),
    ...by(3, "counterparty", names),
    ...by(5, "counterparty", typos),
  ];
  if (ways.length === 0) return [];
  const { rows } = await sql<{
    id: string;
    reference: string | null;
    counterparty: string | null;
    description: string;
    amount: string;
    status: BankLine["status"];
    time: Date;
    account: string;
    rank: number;
  }>`select l.id, l.reference, l.counterparty, l.description, l.amount, l.status, l.time, a.code as account, f.rank
    from (select w.id, min(w.rank) as rank from (${sql.join(ways, sql` union all `)}) w group by 1) f
    join bank_lines l on l.tenant_id = ${tenant} and l.id = f.id
    join payment_accounts a on a.tenant_id = l.tenant_id and a.id = l.payment_account_id
    order by f.rank, l.time desc, l.id limit ${sql.lit(most)}`.execute(db);
  return rows.map((row) => ({
    rank: row.rank,
    found: {
      ...bare,
      kind: "bank-line",
      uuid: row.id,
      name: row.reference ?? row.counterparty ?? row.description,
      note: [row.reference === null ? null : row.counterparty, row.account].filter((part) => part !== null).join(" · "),
      created_at: row.time.toISOString(),
      amount: amountText(row.amount),
      currency,
      status: row.status,
    },
  }));
};
