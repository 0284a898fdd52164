import { sql } from "kysely";
import { mostPins } from "../../contract/preferences.ts";
import type { pinRoutes } from "../../contract/pins.ts";
import type { Pin, SavedView } from "../../contract/preferences.ts";
import { Refusal } from "../../contract/problems.ts";
import type { Received } from "../../contract/route.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import { inTenant } from "../db/scope.ts";
import { once } from "../idempotency.ts";
import { auditView, findView, oneAtATime, readView, screensUnseen, visibleViews } from "./views.ts";

/** Any number; the first half of the advisory lock that serialises a tenant's pins. */
const lock = 7_235_405;

/**
 * The views of screens the caller may see that are pinned for the tenant, then the caller's own, the earliest first; one pinned both ways stands with the tenant's. Eight at most: own
 * ones for which the tenant's leave no room come back when there is some.
 */
export function listPinned(call: StaffCall): Promise<SavedView[]> {
  return inTenant(call.deps.database, call.tenant, (db) => pinned(db, call));
}

async function pinned(db: Scoped, call: StaffCall): Promise<SavedView[]> {
  const { rows } =
    await sql<SavedView>`${visibleViews(call)} and (v.pin is not null or p.pin is not null) and v.screen <> all(${screensUnseen(call)}::text[])
    order by v.pin is null, coalesce(v.pinned_at, p.pinned_at), v.id limit ${mostPins}`.execute(db);
  return rows;
}

/**
 * Pins a view, changes its threshold, or takes it off with null. For the tenant only the maker of a shared view does so, and it is audited.
 * Refuses pin.full where eight stand in the caller's pane already.
 */
export async function pinView(
  call: StaffCall,
  id: string,
  { for: whose, pin }: Received<typeof pinRoutes.pinView>["body"],
): Promise<SavedView> {
  const { tenant, caller } = call;
  return once(call, null, async (db) => {
    await sql`select pg_advisory_xact_lock(${lock}, hashtext(${tenant}))`.execute(db);
    await oneAtATime(db, call);
    const known = await findView(db, call, id);
    if (!known || (whose === "tenant" && !known.mine)) throw new Refusal("not-found");
    if (whose === "tenant" && !known.shared) throw new Refusal("pin.not-shared");
    if (pin !== null && known.pin === null && known.tenant_pin === null && (await pinned(db, call)).length >= mostPins)
      throw new Refusal("pin.full", { most: mostPins });
    const [given, before] = [pin && JSON.stringify(pin), whose === "tenant" ? known.tenant_pin : known.pin];
    if (whose === "tenant") {
      await sql`update saved_views set pin = ${given}::jsonb, pinned_at = case when ${given}::jsonb is null then null else coalesce(pinned_at, now()) end
        where tenant_id = ${tenant} and id = ${id}`.execute(db);
      await auditPin(db, call, id, before, pin);
    } else {
      await sql`insert into view_places (tenant_id, user_id, view_id, screen, pin, pinned_at)
        values (${tenant}, ${caller.id}, ${id}, ${known.screen}, ${given}::jsonb, case when ${given}::jsonb is null then null else now() end)
        on conflict (tenant_id, user_id, view_id) do update set pin = excluded.pin,
          pinned_at = case when excluded.pin is null then null else coalesce(view_places.pinned_at, now()) end`.execute(db);
    }
    return { answer: await readView(db, call, id) };
  });
}

const auditPin = (db: Scoped, call: StaffCall, id: string, before: Pin | null, after: Pin | null) =>
  auditView(db, call, "update", id, { pin: before }, { pin: after });
