import type { Move, Place, Safe, Who } from "./money-moved.ts";
import { movedOf } from "./money-moved.ts";

/**
 * What deposits, withdrawals and bank lines must be: a small model in memory, beside which the product is run. Amounts are whole units that
 * rates of 1.5 % and 1 % divide.
 */

export const other = (who: Who): Who => (who === "ann" ? "ben" : "ann");

export interface Item {
  readonly kind: "deposit" | "withdrawal";
  readonly uuid: string;
  readonly manual: boolean;
  version: number;
  status: "pending" | "process" | "approved" | "completed" | "rejected" | "expired";
  amount: number;
  /** What was asked for, where another amount arrived. */
  asked: number | null;
  claim: Who | null;
  first: Who | null;
  /** The account the first person chose for a withdrawal. */
  chosen: Place | null;
  /** Where a deposit arrives, and a paid withdrawal left. */
  account: Place | null;
  receipts: number;
  /** The bank line it is matched to, by its place, and what that moved for it. */
  line: number | null;
  proof: number | null;
}

export interface Line {
  readonly uuid: string;
  readonly direction: "credit" | "debit";
  readonly account: Place;
  readonly amount: number;
  version: number;
  status: "unmatched" | "matched" | "ignored";
}

export interface Model {
  readonly items: Item[];
  readonly lines: Line[];
  readonly moves: Move[];
  readonly safe: Safe;
  readonly merchantBears: boolean;
  readonly approveOnMatch: boolean;
}

export const claimLimit = 2;
export const opening = { wallet: 10_000, house: 1_000_000, payer: 1_000_000, safe: 8_000 };
export const charge: Readonly<Record<Place, number>> = { house: 2, payer: 3 };
export const mostReceipts = 10;
/** So many deposits, and so many withdrawals, a rate limit lets one hour have of the house account. */
export const houseRate = 3;

/** What an act must answer: what it changes, or the code of its refusal. An act that changes nothing leaves the version. */
export type Verdict = Partial<Item> | string;

export const isDecided = ({ status }: Item): boolean => status !== "pending" && status !== "process";
const isCredited = ({ status }: Item): boolean => status === "approved" || status === "completed";
const waiting = ({ kind }: Item) => (kind === "deposit" ? "process" : "pending");
const code = ({ kind }: Item, problem: string) => `${kind}.${problem}`;
const claimsOf = ({ items }: Model, who: Who) => items.filter(({ claim }) => claim === who).length;
const restored = (item: Item): Partial<Item> => (item.asked === null ? {} : { amount: item.asked, asked: null });
const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
export const moneyText = (amount: number): string => amount.toFixed(2);

/** A deposit by hand that nothing proves needs a second person, and so does the first payment to a payee from the confirmed amount on. */
function tierOf({ kind, manual, line, receipts }: Item, amount: number): 1 | 2 | 3 {
  if (kind === "withdrawal") return amount >= 1000 ? 3 : 1;
  if (manual && line === null && receipts === 0) return 3;
  return amount >= 5000 ? 3 : amount >= 1000 ? 2 : 1;
}

const credit = (amount: number) => amount * 0.985;
const bornBy = ({ merchantBears }: Model, charges: number) => (merchantBears ? charges : 0);
/** What a withdrawal holds: which account pays is not known yet, so the highest charges. */
const held = (model: Model, amount: number) => amount * 1.01 + bornBy(model, charge.payer);
const paid = (model: Model, { amount, account }: Item) => amount * 1.01 + bornBy(model, charge[account ?? "house"]);

/** The money of the wallet, its hold and the accounts, and what counts against the accounts' limits. */
export function moneyOf(model: Model) {
  const deposits = model.items.filter(({ kind }) => kind === "deposit");
  const withdrawals = model.items.filter(({ kind }) => kind === "withdrawal");
  const gone = withdrawals.filter(isCredited);
  const open = sum(withdrawals.filter((item) => !isDecided(item)).map(({ amount }) => held(model, amount)));
  const arrived = sum(deposits.filter(isCredited).map(({ amount }) => amount));
  const left = (place: Place) => sum(gone.filter(({ account }) => account === place).map(({ amount }) => amount + charge[place]));
  const counted = sum(deposits.filter(({ status }) => status !== "rejected" && status !== "expired").map(({ amount }) => amount));
  const moved = movedOf(model);
  return {
    wallet: opening.wallet + credit(arrived) - open - sum(gone.map((item) => paid(model, item))) + moved.wallet,
    hold: open + moved.hold,
    house: opening.house + arrived - left("house") + moved.house,
    payer: opening.payer - left("payer") + moved.payer,
    safe: opening.safe + moved.safe,
    used: { deposit: counted + moved.used.deposit, withdrawal: left("house") + left("payer") + moved.used.withdrawal },
  };
}

/** Deposits count from when they are made, withdrawals once they are paid. */
export function isRateFull({ items }: Model, kind: Item["kind"]): boolean {
  const counts = ({ status, account }: Item) =>
    kind === "deposit"
      ? status !== "rejected" && status !== "expired"
      : account === "house" && (status === "approved" || status === "completed");
  return items.filter((item) => item.kind === kind && counts(item)).length >= houseRate;
}

/** Against paying from an account that has been used too often, where nothing else speaks against it. */
export const rated = (model: Model, { kind }: Item, from: Place | null, verdict: Verdict): Verdict =>
  typeof verdict !== "string" && kind === "withdrawal" && from === "house" && isRateFull(model, kind) ? "payment-account.unfit" : verdict;

export const mayWithdraw = (model: Model, amount: number): boolean => moneyOf(model).wallet >= held(model, amount);

export function claimVerdict(model: Model, item: Item, who: Who): Verdict {
  if (isDecided(item)) return code(item, "not-open");
  if (item.claim === other(who)) return code(item, "claimed");
  if (item.claim === who) return {};
  if (item.first !== null) return code(item, "second-needed");
  if (item.kind === "deposit" && item.status === "pending") return code(item, "not-process");
  return claimsOf(model, who) >= claimLimit ? code(item, "claim-limit") : { claim: who, status: "process" };
}

/** The oldest free item of the kind, or why there is none. */
export function nextOf(model: Model, kind: Item["kind"], who: Who): Item | string {
  if (claimsOf(model, who) >= claimLimit) return `${kind}.claim-limit`;
  const next = model.items.find(
    (item) => item.kind === kind && item.status === waiting(item) && item.claim === null && item.first === null,
  );
  return next ?? `${kind}.none-free`;
}

export function takeOverVerdict(model: Model, item: Item, who: Who): Verdict {
  if (item.status !== "process") return code(item, "not-process");
  if (item.claim === who) return {};
  if (item.first !== null) return code(item, "second-needed");
  return claimsOf(model, who) >= claimLimit ? code(item, "claim-limit") : { claim: who };
}

export function releaseVerdict(item: Item, who: Who): Verdict {
  if (item.status !== "process") return code(item, "not-process");
  return item.claim === who ? { claim: null, status: waiting(item) } : code(item, "not-claimed");
}

/** Another amount than the matched line's fails. */
const isProvedOtherwise = ({ kind, proof }: Item, amount: number): boolean => kind === "deposit" && proof !== null && proof !== amount;

export function approveVerdict(item: Item, who: Who, arrived: number, from: Place): Verdict {
  if (isDecided(item)) return "transaction.already-decided";
  if (item.status !== "process") return code(item, "not-process");
  if (item.first !== null) return code(item, "second-needed");
  if (item.claim === null) return code(item, "not-claimed");
  if (item.claim !== who) return code(item, "claimed");
  if (isProvedOtherwise(item, arrived)) return code(item, "check-failed");
  const amounts = arrived === item.amount ? {} : { amount: arrived, asked: item.amount };
  const now = { ...amounts, claim: null };
  if (tierOf(item, arrived) === 3) return { ...now, first: who, ...(item.kind === "withdrawal" && { chosen: from }) };
  return { ...now, status: "approved", ...(item.kind === "withdrawal" && { account: from }) };
}

function secondVerdict(item: Item, who: Who): string | null {
  if (isDecided(item)) return "transaction.already-decided";
  if (item.status !== "process" || item.first === null) return code(item, "second-not-awaited");
  return item.first === who ? code(item, "second-same-person") : null;
}

export function secondApproveVerdict(item: Item, who: Who): Verdict {
  const refused = secondVerdict(item, who);
  if (refused !== null) return refused;
  if (isProvedOtherwise(item, item.amount)) return code(item, "check-failed");
  return { status: "approved", ...(item.kind === "withdrawal" && { account: item.chosen }) };
}

export const handBackVerdict = (item: Item, who: Who): Verdict =>
  secondVerdict(item, who) ?? { first: null, chosen: null, status: waiting(item), ...restored(item) };

export function rejectVerdict(item: Item, who: Who): Verdict {
  if (item.claim === other(who)) return code(item, "claimed");
  return isDecided(item) ? "transaction.already-decided" : { status: "rejected", claim: null, ...restored(item) };
}

/** Nothing is taken back that the merchant has spent. */
export function recallVerdict(model: Model, item: Item, who: Who): Verdict {
  if (item.status !== "approved") return code(item, "not-approved");
  const taken = item.kind === "deposit" ? credit(item.amount) : held(model, item.amount) - paid(model, item);
  if (moneyOf(model).wallet < taken) return "merchant.insufficient-balance";
  const claim = claimsOf(model, who) >= claimLimit ? null : who;
  if (item.kind === "deposit") return { status: "process", first: null, claim, ...restored(item) };
  return { status: claim === null ? "pending" : "process", first: null, chosen: null, account: null, claim };
}

export function reopenVerdict(item: Item): Verdict {
  if (item.kind === "withdrawal") return "not-found";
  return item.status === "expired" ? { status: "process" } : "deposit.not-expired";
}

export function processVerdict(item: Item): Verdict {
  if (item.kind === "withdrawal") return "not-found";
  if (isDecided(item)) return "transaction.already-decided";
  return item.status === "pending" ? { status: "process" } : "deposit.not-pending";
}

/** What the merchant itself may do: report a payment, or ask for a withdrawal no longer. */
export function merchantVerdict(item: Item, kind: Item["kind"], then: Partial<Item>): Verdict {
  if (item.kind !== kind) return "not-found";
  return item.status === "pending" ? then : `${kind}.not-pending`;
}

/** Whether a line, free to be matched, may be matched to these items; the code of the refusal where not. */
export function matchVerdict({ items, lines }: Model, at: number, wanted: readonly Item[]): string | null {
  const line = lines[at];
  if (!line) throw new Error("a line is chosen among those there are");
  const kind = line.direction === "credit" ? "deposit" : "withdrawal";
  if (wanted.some((item) => item.kind !== kind)) return "not-found";
  if (line.status !== "unmatched") return "bank-line.not-unmatched";
  if (wanted.some((item) => item.line !== null)) return "transaction.matched";
  const fits = (item: Item) =>
    item.account === line.account && (kind === "deposit" ? item.status !== "rejected" && item.status !== "expired" : isCredited(item));
  if (!wanted.every(fits)) return "bank-line.misfit";
  const [only] = wanted;
  const charged = wanted.length === 1 && only?.kind === "withdrawal" ? only.amount + charge[line.account] : null;
  if (charged !== line.amount && sum(wanted.map(({ amount }) => amount)) !== line.amount) return "bank-line.sum";
  return items.every((item) => item.line !== at) ? null : "bank-line.not-unmatched";
}

/** What a match does to one of its items. Without a person only what is free, small and sound is approved. */
export function matched(model: Model, item: Item, at: number, parts: number): Item {
  const now: Item = { ...item, line: at, proof: parts > 1 ? item.amount : (model.lines[at]?.amount ?? null) };
  if (now.kind === "withdrawal") return now;
  if (now.status === "pending") Object.assign(now, { status: "process", version: now.version + 1 });
  const isFree = now.status === "process" && now.claim === null && now.first === null;
  if (model.approveOnMatch && isFree && !isProvedOtherwise(now, now.amount) && tierOf(now, now.amount) === 1) {
    Object.assign(now, { status: "approved", version: now.version + 1 });
  }
  return now;
}

/** A completed item keeps its line where nothing else proves it. */
export function unmatchVerdict({ items, lines }: Model, at: number): string | null {
  if (lines[at]?.status !== "matched") return "bank-line.not-matched";
  const isOnlyProof = items.some(
    ({ line, status, receipts, first }) => line === at && status === "completed" && receipts === 0 && first === null,
  );
  return isOnlyProof ? "bank-line.only-proof" : null;
}

export const ignoreVerdict = ({ lines }: Model, at: number): string | null =>
  lines[at]?.status === "unmatched" ? null : "bank-line.not-unmatched";
export const takeBackVerdict = ({ lines }: Model, at: number): string | null =>
  lines[at]?.status === "ignored" ? null : "bank-line.not-ignored";
