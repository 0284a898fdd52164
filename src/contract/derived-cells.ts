import { formatCount } from "../values/counts.ts";
import { money, moneyText } from "../values/money.ts";
import type { BankLine } from "./bank-transactions.ts";
import type { DecisionRow } from "./decisions.ts";
import { ageOf, holderOf } from "./decisions.ts";
import type { SubjectName, Subjects } from "./index.ts";
import type { LiveBalance } from "./live-balances.ts";
import type { PaymentAccount } from "./payment-accounts.ts";
import type { PayoutTemplate } from "./payout-templates.ts";
import type { StatementLine } from "./statements.ts";
import type { Transfer } from "./transfers.ts";
import type { VendorItem } from "./vendor-items.ts";
import type { Withdrawal } from "./withdrawals.ts";

export type CellValue = string | number | null;

/** A text by its key; null: there is none. */
type Word = (key: string) => string | null;
interface Reading {
  readonly word: Word;
  readonly now: number;
}
type Derived<Row> = Readonly<Record<string, (row: Row, reading: Reading) => CellValue>>;

/** Of everything people decide on. */
const decisionCells = {
  /** ms it has waited, or what its decision took. */
  age: (row: DecisionRow, { now }: Reading) => Math.max(0, ageOf(row, now)),
  /** Who has it in hand; of a decided one, who decided. */
  holder: (row: DecisionRow, { now }: Reading) => holderOf(row, now)?.name ?? (row.rejected_by ?? row.approved_by)?.name ?? null,
};

/** What the bank wrote of a payment, with the name it told beside it where its text has it not. */
export function bankTextOf({ description, reference, counterparty }: BankLine): string {
  const written = description || (reference ?? "");
  const name = counterparty ?? "";
  return written.toUpperCase().includes(name.toUpperCase()) ? written : `${written} · ${name}`;
}

/** How an account stands: what keeps it from its work, else what its work is; "active" where it does any. */
export function accountMark({ status, state, purpose }: Pick<PaymentAccount, "status" | "state" | "purpose">) {
  if (state !== "normal") return state;
  return status === "active" && purpose !== "both" ? purpose : status;
}

/** Where a transfer's money comes from, as a person says it. */
export function fromOf({ kind, source, merchant, direction }: Transfer, word: Word): string | null {
  if (kind === "adjustment") return direction === "debit" ? (merchant?.name ?? null) : word("transfer.kind.adjustment");
  return (kind === "settlement" ? merchant?.name : source?.code) ?? null;
}

/** Where it goes. */
export function toOf({ kind, target, merchant, direction, holder }: Transfer, word: Word): string | null {
  if (kind === "adjustment") return direction === "credit" ? (merchant?.name ?? null) : word("transfer.kind.adjustment");
  if (kind === "settlement") return holder ?? word("transfer.kind.cash-out");
  return target?.code ?? word("transfer.kind.adjustment");
}

/** Of both statements. */
const statementCells = {
  /** A preset in the reader's words, a typed reason as it is. */
  reject_reason: ({ reject_reason }: StatementLine, { word }: Reading) =>
    reject_reason === null ? null : (word(`reason.${reject_reason}`) ?? reject_reason),
  receipt: ({ transaction, has_receipt }: StatementLine) => (transaction === null ? null : has_receipt ? "there" : "none"),
};

/** What a list shows that is no field of its rows but made of several: read by the screen and, for a file, by the server. */
const cellsOf: { readonly [S in SubjectName]?: Derived<Subjects[S]> } = {
  deposit: decisionCells,
  withdrawal: { ...decisionCells, bank_end: ({ bank, account_number }: Withdrawal) => `${bank} ${account_number.slice(-4)}` },
  "bank-line": {
    bank_text: bankTextOf,
    credit: ({ direction, amount }: BankLine) => (direction === "credit" ? amount : null),
    debit: ({ direction, amount }: BankLine) => (direction === "debit" ? amount : null),
    net: ({ direction, amount }: BankLine) => (direction === "credit" ? amount : moneyText(-money(amount))),
    /** What the line is matched to, or why it needs no match. */
    outcome: ({ matched, ignore_reason }: BankLine) =>
      matched.length > 0 ? matched.map(({ txn_no }) => txn_no).join(", ") : ignore_reason,
  },
  "payment-account": {
    /** Open deposits and withdrawals on it, where the list tells them. */
    open: ({ open_in, open_out }: Partial<LiveBalance>) =>
      open_in && open_out ? `${formatCount(open_in.count)} · ${formatCount(open_out.count)}` : null,
    mark: accountMark,
  },
  "merchant-transaction": statementCells,
  "payment-account-transaction": statementCells,
  transfer: {
    from: (row: Transfer, { word }: Reading) => fromOf(row, word),
    to: (row: Transfer, { word }: Reading) => toOf(row, word),
    /** Bank lines matched to it, of those it needs. */
    proof: ({ lines: { needed, matched } }: Transfer) => (needed === 0 ? null : `${matched}/${needed}`),
  },
  "payout-template": { columns: ({ columns }: PayoutTemplate) => columns.length },
  "vendor-item": {
    /** Values in the order of the category's attributes; those the item has not are left out. */
    attributes: (row: VendorItem, { word }: Reading) =>
      attributesOf(row, word)
        .filter(({ value }) => value !== "")
        .map(({ name, value }) => `${name}: ${value}`)
        .join(" · "),
  },
};

/** Values in the order of the category's attributes, as text; empty where the item has none. */
export const attributesOf = ({ of_category, attributes }: VendorItem, word: Word): { name: string; value: string }[] =>
  of_category.map(({ name, type }) => {
    const value = attributes[name] ?? "";
    const isAnswer = type === "boolean" && value !== "";
    return { name, value: isAnswer ? (word(`form.given.${value === "true" ? "yes" : "no"}`) ?? value) : value };
  });

/** The same with their row types hidden: each is given rows of its subject. */
export const derivedCells = cellsOf as unknown as Readonly<Record<string, Derived<object> | undefined>>;
