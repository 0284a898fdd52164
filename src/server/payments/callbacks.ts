import { sql } from "kysely";
import { Refusal } from "../../contract/problems.ts";
import type { Actor } from "../audit/record.ts";
import { record } from "../audit/record.ts";
import type { Scoped } from "../db/scope.ts";
import type { KnownTransaction } from "./transaction-rows.ts";

/** What of a transaction decides whether its merchant can be told again. */
export type CalledBack = Pick<KnownTransaction, "tenant_id" | "id" | "kind" | "status" | "recallable_until" | "now" | "callback_url">;

/**
 * "Send callback": makes the latest callback due now as a new attempt with the same id, even while its endpoint is paused. Refuses
 * callback.none when there is none, when the merchant has no address, or while an approval can still be recalled.
 */
export async function sendCallback(db: Scoped, row: CalledBack, actor: Actor): Promise<void> {
  const held = row.status === "approved" && row.recallable_until !== null && row.recallable_until > row.now;
  if (held || row.callback_url === null) throw new Refusal("callback.none");
  const { rows } = await sql<{ id: string }>`
    update outbox o set state = 'pending', next_attempt_at = clock_timestamp(), requested_by = ${actor.id}
    where o.tenant_id = ${row.tenant_id} and o.transaction_id = ${row.id} and o.state <> 'cancelled'
      and o.event_n = (select max(event_n) from outbox l where l.tenant_id = o.tenant_id and l.transaction_id = o.transaction_id)
    returning o.id`.execute(db);
  const [outbox] = rows;
  if (!outbox) throw new Refusal("callback.none");
  await record(db, row.tenant_id, actor, {
    act: `${row.kind}.send-callback`,
    entity: row.kind,
    entityId: row.id,
    after: { callback: outbox.id },
  });
}
