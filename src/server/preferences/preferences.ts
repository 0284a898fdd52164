import { sql } from "kysely";
import { Preferences } from "../../contract/preferences.ts";
import type { StaffCall } from "../call.ts";
import { inTenant } from "../db/scope.ts";
import type { Scoped } from "../db/scope.ts";
import { once } from "../idempotency.ts";

/** As stored: parts never set are absent; a part of another release is passed over. */
const Stored = Preferences.strip();

/** The caller's own, with defaults where nothing was set. */
export async function readPreferences(call: StaffCall): Promise<Preferences> {
  return inTenant(call.deps.database, call.tenant, async (db) => {
    await asCaller(db, call);
    const { rows } = await sql<{ parts: unknown }>`select parts from user_preferences where user_id = ${call.caller.id}`.execute(db);
    return Stored.parse(rows[0]?.parts ?? {});
  });
}

/** Replaces the given parts; the database joins them, so that two at once lose none. */
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

/** Opens the caller's row, and no other, to the transaction. */
async function asCaller(db: Scoped, { caller }: StaffCall): Promise<void> {
  await sql`select set_config('app.user_id', ${caller.id}, true)`.execute(db);
}
