import type { BankLine, Candidate, MatchScore, Suggestion } from "../../../contract/bank-transactions.ts";
import type { Deposit } from "../../../contract/deposits.ts";
import type { Withdrawal } from "../../../contract/withdrawals.ts";
import type { Money } from "../../../values/money.ts";
import { money } from "../../../values/money.ts";

/** A transaction that a line may be matched to; one that a person has marked is not judged. */
export type Part = Omit<Candidate, "score" | "known_payer"> & { readonly score: MatchScore | null; readonly known_payer: boolean };

/** What a match of a line would take: a suggestion, or what is marked on the other side. */
export interface Choice {
  /** The same while it names the same transactions. */
  readonly id: string;
  readonly score: MatchScore | null;
  readonly transactions: readonly Part[];
  /** The line's amount less theirs. */
  readonly difference: Money;
  /** Chosen until the operator chooses another: the marked ones where they are the line's amount, else the best suggestion. */
  readonly isMeant: boolean;
}

/** What the id of a choice of marks begins with. */
export const ofMarks = "marked ";

const idOf = (transactions: readonly Part[]): string => transactions.map(({ uuid }) => uuid).join();

const differenceOf = ({ amount }: BankLine, transactions: readonly Part[]): Money =>
  transactions.reduce((left, part) => left - money(part.amount), money(amount));

/** A marked row as a part; of a single withdrawal what the bank moved, with its charges where they are in the same line. */
function partOf(row: Deposit | Withdrawal, line: BankLine, alone: boolean): Part {
  const { uuid, version, txn_no, status, reference_no, merchant, created_at } = row;
  const common = { uuid, version, txn_no, status, reference_no, merchant, created_at, score: null, known_payer: false };
  if (!("holder" in row)) return { ...common, kind: "deposit", name: row.customer_name, amount: row.amount };
  const isCharged = alone && money(row.final_amount) === money(line.amount);
  return { ...common, kind: "withdrawal", name: row.holder, amount: isCharged ? row.final_amount : row.amount };
}

/** What a line may be matched to: first what is marked on the other side, then the suggestions, the best first. */
export function choicesFor(
  line: BankLine,
  suggestions: readonly Suggestion[],
  marked: readonly (Deposit | Withdrawal)[],
): readonly Choice[] {
  const parts = marked.map((row) => partOf(row, line, marked.length === 1));
  const isSum = parts.length > 0 && differenceOf(line, parts) === 0n;
  // a suggestion of the same transactions knows their score
  const known = suggestions.find(({ transactions }) => sameSet(transactions, parts));
  const byHand: Choice[] =
    parts.length === 0
      ? []
      : [
          {
            id: ofMarks + idOf(parts),
            score: known?.score ?? null,
            transactions: known?.transactions ?? parts,
            difference: differenceOf(line, parts),
            isMeant: isSum,
          },
        ];
  const suggested = suggestions
    .filter((one) => one !== known)
    .map(({ score, transactions }, at): Choice => ({
      id: idOf(transactions),
      score,
      transactions,
      difference: differenceOf(line, transactions),
      isMeant: at === 0 && !isSum,
    }));
  return [...byHand, ...suggested];
}

const sameSet = (some: readonly Part[], others: readonly Part[]): boolean =>
  some.length === others.length && some.every(({ uuid }) => others.some((other) => other.uuid === uuid));
