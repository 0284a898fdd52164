import { payoutRoutes } from "../../contract/payouts.ts";
import { Refusal } from "../../contract/problems.ts";
import type { Withdrawal } from "../../contract/withdrawals.ts";
import { withdrawalRoutes } from "../../contract/withdrawals.ts";
import { amountText, money, parseMoney } from "../../values/money.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import { inTenant } from "../db/scope.ts";
import type { Handlers } from "../handlers.ts";
import type { Effect } from "../idempotency.ts";
import type { Touched } from "../payments/acts.ts";
import { onRows } from "../payments/acts.ts";
import { tierOf } from "../payments/checks.ts";
import { claim, lockOne } from "../payments/claims.ts";
import { isDecided } from "../payments/transition.ts";
import type { ApproveRef } from "../payments/withdrawal-decisions.ts";
import { approve } from "../payments/withdrawal-decisions.ts";
import { withdrawalKind } from "../payments/withdrawal-kind.ts";
import { settingsOf } from "../settings/settings.ts";
import { planOf } from "./plan.ts";
import { mayClaim } from "./reasons.ts";
import { selectionOf, sumOf } from "./selection.ts";

/** The tier of the sum of a payout. Refuses one that is not confirmed as its tier asks. */
async function confirmedTier(call: StaffCall, payout: readonly string[], confirmed: string | undefined): Promise<1 | 2 | 3> {
  const { deps, tenant, currency } = call;
  return inTenant(deps.database, tenant, async (db) => {
    const amount = await sumOf(db, call, payout);
    const tier = tierOf({ currency, amount }, [], await settingsOf(db, tenant));
    if (tier > 1 && (confirmed === undefined || parseMoney(confirmed) !== money(amount))) {
      throw new Refusal("payout.confirm-needed", { tier, amount: amountText(amount), count: payout.length });
    }
    return tier;
  });
}

/** Claims a free withdrawal for the moment of its approval, so that a refusal leaves it free. */
async function approveOne(
  db: Scoped,
  call: StaffCall,
  ref: ApproveRef,
  touched: Touched,
  together: 1 | 2 | 3,
): Promise<Effect<Withdrawal>> {
  const { row } = await lockOne(db, withdrawalKind, call, ref);
  if (isDecided(row) || row.claimed_by === call.caller.id) return approve(db, call, ref, touched, together);
  if (!mayClaim(call)) throw new Refusal("permission.missing", { permission: withdrawalRoutes.claimWithdrawals.permission });
  const { answer } = await claim(db, withdrawalKind, call, ref, true);
  return approve(db, call, { ...ref, version: answer.version }, touched, together);
}

export const payoutHandlers: Handlers<typeof payoutRoutes, StaffCall> = {
  planPayouts: (call, { body: request }) =>
    inTenant(call.deps.database, call.tenant, async (db) => ({
      data: await planOf(db, call, request, await selectionOf(db, call, request)),
    })),

  async approvePayouts(call, { body: { payout, confirmed, rows } }) {
    const together = await confirmedTier(call, payout, confirmed);
    return onRows(call, "withdraw", rows, (db, ref, touched) => approveOne(db, call, ref, touched, together));
  },
};
