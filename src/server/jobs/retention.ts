import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { idempotencyHours } from "../../contract/wire.ts";
import type { Deps } from "../call.ts";
import { inTenant } from "../db/scope.ts";
import type { Scoped } from "../db/scope.ts";
import { passingBy } from "./record.ts";

/** Rows that have served their time. */
interface Retention {
  readonly table: string;
  readonly over: RawBuilder<unknown>;
}

/** Of no tenant, in this order: a session's tokens go before it. */
const ofNobody: readonly Retention[] = [
  { table: "throttles", over: sql`resets_at < now()` },
  { table: "realtime_sockets", over: sql`at < now() - interval '1 day'` },
  { table: "sign_in_challenges", over: sql`expires_at < now() - interval '1 day'` },
  { table: "password_resets", over: sql`expires_at < now() - interval '1 day'` },
  // a set-up begun and never confirmed
  { table: "two_factor", over: sql`secret is null and pending_until < now() - interval '1 day'` },
  // longer than a session lives
  { table: "refresh_tokens", over: sql`issued_at < now() - interval '3 days'` },
  { table: "sessions", over: sql`expires_at < now() - interval '30 days'` },
];

const ofTenants: readonly Retention[] = [
  // refused as stale by their timestamps long before
  { table: "seen_signatures", over: sql`at < now() - interval '15 minutes'` },
  { table: "idempotency_keys", over: sql`created_at < now() - make_interval(hours => ${idempotencyHours})` },
  { table: "mails", over: sql`created_at < now() - interval '7 days'` },
];

const batch = 2_000;

/** Removes, a batch after the other, what has served its time. A table, or a tenant's part of one, that fails is passed by. */
export async function removeOld(deps: Deps): Promise<void> {
  const { database } = deps;
  const remove = (retention: Retention, tenant: string | null, run: (work: (db: Scoped) => Promise<number>) => Promise<number>) =>
    passingBy(deps, "cleaning", { table: retention.table, tenant }, async () => {
      while ((await run((db) => removeBatch(db, retention, tenant))) === batch);
    });
  for (const retention of ofNobody) await remove(retention, null, (work) => work(database.open));
  const tenants = await database.worker.selectFrom("tenants").select("id").execute();
  for (const { id } of tenants) {
    for (const retention of ofTenants) await remove(retention, id, (work) => inTenant(database, id, work));
  }
}

async function removeBatch(db: Scoped, { table, over }: Retention, tenant: string | null): Promise<number> {
  const from = sql.table(table);
  const scope = tenant === null ? sql`` : sql`tenant_id = ${tenant} and`;
  const { numAffectedRows = 0n } = await sql`delete from ${from} where ctid = any(array(
    select ctid from ${from} where ${scope} ${over} limit ${batch}))`.execute(db);
  return Number(numAffectedRows);
}
