import { sql } from "kysely";
import type { BankLine, MatchScore } from "../../contract/bank-transactions.ts";
import { Refusal } from "../../contract/problems.ts";
import type { RowRef } from "../../contract/wire.ts";
import type { Money } from "../../values/money.ts";
import { money, moneyText } from "../../values/money.ts";
import type { Actor } from "../audit/record.ts";
import { audit } from "../audit/records.ts";
import type { Scoped } from "../db/scope.ts";
import { violated } from "../db/errors.ts";
import type { TransactionKind } from "../db/tables/kinds.ts";
import { findTransaction } from "../payments/transaction-rows.ts";
import type { KnownTransaction } from "../payments/transaction-rows.ts";
import { transition } from "../payments/transition.ts";
import type { LineScope } from "./add-lines.ts";
import type { Alone } from "./candidates.ts";
import { candidatesOf, chosenFor } from "./candidates.ts";
import type { LineRow } from "./line-rows.ts";
import { approveOnMatch } from "./approve-on-match.ts";
import { changeLine, findLine, lineView, lockLine, refOf } from "./line-rows.ts";
import { isTransfer, matchTransfer, unmatchTransfer } from "./match-transfer.ts";
import { learnPayer } from "./payers.ts";
import { scoreOf } from "./score.ts";
import { hasOtherProof, undoMatch } from "./undo-match.ts";

export interface WantedMatch extends RowRef {
  readonly transactions: readonly RowRef[];
}

/** The lines, transactions and payment accounts an act concerned, to be published after its commit; transfers are told with the accounts. */
export interface Moved {
  readonly lines: Set<string>;
  readonly transactions: Map<string, TransactionKind>;
  readonly accounts: Set<string>;
}
export const nothingMoved = (): Moved => ({ lines: new Set(), transactions: new Map(), accounts: new Set() });

const kindOf = ({ direction }: Pick<LineRow, "direction">): TransactionKind => (direction === "credit" ? "deposit" : "withdrawal");

/**
 * Matches a line to transactions whose sum it is. Transactions are locked first, by id, then the line; a transaction has one line and a
 * line one set, whoever tries. A pending deposit moves to process. A match that a person makes teaches the payer's account.
 * With the tenant's setting the deposits are approved as well.
 */
export async function matchLine(db: Scoped, scope: LineScope, actor: Actor, wanted: WantedMatch, moved: Moved): Promise<BankLine> {
  const [single] = wanted.transactions;
  if (single && wanted.transactions.length === 1 && (await isTransfer(db, scope, single.uuid))) {
    const matched = await matchTransfer(db, scope, actor, wanted, single, moved);
    moved.lines.add(wanted.uuid);
    return matched;
  }
  const kind = kindOf(await findLine(db, scope, wanted.uuid));
  const locked = await lockTransactions(db, scope, kind, wanted.transactions);
  const line = await lockLine(db, scope, wanted, "unmatched", "bank-line.not-unmatched");
  for (const [at, { version }] of wanted.transactions.entries()) {
    const row = locked[at];
    if (row && row.version !== version) throw new Refusal("transaction.stale", { txn_no: row.txn_no, status: row.status });
  }
  await requireFree(db, scope, locked);
  const chosen = await chosenFor(
    db,
    scope,
    line.id,
    locked.map(({ id }) => id),
  );
  const parts = locked.map((row) => chosen.find(({ id }) => id === row.id));
  if (!parts.every((part) => part !== undefined && part.status !== "expired")) {
    const misfit = locked.find((_, at) => parts[at] === undefined || parts[at].status === "expired");
    throw new Refusal("bank-line.misfit", { txn_no: misfit?.txn_no ?? "", status: misfit?.status ?? "" });
  }
  const amounts = amountsOf(
    money(line.amount),
    parts.map((part) => ({ amount: money(part?.amount ?? "0"), charged: money(part?.charged ?? "0") })),
  );
  if (!amounts) throw new Refusal("bank-line.sum");
  const contenders = await contendersOf(db, scope, line, locked);
  const scores = parts.map((part, at) => scoreOf(line, part as Alone, contenders[at] ?? 1)); // every part was found above
  await insertMatches(db, scope, actor, line, locked, amounts, scores);
  moved.lines.add(line.id);
  for (const row of locked) {
    moved.transactions.set(row.id, row.kind);
    if (row.kind === "deposit" && row.status === "pending") await takeUp(db, row, actor);
  }
  const [only] = parts;
  if (actor.kind === "user" && line.direction === "credit" && parts.length === 1 && only && only.merchant_id !== null)
    await learnPayer(db, scope, actor, line, { ...only, merchant_id: only.merchant_id });
  const now = await changeLine(db, scope, line.id, { status: "matched" });
  await audit(db, refOf(scope, line.id), actor, "match", {
    before: { status: line.status },
    after: { status: "matched", transactions: locked.map(({ txn_no }) => txn_no), score: scores.map(({ total }) => total) },
  });
  if (kind === "deposit") for (const { id } of locked) await approveOnMatch(db, scope, id, moved);
  return lineView(now);
}

/** In the order of `refs`, though locked in the order of their ids. */
async function lockTransactions(
  db: Scoped,
  { tenant, currency }: LineScope,
  kind: TransactionKind,
  refs: readonly RowRef[],
): Promise<KnownTransaction[]> {
  const found = new Map<string, KnownTransaction>();
  for (const { uuid } of refs.toSorted((a, b) => (a.uuid < b.uuid ? -1 : 1))) {
    const row = await findTransaction(db, { tenant, uuid, kind, currency }, "lock");
    if (!row) throw new Refusal("not-found");
    found.set(uuid, row);
  }
  return refs.flatMap(({ uuid }) => found.get(uuid) ?? []);
}

async function requireFree(db: Scoped, { tenant }: LineScope, rows: readonly KnownTransaction[]): Promise<void> {
  const taken = await sql<{ id: string }>`select transaction_id as id from bank_matches
    where tenant_id = ${tenant} and transaction_id = any(${rows.map(({ id }) => id)}::uuid[]) and undone_at is null`.execute(db);
  const first = rows.find(({ id }) => taken.rows.some((one) => one.id === id));
  if (first) throw new Refusal("transaction.matched", { txn_no: first.txn_no });
}

/** What the line moved for each: its amount, or of a single one also what it cost with the charges. null: it is another sum. */
function amountsOf(total: Money, parts: readonly { readonly amount: Money; readonly charged: Money }[]): Money[] | null {
  const [only] = parts;
  if (only && parts.length === 1) return only.amount === total || only.charged === total ? [total] : null;
  return parts.reduce((sum, { amount }) => sum + amount, 0n) === total ? parts.map(({ amount }) => amount) : null;
}

/** What the amount leaves open for each, as in its suggestion; a set's members are judged each by itself. */
async function contendersOf(db: Scoped, scope: LineScope, line: LineRow, rows: readonly KnownTransaction[]): Promise<number[]> {
  const all = await candidatesOf(db, scope, [line.id]);
  return rows.map(({ id }) => Math.max(all.length, all.find((one) => one.id === id)?.lines ?? 1, 1));
}

async function insertMatches(
  db: Scoped,
  { tenant }: LineScope,
  actor: Actor,
  line: LineRow,
  rows: readonly KnownTransaction[],
  amounts: readonly Money[],
  scores: readonly MatchScore[],
): Promise<void> {
  const values = rows.map(({ id }, at) => {
    const score = scores[at];
    return sql`(${tenant}, ${line.id}, ${at + 1}, ${id}, ${moneyText(amounts[at] ?? 0n)}, ${score?.amount ?? 0}, ${score?.reference ?? 0},
      ${score?.name ?? 0}, ${score?.time ?? 0}, ${actor.kind === "system"}, ${actor.kind === "user" ? actor.id : null}::uuid)`;
  });
  await sql`insert into bank_matches (tenant_id, line_id, n, transaction_id, amount, score_amount, score_reference, score_name, score_time,
      automatic, by_user) values ${sql.join(values)}`
    .execute(db)
    .catch((error: unknown) => {
      const constraint = violated(error);
      if (constraint === "bank_matches_transaction") throw new Refusal("transaction.matched", { txn_no: rows[0]?.txn_no ?? "" });
      throw constraint === "bank_matches_line" ? new Refusal("bank-line.not-unmatched") : error;
    });
}

const takeUp = (db: Scoped, row: KnownTransaction, actor: Actor) =>
  transition(db, row, actor, {
    act: "process",
    to: "process",
    set: { processed_at: row.now, processed_by: actor.kind === "user" ? actor.id : null },
  });

/**
 * Undoes a line's match, with a reason; the match stays in the history. Refused for a completed transaction whose only proof it is. What
 * the match did to a deposit stays: it is in process, and approval or rejection is an act.
 */
export async function unmatchLine(
  db: Scoped,
  scope: LineScope,
  actor: Actor,
  ref: RowRef,
  reason: string,
  moved: Moved,
): Promise<BankLine> {
  const seen = await findLine(db, scope, ref.uuid);
  const [proven] = seen.matched;
  if (proven?.kind === "transfer") {
    const unmatched = await unmatchTransfer(db, scope, actor, ref, proven.uuid, reason, moved);
    moved.lines.add(ref.uuid);
    return unmatched;
  }
  const refs = seen.matched.map(({ uuid }) => ({ uuid, version: 1 }));
  const locked = await lockTransactions(db, scope, kindOf(seen), refs);
  const line = await lockLine(db, scope, ref, "matched", "bank-line.not-matched");
  const unproven = locked.find((row) => row.status === "completed" && !hasOtherProof(row));
  if (unproven) throw new Refusal("bank-line.only-proof", { txn_no: unproven.txn_no });
  moved.lines.add(line.id);
  for (const row of locked) moved.transactions.set(row.id, row.kind);
  return lineView(await undoMatch(db, scope, actor, line, locked, reason));
}
