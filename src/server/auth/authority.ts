import { sql } from "kysely";
import { permissions } from "../../contract/permissions.ts";
import { Refusal } from "../../contract/problems.ts";
import type { Caller, CurrencyFacts, Deps } from "../call.ts";
import type { Database, Scoped } from "../db/scope.ts";
import { tenantSessionKey } from "../realtime/rooms.ts";
import type { TenantSession } from "../realtime/rooms.ts";
import { sessionStateOf } from "./sessions.ts";
import { sameBytes, sha256, verifyAccess } from "./tokens.ts";

interface StandingRow {
  user_id: string;
  name: string;
  binding: Buffer | null;
  groups: string[];
  permissions: string[];
  currencies: Record<string, CurrencyFacts>;
  proved_seconds: number;
  must_change: boolean;
  must_set_up: boolean;
}

/** Members of the group with code owner have all permissions, also those added later (specification, point 6). */
function effectivePermissions(groups: readonly string[], held: readonly string[]): ReadonlySet<string> {
  return new Set(groups.includes("owner") ? permissions : held);
}

interface Identified {
  readonly caller: Extract<Caller, { kind: "user" }>;
  readonly tenant: string;
  readonly currencies: Readonly<Record<string, CurrencyFacts>>;
  /** What the caller must do first in this tenant; null: nothing. */
  readonly unready: "password.must-change" | "two-factor.must-set-up" | null;
  /** Seconds since the session's last proof of identity. */
  readonly provedSeconds: number;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The caller's session, user, membership and permissions, read from the database on every request. `tenant`: the X-Tenant-ID header;
 * undefined selects the user's first tenant where the route allows it.
 */
export async function identify(
  deps: Deps,
  presented: { authorization: string | undefined; binding: string | null; tenant: string | undefined; tenantOptional: boolean },
): Promise<Identified> {
  const { session, user } = await readAccess(deps, presented.authorization, presented.binding);
  const tenant = presented.tenant ?? (presented.tenantOptional ? (await tenantsOf(deps.database, user, session))[0]?.id : undefined);
  if (tenant === undefined || !uuid.test(tenant)) return refuseTenant(deps.database, session, presented.binding);
  const { rows } = await deps.database.pool.query<StandingRow>({
    name: "standing",
    text: "select * from standing($1, $2)",
    values: [session, tenant],
  });
  const row = rows[0];
  if (!row || row.user_id !== user) return refuseTenant(deps.database, session, presented.binding);
  requireBinding(row.binding, presented.binding);
  return {
    caller: {
      kind: "user",
      id: user,
      name: row.name,
      session,
      groups: row.groups,
      permissions: effectivePermissions(row.groups, row.permissions),
    },
    tenant,
    currencies: row.currencies,
    unready: row.must_change ? "password.must-change" : row.must_set_up ? "two-factor.must-set-up" : null,
    provedSeconds: row.proved_seconds,
  };
}

/** The signed-in user, for routes that concern no tenant. */
export async function identifyUser(
  deps: Deps,
  authorization: string | undefined,
  binding: string | null,
): Promise<{ user: string; session: string }> {
  const { session, user } = await readAccess(deps, authorization, binding);
  await requireLiveSession(deps.database, session, binding);
  return { user, session };
}

/**
 * The session and user of a valid access token. For an expired one it reports first whether the session has ended, and why, because the
 * client could not refresh it then.
 */
async function readAccess(
  deps: Deps,
  authorization: string | undefined,
  cookie: string | null,
): Promise<{ session: string; user: string }> {
  const { session, user, isOld } = verifyAccess(deps.secrets, authorization);
  if (!isOld) return { session, user };
  await requireLiveSession(deps.database, session, cookie);
  throw new Refusal("session.expired");
}

/**
 * Refuses with tenant.invalid, but only a caller with a live session and its cookie; any other gets the refusal of the session, so that
 * nobody else learns about tenants.
 */
async function refuseTenant(database: Database, session: string, cookie: string | null): Promise<never> {
  await requireLiveSession(database, session, cookie);
  throw new Refusal("tenant.invalid");
}

function requireBinding(bound: Buffer | null, cookie: string | null): void {
  if (bound && !(cookie !== null && sameBytes(sha256(cookie), bound))) throw new Refusal("session.unbound");
}

/** Refuses a session that has ended; the reason goes only to the browser the session is bound to. */
async function requireLiveSession(database: Database, session: string, cookie: string | null): Promise<void> {
  const state = await sessionStateOf(database, session);
  if (state === null) throw new Refusal("session.ended");
  requireBinding(state.binding, cookie);
  if (state.end !== null) throw new Refusal("session.ended", { ...state.end });
}

interface TenantOfUser {
  id: string;
  code: string;
  name: string;
  colour: string;
}

/** The active tenants in which a user is an active member, by name; but for those that `session` was ended for. */
export async function tenantsOf(database: Database, user: string, session: string | null = null): Promise<TenantOfUser[]> {
  const client = await database.pool.connect();
  try {
    await client.query("begin");
    await client.query("select set_config('app.user_id', $1, true)", [user]);
    const { rows } = await client.query<TenantOfUser>(
      `select t.id, t.code, t.name, t.colour from memberships m join tenants t on t.id = m.tenant_id
       where m.user_id = $1 and m.status = 'active' and t.status = 'active'
         and not exists (select from session_exits x where x.tenant_id = t.id and x.session_id = $2)
       order by t.name, t.id`,
      [user, session],
    );
    await client.query("commit");
    return rows;
  } catch (error) {
    await client.query("rollback").catch(() => undefined); // the connection may be what failed
    throw error;
  } finally {
    client.release();
  }
}

/** What a user may do in the tenant of this transaction, by no session: for work they have asked for before. Null: nothing any more. */
export async function memberOf(
  db: Scoped,
  tenant: string,
  user: string,
): Promise<{ name: string; groups: string[]; permissions: ReadonlySet<string> } | null> {
  const { rows } = await sql<{ name: string; groups: string[]; permissions: string[] }>`
    select u.name, coalesce(array_agg(distinct g.code) filter (where g.code is not null), '{}') as groups,
      array(select unnest(m.permissions) union select p from membership_groups mg join user_groups ug on ug.tenant_id = mg.tenant_id
        and ug.id = mg.group_id, unnest(ug.permissions) p where mg.tenant_id = m.tenant_id and mg.user_id = m.user_id) as permissions
    from memberships m
    join users u on u.id = m.user_id and u.status = 'active'
    join tenants t on t.id = m.tenant_id and t.status = 'active'
    left join membership_groups mg on mg.tenant_id = m.tenant_id and mg.user_id = m.user_id
    left join user_groups g on g.tenant_id = mg.tenant_id and g.id = mg.group_id
    where m.tenant_id = ${tenant} and m.user_id = ${user} and m.status = 'active'
    group by u.name, m.tenant_id, m.user_id, m.permissions`.execute(db);
  const [row] = rows;
  return row ? { ...row, permissions: effectivePermissions(row.groups, row.permissions) } : null;
}

/**
 * Permissions of the holders of realtime sockets by `tenantSessionKey`, in one query. Absent: session or membership has ended, or a
 * password or two-factor must be set up first.
 */
export async function authoritiesOf(
  database: Database,
  holders: readonly TenantSession[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const { rows } = await database.pool.query<{ n: string; groups: string[]; permissions: string[] }>(
    `select h.n, a.groups, a.permissions from unnest($1::uuid[], $2::uuid[]) with ordinality h(session, tenant, n),
       lateral standing(h.session, h.tenant) a where not a.must_change and not a.must_set_up`,
    [holders.map((holder) => holder.sessionId), holders.map((holder) => holder.tenantId)],
  );
  const found = new Map<string, ReadonlySet<string>>();
  for (const row of rows) {
    const holder = holders[Number(row.n) - 1];
    if (holder) found.set(tenantSessionKey(holder), effectivePermissions(row.groups, row.permissions));
  }
  return found;
}
