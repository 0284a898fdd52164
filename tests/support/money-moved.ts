/** What transfers, adjustments and settlements have moved: the part of the model that money-model.ts adds to its own. */

export type Who = "ann" | "ben";
export type Place = "house" | "payer";
/** The third account is used by transfers alone, so it can be emptied. */
export type Till = Place | "safe";

export interface Move {
  readonly kind: "transfer" | "manual-transfer" | "clearing" | "adjustment" | "settlement";
  readonly uuid: string;
  version: number;
  status: "pending" | "approved" | "rejected";
  readonly amount: number;
  readonly charges: number;
  readonly from: Till | null;
  readonly to: Till | null;
  readonly direction: "credit" | "debit" | null;
  first: Who | null;
}

export interface Safe {
  hold: number;
  suspended: boolean;
}

interface Moving {
  readonly moves: readonly Move[];
  readonly merchantBears: boolean;
}

export const gone = ({ amount, charges }: Pick<Move, "amount" | "charges">) => amount + charges;
/** What a settlement costs the wallet: its fee is 1 %. */
export const costs = (model: Moving, { amount, charges }: Pick<Move, "amount" | "charges">) =>
  amount * 1.01 + (model.merchantBears ? charges : 0);

/** What the moves have changed so far. */
export function movedOf(model: Moving) {
  const sum = (of: (move: Move) => number) => model.moves.reduce((total, move) => total + of(move), 0);
  const done = (move: Move) => move.status === "approved";
  const on = (till: Till) => sum((move) => (done(move) ? (move.to === till ? move.amount : 0) - (move.from === till ? gone(move) : 0) : 0));
  const held = (status: Move["status"]) => sum((move) => (move.kind === "settlement" && move.status === status ? costs(model, move) : 0));
  const adjusted = sum((move) =>
    done(move) && move.kind === "adjustment" ? (move.direction === "credit" ? move.amount : -move.amount) : 0,
  );
  // what is cleared into adjustment moves at no bank
  const counts = ({ kind, to, status }: Move) => status !== "rejected" && !(kind === "clearing" && to === null);
  return {
    wallet: adjusted - held("pending") - held("approved"),
    hold: held("pending"),
    house: on("house"),
    payer: on("payer"),
    safe: on("safe"),
    used: {
      deposit: sum((move) => (counts(move) && move.to !== null ? move.amount : 0)),
      withdrawal: sum((move) => (counts(move) && move.from !== null ? gone(move) : 0)),
    },
  };
}
