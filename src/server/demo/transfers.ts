import type { TransferStatus } from "../../contract/transfers.ts";
import type { TransferKind } from "../../contract/transfer-forms.ts";
import { money, percentOf } from "../../values/money.ts";
import type { Money } from "../../values/money.ts";
import type { Book, BookAccount, BookMerchant } from "./books.ts";
import type { Staff } from "./history.ts";
import { historyDays } from "./history.ts";
import type { DemoUser } from "./people.ts";
import type { Random } from "./random.ts";

/** One act of a transfer's history; `by` null: the system. */
interface TransferAct {
  readonly act: "create" | "approve" | "second-approve" | "reject" | "match";
  readonly at: number;
  readonly by: DemoUser | null;
  readonly to: TransferStatus;
  readonly reason?: string;
}

/** A transfer of the demo with its whole history; instants are ms since 1970. */
export interface PastTransfer {
  readonly book: Book;
  readonly id: string;
  readonly kind: TransferKind;
  readonly source: BookAccount | null;
  readonly target: BookAccount | null;
  readonly merchant: BookMerchant | null;
  readonly direction: "credit" | "debit" | null;
  readonly payee: { readonly bank: string; readonly number: string; readonly holder: string } | null;
  readonly amount: Money;
  readonly charges: Money;
  readonly fee: Money;
  readonly tier: 1 | 2 | 3;
  readonly reference: string | null;
  readonly reason: string | null;
  readonly remark: string | null;
  readonly acts: readonly [TransferAct, ...TransferAct[]];
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** As insertBook gives it to every merchant. */
const settlementRate = money("0.5");
/** For this long the demo has the banks' lines. */
const lineDays = 2;

export const createdAt = ({ acts }: PastTransfer): number => acts[0].at;
export const statusOf = ({ acts }: PastTransfer): TransferStatus => (acts.at(-1) ?? acts[0]).to;
export const actOf = (one: PastTransfer, ...acts: readonly TransferAct["act"][]): TransferAct | undefined =>
  one.acts.find(({ act }) => acts.includes(act));
/** When it was posted; null: it is not. */
export const postedAt = (one: PastTransfer): number | null =>
  one.acts.find(({ to }) => to === "approved" || to === "completed")?.at ?? null;
export const leaving = ({ amount, charges }: PastTransfer): Money => amount + charges;
export const heldFor = ({ amount, fee }: PastTransfer): Money => amount + fee;

interface Making {
  readonly book: Book;
  readonly staff: Staff;
  readonly now: number;
  readonly random: Random;
  /** Accounts that money is swept from, and those it is swept to. */
  readonly sources: readonly BookAccount[];
  readonly targets: readonly BookAccount[];
}

/** Thirty days of sweeps, settlements and adjustments, and what waits now, in the order of their creation. */
export function makeTransfers(book: Book, staff: Staff, now: number, random: Random): PastTransfer[] {
  const usable = book.accounts.filter(({ weight, method }) => weight > 0 && method === "bank_transfer");
  const making: Making = {
    book,
    staff,
    now,
    random,
    sources: usable.filter(({ purpose, type }) => purpose !== "withdrawal" && type === "normal"),
    targets: usable.filter(({ purpose }) => purpose !== "deposit"),
  };
  const all: PastTransfer[] = [];
  for (let ago = historyDays - 1; ago >= 0; ago--) {
    const at = () => now - ago * day - (ago === 0 ? random.whole(80, 420) * minute : random.whole(10, 1_380) * minute);
    for (let n = random.whole(2, 4); n > 0; n--) all.push(sweep(making, at()));
    if (ago % 3 === 1) all.push(settlement(making, at(), "done"));
    if (ago % 5 === 2) all.push(adjustment(making, at(), "done"));
    if (ago % 7 === 4) all.push(manual(making, at()));
  }
  all.push(sweep(making, now - 190 * minute, "rejected"));
  all.push(sweep(making, now - 34 * minute, "second"));
  all.push(settlement(making, now - 41 * minute, "waiting"), settlement(making, now - 22 * minute, "second"));
  all.push(sweep(making, now - 17 * minute, "waiting"), sweep(making, now - 6 * minute, "waiting"));
  all.push(adjustment(making, now - 9 * minute, "second"));
  return all.toSorted((a, b) => createdAt(a) - createdAt(b) || (a.id < b.id ? -1 : 1));
}

type Fate = "done" | "waiting" | "second" | "rejected";

const nothing = {
  source: null,
  target: null,
  merchant: null,
  direction: null,
  payee: null,
  charges: 0n,
  fee: 0n,
  reference: null,
  reason: null,
  remark: null,
} as const satisfies Partial<PastTransfer>;

/** A round amount: a share of what needs a second person, or more than it. */
function amountOf({ book, random }: Making, isLarge: boolean): Money {
  const { secondFrom, unit } = book.facts;
  const share = isLarge ? 1 + random.next() * 0.6 : 0.08 + random.next() * 0.5;
  return money(String(Math.round((secondFrom * share) / (unit * 10)) * unit * 10));
}

function tierOf({ book }: Making, amount: Money): 1 | 2 | 3 {
  if (amount >= money(String(book.facts.secondFrom))) return 3;
  return amount >= money(String(book.facts.confirmFrom)) ? 2 : 1;
}

function pair({ sources, targets, random }: Making): { source: BookAccount; target: BookAccount } {
  const source = random.pick(sources);
  return { source, target: random.pick(targets.filter(({ id }) => id !== source.id)) };
}

/** What a second person, or the operator himself, decided minutes later; recent ones are proven by the bank's lines. */
function decided(making: Making, at: number, tier: number, fate: Fate, sides: number): PastTransfer["acts"] {
  const { now, random, staff } = making;
  const by = random.pick(staff.operators);
  const made = { act: "create", at, by, to: "pending" } as const;
  if (fate === "waiting" || fate === "second") return [made];
  const then = Math.min(at + random.whole(4, 38) * minute, now - 5 * minute);
  if (fate === "rejected") return [made, { act: "reject", at: then, by: staff.supervisor, to: "rejected", reason: "Sent twice" }];
  const approval =
    tier === 3
      ? ({ act: "second-approve", at: then, by: staff.supervisor, to: "approved" } as const)
      : ({ act: "approve", at: then, by, to: "approved" } as const);
  if (sides === 0 || at < now - lineDays * day + 2 * hour) return [made, approval];
  const proofs = Array.from({ length: sides }, (_, n) => ({
    act: "match" as const,
    at: Math.min(then + (n + 1) * 2 * minute, now - minute),
    by: null,
    to: n === sides - 1 ? ("completed" as const) : ("approved" as const),
  }));
  return [made, approval, ...proofs];
}

function sweep(making: Making, at: number, fate: Fate = "done"): PastTransfer {
  const amount = amountOf(making, fate === "second");
  const tier = tierOf(making, amount);
  return {
    ...nothing,
    ...pair(making),
    book: making.book,
    id: making.random.uuid(at),
    kind: "transfer",
    amount,
    charges: money(making.book.facts.charge),
    tier,
    reference: `FT${making.random.digits(8)}`,
    remark: making.random.chance(0.3) ? "Top up for payouts" : null,
    acts: decided(making, at, tier, fate, 2),
  };
}

function manual(making: Making, at: number): PastTransfer {
  const amount = amountOf(making, false);
  const by = making.random.pick(making.staff.operators);
  return {
    ...nothing,
    ...pair(making),
    book: making.book,
    id: making.random.uuid(at),
    kind: "manual-transfer",
    amount,
    tier: tierOf(making, amount),
    reference: `CHQ ${making.random.digits(6)}`,
    remark: "Cheque, paid in at the branch",
    acts: [{ act: "create", at, by, to: "approved" }],
  };
}

function settlement(making: Making, at: number, fate: Fate): PastTransfer {
  const { book, random, targets } = making;
  const merchant = random.pick(book.merchants);
  const amount = amountOf(making, fate === "second");
  const tier = tierOf(making, amount);
  const bank = random.pick(book.facts.banks);
  return {
    ...nothing,
    book,
    id: random.uuid(at),
    kind: "settlement",
    source: random.pick(targets),
    merchant,
    payee: { bank: bank.name, number: `${random.whole(1, 9)}${random.digits(bank.digits - 1)}`, holder: merchant.name },
    amount,
    charges: money(book.facts.charge),
    fee: percentOf(amount, settlementRate, book.facts.minorDigits),
    tier,
    reference: fate === "done" ? `FT${random.digits(8)}` : null,
    acts: decided(making, at, tier, fate, 1),
  };
}

const adjustmentReasons = [
  ["credit", "Fee charged twice"],
  ["credit", "Deposit credited to another merchant"],
  ["debit", "Chargeback by the customer’s bank"],
  ["credit", "Goodwill for the outage"],
] as const;

function adjustment(making: Making, at: number, fate: Fate): PastTransfer {
  const { book, random } = making;
  const [direction, reason] = random.pick(adjustmentReasons);
  const small = money(String(book.facts.unit * random.whole(2, 60)));
  const amount = fate === "second" ? amountOf(making, true) : small;
  const tier = tierOf(making, amount);
  const by = random.pick(making.staff.operators);
  return {
    ...nothing,
    book,
    id: random.uuid(at),
    kind: "adjustment",
    merchant: random.pick(book.merchants),
    direction: fate === "second" ? "credit" : direction,
    reason,
    amount,
    tier,
    acts: [{ act: "create", at, by, to: fate === "second" ? "pending" : "approved" }],
  };
}
