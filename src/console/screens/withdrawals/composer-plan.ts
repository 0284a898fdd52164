import type { Outcome } from "../../../contract/decisions.ts";
import type { PayoutAccount, PayoutPlan, PayoutRequest, PayoutRow } from "../../../contract/payouts.ts";
import type { Withdrawal } from "../../../contract/withdrawals.ts";
import type { z } from "zod";

export type Asked = z.input<typeof PayoutRequest>;

/** What an operator set; the server plans the rest around it. */
export interface Adjustments {
  /** Withdrawal → the account it must be paid from, and the one it was moved from; null: it stands where it stood. */
  readonly pins: ReadonlyMap<string, { readonly account: string; readonly from: string | null }>;
  readonly withoutRows: ReadonlySet<string>;
  readonly withoutAccounts: ReadonlySet<string>;
  readonly prefer: "number" | "sum";
}

export const unadjusted: Adjustments = { pins: new Map(), withoutRows: new Set(), withoutAccounts: new Set(), prefer: "number" };

export const isAdjusted = ({ pins, withoutRows, withoutAccounts, prefer }: Adjustments): boolean =>
  pins.size + withoutRows.size + withoutAccounts.size > 0 || prefer !== unadjusted.prefer;

/** The first plan's question with what was set since. */
export const asksFor = (asked: Asked, { pins, withoutRows, withoutAccounts, prefer }: Adjustments): Asked => ({
  ...asked,
  prefer,
  pins: [...pins].map(([uuid, { account }]) => ({ uuid, account })),
  without: { rows: [...withoutRows], accounts: [...withoutAccounts] },
});

/** Paid from that account or not at all; those left out are taken in again. */
export function pinned(before: Adjustments, rows: readonly PayoutRow[], account: string): Adjustments {
  const pins = new Map(before.pins);
  const withoutRows = new Set(before.withoutRows);
  for (const row of rows) {
    const from = pins.get(row.uuid)?.from ?? row.account;
    pins.set(row.uuid, { account, from: from === account ? null : from });
    withoutRows.delete(row.uuid);
  }
  return { ...before, pins, withoutRows };
}

/** The server may place them anew. */
export function unpinned(before: Adjustments, rows: readonly PayoutRow[]): Adjustments {
  const pins = new Map(before.pins);
  for (const { uuid } of rows) pins.delete(uuid);
  return { ...before, pins };
}

function toggled(before: ReadonlySet<string>, name: string): ReadonlySet<string> {
  const after = new Set(before);
  if (!after.delete(name)) after.add(name);
  return after;
}

export const rowToggled = (before: Adjustments, uuid: string): Adjustments => ({
  ...before,
  withoutRows: toggled(before.withoutRows, uuid),
});

export function accountToggled(before: Adjustments, uuid: string): Adjustments {
  const withoutAccounts = toggled(before.withoutAccounts, uuid);
  if (!withoutAccounts.has(uuid)) return { ...before, withoutAccounts };
  // a pin to an account that pays nothing would only say that nothing is paid
  return { ...before, withoutAccounts, pins: new Map([...before.pins].filter(([, { account }]) => account !== uuid)) };
}

/** Keys of accounts: the letters that stand for nothing else in the composer. */
export const accountKeys: readonly string[] = [..."123456789", ..."abcdhilnoqrstuvwy"];

/** Accounts in the order of their keys: it stays while the plan changes, so that a key means the same account throughout. */
export function accountOrder(before: readonly string[], accounts: readonly PayoutAccount[]): readonly string[] {
  const known = new Set(before);
  const fresh = accounts.filter(({ uuid }) => !known.has(uuid));
  const rank = ({ count, unfit }: PayoutAccount): number => (count > 0 ? 0 : unfit === null ? 1 : 2);
  return [...before, ...fresh.toSorted((a, b) => rank(a) - rank(b)).map(({ uuid }) => uuid)];
}

/** What became of a withdrawal that was sent. */
export type Paid =
  | { readonly as: "sending" | "done" | "second" | "unanswered" | "stopped" }
  | { readonly as: "failed"; readonly code: string; readonly message: string };

export function paidAs(outcome: Outcome<Withdrawal>): Paid {
  if (outcome.done) return { as: outcome.row.status === "process" ? "second" : "done" };
  const { code, message } = outcome.problem;
  return code === "request.not-tried" ? { as: "stopped" } : { as: "failed", code, message };
}

/** Withdrawals in one request: it is answered before its time is over. */
const sliceOf = 20;

/** What is sent of a confirmed plan, a slice a request. */
export function slicesOf(plan: PayoutPlan): readonly (readonly PayoutRow[])[] {
  const placed = plan.rows.filter(({ account }) => account !== null);
  return Array.from({ length: Math.ceil(placed.length / sliceOf) }, (_, at) => placed.slice(at * sliceOf, (at + 1) * sliceOf));
}

export const isPaid = (paid: Paid | undefined): boolean => paid?.as === "done" || paid?.as === "second";
