import { addLines } from "../../src/server/bank-lines/add-lines.ts";
import type { LinesFrom } from "../../src/server/bank-lines/add-lines.ts";
import type { LineRow } from "../../src/server/bank-lines/line-rows.ts";
import { findLine } from "../../src/server/bank-lines/line-rows.ts";
import type { StatementLine } from "../../src/server/bank-lines/statement-line.ts";
import { inTenant } from "../../src/server/db/scope.ts";
import type { TransactionRow } from "../../src/server/payments/transaction-rows.ts";
import type { TestDatabase } from "./database.ts";
import type { Tenant } from "./factories.ts";

/** A credit line of 500.00 that says nothing, as this moment's bank would book it. */
export const aLine = (of: Partial<StatementLine> = {}): StatementLine => ({
  time: new Date(),
  direction: "credit",
  amount: "500.00",
  reference: null,
  counterparty: null,
  counterparty_account: null,
  description: "",
  balance: null,
  ...of,
});

/** A line that names the deposit, its customer and its amount, ten minutes after it was created. */
export const lineOf = (row: TransactionRow, of: Partial<StatementLine> = {}): StatementLine =>
  aLine({
    time: new Date(row.created_at.getTime() + 600_000),
    direction: row.kind === "deposit" ? "credit" : "debit",
    amount: row.amount,
    counterparty: row.kind === "deposit" ? row.customer_name : row.holder,
    description: `FPX TRF ${row.txn_no}`,
    ...of,
  });

interface Book {
  readonly db: TestDatabase;
  readonly tenant: Tenant;
}

export const bookLines = ({ db, tenant }: Book, account: string, lines: readonly StatementLine[], from: Partial<LinesFrom> = {}) =>
  inTenant(db.database, tenant.id, (scoped) =>
    addLines(scoped, { tenant: tenant.id, currency: tenant.currency }, account, lines, { source: "hand", by: null, ...from }),
  );

/**
 * Adds so many credit lines at once, R-<tag>-0 and on, of 1.25 to 900.25: for files and lists that need many, of which nothing else is
 * asked than that they are there.
 */
export async function bookMany({ db, tenant }: Book, account: string, count: number, tag: string): Promise<void> {
  await db.owner.query(
    `insert into bank_lines (tenant_id, currency, payment_account_id, time, direction, amount, reference, description, source, digest)
      select $1, $2, $3, now() - n * interval '1 second', 'credit', n % 900 + 1.25, 'R-' || $4::text || '-' || n, 'FPX TRF ' || n, 'hand',
        sha256(convert_to($4::text || n, 'UTF8'))
      from generate_series(0, $5::integer - 1) n`,
    [tenant.id, tenant.currency, account, tag, count],
  );
}

/** Adds one line and answers it. */
export async function bookLine(book: Book, account: string, line: StatementLine): Promise<LineRow> {
  const { ids } = await bookLines(book, account, [line]);
  const [id] = ids;
  if (id === undefined) throw new Error("the line is known");
  return lineNow(book, id);
}

/** A line as it is now. */
export const lineNow = ({ db, tenant }: Book, id: string): Promise<LineRow> =>
  inTenant(db.database, tenant.id, (scoped) => findLine(scoped, { tenant: tenant.id, currency: tenant.currency }, id));
