import type { MatchScore } from "../../contract/bank-transactions.ts";
import { counterpartyLikeness, textLikeness } from "./bank-name.ts";

/** What of a line is compared. */
export interface ScoredLine {
  readonly time: Date;
  readonly reference: string | null;
  readonly counterparty: string | null;
  readonly description: string;
}

/** What of a transaction is compared. */
export interface ScoredTransaction {
  readonly txn_no: string;
  readonly merchant_txn_no: string | null;
  readonly reference_no: string | null;
  /** The customer of a deposit, the holder a withdrawal pays. */
  readonly name: string;
  /** Between these the bank is expected to book it. */
  readonly begun: Date;
  readonly ended: Date;
  /** The line's account has paid for this customer before. */
  readonly known_payer: boolean;
}

const full = { amount: 35, reference: 30, name: 20, time: 15 } as const;

/** From this total a match may be made automatically, if it is that far ahead of the next. */
export const automaticFrom = 90;
export const automaticAhead = 15;

/** Names less alike than this say nothing. */
const alikeFrom = 60;
/** Minutes to which the window's 72 hours are measured. */
const windowMinutes = 72 * 60;

/**
 * Judges one pair. `contenders` counts what the amount alone leaves open, this pair among them: the transactions the line may belong to, or
 * the lines that may belong to the transaction, whichever are more.
 */
export function scoreOf(line: ScoredLine, transaction: ScoredTransaction, contenders: number): MatchScore {
  return summed({
    amount: Math.floor(full.amount / contenders),
    reference: namesIt(line, transaction) ? full.reference : 0,
    name: Math.round((full.name * likeness(line, transaction)) / 100),
    time: Math.round(full.time * closeness(line.time, transaction)),
  });
}

/** The score of a set: how many other sets there are, and the mean of its members otherwise. */
export function scoreOfSet(members: readonly MatchScore[], sets: number): MatchScore {
  const mean = (part: "reference" | "name" | "time") => Math.floor(members.reduce((sum, member) => sum + member[part], 0) / members.length);
  return summed({ amount: Math.floor(full.amount / sets), reference: mean("reference"), name: mean("name"), time: mean("time") });
}

const summed = (parts: Omit<MatchScore, "total">): MatchScore => ({
  total: parts.amount + parts.reference + parts.name + parts.time,
  ...parts,
});

/** Whether the line's text has one of the transaction's numbers: a long one anywhere, a shorter one as a word of its own. */
function namesIt({ reference, description }: ScoredLine, { txn_no, merchant_txn_no, reference_no }: ScoredTransaction): boolean {
  const text = `${reference ?? ""} ${description}`.toUpperCase();
  const words = text.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const all = text.replaceAll(/[^\p{L}\p{N}]+/gu, "");
  return [txn_no, merchant_txn_no, reference_no].some((number) => {
    const plain = (number ?? "").toUpperCase().replaceAll(/[^\p{L}\p{N}]+/gu, "");
    if (!/\d/.test(plain)) return false;
    return plain.length >= 10 ? holds(all, plain) : plain.length >= 5 && isWords(words, plain);
  });
}

/** Whether one of the words, or some that follow each other, are the number. */
function isWords(words: readonly string[], number: string): boolean {
  return words.some((_, at) => {
    let joined = "";
    for (const word of words.slice(at)) {
      joined += word;
      if (joined.length >= number.length) break;
    }
    return joined === number;
  });
}

/** Not as a part of a longer number. */
function holds(text: string, number: string): boolean {
  for (let at = text.indexOf(number); at !== -1; at = text.indexOf(number, at + 1)) {
    const [before, after] = [text[at - 1] ?? "", text[at + number.length] ?? ""];
    const goesOn = (side: string, edge: string | undefined) => /\d/.test(side) && /\d/.test(edge ?? "");
    if (!goesOn(before, number[0]) && !goesOn(after, number.at(-1))) return true;
  }
  return false;
}

function likeness({ counterparty, description }: ScoredLine, { name, known_payer }: ScoredTransaction): number {
  if (known_payer) return 100;
  const alike = Math.max(counterparty === null ? 0 : counterpartyLikeness(name, counterparty), textLikeness(name, description));
  return alike < alikeFrom ? 0 : alike;
}

/** 1 where the line is booked when it is expected, falling with the logarithm of the minutes between, to 0 at the window's end. */
function closeness(time: Date, { begun, ended }: ScoredTransaction): number {
  const minutes = Math.max(begun.getTime() - time.getTime(), time.getTime() - ended.getTime(), 0) / 60_000;
  return Math.max(0, 1 - Math.log1p(minutes / 10) / Math.log1p(windowMinutes / 10));
}
