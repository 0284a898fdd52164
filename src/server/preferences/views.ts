import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import type { preferenceRoutes, SavedView } from "../../contract/preferences.ts";
import { holdsAny } from "../../contract/permissions.ts";
import { Refusal } from "../../contract/problems.ts";
import type { Received } from "../../contract/route.ts";
import { screens } from "../../contract/screens.ts";
import { actorOf, record } from "../audit/record.ts";
import type { StaffCall } from "../call.ts";
import { inTenant } from "../db/scope.ts";
import type { Scoped } from "../db/scope.ts";
import { once } from "../idempotency.ts";

type Created = Received<typeof preferenceRoutes.createView>["body"];
type Updated = Received<typeof preferenceRoutes.updateView>["body"];
type Place = Pick<SavedView, "digit" | "default">;

/** Most own views of a screen. */
const most = 100;
/** Any number; the first half of the advisory lock that serialises changes of a user's views. */
const lock = 7_235_404;

/** The caller's views and the tenant's shared ones, by the caller's digits, then by name. */
export async function listViews(call: StaffCall, screen: string | null): Promise<SavedView[]> {
  return inTenant(call.deps.database, call.tenant, async (db) => {
    const { rows } = await sql<SavedView>`${visibleViews(call)} and (${screen}::text is null or v.screen = ${screen})
      order by v.screen, p.digit nulls last, lower(v.name), v.id`.execute(db);
    return rows;
  });
}

export async function createView(call: StaffCall, body: Created): Promise<SavedView> {
  const { tenant, caller } = call;
  return once(call, null, async (db) => {
    await oneAtATime(db, call);
    const { rows } = await sql<{ id: string }>`
      insert into saved_views (tenant_id, owner_id, screen, name, shared, state)
      select ${tenant}, ${caller.id}, ${body.screen}, ${body.name}, ${body.shared}, ${JSON.stringify(body.state)}::jsonb
      where (select count(*) from saved_views where tenant_id = ${tenant} and owner_id = ${caller.id} and screen = ${body.screen}) < ${most}
      returning id`.execute(db);
    const [made] = rows;
    if (!made) throw new Refusal("request.invalid", { name: [`No room: a screen can have ${most} own views`] });
    await setPlace(db, call, made.id, body.screen, body);
    if (body.shared) {
      const { screen, name, shared, state } = body;
      await auditView(db, call, "create", made.id, undefined, { screen, name, shared, state });
    }
    return { answer: await readView(db, call, made.id) };
  });
}

/**
 * For another user's shared view only the caller's digit and default change; its version counts only its creator's changes. Refuses
 * record.stale with the current view.
 */
export async function updateView(call: StaffCall, id: string, body: Updated): Promise<SavedView> {
  return once(call, null, async (db) => {
    await oneAtATime(db, call);
    const known = await findView(db, call, id);
    if (!known) throw new Refusal("not-found");
    if (known.version !== body.version) throw new Refusal("record.stale", { row: known });
    if (known.mine) await change(db, call, known, body);
    await setPlace(db, call, id, known.screen, body);
    return { answer: await readView(db, call, id) };
  });
}

/** Deletes an own view; another user's answers not-found, shared or not. */
export async function deleteView(call: StaffCall, id: string): Promise<Record<string, never>> {
  return once(call, null, async (db) => {
    await oneAtATime(db, call);
    const known = await findView(db, call, id);
    if (!known?.mine) throw new Refusal("not-found");
    await sql`delete from saved_views where tenant_id = ${call.tenant} and id = ${id}`.execute(db);
    if (known.shared) {
      const { screen, name, shared, state } = known;
      await auditView(db, call, "delete", id, { screen, name, shared, state }, undefined);
    }
    return { answer: {} };
  });
}

/** Screens the caller may not see. */
export const screensUnseen = ({ caller }: StaffCall): readonly string[] =>
  Object.entries(screens).flatMap(([name, { permission }]) => (holdsAny(caller.permissions, permission) ? [] : [name]));

/** The select of the views the caller can see: their own, and shared ones of screens they may see, with the caller's digit and default; it ends within its where clause. */
export function visibleViews(call: StaffCall) {
  const { tenant, caller } = call;
  return sql`select v.id as uuid, v.version, v.screen, v.name, v.shared, v.owner_id is not distinct from ${caller.id} as mine,
      p.digit, coalesce(p.is_default, false) as "default", p.pin, v.pin as tenant_pin, v.state
    from saved_views v
    left join view_places p on p.tenant_id = v.tenant_id and p.view_id = v.id and p.user_id = ${caller.id}
    where v.tenant_id = ${tenant} and (v.owner_id = ${caller.id} or v.shared and v.screen <> all(${screensUnseen(call)}::text[]))`;
}

/** The view, locked so that nobody changes, unshares or deletes it meanwhile. */
export async function findView(db: Scoped, call: StaffCall, id: string): Promise<SavedView | undefined> {
  const { rows } = await sql<SavedView>`${visibleViews(call)} and v.id = ${id} for update of v`.execute(db);
  return rows[0];
}

export async function readView(db: Scoped, call: StaffCall, id: string): Promise<SavedView> {
  const { rows } = await sql<SavedView>`${visibleViews(call)} and v.id = ${id}`.execute(db);
  const [view] = rows;
  if (!view) throw new Error("a view just written is there");
  return view;
}

/** Takes the lock under which a user's limit, digits and default are consistent. */
export async function oneAtATime(db: Scoped, { caller }: StaffCall): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lock}, hashtext(${caller.id}))`.execute(db);
}

async function change(db: Scoped, call: StaffCall, known: SavedView, { name, shared, state }: Updated): Promise<void> {
  const wanted = { name, shared, state };
  const fields = (["name", "shared", "state"] as const).filter((field) => !isDeepStrictEqual(known[field], wanted[field]));
  if (fields.length === 0) return;
  await sql`update saved_views set name = ${name}, shared = ${shared}, state = ${JSON.stringify(state)}::jsonb, version = version + 1,
      pin = case when ${shared}::boolean then pin end, pinned_at = case when ${shared}::boolean then pinned_at end, updated_at = now()
    where tenant_id = ${call.tenant} and id = ${known.uuid}`.execute(db);
  if (known.shared && !shared) {
    // the others no longer see it, so it gives up their digits and pins
    await sql`delete from view_places where tenant_id = ${call.tenant} and view_id = ${known.uuid} and user_id <> ${call.caller.id}`.execute(
      db,
    );
  }
  if (!known.shared && !shared) return;
  const only = (view: Pick<SavedView, (typeof fields)[number]>) => Object.fromEntries(fields.map((field) => [field, view[field]]));
  await auditView(db, call, "update", known.uuid, only(known), only(wanted));
}

/** Sets the caller's digit and default of a view, and removes them from the view that had them. */
async function setPlace(db: Scoped, { tenant, caller }: StaffCall, id: string, screen: string, to: Place): Promise<void> {
  await sql`update view_places set digit = nullif(digit, ${to.digit}::smallint),
      is_default = is_default and not ${to.default}::boolean
    where tenant_id = ${tenant} and user_id = ${caller.id} and screen = ${screen} and view_id <> ${id}
      and (digit = ${to.digit}::smallint or (is_default and ${to.default}::boolean))`.execute(db);
  await sql`insert into view_places (tenant_id, user_id, view_id, screen, digit, is_default)
    values (${tenant}, ${caller.id}, ${id}, ${screen}, ${to.digit}, ${to.default})
    on conflict (tenant_id, user_id, view_id) do update set digit = excluded.digit, is_default = excluded.is_default`.execute(db);
}

/** Audits a change of a shared view; private views are not audited. */
export async function auditView(
  db: Scoped,
  call: StaffCall,
  act: "create" | "update" | "delete",
  id: string,
  before: Readonly<Record<string, unknown>> | undefined,
  after: Readonly<Record<string, unknown>> | undefined,
): Promise<void> {
  await record(db, call.tenant, actorOf(call), {
    act: `view.${act}`,
    entity: "view",
    entityId: id,
    ...(before && { before }),
    ...(after && { after }),
  });
}
