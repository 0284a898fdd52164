import type { Book } from "./books.ts";
import type { Past } from "./history.ts";

/** One event of a transaction's history. */
export interface Told {
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

/** Everything that happened to a transaction, in order. */
export function storyOf(one: Past): Told[] {
  const story: Told[] = [];
  const { merchant, operator, first, recall } = one;
  const tell = (
    act: string,
    to: string,
    at: number | null,
    who: { id: string; name: string } | null | "merchant",
    more: Partial<Told> = {},
  ) => {
    if (at === null) return;
    const byMerchant = who === "merchant";
    story.push({
      n: story.length + 1,
      act,
      from: story.at(-1)?.to ?? "",
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
  tell("create", "pending", one.createdAt, "merchant");
  if (one.kind === "deposit") tell("process", "process", one.processedAt, "merchant");
  else tell("claim", "process", one.processedAt, first ?? operator);
  tell("first-approve", "process", one.firstAt, first);
  if (recall) {
    tell("approve", "approved", recall.approvedAt, operator, { outcome: "approved", takenBack: true });
    tell("recall", "process", recall.recalledAt, operator);
  }
  if (one.status === "expired") tell("expire", "expired", one.decidedAt, null, { outcome: "expired" });
  else if (one.status === "rejected") tell("reject", "rejected", one.decidedAt, operator, { outcome: "rejected", reason: one.reason });
  else tell(one.firstAt === null ? "approve" : "second-approve", "approved", one.decidedAt, operator, { outcome: "approved" });
  tell("complete", "completed", one.completedAt, null);
  return story;
}

/** One balanced group of the ledger. */
interface PostingTold {
  readonly kind: string;
  readonly at: number;
  readonly by: string | null;
  /** Ledger account and amount, natural. */
  readonly legs: readonly (readonly [account: string, amount: bigint])[];
}

export const isSettled = (one: Past): boolean => one.status === "approved" || one.status === "completed";
/** What the payment account gains or loses. */
export const finalAmount = (one: Past): bigint => (one.kind === "deposit" ? one.amount - one.charges : one.amount + one.charges);
/** What the merchant's wallet gains or was debited; the platform bears the charges. */
export const merchantAmount = (one: Past): bigint => (one.kind === "deposit" ? one.amount - one.fee : one.amount + one.fee);

/** The money a transaction has moved, in order. */
export function postingsOf(one: Past): PostingTold[] {
  const { merchant, account, book } = one;
  const by = one.operator?.id ?? null;
  const moved = merchantAmount(one);
  const settled = (at: number, kind: string, sign: bigint): PostingTold => ({
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
  const between = (at: number, kind: string, sign: bigint, who: string | null): PostingTold => ({
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
