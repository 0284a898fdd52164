import { sql } from "kysely";
import type { OpenItems } from "../../contract/payment-accounts.ts";
import { amountText, money } from "../../values/money.ts";
import type { Scoped } from "../db/scope.ts";
import type { AccountRow, AccountScope } from "./account-rows.ts";

/** Most items that are named. */
const named = 10;

interface Item {
  readonly id: string;
  readonly kind: "deposit" | "withdrawal" | "transfer";
  readonly txn_no: string;
  readonly counted: number;
}

/** Open deposits and withdrawals that use an account, or for which a first approver chose it, and transfers pending on it. */
const openOn = ({ tenant, currency }: AccountScope, account: string) => sql`
  select id, kind, txn_no, created_at from transactions
    where tenant_id = ${tenant} and currency = ${currency} and kind in ('deposit', 'withdrawal') and status in ('pending', 'process')
      and (payment_account_id = ${account} or first_account_id = ${account})
  union all
  select id, 'transfer', txn_no, created_at from transfers
    where tenant_id = ${tenant} and status = 'pending' and (source_id = ${account} or target_id = ${account})`;

/** The number of items that are open on an account. */
export async function countOpen(db: Scoped, scope: AccountScope, account: string): Promise<number> {
  const { rows } = await sql<{ open: number }>`select count(*)::integer as open from (${openOn(scope, account)}) o`.execute(db);
  return rows[0]?.open ?? 0;
}

/** What is open on an account, its oldest items by name; null: nothing. */
export async function openItems(
  db: Scoped,
  scope: AccountScope,
  { id, hold_amount, hold_reason }: Pick<AccountRow, "id" | "hold_amount" | "hold_reason">,
): Promise<OpenItems | null> {
  const { rows } = await sql<Item>`select o.id, o.kind, o.txn_no, count(*) over (partition by o.kind)::integer as counted
    from (${openOn(scope, id)}) o order by o.created_at, o.id limit ${sql.lit(named)}`.execute(db);
  const hold = money(hold_amount) > 0n ? { amount: amountText(hold_amount), reason: hold_reason } : null;
  if (rows.length === 0 && hold === null) return null;
  const count = (kind: Item["kind"]) => rows.find((row) => row.kind === kind)?.counted ?? 0;
  return {
    deposits: count("deposit"),
    withdrawals: count("withdrawal"),
    transfers: count("transfer"),
    hold,
    items: rows.map(({ id: uuid, kind, txn_no }) => ({ uuid, kind, txn_no })),
  };
}
