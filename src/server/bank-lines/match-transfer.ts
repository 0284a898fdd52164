import { sql } from "kysely";
import type { BankLine } from "../../contract/bank-transactions.ts";
import { Refusal } from "../../contract/problems.ts";
import type { RowRef } from "../../contract/wire.ts";
import { money } from "../../values/money.ts";
import type { Actor } from "../audit/record.ts";
import { audit } from "../audit/records.ts";
import type { Scoped } from "../db/scope.ts";
import { violated } from "../db/errors.ts";
import { settingsOf } from "../settings/settings.ts";
import { change, settle } from "../transfers/decide.ts";
import type { Changes } from "../transfers/decide.ts";
import type { TransferRow } from "../transfers/transfer-rows.ts";
import { findTransfer, lockTransfer } from "../transfers/transfer-rows.ts";
import type { LineScope } from "./add-lines.ts";
import { candidatesOf, chosenFor } from "./candidates.ts";
import type { LineRow } from "./line-rows.ts";
import { changeLine, lineView, lockLine, refOf } from "./line-rows.ts";
import type { Moved } from "./match.ts";
import { scoreOf } from "./score.ts";
import { undoMatch } from "./undo-match.ts";

export async function isTransfer(db: Scoped, { tenant }: LineScope, id: string): Promise<boolean> {
  const { rows } = await sql`select from transfers where tenant_id = ${tenant} and id = ${id}`.execute(db);
  return rows.length > 0;
}

/** The side of a transfer that a line proves. */
const sideOf = ({ direction }: Pick<LineRow, "direction">): "source" | "target" => (direction === "debit" ? "source" : "target");

/**
 * Matches a line to one side of a transfer. Once every side has its line the bank has proven it: it is completed, and below the tier of a second
 * person posted with that. The transfer is locked before the line.
 */
export async function matchTransfer(
  db: Scoped,
  scope: LineScope,
  actor: Actor,
  wanted: RowRef,
  ref: RowRef,
  moved: Moved,
): Promise<BankLine> {
  const row = await lockTransfer(db, scope, ref.uuid);
  const line = await lockLine(db, scope, wanted, "unmatched", "bank-line.not-unmatched");
  if (row.version !== ref.version) throw new Refusal("transaction.stale", { txn_no: row.txn_no, status: row.status });
  const side = sideOf(line);
  await insertMatch(db, scope, actor, line, row, side);
  const now = await findTransfer(db, scope, row.id);
  await change(db, row, actor, "match", await proven(db, now, actor, moved));
  const after = await changeLine(db, scope, line.id, { status: "matched" });
  await audit(db, refOf(scope, line.id), actor, "match", {
    before: { status: line.status },
    after: { status: "matched", transactions: [row.txn_no] },
  });
  tell(moved, row);
  return lineView(after);
}

/** What a line more makes of a transfer. */
async function proven(db: Scoped, row: TransferRow, actor: Actor, moved: Moved): Promise<Changes> {
  if (row.lines_matched < row.lines_needed) return {};
  if (row.status === "approved") return { status: "completed", completed_at: row.now, recallable_until: null };
  // two people decide about much money, whatever the bank says
  if (row.awaits !== "confirmation") return {};
  const settings = await settingsOf(db, row.tenant_id);
  return { ...(await settle(db, row, actor, settings, moved.accounts)), approved_by_lines: true };
}

async function insertMatch(
  db: Scoped,
  scope: LineScope,
  actor: Actor,
  line: LineRow,
  row: TransferRow,
  side: "source" | "target",
): Promise<void> {
  const [part] = await chosenFor(db, scope, line.id, [row.id]);
  if (!part) throw await misfit(db, scope, row, side);
  if (![part.amount, part.charged].some((amount) => money(amount) === money(line.amount))) throw new Refusal("bank-line.sum");
  const all = await candidatesOf(db, scope, [line.id]);
  const score = scoreOf(line, part, Math.max(all.length, all.find(({ id }) => id === row.id)?.lines ?? 1, 1));
  await db
    .insertInto("bank_matches")
    .values({
      tenant_id: scope.tenant,
      line_id: line.id,
      n: 1,
      transfer_id: row.id,
      side,
      amount: line.amount,
      score_amount: score.amount,
      score_reference: score.reference,
      score_name: score.name,
      score_time: score.time,
      automatic: actor.kind === "system",
      by_user: actor.kind === "user" ? actor.id : null,
    })
    .execute()
    .catch((error: unknown) => {
      throw violated(error) === "bank_matches_transfer" ? new Refusal("transaction.matched", { txn_no: row.txn_no }) : error;
    });
}

/** Why the line is not of this side: it has one already, or is of another account, direction or status. */
async function misfit(db: Scoped, { tenant }: LineScope, row: TransferRow, side: "source" | "target"): Promise<Refusal> {
  const { rows } = await sql`select from bank_matches
    where tenant_id = ${tenant} and transfer_id = ${row.id} and side = ${side} and undone_at is null`.execute(db);
  if (rows.length > 0) return new Refusal("transaction.matched", { txn_no: row.txn_no });
  return new Refusal("bank-line.misfit", { txn_no: row.txn_no, status: row.status });
}

/** A receipt, or a second person, proves a transfer without the bank's lines. */
const hasOtherProof = (row: TransferRow): boolean => !row.approved_by_lines || row.receipt_id !== null;

/**
 * Undoes a line's match to a transfer, which is then no longer completed: what was posted stays posted. Refused where nothing but the bank's
 * lines has confirmed it.
 */
export async function unmatchTransfer(
  db: Scoped,
  scope: LineScope,
  actor: Actor,
  ref: RowRef,
  transfer: string,
  reason: string,
  moved: Moved,
): Promise<BankLine> {
  const row = await lockTransfer(db, scope, transfer);
  const line = await lockLine(db, scope, ref, "matched", "bank-line.not-matched");
  if (row.status === "completed" && !hasOtherProof(row)) throw new Refusal("bank-line.only-proof", { txn_no: row.txn_no });
  const now = await undoMatch(db, scope, actor, line, [], reason);
  await change(db, row, actor, "unmatch", row.status === "completed" ? { status: "approved", completed_at: null } : {}, reason);
  tell(moved, row);
  return lineView(now);
}

function tell({ accounts }: Moved, { id, source_id, target_id }: TransferRow): void {
  for (const one of [id, source_id, target_id]) if (one !== null) accounts.add(one);
}
