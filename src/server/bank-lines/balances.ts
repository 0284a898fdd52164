import { sql } from "kysely";
import type { StatementBalance } from "../../contract/bank-transactions.ts";
import type { bankTransactionRoutes } from "../../contract/bank-transaction-routes.ts";
import { Refusal } from "../../contract/problems.ts";
import type { Answer } from "../../contract/route.ts";
import { amountText, money, moneyText } from "../../values/money.ts";
import type { Scoped } from "../db/scope.ts";
import type { TransactionKind } from "../db/tables/kinds.ts";
import type { LineScope } from "./add-lines.ts";
import type { LineRow } from "./line-rows.ts";
import { linesOf, lineView } from "./line-rows.ts";

interface BalanceRow {
  readonly account: string;
  readonly code: string;
  readonly bank: string;
  readonly ledger: string;
  readonly line: string;
  readonly time: Date;
  readonly bank_balance: string;
  readonly ledger_balance: string;
}

/** The ledger's balance of an account right after an instant. */
const ledgerAt = (tenant: string, ledger: ReturnType<typeof sql.ref>, at: ReturnType<typeof sql.ref>) => sql`coalesce((select e.balance
  from ledger_entries e where e.tenant_id = ${tenant} and e.account_id = ${ledger} and e.created_at <= ${at}
  order by e.created_at desc, e.seq desc limit 1), 0)`;

/** Each account whose lines carry the bank's balance, at the newest of these lines. */
async function balances(db: Scoped, { tenant, currency }: LineScope, account: string | null): Promise<BalanceRow[]> {
  const { rows } = await sql<BalanceRow>`select a.id as account, a.code, a.bank, a.ledger_account_id as ledger, l.id as line, l.time,
      l.balance as bank_balance, ${ledgerAt(tenant, sql.ref("a.ledger_account_id"), sql.ref("l.time"))} as ledger_balance
    from payment_accounts a
    cross join lateral (select b.id, b.time, b.balance from bank_lines b
      where b.tenant_id = a.tenant_id and b.payment_account_id = a.id and b.balance is not null order by b.time desc, b.id desc limit 1) l
    where a.tenant_id = ${tenant} and a.currency = ${currency} and a.id = coalesce(${account}::uuid, a.id) order by a.code`.execute(db);
  return rows;
}

const balanceView = (row: BalanceRow): StatementBalance => ({
  payment_account: { uuid: row.account, code: row.code, bank: row.bank },
  line: row.line,
  time: row.time.toISOString(),
  bank_balance: amountText(row.bank_balance),
  ledger_balance: amountText(row.ledger_balance),
  difference: moneyText(money(row.bank_balance) - money(row.ledger_balance)),
});

export const statementBalances = async (db: Scoped, scope: LineScope): Promise<StatementBalance[]> =>
  (await balances(db, scope, null)).map(balanceView);

/** Of one account; null: no line of it carries the bank's balance. */
export async function statementBalanceOf(db: Scoped, scope: LineScope, account: string): Promise<StatementBalance | null> {
  const [row] = await balances(db, scope, account);
  return row === undefined ? null : balanceView(row);
}

/** Most lines and movements an explanation lists. */
const most = 200;

/**
 * Why the bank's closing differs from the ledger's: what it differed by when the window opened, the lines matched to nothing, the movements
 * no line shows, and a rest.
 */
export async function statementDifference(
  db: Scoped,
  scope: LineScope,
  account: string,
  days: number,
): Promise<Answer<typeof bankTransactionRoutes.readStatementBalance>["data"]> {
  const [closing] = await balances(db, scope, account);
  if (!closing) throw new Refusal("not-found");
  const opening = await openingOf(db, scope, closing, days);
  const lines = await unmatchedLines(db, scope, closing, opening);
  const movements = await unseenMovements(db, scope, closing, opening);
  const difference = money(closing.bank_balance) - money(closing.ledger_balance);
  const opened = money(opening.bank_balance) - money(opening.ledger_balance);
  return {
    ...balanceView(closing),
    opened_at: opening.time.toISOString(),
    opening_difference: moneyText(opened),
    lines_sum: moneyText(lines.sum),
    lines: lines.rows,
    movements_sum: moneyText(movements.sum),
    movements: movements.rows,
    rest: moneyText(difference - opened - lines.sum + movements.sum),
  };
}

interface Opening {
  readonly time: Date;
  /** The opening is before this line, when it is the account's first. */
  readonly before: boolean;
  readonly line: string;
  readonly bank_balance: string;
  readonly ledger_balance: string;
}

/** The last line with a balance before the window; or the first there is, without what that line itself moved. */
async function openingOf(db: Scoped, { tenant }: LineScope, closing: BalanceRow, days: number): Promise<Opening> {
  const signed = sql`case b.direction when 'credit' then b.amount else -b.amount end`;
  const { rows } = await sql<Opening>`select o.id as line, o.time, o.before, o.bank_balance,
      ${ledgerAt(tenant, sql.ref("o.ledger"), sql.ref("o.ledger_time"))} as ledger_balance
    from (
      (select b.id, b.time, false as before, b.balance as bank_balance, b.time as ledger_time, ${closing.ledger}::uuid as ledger, 1 as n
        from bank_lines b where b.tenant_id = ${tenant} and b.payment_account_id = ${closing.account} and b.balance is not null
          and b.time <= ${closing.time}::timestamptz - make_interval(days => ${days}) order by b.time desc, b.id desc limit 1)
      union all
      (select b.id, b.time, true, b.balance - ${signed}, b.time, ${closing.ledger}::uuid, 2
        from bank_lines b where b.tenant_id = ${tenant} and b.payment_account_id = ${closing.account} and b.balance is not null
        order by b.time, b.id limit 1)) o
    order by o.n limit 1`.execute(db);
  const [opening] = rows;
  if (!opening) throw new Error("the closing line has a balance");
  return opening;
}

async function unmatchedLines(db: Scoped, scope: LineScope, closing: BalanceRow, { time, before, line }: Opening) {
  const window = sql`t.payment_account_id = ${closing.account} and t.status <> 'matched' and (t.time, t.id) <= (${closing.time}::timestamptz, ${closing.line}::uuid)
    and (t.time, t.id) ${before ? sql`>=` : sql`>`} (${time}::timestamptz, ${line}::uuid)`;
  const all = sql`from (${linesOf(scope)}) t where ${window}`;
  const { rows } = await sql<LineRow>`select t.* ${all} order by t.time desc, t.id desc limit ${sql.lit(most)}`.execute(db);
  const total = await sql<{ sum: string }>`select (coalesce(sum(t.credit), 0) - coalesce(sum(t.debit), 0))::text as sum ${all}`.execute(db);
  return { sum: money(total.rows[0]?.sum ?? "0"), rows: rows.map(lineView) };
}

interface MovementRow {
  readonly id: string;
  readonly time: Date;
  readonly kind: string;
  readonly amount: string;
  readonly transaction_id: string | null;
  readonly transaction_kind: TransactionKind | "transfer" | null;
  readonly txn_no: string | null;
}

async function unseenMovements(db: Scoped, { tenant }: LineScope, closing: BalanceRow, { time }: Opening) {
  const all = sql`from ledger_entries e join ledger_groups g on g.tenant_id = e.tenant_id and g.id = e.group_id
    left join transactions x on x.tenant_id = g.tenant_id and x.id = g.transaction_id
    left join transfers r on r.tenant_id = g.tenant_id and r.id = g.transaction_id
    left join payment_accounts p on p.tenant_id = e.tenant_id and p.ledger_account_id = e.account_id
    where e.tenant_id = ${tenant} and e.account_id = ${closing.ledger} and e.created_at > ${time} and e.created_at <= ${closing.time}
      and not exists (select from bank_matches m where m.tenant_id = e.tenant_id and m.transaction_id = g.transaction_id and m.undone_at is null)
      and not exists (select from bank_matches m where m.tenant_id = e.tenant_id and m.transfer_id = g.transaction_id and m.undone_at is null
        and p.id = case m.side when 'source' then r.source_id else r.target_id end)`;
  const { rows } = await sql<MovementRow>`select g.id, e.created_at as time, g.kind, e.amount, coalesce(x.id, r.id) as transaction_id,
      coalesce(x.kind, case when r.id is not null then 'transfer' end) as transaction_kind, coalesce(x.txn_no, r.txn_no) as txn_no ${all} order by e.created_at desc, e.seq desc limit ${sql.lit(most)}`.execute(
    db,
  );
  const total = await sql<{ sum: string }>`select coalesce(sum(e.amount), 0)::text as sum ${all}`.execute(db);
  return {
    sum: money(total.rows[0]?.sum ?? "0"),
    rows: rows.map(({ id, amount, time: at, kind, transaction_id, transaction_kind, txn_no }) => ({
      uuid: id,
      time: at.toISOString(),
      kind,
      amount: amountText(amount),
      transaction:
        transaction_id === null || transaction_kind === null
          ? null
          : { uuid: transaction_id, kind: transaction_kind, txn_no: txn_no ?? "" },
    })),
  };
}
