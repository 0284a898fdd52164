import { sql } from "kysely";
import type { z } from "zod";
import type { decisionFields } from "../../contract/decisions.ts";
import type { MoneyLine, RelatedTransaction } from "../../contract/transactions.ts";
import type { Money } from "../../values/money.ts";
import { amountText, money, moneyText } from "../../values/money.ts";
import type { Scoped } from "../db/scope.ts";
import type { Leg } from "../ledger/ledger.ts";
import { waitingStatus } from "./decision-kind.ts";
import type { KnownTransaction } from "./transaction-rows.ts";

type DecisionView = z.output<z.ZodObject<typeof decisionFields>>;

/** The fields of the people and times of a decision (contract/decisions.ts). */
export function decisionView(row: KnownTransaction, tier: DecisionView["tier"]): DecisionView {
  const name = (id: string) => row.people?.[id] ?? "";
  const isFree = row.status === waitingStatus[row.kind] && row.claimed_by === null;
  return {
    tier,
    first_approved_by: row.first_approved_by === null ? null : { uuid: row.first_approved_by, name: name(row.first_approved_by) },
    claim:
      row.claimed_by === null || row.claim_until === null
        ? null
        : {
            user: row.claimed_by,
            name: name(row.claimed_by),
            since: (row.claimed_at ?? row.claim_until).toISOString(),
            until: row.claim_until.toISOString(),
          },
    deferred:
      !isFree || row.deferred_by === null || row.deferred_until === null || row.deferred_until <= row.now
        ? null
        : {
            user: row.deferred_by,
            name: name(row.deferred_by),
            until: row.deferred_until.toISOString(),
            reason: row.deferred_reason,
          },
    due_at: new Date(Math.max(...[row.created_at, row.deferred_until, row.first_approved_at].map(Number))).toISOString(),
    recallable_until:
      row.status === "approved" && row.recallable_until !== null && row.recallable_until > row.now
        ? row.recallable_until.toISOString()
        : null,
  };
}

export interface Related extends Omit<z.output<typeof RelatedTransaction>, "created_at"> {
  readonly created_at: Date;
}

export const relatedView = ({ amount, created_at, ...rest }: Related) => ({
  ...rest,
  amount: amountText(amount),
  created_at: created_at.toISOString(),
});

/** Most transactions of a customer that are summed, the newest, because this runs while the row is locked. */
const mostTotalled = 1_000;

/** The customer's last five of the same kind, and what was approved of them. */
export async function customerOf(db: Scoped, row: KnownTransaction) {
  const own = sql`o.tenant_id = ${row.tenant_id} and o.kind = ${sql.lit(row.kind)} and o.merchant_id = ${row.merchant_id}
    and o.member = ${row.member}`;
  const last = await sql<Related>`select o.id as uuid, o.txn_no, o.status, o.amount, o.created_at from transactions o
    where ${own} and o.id <> ${row.id} order by o.created_at desc limit 5`.execute(db);
  const total = await sql<{ count: number; amount: string }>`select count(*)::integer as count, coalesce(sum(amount), 0) as amount
    from (select o.amount from transactions o where ${own} and o.approved_at is not null
      order by o.approved_at desc limit ${mostTotalled}) paid`.execute(db);
  return {
    customer_last: last.rows.map(relatedView),
    customer_total: { count: total.rows[0]?.count ?? 0, amount: amountText(total.rows[0]?.amount ?? "0") },
  };
}

type Line = z.output<typeof MoneyLine>;
const lineOrder: readonly Line["account"][] = ["wallet", "hold", "payment-account", "fee-income", "bank-charges"];

/** What an approval with these legs would change; `account`: the payment account it pays from or into. */
export async function moneyToMove(
  db: Scoped,
  row: KnownTransaction,
  legs: readonly Leg[],
  account: { readonly code: string; readonly balance: Money },
): Promise<Line[]> {
  const { rows } = await sql<{ kind: string; balance: string }>`select kind, balance from ledger_accounts
    where tenant_id = ${row.tenant_id} and kind in ('wallet', 'hold', 'fee-income', 'bank-charges') and currency = ${row.currency}
      and owner_id = ${row.merchant_id}`.execute(db);
  const balances = new Map(rows.map(({ kind, balance }) => [kind, money(balance)]));
  balances.set("payment-account", account.balance);
  return legs
    .filter(({ amount }) => amount !== 0n)
    .map((leg) => {
      const name = "kind" in leg ? (leg.kind as Line["account"]) : "payment-account"; // approvals use only these five
      const before = balances.get(name) ?? 0n;
      return {
        account: name,
        label: labelOf(name, row, account.code),
        before: moneyText(before),
        change: moneyText(leg.amount),
        after: moneyText(before + leg.amount),
      };
    })
    .toSorted((a, b) => lineOrder.indexOf(a.account) - lineOrder.indexOf(b.account));
}

/** The entries of the decision of a decided transaction. */
export async function moneyMoved(db: Scoped, row: KnownTransaction): Promise<Line[]> {
  const { rows } = await sql<{ kind: Line["account"]; owned: boolean; amount: string; previous_balance: string; balance: string }>`
    select a.kind, a.owner_id is not null as owned, e.amount, e.previous_balance, e.balance
    from (select id from ledger_groups where tenant_id = ${row.tenant_id} and transaction_id = ${row.id} order by created_at desc, id desc limit 1) g
    join ledger_entries e on e.tenant_id = ${row.tenant_id} and e.group_id = g.id
    join ledger_accounts a on a.tenant_id = e.tenant_id and a.id = e.account_id`.execute(db);
  return rows
    .map(({ kind, owned, amount, previous_balance, balance }) => ({
      account: kind,
      // fees and charges posted before they were kept per merchant are the tenant's
      label: owned ? labelOf(kind, row, row.account_code ?? "") : "",
      before: amountText(previous_balance),
      change: amountText(amount),
      after: amountText(balance),
    }))
    .toSorted((a, b) => lineOrder.indexOf(a.account) - lineOrder.indexOf(b.account));
}

const labelOf = (account: Line["account"], row: KnownTransaction, accountCode: string): string =>
  account === "payment-account" ? accountCode : row.merchant_code;
