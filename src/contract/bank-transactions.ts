import { z } from "zod";
import { parseMoney } from "../values/money.ts";
import { inCurrency } from "./amounts.ts";
import { control } from "./controls.ts";
import { defineColumns } from "./record-columns.ts";
import { RecordEvent } from "./records.ts";
import { transactionStatuses } from "./transactions.ts";
import { Amount, Instant, PositiveAmount, Uuid, Version } from "./wire.ts";

export const lineDirections = ["credit", "debit"] as const;
export const lineStatuses = ["unmatched", "matched", "ignored"] as const;
export const lineSources = ["file", "paste", "hand", "call"] as const;
/** What an ignored line is, because it is no customer's money. */
export const ignoredAs = ["fee", "own-transfer", "settlement", "other"] as const;
/** Most transactions one line is matched to. */
export const mostMatched = 4;

/** What a line may prove; of a transfer one side. */
export const matchedKinds = ["deposit", "withdrawal", "transfer"] as const;

/** How well a line and a transaction fit, 0 to 100, and the four parts it is the sum of. */
const MatchScore = z.object({
  total: z.int(),
  /** Of 35: nothing else of this amount fits. */
  amount: z.int(),
  /** Of 30: the line's text names the transaction. */
  reference: z.int(),
  /** Of 20: the names are alike, or the payer's account is known. */
  name: z.int(),
  /** Of 15: they are close in time. */
  time: z.int(),
});
export type MatchScore = z.infer<typeof MatchScore>;

export const BankLine = z.object({
  uuid: Uuid,
  version: Version,
  payment_account: z.object({ uuid: Uuid, code: z.string() }),
  /** When the bank booked it. */
  time: Instant,
  direction: z.enum(lineDirections),
  amount: Amount,
  reference: z.string().nullable(),
  /** The name of the payer or payee. */
  counterparty: z.string().nullable(),
  counterparty_account: z.string().nullable(),
  description: z.string(),
  /** The bank's balance after this line; null: the statement has none. */
  balance: Amount.nullable(),
  status: z.enum(lineStatuses),
  ignored_as: z.enum(ignoredAs).nullable(),
  ignore_reason: z.string().nullable(),
  /** The transactions it is matched to, which together are its amount. */
  matched: z.array(z.object({ uuid: Uuid, txn_no: z.string(), kind: z.enum(matchedKinds), amount: Amount })),
  source: z.enum(lineSources),
  file_name: z.string().nullable(),
  import_uuid: Uuid.nullable(),
  /** Who added it; null: a forwarder. */
  by: z.string().nullable(),
  created_at: Instant,
  updated_at: Instant,
});
export type BankLine = z.infer<typeof BankLine>;

/** A transaction as the matching shows it beside a line. */
const Candidate = z.object({
  uuid: Uuid,
  version: Version,
  txn_no: z.string(),
  kind: z.enum(matchedKinds),
  status: z.enum(transactionStatuses),
  /** What the bank moves for it: its amount, or with the charges where these are in the same line. */
  amount: Amount,
  reference_no: z.string().nullable(),
  /** The customer of a deposit, the holder a withdrawal pays, who holds the other account of a transfer. */
  name: z.string(),
  /** null: a transfer between our own accounts. */
  merchant: z.object({ uuid: Uuid, code: z.string(), name: z.string() }).nullable(),
  created_at: Instant,
  score: MatchScore,
  /** The line's account has paid for this customer before. */
  known_payer: z.boolean(),
});
export type Candidate = z.infer<typeof Candidate>;

/** A match of the line, as it was judged when it was made. */
const MadeMatch = z.object({
  ...Candidate.omit({ score: true, known_payer: true, version: true }).shape,
  score: MatchScore,
  automatic: z.boolean(),
  by: z.string().nullable(),
  at: Instant,
});

/** One transaction, or a set of up to four, whose sum is the line's amount. */
export const Suggestion = z.object({ score: MatchScore, transactions: z.array(Candidate).min(1).max(mostMatched) });
export type Suggestion = z.infer<typeof Suggestion>;

/** A line a transaction may belong to. */
export const LineSuggestion = z.object({ score: MatchScore, known_payer: z.boolean(), line: BankLine });
export type LineSuggestion = z.infer<typeof LineSuggestion>;

export const BankLineDetail = z.object({ row: BankLine, matches: z.array(MadeMatch), history: z.array(RecordEvent) });
export type BankLineDetail = z.infer<typeof BankLineDetail>;

export const bankLineColumns = defineColumns({
  time: { filter: "time", sort: true },
  status: { filter: "choices", of: lineStatuses },
  direction: { filter: "choices", of: lineDirections },
  payment_account: { filter: "reference", to: "payment-accounts" },
  amount: { filter: "amount", sort: true, sum: true },
  reference: { filter: "whole", most: 140, find: "part" },
  counterparty: { filter: "part", most: 140, find: "part" },
  counterparty_account: { find: "number" },
  description: { filter: "part", most: 140, find: "part" },
  ignored_as: { filter: "choices", of: ignoredAs },
  source: { filter: "choices", of: lineSources },
  import_uuid: { filter: "reference" },
  created_at: { filter: "time", sort: true },
  /** All that came in and all that went out among the rows of the list. */
  credit: { sum: true },
  debit: { sum: true },
  /** What came in less what went out. */
  net: { sum: true },
  uuid: { filter: "rows" },
});

const text = (most: number) => z.string().trim().max(most).meta(control("text"));

/** A line entered by hand, from a bank's page that gives no file. */
export const BankLineForm = z.strictObject({
  payment_account: Uuid.meta(control("reference", "payment-accounts")),
  time: Instant.meta(control("moment")),
  direction: z.enum(lineDirections).meta(control("choice")),
  amount: inCurrency(PositiveAmount.meta(control("amount"))),
  reference: text(140),
  counterparty: text(140),
  counterparty_account: text(64),
  description: text(500),
});
export type BankLineForm = z.infer<typeof BankLineForm>;

/** A payer's account, learned from matches that people made. */
export const Payer = z.object({
  uuid: Uuid,
  version: Version,
  account: z.string(),
  name: z.string(),
  merchant: z.object({ uuid: Uuid, code: z.string(), name: z.string() }),
  member: z.string(),
  status: z.enum(["active", "revoked"]),
  /** How often a match said so. */
  times: z.int(),
  last_at: Instant,
  created_at: Instant,
  updated_at: Instant,
});
export type Payer = z.infer<typeof Payer>;

export const payerColumns = defineColumns({
  last_at: { filter: "time", sort: true },
  status: { filter: "choices", of: ["active", "revoked"] },
  account: { find: "number" },
  name: { filter: "part", most: 140, sort: true, find: "part" },
  member: { filter: "whole", most: 100, find: "part" },
  created_at: { filter: "time", sort: true },
  uuid: { filter: "rows" },
});

/** An amount that is not below zero, or empty for none. */
const Bound = inCurrency(
  z
    .string()
    .trim()
    .max(21)
    .refine((typed) => typed === "" || (parseMoney(typed) ?? -1n) >= 0n, "Must be an amount, or empty for none")
    .meta(control("amount")),
);

/** Lines that meet all of a rule's conditions are ignored; an empty condition is none. */
export const BankRule = z
  .strictObject({
    /** A part of the line's description or reference, in any case. */
    contains: z.string().trim().max(140).meta(control("text")),
    /** A part of the counterparty's name, or its account. */
    from: z.string().trim().max(140).meta(control("text")),
    direction: z.enum([...lineDirections, "both"]).meta(control("choice")),
    amount_from: Bound,
    amount_to: Bound,
    ignore_as: z.enum(ignoredAs).meta(control("choice")),
  })
  .superRefine(({ contains, from, amount_from, amount_to }, context) => {
    if (contains === "" && from === "") context.addIssue({ code: "custom", path: ["contains"], message: "Must be filled in" });
    if (amount_from !== "" && amount_to !== "" && (parseMoney(amount_from) ?? 0n) > (parseMoney(amount_to) ?? 0n))
      context.addIssue({ code: "custom", path: ["amount_from"], message: "Must not exceed the maximum" });
  });
export type BankRule = z.infer<typeof BankRule>;

/** In the order in which they are tried; the first that fits takes the line. */
export const BankRules = z.array(BankRule).max(100);
/** The rules of a currency; version 0: none were ever saved. */
export const BankRuleList = z.object({
  version: z.int().min(0),
  rules: BankRules,
  by: z.string().nullable(),
  updated_at: Instant.nullable(),
});
export type BankRuleList = z.infer<typeof BankRuleList>;

/** What one rule would take of the unmatched lines. */
export const RuleTrial = z.object({
  count: z.int(),
  amount: Amount,
  /** The newest of them. */
  lines: z.array(BankLine),
});

const AccountRef = z.object({ uuid: Uuid, code: z.string(), bank: z.string() });

/** The bank's closing of one account beside the ledger's. */
export const StatementBalance = z.object({
  payment_account: AccountRef,
  /** The newest line with the bank's balance. */
  line: Uuid,
  time: Instant,
  bank_balance: Amount,
  /** The ledger's balance of the account when that line was booked. */
  ledger_balance: Amount,
  /** bank − ledger */
  difference: Amount,
});
export type StatementBalance = z.infer<typeof StatementBalance>;

/** A movement of the ledger that no line of the bank's shows. */
const LedgerMovement = z.object({
  uuid: Uuid,
  time: Instant,
  kind: z.string(),
  /** Above zero where the account gained. */
  amount: Amount,
  transaction: z.object({ uuid: Uuid, kind: z.enum(matchedKinds), txn_no: z.string() }).nullable(),
});

/** difference = at the opening + lines the ledger lacks − movements the bank lacks + rest */
export const StatementDifference = StatementBalance.extend({
  /** Bank − ledger where the window opens: at its last line with a balance, or before the first there is. */
  opened_at: Instant,
  opening_difference: Amount,
  lines_sum: Amount,
  /** Lines matched to nothing, newest first, at most 200. */
  lines: z.array(BankLine),
  movements_sum: Amount,
  /** Movements of the ledger without a line, newest first, at most 200. */
  movements: z.array(LedgerMovement),
  /** Charges within matched lines, and what is booked on the other side of the window. */
  rest: Amount,
});
export type StatementDifference = z.infer<typeof StatementDifference>;
