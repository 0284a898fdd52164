import { money, percentOf } from "../../values/money.ts";
import type { Money } from "../../values/money.ts";
import { makeMember } from "./books.ts";
import type { Book, BookAccount, BookMember, BookMerchant } from "./books.ts";
import { bankPrinted, customerName } from "./names.ts";
import type { DemoUser } from "./people.ts";
import type { Random } from "./random.ts";

/** A deposit or withdrawal with its whole history; instants are ms since 1970. */
export interface Past {
  readonly book: Book;
  readonly merchant: BookMerchant;
  readonly id: string;
  readonly kind: "deposit" | "withdrawal";
  /** A deposit that its operator made by hand. */
  readonly manual: boolean;
  readonly status: "pending" | "process" | "approved" | "rejected" | "completed" | "expired";
  readonly member: BookMember;
  readonly method: "bank_transfer" | "e_wallet" | "qr";
  /** Name on the account a withdrawal goes to. */
  readonly holder: string;
  readonly amount: Money;
  readonly fee: Money;
  readonly charges: Money;
  readonly account: BookAccount | null;
  /** The account a first approver chose, while the second has not decided. */
  readonly proposed: BookAccount | null;
  readonly createdAt: number;
  /** The time it was reported paid, or claimed. */
  readonly processedAt: number | null;
  /** The time of the first approval of a tier 3 withdrawal. */
  readonly firstAt: number | null;
  /** An approval that was recalled; the final decision is at `decidedAt`. */
  readonly recall: { readonly approvedAt: number; readonly recalledAt: number } | null;
  readonly decidedAt: number | null;
  readonly completedAt: number | null;
  readonly expiresAt: number | null;
  readonly operator: DemoUser | null;
  readonly first: DemoUser | null;
  readonly reason: string | null;
}

export interface Staff {
  readonly operators: readonly DemoUser[];
  readonly supervisor: DemoUser;
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
export const historyDays = 30;
const depositExpiry = 30 * minute;
/** Weight of each local hour: quiet before dawn, busiest in the evening. */
const hourWeights = [6, 4, 3, 2, 2, 2, 3, 4, 5, 6, 7, 8, 9, 8, 7, 7, 8, 9, 10, 12, 14, 14, 12, 9];

/** `count` transactions of the last thirty days, open ones included, in the order of their creation. */
export function makePast(
  book: Book,
  staff: Staff,
  count: number,
  now: number,
  withdrawalExpiryHours: number | null,
  random: Random,
): Past[] {
  const { open } = book.facts;
  const past: Past[] = [];
  const made = { book, staff, random, recalls: 0 };
  for (let n = 0; n < open.withdrawals; n++) past.push(openWithdrawal(made, now - (8 + 40 * 60 * random.next() ** 1.7) * second, past));
  for (let n = 0; n < open.second; n++) past.push(awaitingSecond(made, now - (4 + 30 * random.next()) * minute));
  for (let n = 0; n < open.shown; n++) past.push(deposit(made, now - (5 + 28 * 60 * random.next()) * second, "pending", now));
  for (let n = 0; n < open.paid; n++) past.push(deposit(made, now - (40 + 24 * 60 * random.next() ** 1.5) * second, "process", now));
  const moments = momentsOf(book, now, random);
  while (past.length < count) {
    const at = moments();
    past.push(random.chance(0.56) ? deposit(made, at, null, now) : withdrawal(made, at, now, withdrawalExpiryHours));
  }
  for (const minutes of [17, 6]) past.push(depositAwaitingSecond(made, now - minutes * minute, now));
  past.push(manualDeposit(made, now - 11 * minute, now));
  return past.sort((a, b) => a.createdAt - b.createdAt);
}

interface Making {
  readonly book: Book;
  readonly staff: Staff;
  readonly random: Random;
  /** Recalls so far; even the smallest demo has one. */
  recalls: number;
}

function momentsOf(book: Book, now: number, random: Random): () => number {
  const starts: number[] = [];
  const sums: number[] = [];
  let sum = 0;
  for (let at = now - historyDays * day; at < now; at += hour) {
    const local = new Date(at + book.facts.zoneMinutes * minute);
    sum += (hourWeights[local.getUTCHours()] ?? 1) * (local.getUTCDay() % 6 === 0 ? 1.25 : 1);
    starts.push(at);
    sums.push(sum);
  }
  return () => {
    const wanted = random.next() * sum;
    let [low, high] = [0, sums.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) <= wanted) low = middle + 1;
      else high = middle;
    }
    return Math.floor(Math.min((starts[low] ?? 0) + random.next() * hour, now - 90 * second));
  };
}

/** A merchant by its weight, and one of its members, few of them far more often than most. */
function pickMember({ book, random }: Making) {
  const merchant = random.weighted(
    book.merchants,
    book.merchants.map((one) => one.weight),
  );
  const member = merchant.members[Math.floor(merchant.members.length * random.next() ** 1.8)] as BookMember; // below the length
  return { merchant, member };
}

function someAmount({ book, random }: Making, spread: number): Money {
  const { median, unit, secondFrom, minorDigits } = book.facts;
  const whole = Math.min(Math.max(Math.round(random.around(median, spread) / unit) * unit, unit), secondFrom * 2.4);
  const odd = minorDigits > 0 && random.chance(0.15) ? `.${random.digits(2)}` : "";
  return money(`${whole}${odd}`);
}

function chooseAccount({ book, random }: Making, kind: "deposit" | "withdrawal", method: Past["method"]): BookAccount {
  const fit = book.accounts.filter((one) => one.weight > 0 && one.method === method && (one.purpose === kind || one.purpose === "both"));
  return random.weighted(
    fit,
    fit.map((one) => one.weight),
  );
}

/** Scales steps in ms so that they end before `end`; answers their times. */
function paced(from: number, steps: readonly number[], end: number): number[] {
  const total = steps.reduce((sum, step) => sum + step, 0);
  const scale = Math.min(1, (end - from) / total);
  let at = from;
  return steps.map((step) => (at += Math.max(1, Math.floor(step * scale))));
}

const nothingYet = {
  manual: false,
  proposed: null,
  charges: 0n,
  processedAt: null,
  firstAt: null,
  recall: null,
  decidedAt: null,
  completedAt: null,
  expiresAt: null,
  operator: null,
  first: null,
  reason: null,
} as const;

function deposit(making: Making, at: number, wanted: "pending" | "process" | null, now: number): Past {
  const { book, random, staff } = making;
  const { merchant, member } = pickMember(making);
  const createdAt = Math.floor(at);
  const amount = someAmount(making, 0.9);
  const method = member.method === "e_wallet" ? "e_wallet" : random.chance(0.2) ? "qr" : "bank_transfer";
  const base = {
    ...nothingYet,
    book,
    merchant,
    id: random.uuid(createdAt),
    kind: "deposit" as const,
    member,
    method,
    holder: member.holder,
    amount,
    fee: percentOf(amount, merchant.depositRate, book.facts.minorDigits),
    account: chooseAccount(making, "deposit", method),
    createdAt,
    expiresAt: createdAt + depositExpiry,
  } satisfies Omit<Past, "status">;
  if (wanted === "pending") return { ...base, status: "pending" };
  const [paid = 0, decided = 0, acknowledged = 0] = paced(
    createdAt,
    [random.around(170, 0.6) * second, random.around(60, 0.7) * second, random.whole(300, 2_500)],
    Math.min(now - 5 * second, createdAt + 40 * minute),
  );
  if (wanted === "process") return { ...base, status: "process", processedAt: Math.min(paid, now - 2 * second) };
  const operator = random.pick(staff.operators);
  const fate = random.next();
  if (fate < 0.09 && createdAt + depositExpiry < now) return { ...base, status: "expired", decidedAt: createdAt + depositExpiry };
  if (fate > 0.965) {
    const reason = random.weighted(["name-mismatch", "suspected-fraud", "duplicate", "merchant-asked"], [5, 1, 2, 2]);
    return { ...base, status: "rejected", processedAt: paid, decidedAt: decided, operator, reason };
  }
  if (fate > 0.957) return { ...base, status: "approved", processedAt: paid, decidedAt: decided, operator };
  return { ...base, status: "completed", processedAt: paid, decidedAt: decided, completedAt: acknowledged, operator };
}

/** A paid deposit approved by one person, awaiting the second. */
function depositAwaitingSecond(making: Making, at: number, now: number): Past {
  const { book, random, staff } = making;
  const base = deposit(making, at, "process", now);
  const { secondFrom, unit, minorDigits } = book.facts;
  const amount = money(String(Math.round((secondFrom * (1 + random.next() * 0.4)) / unit) * unit));
  const processedAt = base.createdAt + random.whole(30, 120) * second;
  const fee = percentOf(amount, base.merchant.depositRate, minorDigits);
  return { ...base, amount, fee, processedAt, firstAt: processedAt + random.whole(40, 150) * second, first: random.pick(staff.operators) };
}

/** Money that came without a deposit, entered by an operator; nothing proves it yet. */
function manualDeposit(making: Making, at: number, now: number): Past {
  const base = deposit(making, at, "process", now);
  return { ...base, manual: true, processedAt: base.createdAt, expiresAt: null, operator: making.random.pick(making.staff.operators) };
}

function withdrawalBase(making: Making, createdAt: number) {
  const { book, random } = making;
  const { merchant, member } = pickMember(making);
  const amount = someAmount(making, 1.05);
  return {
    ...nothingYet,
    book,
    merchant,
    id: random.uuid(createdAt),
    kind: "withdrawal" as const,
    member,
    method: member.method,
    holder: member.holder,
    amount,
    fee: percentOf(amount, merchant.withdrawalRate, book.facts.minorDigits),
    account: null,
    createdAt,
  } satisfies Omit<Past, "status">;
}

function withdrawal(making: Making, createdAt: number, now: number, expiryHours: number | null): Past {
  const { book, random, staff } = making;
  const base = withdrawalBase(making, createdAt);
  const third = base.amount >= money(String(book.facts.secondFrom));
  const operator = random.pick(staff.operators);
  const [claimed = 0, first = 0, decided = 0, acknowledged = 0] = paced(
    createdAt,
    [
      random.around(80, 0.8) * second,
      random.around(22, 0.5) * second,
      third ? random.around(150, 0.5) * second : 1,
      5_200 + random.whole(200, 2_500),
    ],
    now - 5 * second,
  );
  const fate = random.next();
  if (expiryHours !== null && fate < 0.004 && createdAt + expiryHours * hour < now) {
    return { ...base, status: "expired", decidedAt: createdAt + expiryHours * hour, expiresAt: createdAt + expiryHours * hour };
  }
  const expiresAt = expiryHours === null ? null : createdAt + expiryHours * hour;
  if (fate > 0.945) {
    const reason = random.weighted(
      ["name-mismatch", "account-closed", "duplicate", "over-limit", "account-invalid", "merchant-asked"],
      [9, 6, 4, 2, 3, 1],
    );
    return { ...base, status: "rejected", processedAt: claimed, decidedAt: first, operator, reason, expiresAt };
  }
  const account = chooseAccount(making, "withdrawal", base.method);
  const paid = { ...base, account, charges: money(book.facts.charge), processedAt: claimed, expiresAt };
  const people = third ? { operator: staff.supervisor, first: operator, firstAt: first } : { operator };
  const recalled = !third && (random.chance(0.004) || making.recalls === 0) && decided + 60 * second < now;
  if (recalled) making.recalls += 1;
  const recall = recalled ? { approvedAt: first, recalledAt: first + random.whole(1_500, 4_500) } : null;
  const decidedAt = recall ? recall.recalledAt + random.whole(9, 30) * second : decided;
  if (fate > 0.938) return { ...paid, ...people, status: "approved", decidedAt, recall };
  return { ...paid, ...people, status: "completed", decidedAt, recall, completedAt: Math.max(acknowledged, decidedAt + 5_400) };
}

/** An open withdrawal; a few repeat an earlier one, have another payee name, or go to a payee never paid before. */
function openWithdrawal(making: Making, at: number, before: readonly Past[]): Past {
  const { book, random } = making;
  const createdAt = Math.floor(at);
  const base = { ...withdrawalBase(making, createdAt), status: "pending" as const };
  const fate = random.next();
  const twin = before.filter((one) => one.kind === "withdrawal").at(-1);
  if (fate < 0.07 && twin) {
    return {
      ...base,
      merchant: twin.merchant,
      member: twin.member,
      method: twin.method,
      holder: twin.holder,
      amount: twin.amount,
      fee: twin.fee,
    };
  }
  if (fate < 0.13) return { ...base, holder: bankPrinted(customerName(book.facts.names, random)) };
  if (fate < 0.21) {
    const member = makeMember(book.facts, base.merchant.code, 1_000 + random.whole(0, 8_000), random);
    return { ...base, member, method: member.method, holder: member.holder };
  }
  // some of tiers 2 and 3
  const grand =
    fate > 0.9 ? book.facts.secondFrom * (1 + random.next() * 0.6) : fate > 0.76 ? book.facts.confirmFrom * (1 + random.next()) : null;
  if (grand === null) return base;
  const amount = money(String(Math.round(grand / book.facts.unit) * book.facts.unit));
  return { ...base, amount, fee: percentOf(amount, base.merchant.withdrawalRate, book.facts.minorDigits) };
}

/** A withdrawal approved by one person, awaiting the second, not claimed. */
function awaitingSecond(making: Making, at: number): Past {
  const { book, random, staff } = making;
  const createdAt = Math.floor(at);
  const base = withdrawalBase(making, createdAt);
  const { secondFrom, unit } = book.facts;
  const amount = money(String(Math.round((secondFrom * (1 + random.next() * 0.5)) / unit) * unit));
  const [claimed = 0, first = 0] = [createdAt + random.whole(20, 90) * second, createdAt + random.whole(100, 180) * second];
  return {
    ...base,
    status: "process",
    amount,
    fee: percentOf(amount, base.merchant.withdrawalRate, book.facts.minorDigits),
    processedAt: claimed,
    firstAt: first,
    first: random.pick(staff.operators),
    proposed: chooseAccount(making, "withdrawal", base.method),
  };
}
