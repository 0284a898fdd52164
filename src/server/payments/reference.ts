import { sql } from "kysely";
import { Refusal } from "../../contract/problems.ts";
import type { RowRef } from "../../contract/wire.ts";
import type { Withdrawal } from "../../contract/withdrawals.ts";
import { actorOf, record } from "../audit/record.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import type { Effect } from "../idempotency.ts";
import { effectOf, isHeldByAnother, lockOne, requireFresh } from "./claims.ts";
import { lost } from "./decision-kind.ts";
import { withdrawalKind } from "./withdrawal-kind.ts";

interface Reference {
  readonly reference_no: string;
  /** Another withdrawal may have it, too. */
  readonly again?: true | undefined;
}

/** Keeps the bank's number of a payment that is being made, or was made. */
export async function refer(db: Scoped, call: StaffCall, ref: RowRef, { reference_no, again }: Reference): Promise<Effect<Withdrawal>> {
  const known = await lockOne(db, withdrawalKind, call, ref);
  const { row, settings } = known;
  await requireFresh(db, withdrawalKind, known, ref);
  if (row.status === "pending") throw await lost(db, withdrawalKind, "not-process", known);
  if (row.status === "rejected" || row.status === "expired") throw await lost(db, withdrawalKind, "not-open", known);
  if (isHeldByAnother(row, call.caller.id)) throw await lost(db, withdrawalKind, "claimed", known);
  if (again !== true) await requireUnused(db, call, ref.uuid, reference_no);
  // a merchant who follows changes is told of it
  const changed = { reference_no, version: row.version + 1, last_action_at: row.now, last_action_by: call.caller.id };
  await db.updateTable("transactions").set(changed).where("tenant_id", "=", call.tenant).where("id", "=", row.id).execute();
  await record(db, call.tenant, actorOf(call), {
    act: "withdrawal.refer",
    entity: "withdrawal",
    entityId: row.id,
    before: { reference_no: row.reference_no },
    after: { reference_no },
  });
  return effectOf(db, withdrawalKind, { ...row, ...changed }, settings);
}

/** A bank gives each payment a number of its own, so a number another withdrawal has speaks of another's slip. */
async function requireUnused(db: Scoped, { tenant, currency }: StaffCall, id: string, reference: string): Promise<void> {
  const { rows } = await sql<{ txn_no: string }>`select t.txn_no from transactions t
    where t.tenant_id = ${tenant} and t.currency = ${currency} and t.reference_no = ${reference} and t.kind = 'withdrawal' and t.id <> ${id}
      and t.status not in ('rejected', 'expired') order by t.created_at desc limit 1`.execute(db);
  const [other] = rows;
  if (other) throw new Refusal("withdrawal.reference-used", { txn_no: other.txn_no });
}
