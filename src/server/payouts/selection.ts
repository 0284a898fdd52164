import { sql } from "kysely";
import { mostPayouts } from "../../contract/payouts.ts";
import type { PayoutRequest } from "../../contract/payouts.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import { anyRow, listTransactions } from "../payments/transaction-list.ts";
import type { KnownWithdrawal } from "../payments/transaction-rows.ts";
import { branchesOf, defaultSortOf } from "../payments/withdrawals.ts";

export interface Selection {
  /** The oldest first: what a customer's earlier withdrawals use of a limit is used when a later one is judged. */
  readonly rows: readonly KnownWithdrawal[];
  /** uuid → the version the operator saw. */
  readonly seen: ReadonlyMap<string, number>;
  readonly missing: readonly string[];
  readonly matching: number;
}

const whole = { direction: "next", limit: mostPayouts } as const;

/** The withdrawals a plan is asked for: those named, or the first of those a list has. */
export async function selectionOf(db: Scoped, call: StaffCall, { rows: named, all }: PayoutRequest): Promise<Selection> {
  const scope = { tenant: call.tenant, currency: call.currency, kind: "withdrawal", caller: call.caller.id } as const;
  if (named !== undefined) {
    const uuids = named.map(({ uuid }) => uuid);
    const { rows } = await listTransactions<KnownWithdrawal>(db, scope, { ...whole, "filter[uuid]": uuids }, [anyRow], "created_at");
    const found = new Set(rows.map(({ id }) => id));
    return {
      rows,
      seen: new Map(named.map(({ uuid, version }) => [uuid, version])),
      missing: uuids.filter((uuid) => !found.has(uuid)),
      matching: named.length,
    };
  }
  const { view = "queue", ...filters } = all ?? {};
  const query = { ...whole, ...filters, with: "count" };
  const { rows, meta } = await listTransactions<KnownWithdrawal>(db, scope, query, branchesOf(view, call), defaultSortOf(view));
  return { rows: rows.toSorted(byAge), seen: new Map(), missing: [], matching: meta.count ?? rows.length };
}

const byAge = (a: KnownWithdrawal, b: KnownWithdrawal): number => Number(a.created_at) - Number(b.created_at) || (a.id < b.id ? -1 : 1);

/** The sum of withdrawals of the currency, whatever their status. */
export async function sumOf(db: Scoped, { tenant, currency }: StaffCall, uuids: readonly string[]): Promise<string> {
  const { rows } = await sql<{ amount: string }>`select coalesce(sum(amount), 0)::text as amount from transactions
    where tenant_id = ${tenant} and currency = ${currency} and kind = 'withdrawal' and id = any(${uuids}::uuid[])`.execute(db);
  return rows[0]?.amount ?? "0";
}
