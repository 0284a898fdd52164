import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import type { Asked } from "../../values/asked.ts";
import { amountText, money, moneyText } from "../../values/money.ts";
import type { Scoped } from "../db/scope.ts";
import type { Owners, Scope } from "./owners.ts";
import { ownersWith } from "./owners.ts";

/** The last entry of ledger account `a` before `at`, by its index. */
const lastBefore = ({ tenant }: Scope, at: RawBuilder<unknown>) => sql`select e.balance, e.seq, e.created_at from ledger_entries e
  where e.tenant_id = ${tenant} and e.account_id = a.id and e.created_at < ${at} order by e.created_at desc, e.seq desc limit 1`;

interface BalanceRow {
  readonly uuid: string;
  readonly code: string;
  readonly name: string;
  readonly balance: string;
  readonly moved_at: Date | null;
}

/** The balance each owner had at a moment: that of its last movement before it. */
export async function balancesAt(db: Scoped, scope: Scope, owners: Owners, at: string, code: Asked | undefined) {
  const { rows } =
    await sql<BalanceRow>`select a.owner_id as uuid, a.code, a.name, coalesce(l.balance, 0) as balance, l.created_at as moved_at
    from (${ownersWith(owners, scope, code)}) a left join lateral (${lastBefore(scope, sql`${at}::timestamptz`)}) l on true
    order by a.code`.execute(db);
  return {
    at,
    total: moneyText(rows.reduce((sum, { balance }) => sum + money(balance), 0n)),
    balances: rows.map((row) => ({ ...row, balance: amountText(row.balance), moved_at: row.moved_at?.toISOString() ?? null })),
  };
}

/** What the window opens and closes with, and how many movements lie between; a window without an end closes now. */
export async function endsOf(
  db: Scoped,
  scope: Scope,
  owners: Owners,
  code: Asked | undefined,
  from: string | undefined,
  to: string | undefined,
) {
  const ends = sql`select coalesce(o.balance, 0) as opening, coalesce(o.seq, 0) as seq_before,
      ${to === undefined ? sql`a.balance` : sql`coalesce(c.balance, 0)`} as closing, ${to === undefined ? sql`a.last_seq` : sql`coalesce(c.seq, 0)`} as seq
    from (${ownersWith(owners, scope, code)}) a
    left join lateral (${lastBefore(scope, from === undefined ? sql`'-infinity'::timestamptz` : sql`${from}::timestamptz`)}) o on true
    ${to === undefined ? sql`` : sql`left join lateral (${lastBefore(scope, sql`${to}::timestamptz`)}) c on true`}`;
  const { rows } = await sql<{ opening: string; closing: string; count: string }>`select coalesce(sum(opening), 0) as opening,
      coalesce(sum(closing), 0) as closing, greatest(coalesce(sum(seq - seq_before), 0), 0) as count from (${ends}) ends`.execute(db);
  const [row = { opening: "0", closing: "0", count: "0" }] = rows;
  return { opening: money(row.opening), closing: money(row.closing), count: Number(row.count) };
}
