import { sql } from "kysely";
import type { FieldLines, ProblemCode } from "../../contract/problems.ts";
import { Refusal } from "../../contract/problems.ts";
import type { Money } from "../../values/money.ts";
import { amountText, money, moneyText } from "../../values/money.ts";
import type { Scoped } from "../db/scope.ts";
import type { TransactionKind } from "../db/tables/kinds.ts";
import type { TransferScope } from "./transfer-rows.ts";

/** A payment account that takes part in a transfer, as it is once it is locked. */
export interface PartyRow {
  readonly id: string;
  readonly code: string;
  readonly bank: string;
  readonly holder: string;
  readonly status: "active" | "inactive" | "suspend";
  readonly ledger_account_id: string;
  readonly balance: string;
  readonly hold_amount: string;
  readonly hold_reason: string | null;
  readonly reserve_amount: string;
  readonly charges_type: "fixed" | "percent";
  readonly charges_value: string;
  readonly payable: string;
}

/** The form's field that names the account. */
export type Side = "source" | "target";

/** What a transfer counts against an account's limits: what leaves it as a withdrawal, what reaches it as a deposit. */
export interface Use {
  readonly side: Side;
  readonly account: string;
  readonly kind: TransactionKind;
  readonly amount: Money;
}

/** The uses of a transfer, in the order in which their counters are locked: by account. */
export function usesOf(row: {
  readonly kind: string;
  readonly source_id: string | null;
  readonly target_id: string | null;
  readonly amount: string;
  readonly final_amount: string;
}): Use[] {
  const uses: Use[] = [];
  // what is cleared into adjustment moves at no bank
  if (row.kind === "clearing" && row.target_id === null) return uses;
  if (row.source_id !== null) uses.push({ side: "source", account: row.source_id, kind: "withdrawal", amount: money(row.final_amount) });
  if (row.target_id !== null) uses.push({ side: "target", account: row.target_id, kind: "deposit", amount: money(row.amount) });
  return uses.toSorted((a, b) => (a.account < b.account ? -1 : 1));
}

/** Counts the uses against their accounts' limits of a day, never above them. Refuses payment-account.over-limit. */
export async function takeLimits(db: Scoped, scope: TransferScope, day: string, uses: readonly Use[]): Promise<void> {
  for (const { side, account, kind, amount } of uses) {
    const { rows } = await sql<{
      taken: boolean;
    }>`select limit_take(${account}, ${kind}, ${day}::date, ${moneyText(amount)}::numeric) as taken
      from payment_accounts where tenant_id = ${scope.tenant} and currency = ${scope.currency} and id = ${account}`.execute(db);
    const [found] = rows;
    if (!found) throw notThere(side);
    if (!found.taken) throw await overLimit(db, scope, day, { side, account, kind, amount });
  }
}

export async function releaseLimits(db: Scoped, day: string, uses: readonly Use[]): Promise<void> {
  for (const { account, kind, amount } of uses) {
    await sql`select limit_release(${account}, ${kind}, ${day}::date, ${moneyText(amount)}::numeric)`.execute(db);
  }
}

export interface Limits {
  readonly daily_limit: string | null;
  readonly monthly_limit: string | null;
  readonly daily_used: string;
  readonly monthly_used: string;
}

/** An account's limits of one kind, and what is used of them. */
export async function limitsOf(
  db: Scoped,
  { tenant }: TransferScope,
  account: string,
  kind: TransactionKind,
  day: string,
): Promise<(Limits & { readonly code: string }) | undefined> {
  const { rows } = await sql<Limits & { code: string }>`select a.code, l.* from payment_accounts a,
      limits_of(a.tenant_id, a.id, ${kind}, ${day}::date, a.deposit_daily_limit, a.deposit_monthly_limit, a.withdrawal_daily_limit,
        a.withdrawal_monthly_limit) l
    where a.tenant_id = ${tenant} and a.id = ${account}`.execute(db);
  return rows[0];
}

async function overLimit(db: Scoped, scope: TransferScope, day: string, { side, account, kind, amount }: Use): Promise<Refusal> {
  const found = await limitsOf(db, scope, account, kind, day);
  if (!found) return notThere(side);
  const isDaily = found.daily_limit !== null && money(found.daily_used) + amount > money(found.daily_limit);
  const [limit, used] = isDaily ? [found.daily_limit, found.daily_used] : [found.monthly_limit, found.monthly_used];
  const values = { limit: amountText(limit ?? "0"), used: amountText(used), amount: moneyText(amount) };
  const left = moneyText(money(limit ?? "0") - money(used));
  const line = isDaily ? `Only ${left} is left of the daily limit` : `Only ${left} is left of the monthly limit`;
  return unfit("payment-account.over-limit", side, { id: account, code: found.code }, isDaily ? "daily" : "monthly", values, line);
}

const notThere = (side: Side) => new Refusal("request.invalid", { [side]: ["Names a record that does not exist"] });

/** A refusal of one account: a line at its field, and the reason as accounts have it elsewhere. */
function unfit(
  problem: ProblemCode,
  side: Side,
  { id, code }: Pick<PartyRow, "id" | "code">,
  reason: string,
  values: Readonly<Record<string, string>>,
  line: string,
): Refusal {
  const lines: FieldLines = { [side]: [line] };
  return new Refusal(problem, { ...lines, accounts: [{ uuid: id, code, unfit: { code: reason, values } }] });
}

/**
 * Locks the ledger accounts a transfer moves, in the order of their ids, then its payment accounts, so that no posting, hold or status changes
 * until the transaction ends. Refuses an account that is not there.
 */
export async function lockParties(
  db: Scoped,
  { tenant, currency }: TransferScope,
  { source, target, merchant }: { readonly source: string | null; readonly target: string | null; readonly merchant: string | null },
): Promise<{ source: PartyRow | null; target: PartyRow | null }> {
  const accounts = [source, target].filter((id) => id !== null);
  await sql`select from ledger_accounts where tenant_id = ${tenant} and id in (
      select ledger_account_id from payment_accounts where tenant_id = ${tenant} and currency = ${currency} and id = any(${accounts}::uuid[])
      union all
      select id from ledger_accounts where tenant_id = ${tenant} and currency = ${currency} and kind in ('wallet', 'hold') and owner_id = ${merchant})
    order by id for update`.execute(db);
  await sql`select from payment_accounts where tenant_id = ${tenant} and currency = ${currency} and id = any(${accounts}::uuid[])
    order by id for share`.execute(db);
  const rows = await partiesOf(db, { tenant, currency }, accounts);
  const party = (side: Side, id: string | null): PartyRow | null => {
    if (id === null) return null;
    const row = rows.find((one) => one.id === id);
    if (!row) throw notThere(side);
    return row;
  };
  return { source: party("source", source), target: party("target", target) };
}

/** The payment accounts with their balance and what they may pay. */
export async function partiesOf(db: Scoped, { tenant, currency }: TransferScope, ids: readonly string[]): Promise<PartyRow[]> {
  const { rows } =
    await sql<PartyRow>`select a.id, a.code, a.bank, a.holder, a.status, a.ledger_account_id, l.balance, a.hold_amount, a.hold_reason,
      a.reserve_amount, a.charges_type, a.charges_value, account_payable(a.tenant_id, a.id, l.balance, a.hold_amount, a.reserve_amount) as payable
    from payment_accounts a join ledger_accounts l on l.tenant_id = a.tenant_id and l.id = a.ledger_account_id
    where a.tenant_id = ${tenant} and a.currency = ${currency} and a.id = any(${ids}::uuid[])`.execute(db);
  return rows;
}

/** Refuses an account that takes no part in anything new. */
export function requireActive(side: Side, account: PartyRow | null): void {
  if (account === null || account.status === "active") return;
  const suspended = account.status === "suspend";
  const line = suspended ? "Must be active, but is suspended" : "Must be active, but is inactive";
  throw unfit("payment-account.unfit", side, account, suspended ? "suspended" : "inactive", {}, line);
}

/** Refuses an account that may not pay so much. */
export function requirePayable(account: PartyRow | null, needed: Money): void {
  if (account === null || money(account.payable) >= needed) return;
  const values = { payable: amountText(account.payable), needed: moneyText(needed) };
  const line = `Only ${values.payable} is payable, ${values.needed} is needed`;
  throw unfit("payment-account.insufficient", "source", account, "balance", values, line);
}
