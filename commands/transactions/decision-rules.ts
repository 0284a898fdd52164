import type { DecisionDetail, DecisionRow } from "../../src/contract/decisions.ts";
import type { Permission } from "../../src/contract/permissions.ts";
import { isAllowed } from "../../src/contract/permissions.ts";
import { isOpen } from "../../src/contract/transactions.ts";
import type { Reason } from "../../src/console/kit/commands/command.ts";
import type { Context } from "../../src/console/kit/commands/context.ts";
import type { MessageKey } from "../../src/console/kit/texts/messages.ts";
import type { DecisionActs } from "./decision-kind.ts";

/** ms a record must have been on screen, with its checks, before it can be approved. */
export const dwell = 350;

const isMine = (row: DecisionRow, context: Context): boolean => row.claim !== null && row.claim.user === context.user;

export const awaitsSecond = (row: DecisionRow): boolean => row.status === "process" && row.first_approved_by !== null;

/** Nobody's: pending, or in process with its lease lapsed. */
export const isFree = (row: DecisionRow): boolean => isOpen(row) && row.claim === null && row.first_approved_by === null;

const right = (context: Context, permission: Permission): Reason | null =>
  isAllowed(context.permissions, permission) ? null : { key: "refuse.no-right", words: { permission } };

export type DecisionRules<Row extends DecisionRow> = ReturnType<typeof decisionRules<Row, DecisionDetail<Row>, unknown>>;

/** Why a row refuses each act; null: it takes it. */
export function decisionRules<Row extends DecisionRow, Detail extends DecisionDetail<Row>, Choice>(
  kind: Pick<DecisionActs<Row, Detail, Choice>, "routes" | "own" | "notAwaited" | "early" | "leftOut">,
) {
  const { routes } = kind;

  function decided(row: Row): Reason {
    const { name } = row.approved_by ?? row.rejected_by ?? row.last_action_by;
    if (row.status === "expired") return kind.own("refuse.expired");
    return { key: kind.own(row.status === "rejected" ? "refuse.rejected" : "refuse.approved"), words: { name } };
  }
  const gone = (row: Row, context: Context): Reason | null => context.pane?.decision?.gone(row.uuid) ?? null;
  const closed = (row: Row, context: Context): Reason | null => gone(row, context) ?? (isOpen(row) ? null : decided(row));
  /** Open, and nobody else's. */
  const undecided = (row: Row, context: Context): Reason | null => closed(row, context) ?? claimed(row, context);
  const undecidable = (row: Row, context: Context): Reason | null => closed(row, context) ?? kind.early?.(row) ?? null;
  const claimed = (row: Row, context: Context): Reason | null =>
    row.claim === null || isMine(row, context) ? null : { key: kind.own("refuse.claimed"), words: { name: row.claim.name } };

  /** Refusals of `blindness` that last until the record has been read. */
  const whileUnread: readonly MessageKey[] = [kind.own("refuse.not-shown"), "transaction.refuse.loading", kind.own("refuse.unread")];

  /** The record need not be on screen for it. */
  function approval(row: Row, context: Context): Reason | null {
    const against = undecidable(row, context) ?? claimed(row, context);
    if (against !== null) return against;
    if (awaitsSecond(row) && routes.second) {
      if (row.first_approved_by?.uuid === context.user) return "transaction.refuse.second-self";
      return right(context, routes.second.approve.permission);
    }
    return right(context, routes.approve.permission) ?? (isMine(row, context) ? null : right(context, routes.claim.permission));
  }

  /** The record with this version and its checks has been on screen long enough. */
  function unseen(row: Row, context: Context): Reason | null {
    const shown = context.pane?.detail ?? null;
    if (shown === null) return null; // hidden: the first press opens it
    if (shown.uuid !== row.uuid) return kind.own("refuse.not-shown");
    if (shown.version !== row.version || shown.paintedAt === null) return "transaction.refuse.loading";
    return context.now - shown.paintedAt < dwell ? kind.own("refuse.unread") : null;
  }

  return {
    approval,

    undecided,

    whileUnread,

    unseen,

    /** Nothing blind: it has been seen, and none of its checks fails. */
    blindness: (row: Row, context: Context): Reason | null =>
      context.pane?.detail == null ? null : (unseen(row, context) ?? context.pane.decision?.failing(row.uuid) ?? null),

    /** Why a payout composed of many does not take this row; the composer tells more, of each. */
    payout: (row: Row, context: Context): Reason | null =>
      undecidable(row, context) ??
      claimed(row, context) ??
      (awaitsSecond(row) ? kind.own("refuse.second-awaited") : null) ??
      (isMine(row, context) ? null : right(context, routes.claim.permission)),

    /** Why an approval of many leaves this row out. */
    leftOutOfBulk(row: Row, context: Context): Reason | null {
      const against = approval(row, context);
      if (against !== null) return against;
      if (row.tier > 1) return { key: "transaction.left-out.tier", words: { tier: row.tier } };
      return kind.leftOut?.(row) ?? null;
    },

    /** Whoever may not reject may refuse what waits for them as the second person. */
    rejection(row: Row, context: Context): Reason | null {
      const against = undecided(row, context);
      if (against !== null) return against;
      const missing = right(context, routes.reject.permission[0]);
      if (missing === null || !awaitsSecond(row)) return missing;
      return row.first_approved_by?.uuid === context.user ? "transaction.refuse.second-self" : null;
    },

    claim(row: Row, context: Context): Reason | null {
      const against = undecidable(row, context);
      if (against !== null) return against;
      if (isMine(row, context)) return kind.own("refuse.already-mine");
      return claimed(row, context) ?? (awaitsSecond(row) ? kind.own("refuse.second-awaited") : null);
    },

    release: (row: Row, context: Context): Reason | null =>
      gone(row, context) ?? (isMine(row, context) ? null : kind.own("refuse.not-mine")),

    defer: (row: Row, context: Context): Reason | null =>
      undecidable(row, context) ?? claimed(row, context) ?? (awaitsSecond(row) ? kind.own("refuse.second-awaited") : null),

    takeOver(row: Row, context: Context): Reason | null {
      const against = closed(row, context);
      if (against !== null) return against;
      if (isMine(row, context)) return kind.own("refuse.already-mine");
      return row.claim === null ? kind.own("refuse.free") : null;
    },

    handBack(row: Row, context: Context): Reason | null {
      const against = closed(row, context);
      if (against !== null) return against;
      if (!awaitsSecond(row)) return kind.notAwaited ?? null;
      return row.first_approved_by?.uuid === context.user ? "transaction.refuse.second-self" : null;
    },

    recall(row: Row): Reason | null {
      if (row.status !== "approved") return kind.own("refuse.not-approved");
      return row.recallable_until === null ? kind.own("refuse.recall-closed") : null;
    },

    callback: (row: Row): Reason | null => (isOpen(row) ? "transaction.refuse.no-callback" : null),
  };
}
