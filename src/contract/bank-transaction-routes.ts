import { z } from "zod";
import {
  BankLine,
  bankLineColumns,
  BankLineDetail,
  BankLineForm,
  BankRuleList,
  BankRules,
  ignoredAs,
  LineSuggestion,
  mostMatched,
  Payer,
  payerColumns,
  RuleTrial,
  StatementBalance,
  StatementDifference,
  Suggestion,
} from "./bank-transactions.ts";
import { recordRoutes } from "./record-routes.ts";
import { RecordEvent } from "./records.ts";
import { defineRoutes } from "./route.ts";
import { Line, outcomeOf, Rows, Uuid, Version } from "./wire.ts";

const base = "/service/payment/api/tenant/v1/bank-transactions";
const area = "pas.transaction.bank-transactions";

const outcomes = z.object({ outcomes: z.array(outcomeOf(BankLine)) });
const params = z.strictObject({ uuid: Uuid });

const lineRoutes = recordRoutes(base, area, {
  one: "BankLine",
  many: "BankLines",
  currency: true,
  columns: bankLineColumns,
  row: BankLine,
  detail: BankLineDetail,
});

const payerRoutes = recordRoutes(`${base}/payers`, area, {
  one: "Payer",
  many: "Payers",
  currency: true,
  columns: payerColumns,
  row: Payer,
  detail: z.object({ row: Payer, history: z.array(RecordEvent) }),
});

export const bankTransactionRoutes = defineRoutes({
  ...lineRoutes,
  createBankLine: {
    method: "POST",
    path: base,
    permission: `${area}.import`,
    currency: true,
    body: BankLineForm,
    answer: BankLine,
    refuses: ["bank-line.known"],
  },
  /** The best five of what the line may be; sets where no single transaction fits. */
  suggestForBankLine: {
    method: "GET",
    path: `${base}/{uuid}/suggestions`,
    permission: `${area}.view`,
    currency: true,
    params,
    answer: z.array(Suggestion),
  },
  /** The best five unmatched lines for a deposit or withdrawal, or of each side of a transfer. */
  suggestBankLines: {
    method: "GET",
    path: `${base}/suggestions`,
    permission: `${area}.view`,
    currency: true,
    query: z.strictObject({ transaction: Uuid }),
    answer: z.array(LineSuggestion),
  },
  /** Each line with up to four transactions whose sum is its amount. A pending deposit moves to process. */
  matchBankLines: {
    method: "POST",
    path: `${base}/match`,
    permission: `${area}.match`,
    currency: true,
    money: true,
    body: z.strictObject({
      rows: z
        .array(
          z.strictObject({
            uuid: Uuid,
            version: Version,
            transactions: z
              .array(z.strictObject({ uuid: Uuid, version: Version }))
              .min(1)
              .max(mostMatched)
              .refine((all) => new Set(all.map(({ uuid }) => uuid)).size === all.length, "Appears twice"),
          }),
        )
        .min(1)
        .max(200)
        .refine((all) => new Set(all.map(({ uuid }) => uuid)).size === all.length, "Appears twice"),
    }),
    answer: outcomes,
    refuses: ["record.stale", "bank-line.not-unmatched", "bank-line.misfit", "bank-line.sum", "transaction.matched", "transaction.stale"],
  },
  /** Refused for a completed transaction without another proof of the payment. */
  unmatchBankLines: {
    method: "POST",
    path: `${base}/unmatch`,
    permission: `${area}.unmatch`,
    currency: true,
    money: true,
    body: z.strictObject({ rows: Rows, reason: Line(500) }),
    answer: outcomes,
    refuses: ["record.stale", "bank-line.not-matched", "bank-line.only-proof"],
  },
  ignoreBankLines: {
    method: "POST",
    path: `${base}/ignore`,
    permission: `${area}.ignore`,
    currency: true,
    body: z
      .strictObject({ rows: Rows, ignore_as: z.enum(ignoredAs), reason: z.string().trim().max(500) })
      .refine(({ ignore_as, reason }) => ignore_as !== "other" || reason !== "", { path: ["reason"], message: "Must be filled in" }),
    answer: outcomes,
    refuses: ["record.stale", "bank-line.not-unmatched"],
  },
  /** ignored → unmatched */
  takeBackBankLines: {
    method: "POST",
    path: `${base}/take-back`,
    permission: `${area}.ignore`,
    currency: true,
    body: z.strictObject({ rows: Rows }),
    answer: outcomes,
    refuses: ["record.stale", "bank-line.not-ignored"],
  },
  ...payerRoutes,
  /** What was learned no longer counts; a person's next match of the two teaches it again. */
  revokePayers: {
    method: "POST",
    path: `${base}/payers/revoke`,
    permission: `${area}.unmatch`,
    currency: true,
    body: z.strictObject({ rows: Rows, reason: Line(500) }),
    answer: z.object({ outcomes: z.array(outcomeOf(Payer)) }),
    refuses: ["record.stale"],
  },
  readBankRules: { method: "GET", path: `${base}/rules`, permission: `${area}.view`, currency: true, answer: BankRuleList },
  saveBankRules: {
    method: "PUT",
    path: `${base}/rules`,
    permission: `${area}.ignore`,
    currency: true,
    body: z.strictObject({ version: z.int().min(0), rules: BankRules }),
    answer: BankRuleList,
    refuses: ["record.stale"],
  },
  /** What each of these rules would take of the lines unmatched now; changes nothing. */
  tryBankRules: {
    method: "POST",
    path: `${base}/rules/try`,
    permission: `${area}.view`,
    currency: true,
    body: z.strictObject({ rules: BankRules.min(1) }),
    answer: z.object({ rules: z.array(RuleTrial) }),
  },
  /** Applies the saved rules to the lines unmatched now. */
  applyBankRules: {
    method: "POST",
    path: `${base}/rules/apply`,
    permission: `${area}.ignore`,
    currency: true,
    body: z.strictObject({ version: z.int().min(1) }),
    answer: z.object({ ignored: z.int() }),
    refuses: ["record.stale"],
  },
  listStatementBalances: {
    method: "GET",
    path: `${base}/balances`,
    permission: `${area}.view`,
    currency: true,
    answer: z.array(StatementBalance),
  },
  /** One account's balances with what explains their difference, over the last days before the closing line. */
  readStatementBalance: {
    method: "GET",
    path: `${base}/balances/{uuid}`,
    permission: `${area}.view`,
    currency: true,
    params,
    query: z.strictObject({ days: z.coerce.number().int().min(1).max(92).default(7) }),
    answer: StatementDifference,
  },
});
