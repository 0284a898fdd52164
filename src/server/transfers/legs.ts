import { Refusal } from "../../contract/problems.ts";
import type { Money } from "../../values/money.ts";
import { money } from "../../values/money.ts";
import type { Scoped } from "../db/scope.ts";
import type { Leg } from "../ledger/ledger.ts";
import { holdLegs, post, releaseLegs, settleLegs } from "../ledger/ledger.ts";
import type { TransferRow } from "./transfer-rows.ts";

/** What a posting needs of a transfer. */
export type Moved = Pick<
  TransferRow,
  | "id"
  | "kind"
  | "currency"
  | "source_id"
  | "target_id"
  | "merchant_id"
  | "direction"
  | "amount"
  | "fee"
  | "charges"
  | "charges_borne_by"
  | "final_amount"
  | "merchant_amount"
  | "reason"
>;

/** The ledger's accounts of the payment accounts that take part. */
export interface Ledgers {
  readonly source: string | null;
  readonly target: string | null;
}

const settled = (moved: Moved) => ({
  ...moved,
  merchant_id: moved.merchant_id ?? "", // a settlement has both, by its constraints
  merchant_amount: moved.merchant_amount ?? "0",
});

const required = (ledger: string | null): string => {
  if (ledger === null) throw new Error("a side without a ledger account is posted to");
  return ledger;
};

/** What the ledger moves for each kind once it is decided. */
export function legsOf(moved: Moved, { source, target }: Ledgers): Leg[] {
  const amount = money(moved.amount);
  switch (moved.kind) {
    case "transfer":
    case "manual-transfer":
    case "clearing":
      return [
        { account: required(source), amount: -money(moved.final_amount) },
        target === null ? { kind: "adjustment", owner: null, amount } : { account: target, amount },
        { kind: "bank-charges", owner: null, amount: money(moved.charges) },
      ];
    case "adjustment": {
      // the adjustment account is debit-normal: it gains what a wallet gains
      const change = moved.direction === "credit" ? amount : -amount;
      return [
        { kind: "wallet", owner: moved.merchant_id, amount: change },
        { kind: "adjustment", owner: null, amount: change },
      ];
    }
    case "settlement": {
      const held = money(moved.merchant_amount ?? "0");
      if (source !== null) return settleLegs(settled(moved), held, source);
      return [
        { kind: "hold", owner: moved.merchant_id, amount: -held },
        { kind: "settlement", owner: null, amount },
        { kind: "fee-income", owner: moved.merchant_id, amount: money(moved.fee) },
      ];
    }
  }
}

interface Posted {
  readonly previous: string | null;
  readonly flipped: readonly string[];
}

/**
 * Posts what a transfer moves. `guard`: the paying account must be active and keep its hold, its reserve and what is pending on it. Without it,
 * because that was reserved before, no payment account falls below zero all the same.
 */
export async function postTransfer(db: Scoped, moved: Moved, ledgers: Ledgers, by: string | null, guard: boolean): Promise<Posted> {
  const posted = await post(db, {
    kind: moved.kind,
    currency: moved.currency,
    transaction: moved.id,
    by,
    reason: moved.reason,
    legs: legsOf(moved, ledgers),
    ...(guard && { guard }),
  });
  requireCovered(posted.entries);
  const own = posted.entries.find(({ id, kind }) => (moved.kind === "adjustment" ? kind === "wallet" : id === ledgers.source));
  return { previous: own?.previous ?? null, flipped: posted.flipped };
}

/** Refuses a posting that leaves a payment account below zero. */
export function requireCovered(entries: Awaited<ReturnType<typeof post>>["entries"], least: Money = 0n): void {
  const fallen = entries.some(
    ({ kind, previous, balance }) => kind === "payment-account" && money(balance) < money(previous) && money(balance) < least,
  );
  if (fallen) throw new Refusal("payment-account.insufficient");
}

/** A settlement's amount and fee leave the wallet for its hold, or return from it. Answers the wallet's balance before. */
export async function holdTransfer(db: Scoped, moved: Moved, by: string | null, way: "hold" | "release"): Promise<string | null> {
  if (moved.kind !== "settlement") return null;
  const legs = way === "hold" ? holdLegs(settled(moved)) : releaseLegs(settled(moved));
  const { entries } = await post(db, { kind: `settlement.${way}`, currency: moved.currency, transaction: moved.id, by, legs });
  return entries.find(({ kind }) => kind === "wallet")?.previous ?? null;
}
