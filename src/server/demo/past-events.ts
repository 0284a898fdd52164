import type { Book } from "./books.ts";
import type { Past } from "./history.ts";

/** One event of a transaction's history. */
export interface PastEvent {
  readonly n: number;
  readonly act: string;
  readonly from: string;
  readonly to: string;
  readonly at: number;
  readonly by: string | null;
  readonly actor: string;
  readonly byMerchant: boolean;
  readonly reason: string | null;
  readonly outcome: "approved" | "rejected" | "expired" | null;
  /** An approval that was recalled. */
  readonly takenBack: boolean;
}

/** The events of a transaction, in order. */
export function eventsOf(one: Past): PastEvent[] {
  const events: PastEvent[] = [];
  const { merchant, operator, first, recall } = one;
  const add = (
    act: string,
    to: string,
    at: number | null,
    who: { id: string; name: string } | null | "merchant",
    more: Partial<PastEvent> = {},
  ) => {
    if (at === null) return;
    const byMerchant = who === "merchant";
    events.push({
      n: events.length + 1,
      act,
      from: events.at(-1)?.to ?? "",
      to,
      at,
      by: byMerchant ? null : (who?.id ?? null),
      actor: byMerchant ? merchant.name : (who?.name ?? "system"),
      byMerchant,
      reason: null,
      outcome: null,
      takenBack: false,
      ...more,
    });
  };
  if (one.manual) add("create", "process", one.createdAt, operator);
  else add("create", "pending", one.createdAt, "merchant");
  if (one.manual) return events;
  if (one.kind === "deposit") add("process", "process", one.processedAt, "merchant");
  else add("claim", "process", one.processedAt, first ?? operator);
  add("first-approve", "process", one.firstAt, first);
  if (recall) {
    add("approve", "approved", recall.approvedAt, operator, { outcome: "approved", takenBack: true });
    add("recall", "process", recall.recalledAt, operator);
  }
  if (one.status === "expired") add("expire", "expired", one.decidedAt, null, { outcome: "expired" });
  else if (one.status === "rejected") add("reject", "rejected", one.decidedAt, operator, { outcome: "rejected", reason: one.reason });
  else add(one.firstAt === null ? "approve" : "second-approve", "approved", one.decidedAt, operator, { outcome: "approved" });
  add("complete", "completed", one.completedAt, null);
  return events;
}

/** A balanced group of the ledger. */
export interface PastPosting {
  readonly kind: string;
  readonly at: number;
  readonly by: string | null;
  /** Ledger account and amount; above zero raises the balance. */
  readonly legs: readonly (readonly [account: string, amount: bigint])[];
}

export const isSettled = (one: Past): boolean => one.status === "approved" || one.status === "completed";
/** The change of the payment account's balance. */
export const finalAmount = (one: Past): bigint => (one.kind === "deposit" ? one.amount - one.charges : one.amount + one.charges);
/** The amount the merchant's wallet is credited or debited; the platform bears the charges. */
export const merchantAmount = (one: Past): bigint => (one.kind === "deposit" ? one.amount - one.fee : one.amount + one.fee);

/** The postings of a transaction, in order. */
export function postingsOf(one: Past): PastPosting[] {
  const { merchant, account, book } = one;
  const by = one.operator?.id ?? null;
  const moved = merchantAmount(one);
  const settled = (at: number, kind: string, sign: bigint): PastPosting => ({
    kind,
    at,
    by,
    legs: [
      [one.kind === "deposit" ? merchant.walletId : merchant.holdId, sign * moved],
      [account?.ledgerId ?? "", sign * finalAmount(one)],
      ...earned(book, one, one.kind === "deposit" ? sign : -sign),
    ],
  });
  if (one.kind === "deposit") return isSettled(one) ? [settled(one.decidedAt ?? 0, "deposit", 1n)] : [];
  const between = (at: number, kind: string, sign: bigint, who: string | null): PastPosting => ({
    kind,
    at,
    by: who,
    legs: [
      [merchant.walletId, -sign * moved],
      [merchant.holdId, sign * moved],
    ],
  });
  const postings = [between(one.createdAt, "withdrawal.hold", 1n, null)];
  if (one.recall) {
    postings.push(settled(one.recall.approvedAt, "withdrawal", -1n), settled(one.recall.recalledAt, "withdrawal.recall", 1n));
  }
  if (isSettled(one)) postings.push(settled(one.decidedAt ?? 0, "withdrawal", -1n));
  if (one.status === "rejected" || one.status === "expired") postings.push(between(one.decidedAt ?? 0, "withdrawal.release", -1n, by));
  return postings;
}

const earned = (book: Book, one: Past, sign: bigint): [string, bigint][] =>
  (
    [
      [book.feeId, sign * one.fee],
      [book.chargesId, sign * one.charges],
    ] as [string, bigint][]
  ).filter(([, amount]) => amount !== 0n);
