import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { checkDays } from "../../contract/provider-checks.ts";
import { idempotencyHours } from "../../contract/wire.ts";
import type { Deps } from "../call.ts";
import { inTenant } from "../db/scope.ts";
import type { Scoped } from "../db/scope.ts";
import { skipFailure } from "./record.ts";

/** Rows to delete, by table and condition. */
interface Retention {
  readonly table: string;
  readonly isOld: RawBuilder<unknown>;
}

/** Tables without a tenant, in this order, because tokens must be deleted before their session. */
const withoutTenant: readonly Retention[] = [
  { table: "throttles", isOld: sql`resets_at < now()` },
  { table: "realtime_sockets", isOld: sql`at < now() - interval '1 day'` },
  { table: "sign_in_challenges", isOld: sql`expires_at < now() - interval '1 day'` },
  { table: "password_resets", isOld: sql`expires_at < now() - interval '1 day'` },
  // set-ups never confirmed
  { table: "two_factor", isOld: sql`secret is null and pending_until < now() - interval '1 day'` },
  // longer than a session can last
  { table: "refresh_tokens", isOld: sql`issued_at < now() - interval '3 days'` },
  { table: "sessions", isOld: sql`expires_at < now() - interval '30 days'` },
];

/** Staged files nobody started, and imports that ended a day ago. */
const endedImports = sql`(select id from bank_imports
  where tenant_id = current_tenant() and state <> 'running' and expires_at < now())`;

const perTenant: readonly Retention[] = [
  // their requests are refused as stale long before
  { table: "seen_signatures", isOld: sql`at < now() - interval '15 minutes'` },
  { table: "idempotency_keys", isOld: sql`created_at < now() - make_interval(hours => ${idempotencyHours})` },
  // an import's rows before itself, because a whole file at once would be a long statement
  { table: "bank_import_lines", isOld: sql`import_id in ${endedImports}` },
  { table: "bank_imports", isOld: sql`state = 'staged' and expires_at < now()` },
  // staged by somebody who went away, or through a day ago
  {
    table: "game_imports",
    isOld: sql`created_at < now() - interval '1 day' and not exists (select from jobs j
      where j.tenant_id = game_imports.tenant_id and j.id = game_imports.id
        and (j.ended_at is null or j.ended_at > now() - interval '1 day'))`,
  },
  // pictures that no game names, or none any more
  {
    table: "game_images",
    isOld: sql`created_at < now() - interval '1 day' and not exists (select from provider_games g
      where g.tenant_id = game_images.tenant_id and g.image = game_images.hash)`,
  },
  // what a job made is removed by its own rule, before
  { table: "jobs", isOld: sql`ended_at < now() - interval '30 days'` },
  { table: "master_account_checks", isOld: sql`at < now() - make_interval(days => ${checkDays})` },
  { table: "mails", isOld: sql`created_at < now() - interval '7 days'` },
  // a pending member keeps the newest, by which their invitation can be sent again
  {
    table: "invitations",
    isOld: sql`ended_at < now() - interval '30 days' and not exists (select from memberships m
      where m.tenant_id = current_tenant() and m.user_id = invitations.user_id and m.status = 'pending')`,
  },
];

/** Tables that are kept from growing by the rules above. */
export const retained: ReadonlySet<string> = new Set([...withoutTenant, ...perTenant].map(({ table }) => table));

const batch = 2_000;

/** Deletes old rows in batches. A table, or a tenant's part of one, that fails is skipped. */
export async function removeOld(deps: Deps): Promise<void> {
  const { database } = deps;
  const remove = (retention: Retention, tenant: string | null, run: (work: (db: Scoped) => Promise<number>) => Promise<number>) =>
    skipFailure(deps, "cleaning", { table: retention.table, tenant }, async () => {
      while ((await run((db) => removeBatch(db, retention, tenant))) === batch);
    });
  for (const retention of withoutTenant) await remove(retention, null, (work) => work(database.open));
  const tenants = await database.worker.selectFrom("tenants").select("id").execute();
  for (const { id } of tenants) {
    for (const retention of perTenant) await remove(retention, id, (work) => inTenant(database, id, work));
  }
}

async function removeBatch(db: Scoped, { table, isOld }: Retention, tenant: string | null): Promise<number> {
  const from = sql.table(table);
  const scope = tenant === null ? sql`` : sql`tenant_id = ${tenant} and`;
  const { numAffectedRows = 0n } = await sql`delete from ${from} where ctid = any(array(
    select ctid from ${from} where ${scope} ${isOld} limit ${batch}))`.execute(db);
  return Number(numAffectedRows);
}
