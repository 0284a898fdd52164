import { sql } from "kysely";
import type { StatementLine, WholeStatement } from "../../contract/statements.ts";
import { mostPrinted } from "../../contract/statements.ts";
import { Refusal } from "../../contract/problems.ts";
import { asking } from "../../values/asked.ts";
import { money, moneyText } from "../../values/money.ts";
import type { Scoped } from "../db/scope.ts";
import { endsOf } from "./balances.ts";
import { feeIn } from "./lines.ts";
import type { Owners, Scope } from "./owners.ts";
import { isOfMerchants, ownersWith } from "./owners.ts";
import type { StatementQuery } from "./conditions.ts";
import { movements, reachOf } from "./reach.ts";

/** Whose statement, and of which time; without an end of the window, up to now. */
export interface Window {
  readonly code: string;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** A whole statement without its lines. */
export type Summary = Omit<WholeStatement, "lines">;

export const queryOf = (owners: Owners, { code, from, to }: Window): StatementQuery => ({
  direction: "next",
  limit: 500,
  sort: ["created_at"],
  [`filter[${owners.code}]`]: asking(code),
  ...(from !== undefined && { "filter[created_at_from]": from }),
  ...(to !== undefined && { "filter[created_at_to]": to }),
});

/** What a statement opens and closes with, and what moved between by kind; all of the snapshot that `db` reads. */
export async function summaryOf(db: Scoped, scope: Scope, owners: Owners, window: Window): Promise<Summary> {
  const { code, from, to } = window;
  const found = await sql<{ uuid: string; code: string; name: string }>`select a.owner_id as uuid, a.code, a.name
    from (${ownersWith(owners, scope, asking(code))}) a limit 2`.execute(db);
  const [owner] = found.rows;
  if (!owner || code === "") throw new Refusal("not-found");
  const ends = await endsOf(db, scope, owners, asking(code), from, to);
  const reach = await reachOf(db, scope, owners, queryOf(owners, window));
  const all = movements(scope, reach, sql`e.amount, g.kind, ${feeIn(isOfMerchants(owners))} as fee`, { posting: true });
  const { rows } = await sql<{ kind: string; count: number; amount_in: string; amount_out: string; fee: string }>`select kind,
      count(*)::integer as count, coalesce(sum(amount) filter (where amount > 0), 0) as amount_in,
      coalesce(-sum(amount) filter (where amount < 0), 0) as amount_out, coalesce(sum(fee), 0) as fee
    from (${all}) t group by kind order by kind`.execute(db);
  const sum = (read: (row: (typeof rows)[number]) => string) => rows.reduce((total, row) => total + money(read(row)), 0n);
  const [moneyIn, moneyOut] = [sum(({ amount_in }) => amount_in), sum(({ amount_out }) => amount_out)];
  const text = (amount: string) => moneyText(money(amount));
  return {
    ...owner,
    currency: scope.currency,
    from: from ?? null,
    to: to ?? null,
    made_at: new Date().toISOString(),
    opening: moneyText(ends.opening),
    closing: moneyText(ends.closing),
    difference: moneyText(ends.closing - ends.opening - moneyIn + moneyOut),
    count: rows.reduce((total, { count }) => total + count, 0),
    totals: rows.map((row) => ({ ...row, amount_in: text(row.amount_in), amount_out: text(row.amount_out), fee: text(row.fee) })),
  };
}

/** The whole of a statement: as many of its lines, from the oldest on, as are printed. */
export async function wholeOf(
  db: Scoped,
  scope: Scope,
  owners: Owners,
  window: Window,
  page: (query: StatementQuery) => Promise<{ data: StatementLine[]; meta: { next: string | null } }>,
): Promise<WholeStatement> {
  const summary = await summaryOf(db, scope, owners, window);
  const lines: StatementLine[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null && lines.length < mostPrinted) {
    const { data, meta } = await page({ ...queryOf(owners, window), ...(cursor !== undefined && { cursor }) });
    lines.push(...data);
    cursor = meta.next;
  }
  return { ...summary, lines: lines.slice(0, mostPrinted) };
}
