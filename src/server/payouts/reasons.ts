import type { PayoutReason, PayoutRequest } from "../../contract/payouts.ts";
import { withdrawalRoutes } from "../../contract/withdrawals.ts";
import type { Money } from "../../values/money.ts";
import { money } from "../../values/money.ts";
import type { StaffCall } from "../call.ts";
import { texts } from "../payments/account-lines.ts";
import type { Unfit } from "../payments/account-lines.ts";
import { weighAll } from "../payments/accounts.ts";
import { isHeldByAnother } from "../payments/claims.ts";
import type { KnownWithdrawal } from "../payments/transaction-rows.ts";
import { isDecided } from "../payments/transition.ts";
import type { Candidate, Desk } from "./candidates.ts";
import { extraOf } from "./candidates.ts";
import type { Loads } from "./loads.ts";

const reason = (code: PayoutReason["code"], values: Record<string, string> = {}): PayoutReason => ({ code, values, accounts: [] });

/** What keeps a withdrawal from being paid by the caller at all, whichever account paid; null: nothing. */
export function obstacleOf(row: KnownWithdrawal, call: StaffCall, seen: number | undefined, request: PayoutRequest): PayoutReason | null {
  const user = call.caller.id;
  if (request.without.rows.includes(row.id)) return reason("left-out");
  const name = (id: string | null) => (id === null ? "" : (row.people?.[id] ?? ""));
  if (isDecided(row)) return reason("not-open", { status: row.status });
  if (row.first_approved_by !== null) return reason("second-needed", { by: name(row.first_approved_by) });
  if (isHeldByAnother(row, user)) return reason("claimed", { by: name(row.claimed_by) });
  if (row.claimed_by !== user && !mayClaim(call)) return reason("no-right");
  if (seen !== undefined && seen !== row.version) {
    return reason("stale", { by: name(row.last_action_by) || (row.last_actor ?? ""), at: row.last_action_at.toISOString() });
  }
  const [own, held, wallet] = [money(row.merchant_amount), money(row.held ?? "0"), money(row.wallet ?? "0")];
  if (held < own) return reason("wallet-hold", texts({ held, wallet, needed: own }));
  return null;
}

/** Whether the caller may claim withdrawals, which a free one needs to be approved. */
export const mayClaim = ({ caller }: StaffCall): boolean => caller.permissions.has(withdrawalRoutes.claimWithdrawals.permission);

/** Why no account can take a withdrawal beside the others of the plan. */
export function reasonsOf(candidate: Candidate, desk: Desk, loads: Loads): PayoutReason[] {
  const { row, need, payout } = candidate;
  const pin = desk.pins.get(row.id);
  const found = loads.after.flatMap((account, at) => {
    if (!desk.inPlan[at] || (pin !== undefined && pin !== account.id)) return [];
    const [one] = weighAll([account], need);
    const why = one?.unfit ?? (one && overPurse(row, extraOf(row, one), loads.purses[payout.purse] ?? 0n));
    return why ? [{ ...why, account: account.id, short: shortOf(why) }] : [];
  });
  if (found.length === 0) return [reason("no-account")];
  // the first line an account fails tells how near it came, and then by how much
  found.sort((a, b) => nearness(a.code) - nearness(b.code) || (a.short < b.short ? -1 : a.short > b.short ? 1 : 0));
  return [...Map.groupBy(found, ({ code }) => code)].flatMap(([code, some]) => {
    const [nearest] = some;
    return nearest ? [{ code, values: nearest.values, accounts: some.map(({ account }) => account) }] : [];
  });
}

interface Why {
  readonly code: PayoutReason["code"];
  readonly values: Record<string, string>;
}

const overPurse = (row: KnownWithdrawal, extra: Money, purse: Money): Why | null =>
  extra <= purse
    ? null
    : {
        code: "wallet-hold",
        values: texts({ held: money(row.merchant_amount), wallet: purse, needed: money(row.merchant_amount) + extra }),
      };

/** From what another plan, or time, may cure to what only another withdrawal would. */
const order: readonly PayoutReason["code"][] = [
  "wallet-hold",
  "rate",
  "balance",
  "monthly",
  "daily",
  "rate-amount",
  "maximum",
  "minimum",
  "method",
  "purpose",
  "suspended",
  "inactive",
] satisfies readonly (Unfit["code"] | "wallet-hold")[];
const nearness = (code: PayoutReason["code"]): number => order.indexOf(code);

/** By how much the account is short, in the measure of its reason. */
function shortOf({ code, values }: Why): Money {
  const of = (name: string) => money(values[name] ?? "0");
  switch (code) {
    case "balance":
      return of("needed") - of("payable");
    case "daily":
    case "monthly":
      return of("used") + of("amount") - of("limit");
    case "maximum":
    case "rate-amount":
      return of("amount") - of("maximum");
    case "minimum":
      return of("minimum") - of("amount");
    default:
      return 0n;
  }
}
