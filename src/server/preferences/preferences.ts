import { sql } from "kysely";
import { Preferences } from "../../contract/preferences.ts";
import type { StaffCall } from "../call.ts";
import { inTenant } from "../db/scope.ts";
import type { Scoped } from "../db/scope.ts";
import { once } from "../idempotency.ts";

/** As stored: only the parts that were set; parts unknown to this release are ignored. */
const Stored = Preferences.strip();

/** The caller's preferences, with defaults. */
export async function readPreferences(call: StaffCall): Promise<Preferences> {
  return inTenant(call.deps.database, call.tenant, async (db) => {
    await asCaller(db, call);
    const { rows } = await sql<{ parts: unknown }>`select parts from user_preferences where user_id = ${call.caller.id}`.execute(db);
    return Stored.parse(rows[0]?.parts ?? {});
  });
}

/** Replaces the given parts. The database merges them, so that concurrent updates lose none. */
export async function updatePreferences(call: StaffCall, parts: Partial<Preferences>): Promise<Preferences> {
  return once(call, null, async (db) => {
    await asCaller(db, call);
    const { rows } = await sql<{ parts: unknown }>`
      insert into user_preferences as held (user_id, parts) values (${call.caller.id}, ${JSON.stringify(parts)}::jsonb)
      on conflict (user_id) do update set parts = held.parts || excluded.parts, updated_at = now()
      returning parts`.execute(db);
    return { answer: Stored.parse(rows[0]?.parts) };
  });
}

/** Gives the transaction access to the caller's row only. */
async function asCaller(db: Scoped, { caller }: StaffCall): Promise<void> {
  await sql`select set_config('app.user_id', ${caller.id}, true)`.execute(db);
}
