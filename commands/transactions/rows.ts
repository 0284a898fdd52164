import type { Transaction } from "../../src/contract/transactions.ts";
import type { Reason } from "../../src/console/kit/commands/command.ts";
import type { Context } from "../../src/console/kit/commands/context.ts";
import type { Services } from "../../src/console/kit/commands/services.ts";
import { shownAmount } from "../../src/console/kit/look/amounts.ts";
import type { MessageKey } from "../../src/console/kit/texts/messages.ts";
import { hasText } from "../../src/console/kit/texts/texts.ts";
import { money, moneyText } from "../../src/values/money.ts";

/** What acts need of a row: of a deposit, a withdrawal or a transfer. */
export type Moved = Pick<
  Transaction,
  "uuid" | "version" | "txn_no" | "amount" | "currency" | "status" | "created_at" | "approved_at" | "rejected_at"
> &
  Partial<Pick<Transaction, "customer_name">>;

/** The rows an act is given: at least one. */
export type Rows<Row extends Moved> = readonly [Row, ...Row[]];

/** Why an act leaves a row out; null when it takes it. */
export type Against<Row extends Moved> = (row: Row, context: Context) => Reason | null;

/** The last six characters, as an operator reads an id. */
export const shortId = (row: Pick<Transaction, "txn_no">): string => `…${row.txn_no.slice(-6)}`;

export const moneyOf = (row: Pick<Transaction, "amount" | "currency">): string => `${shownAmount(row.amount)} ${row.currency}`;

/** Decimal text. */
export const sumOf = (rows: readonly Pick<Transaction, "amount">[]): string =>
  moneyText(rows.reduce((sum, row) => sum + money(row.amount), 0n));

/** Most rows one act takes (contract/wire.ts, `Rows`). */
export const bulkLimit = 200;

/** For an act on many: refused only when it would take none; the reason is the first row's. */
export function unlessAny<Row extends Moved>(rows: Rows<Row>, context: Context, against: Against<Row>): Reason | null {
  return rows.some((row) => against(row, context) === null) ? null : against(rows[0], context);
}

export function worded(services: Services, reason: Reason): string {
  return typeof reason === "string" ? services.text(reason) : services.text(reason.key, reason.words);
}

/** A call that failed, as services reject with it. */
const isFailedCall = (error: unknown): error is { readonly kind: string; readonly code: string; readonly serverMessage: string } =>
  error instanceof Error && error.name === "CallFailure";

/** What is told of rows whose request failed: why the server refused it, else that no answer came, or none that is understood. */
export function failureText(services: Services, error: unknown): string {
  if (!isFailedCall(error)) return services.text("failure.unexpected");
  const said = error.kind === "refused" ? problemText(services, { code: error.code, message: error.serverMessage }) : "";
  return said || services.text(error.kind === "no-response" ? "failure.no-response" : "failure.unexpected");
}

/** A refusal of the server in the operator's language. */
export function problemText(services: Services, problem: { code: string; message: string }): string {
  const key = `problem.${problem.code}`;
  return hasText(key) ? services.text(key as MessageKey) : problem.message;
}
