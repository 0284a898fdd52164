import type { Model } from "./money-model.ts";
import { moneyOf } from "./money-model.ts";
import type { Move, Place, Till, Who } from "./money-moved.ts";
import { costs, gone } from "./money-moved.ts";

/** What transfers, adjustments, settlements, holds and suspensions must do, beside deposits and withdrawals. */

export type MoveVerdict = Partial<Move> | string;
export const moveCharges = 2;

const isThird = ({ amount }: Pick<Move, "amount">) => amount >= 5000;
const waitsToBeDone = ({ kind }: Pick<Move, "kind">) => kind === "transfer" || kind === "settlement";

export function awaits(move: Move): "confirmation" | "first" | "second" | null {
  if (move.status !== "pending") return null;
  return isThird(move) ? (move.first === null ? "first" : "second") : "confirmation";
}

const reserved = ({ moves }: Model, till: Till) =>
  moves.filter(({ status, from }) => status === "pending" && from === till).reduce((total, move) => total + gone(move), 0);
const isSuspended = (model: Model, till: Till | null) => till === "safe" && model.safe.suspended;

export type Wanted = Pick<Move, "kind" | "amount" | "charges" | "from" | "to" | "direction">;

/** Who makes one is its first approver where it needs two. */
export function makeVerdict(model: Model, wanted: Wanted, who: Who): Pick<Move, "status" | "first"> | string {
  const money = moneyOf(model);
  if (isSuspended(model, wanted.from) || isSuspended(model, wanted.to)) return "payment-account.unfit";
  if (wanted.from !== null) {
    const payable = money[wanted.from] - (wanted.from === "safe" ? model.safe.hold : 0) - reserved(model, wanted.from);
    if (payable < gone(wanted)) return "payment-account.insufficient";
  }
  if (wanted.kind === "settlement" && money.wallet < costs(model, wanted)) return "merchant.insufficient-balance";
  if (isThird(wanted)) return { status: "pending", first: who };
  if (waitsToBeDone(wanted)) return { status: "pending", first: null };
  if (wanted.direction === "debit" && money.wallet < wanted.amount) return "merchant.insufficient-balance";
  return { status: "approved", first: null };
}

/** Posting what was pending. */
function settles(model: Model, move: Move): MoveVerdict {
  const money = moneyOf(model);
  if (move.kind === "clearing" && (!model.safe.suspended || money.safe !== gone(move))) return "transfer.balance-changed";
  if (move.direction === "debit" && money.wallet < move.amount) return "merchant.insufficient-balance";
  if (move.from !== null && money[move.from] < gone(move)) return "payment-account.insufficient";
  return { status: "approved" };
}

export function confirmVerdict(model: Model, move: Move, who: Who): MoveVerdict {
  if (move.status !== "pending") return "transaction.already-decided";
  const now = awaits(move);
  if (now === "second") return "transfer.second-needed";
  return now === "first" ? { first: who } : settles(model, move);
}

const againstSecond = (move: Move, who: Who): string | null => {
  if (move.status !== "pending") return "transaction.already-decided";
  if (awaits(move) !== "second") return "transfer.second-not-awaited";
  return move.first === who ? "transfer.second-same-person" : null;
};
export const secondVerdict = (model: Model, move: Move, who: Who): MoveVerdict => againstSecond(move, who) ?? settles(model, move);
export const returnVerdict = (move: Move, who: Who): MoveVerdict => againstSecond(move, who) ?? { first: null };
export const endVerdict = ({ status }: Move): MoveVerdict =>
  status === "pending" ? { status: "rejected" } : "transaction.already-decided";

/** Takes back what is pending; reverses what is posted, unless whoever received it has spent it. */
export function undoVerdict(model: Model, move: Move): MoveVerdict {
  if (move.status !== "approved") return endVerdict(move);
  const money = moneyOf(model);
  if (move.direction === "credit" && money.wallet < move.amount) return "merchant.insufficient-balance";
  if (move.to !== null && money[move.to] - reserved(model, move.to) < move.amount) return "payment-account.insufficient";
  return { status: waitsToBeDone(move) || isThird(move) ? "pending" : "rejected" };
}

/** What clearing makes of the safe: a move of its whole balance, none where it is empty, or why not. */
export function clearVerdict(model: Model, to: Place | null, who: Who): (Wanted & Pick<Move, "status" | "first">) | null | string {
  const isOpen = model.moves.some(({ status, from, to: into }) => status === "pending" && (from === "safe" || into === "safe"));
  if (isOpen || model.safe.hold > 0) return "payment-account.open-items";
  const amount = moneyOf(model).safe;
  if (amount === 0) return null;
  const wanted: Wanted = { kind: "clearing", amount, charges: 0, from: "safe", to, direction: null };
  return { ...wanted, ...(isThird(wanted) ? { status: "pending", first: who } : { status: "approved", first: null }) };
}
