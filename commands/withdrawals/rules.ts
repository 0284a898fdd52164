import { isAllowed } from "../../src/contract/permissions.ts";
import { isOpen } from "../../src/contract/transactions.ts";
import type { Withdrawal } from "../../src/contract/withdrawals.ts";
import { withdrawalRoutes } from "../../src/contract/withdrawals.ts";
import type { Reason } from "../../src/console/kit/commands/command.ts";
import type { Context } from "../../src/console/kit/commands/context.ts";

/** ms a record must have been on screen, with its checks, before it can be approved. */
export const dwell = 350;

const isMine = (row: Withdrawal, context: Context): boolean => row.claim !== null && row.claim.user === context.user;

export const awaitsSecond = (row: Withdrawal): boolean => row.status === "process" && row.first_approved_by !== null;

/** Nobody's: pending, or in process with its lease lapsed. */
export const isFree = (row: Withdrawal): boolean => isOpen(row) && row.claim === null && row.first_approved_by === null;

const gone = (row: Withdrawal, context: Context): Reason | null => context.pane?.decision?.gone(row.uuid) ?? null;

const right = (
  context: Context,
  permission:
    | typeof withdrawalRoutes.approveWithdrawals.permission
    | typeof withdrawalRoutes.secondApproveWithdrawals.permission
    | typeof withdrawalRoutes.claimWithdrawals.permission,
): Reason | null => (isAllowed(context.permissions, permission) ? null : { key: "refuse.no-right", words: { permission } });

function decided(row: Withdrawal): Reason {
  const by = row.approved_by ?? row.rejected_by ?? row.last_action_by;
  switch (row.status) {
    case "rejected":
      return { key: "withdrawal.refuse.rejected", words: { name: by.name } };
    case "expired":
      return "withdrawal.refuse.expired";
    default:
      return { key: "withdrawal.refuse.approved", words: { name: by.name } };
  }
}

const claimedByAnother = (row: Withdrawal): Reason => ({ key: "withdrawal.refuse.claimed", words: { name: row.claim?.name ?? "" } });

/** Why this row's state forbids an approval by this user; the record need not be on screen for it. */
export function againstApproval(row: Withdrawal, context: Context): Reason | null {
  const lost = gone(row, context);
  if (lost !== null) return lost;
  if (!isOpen(row)) return decided(row);
  if (row.claim !== null && !isMine(row, context)) return claimedByAnother(row);
  if (awaitsSecond(row)) {
    if (row.first_approved_by?.uuid === context.user) return "transaction.refuse.second-self";
    return right(context, withdrawalRoutes.secondApproveWithdrawals.permission);
  }
  return (
    right(context, withdrawalRoutes.approveWithdrawals.permission) ??
    (isMine(row, context) ? null : right(context, withdrawalRoutes.claimWithdrawals.permission))
  );
}

/** Refusals of `againstBlindness` that last until the record has been read. */
export const whileUnread = ["withdrawal.refuse.not-shown", "transaction.refuse.loading", "withdrawal.refuse.unread"] as const;

/** Nothing blind: the record with this version and its checks has been on screen long enough, and none fails. */
export function againstBlindness(row: Withdrawal, context: Context): Reason | null {
  const shown = context.pane?.detail ?? null;
  if (shown === null) return null; // hidden: the first press opens it
  if (shown.uuid !== row.uuid) return "withdrawal.refuse.not-shown";
  if (shown.version !== row.version || shown.paintedAt === null) return "transaction.refuse.loading";
  if (context.now - shown.paintedAt < dwell) return "withdrawal.refuse.unread";
  return context.pane?.decision?.failing(row.uuid) ?? null;
}

/** Why an approval of many leaves this row out. */
export function leftOutOfBulk(row: Withdrawal, context: Context): Reason | null {
  const against = againstApproval(row, context);
  if (against !== null) return against;
  if (row.tier > 1) return { key: "transaction.left-out.tier", words: { tier: row.tier } };
  if (row.paying_account === null) return "withdrawal.left-out.no-account";
  return null;
}

export function againstRejection(row: Withdrawal, context: Context): Reason | null {
  return gone(row, context) ?? (isOpen(row) ? (row.claim === null || isMine(row, context) ? null : claimedByAnother(row)) : decided(row));
}

export function againstClaim(row: Withdrawal, context: Context): Reason | null {
  const lost = gone(row, context);
  if (lost !== null) return lost;
  if (!isOpen(row)) return decided(row);
  if (isMine(row, context)) return "withdrawal.refuse.already-mine";
  if (row.claim !== null) return claimedByAnother(row);
  return awaitsSecond(row) ? "withdrawal.refuse.second-awaited" : null;
}

export function againstRelease(row: Withdrawal, context: Context): Reason | null {
  return gone(row, context) ?? (isMine(row, context) ? null : "withdrawal.refuse.not-mine");
}

export function againstDefer(row: Withdrawal, context: Context): Reason | null {
  const lost = gone(row, context);
  if (lost !== null) return lost;
  if (!isOpen(row)) return decided(row);
  return row.claim === null || isMine(row, context) ? null : claimedByAnother(row);
}

export function againstTakeOver(row: Withdrawal, context: Context): Reason | null {
  const lost = gone(row, context);
  if (lost !== null) return lost;
  if (!isOpen(row)) return decided(row);
  if (isMine(row, context)) return "withdrawal.refuse.already-mine";
  return row.claim === null ? "withdrawal.refuse.free" : null;
}

export function againstHandBack(row: Withdrawal, context: Context): Reason | null {
  const lost = gone(row, context);
  if (lost !== null) return lost;
  if (!isOpen(row)) return decided(row);
  if (!awaitsSecond(row)) return "problem.withdrawal.second-not-awaited";
  return row.first_approved_by?.uuid === context.user ? "transaction.refuse.second-self" : null;
}

export function againstRecall(row: Withdrawal): Reason | null {
  if (row.status !== "approved") return "withdrawal.refuse.not-approved";
  return row.recallable_until === null ? "withdrawal.refuse.recall-closed" : null;
}

export function againstCallback(row: Withdrawal): Reason | null {
  return isOpen(row) ? "transaction.refuse.no-callback" : null;
}
