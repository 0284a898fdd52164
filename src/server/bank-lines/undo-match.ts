import { sql } from "kysely";
import type { Actor } from "../audit/record.ts";
import { audit } from "../audit/records.ts";
import { Refusal } from "../../contract/problems.ts";
import type { Scoped } from "../db/scope.ts";
import { touch } from "../payments/touched.ts";
import type { TransactionRow } from "../payments/transaction-rows.ts";
import type { LineScope } from "./add-lines.ts";
import type { LineRow } from "./line-rows.ts";
import { changeLine, findLine, refOf } from "./line-rows.ts";
import { forgetPayer } from "./payers.ts";

/** What of a matched transaction is known where its match is undone. */
interface Matched {
  readonly id: string;
  readonly txn_no: string;
  readonly merchant_id: string;
  readonly member: string;
}

/** Makes a line unmatched; its match stays in the history with the reason, and what it taught is forgotten. Both sides are locked. */
export async function undoMatch(
  db: Scoped,
  scope: LineScope,
  actor: Actor,
  line: LineRow,
  transactions: readonly Matched[],
  reason: string,
): Promise<LineRow> {
  const undone = await sql<{ transaction_id: string | null; automatic: boolean }>`update bank_matches
    set undone_at = clock_timestamp(), undone_by = ${actor.kind === "user" ? actor.id : null}::uuid, undone_reason = ${reason}
    where tenant_id = ${scope.tenant} and line_id = ${line.id} and undone_at is null returning transaction_id, automatic`.execute(db);
  const [only] = undone.rows;
  const taught =
    undone.rows.length === 1 && only && !only.automatic ? transactions.find(({ id }) => id === only.transaction_id) : undefined;
  if (taught && line.direction === "credit") await forgetPayer(db, scope, actor, line, taught);
  const now = await changeLine(db, scope, line.id, { status: "unmatched" });
  await audit(db, refOf(scope, line.id), actor, "unmatch", {
    before: { status: line.status, transactions: line.matched.map(({ txn_no }) => txn_no) },
    after: { status: "unmatched" },
    reason,
  });
  return now;
}

/**
 * A rejected transaction gives its bank line back, with the reason of the rejection: the money is at the bank all the same, and stays among
 * what waits until somebody says whose it is. Of a set the whole match ends, because what is left of it is not the line's sum. The
 * transaction is locked, as it must be to match or unmatch it.
 */
export async function releaseLine(
  db: Scoped,
  row: Matched & { readonly tenant_id: string; readonly currency: string },
  actor: Actor,
  reason: string,
): Promise<void> {
  const scope = { tenant: row.tenant_id, currency: row.currency };
  const { rows } = await sql<{
    id: string;
  }>`select l.id from bank_matches m join bank_lines l on l.tenant_id = m.tenant_id and l.id = m.line_id
    where m.tenant_id = ${scope.tenant} and m.transaction_id = ${row.id} and m.undone_at is null for no key update of l`.execute(db);
  const [line] = rows;
  if (!line) return;
  await requireNoneProven(db, scope, line.id, row.id);
  await undoMatch(db, scope, actor, await findLine(db, scope, line.id), [row], reason);
  touch(db, [line.id], "bankLine");
}

/** What proves a payment: a receipt, or a second person who approved it; without them the bank's line alone does. */
export const hasOtherProof = (row: Pick<TransactionRow, "receipt_id" | "first_approved_by" | "approved_by">): boolean =>
  row.receipt_id !== null || (row.first_approved_by !== null && row.first_approved_by !== row.approved_by);

/** Refuses bank-line.only-proof where another of the line's set is paid and has no other proof (domain.md, 7: unmatching). */
async function requireNoneProven(db: Scoped, { tenant }: LineScope, line: string, except: string): Promise<void> {
  const { rows } = await sql<
    Pick<TransactionRow, "kind" | "txn_no" | "status" | "receipt_id" | "first_approved_by" | "approved_by">
  >`select t.kind, t.txn_no, t.status, t.receipt_id, t.first_approved_by, t.approved_by
    from bank_matches m join transactions t on t.tenant_id = m.tenant_id and t.id = m.transaction_id
    where m.tenant_id = ${tenant} and m.line_id = ${line} and m.undone_at is null and t.id <> ${except}
    order by t.id for no key update of t`.execute(db);
  const isPaid = ({ kind, status }: (typeof rows)[number]) => status === "completed" || (kind === "deposit" && status === "approved");
  const paid = rows.find((row) => isPaid(row) && !hasOtherProof(row));
  if (paid) throw new Refusal("bank-line.only-proof", { txn_no: paid.txn_no });
}

/** A transfer that does not come about gives its lines back likewise. */
export async function releaseTransferLines(
  db: Scoped,
  row: { readonly id: string; readonly tenant_id: string; readonly currency: string },
  actor: Actor,
  reason: string,
): Promise<void> {
  const scope = { tenant: row.tenant_id, currency: row.currency };
  const { rows } = await sql<{
    id: string;
  }>`select l.id from bank_matches m join bank_lines l on l.tenant_id = m.tenant_id and l.id = m.line_id
    where m.tenant_id = ${scope.tenant} and m.transfer_id = ${row.id} and m.undone_at is null order by l.id for no key update of l`.execute(
    db,
  );
  for (const { id } of rows) await undoMatch(db, scope, actor, await findLine(db, scope, id), [], reason);
  touch(
    db,
    rows.map(({ id }) => id),
    "bankLine",
  );
}
