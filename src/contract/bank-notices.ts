import { z } from "zod";
import { inCurrency } from "./amounts.ts";
import { lineDirections } from "./bank-transactions.ts";
import { merchantBase } from "./merchant-api.ts";
import { defineRoutes } from "./route.ts";
import { Amount, Instant, PositiveAmount } from "./wire.ts";

/** Most lines of one call. */
export const mostNotices = 100;

const text = (most: number) => z.string().trim().max(most).default("");

/** One line of an account's statement, as a phone or a mailbox told it. */
export const BankNotice = z.strictObject({
  time: Instant,
  direction: z.enum(lineDirections),
  amount: PositiveAmount,
  reference: text(140),
  counterparty: text(140),
  counterparty_account: text(64),
  description: text(500),
  balance: inCurrency(Amount.nullable().default(null)),
});
export type BankNotice = z.infer<typeof BankNotice>;

/** What forwarders of bank notices call, signed by the key of the payment account the lines belong to. */
export const bankNoticeRoutes = defineRoutes({
  /** Adds all of them or, where one is wrong, none. A line that is there already adds nothing, nor does its repetition in one call. */
  sendBankLines: {
    method: "POST",
    path: `${merchantBase}/bank-lines`,
    permission: "forwarder",
    body: z.strictObject({ lines: z.array(BankNotice).min(1).max(mostNotices) }),
    answer: z.object({ added: z.int(), known: z.int() }),
  },
});
