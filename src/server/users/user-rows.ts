import { sql } from "kysely";
import { Refusal } from "../../contract/problems.ts";
import type { User, UserDetail } from "../../contract/users.ts";
import { ownerCode } from "../../contract/user-groups.ts";
import { stale } from "../audit/records.ts";
import { isElsewhere } from "../auth/own-tenants.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import { findRecords } from "../records/record-list.ts";
import { groupRights, groupsOf, heldBy } from "./rights.ts";
import type { Holdings } from "./rights.ts";

/** A membership with the user it is of. Of one who has not accepted yet it holds only what this tenant itself has written. */
export interface UserRow {
  readonly id: string;
  readonly version: number;
  readonly email: string;
  readonly name: string | null;
  /** As stored. */
  readonly membership: "pending" | "active" | "inactive" | "suspended";
  readonly status: User["status"];
  readonly permissions: string[];
  /** Ids of the groups, in order. */
  readonly group_ids: string[];
  readonly group_names: string;
  readonly owner: boolean;
  /** What the groups give. */
  readonly group_rights: string[];
  readonly direct: number;
  readonly two_factor: "on" | "off";
  readonly force_reset_password: boolean;
  readonly last_login_at: Date | null;
  readonly last_login_ip: string | null;
  readonly sessions: number;
  readonly invited_until: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** The members of a tenant by name and e-mail, for search; who has not accepted an invitation has a name where this tenant gave it. */
export const namedUsers = (tenant: string) => sql`(select m.tenant_id, m.user_id as id, u.email, m.status,
    case when m.status <> 'pending' or exists (select from invitations i
      where i.tenant_id = m.tenant_id and i.user_id = m.user_id and i.is_new) then u.name end as name
  from memberships m join users u on u.id = m.user_id where m.tenant_id = ${tenant})`;

/** The live sessions `s` of a user by which they can work in a tenant. */
export const sessionsHere = (tenant: string) => sql`s.ended_at is null and s.expires_at > now()
  and not exists (select from session_exits x where x.tenant_id = ${tenant} and x.session_id = s.id)`;

export const usersOf = ({ tenant }: Pick<StaffCall, "tenant">) => sql`select m.user_id as id, m.version, m.permissions, m.created_at,
    m.status as membership, m.updated_at, u.email, lower(u.email) as email_key,
    case when m.status <> 'pending' then m.status when i.expires_at > now() then 'pending' else 'expired' end as status,
    k.name, lower(k.name) as name_key, g.ids as group_ids, g.names as group_names, g.owner, g.rights as group_rights,
    cardinality(m.permissions) as direct,
    case when k.is_member and exists (select from two_factor f where f.user_id = u.id and f.secret is not null) then 'on' else 'off' end
      as two_factor,
    k.is_member and u.force_reset_password as force_reset_password,
    case when k.is_member then u.last_login_at end as last_login_at, case when k.is_member then u.last_login_ip end as last_login_ip,
    case when k.is_member then (select count(*)::integer from sessions s where s.user_id = u.id and ${sessionsHere(tenant)}) else 0 end
      as sessions,
    case when m.status = 'pending' then i.expires_at end as invited_until
  from memberships m join users u on u.id = m.user_id
  left join lateral (select v.is_new, v.expires_at from invitations v where v.tenant_id = m.tenant_id and v.user_id = m.user_id
    order by v.made_at desc limit 1) i on true
  cross join lateral (select m.status <> 'pending' as is_member,
    case when m.status <> 'pending' or i.is_new then u.name end as name) k
  cross join lateral (select coalesce(array_agg(g.id order by g.id), '{}') as ids, coalesce(bool_or(g.code = ${ownerCode}), false) as owner,
      coalesce(string_agg(g.name, ', ' order by lower(g.name)), '') as names,
      coalesce((select array_agg(distinct p) from membership_groups n join user_groups h on h.tenant_id = n.tenant_id and h.id = n.group_id,
        unnest(h.permissions) p where n.tenant_id = m.tenant_id and n.user_id = m.user_id), '{}') as rights
    from membership_groups mg join user_groups g on g.tenant_id = mg.tenant_id and g.id = mg.group_id
    where mg.tenant_id = m.tenant_id and mg.user_id = m.user_id) g
  where m.tenant_id = ${tenant}`;

export async function findUser(db: Scoped, scope: Pick<StaffCall, "tenant">, id: string): Promise<UserRow | undefined> {
  return (await findRecords<UserRow>(db, usersOf(scope), [id]))[0];
}

/** A member's row, while the tenant is locked; refused unless its version is the one the caller saw. */
export async function seenUser(db: Scoped, call: StaffCall, uuid: string, version: number): Promise<UserRow> {
  const row = await findUser(db, call, uuid);
  if (!row) throw new Refusal("not-found");
  if (row.version !== version) throw await stale(db, { tenant: call.tenant, entity: "user", id: uuid }, userView(row));
  return row;
}

export const holdingsIn = ({ owner, permissions, group_rights }: UserRow): Holdings => heldBy(owner, [...permissions, ...group_rights]);

export const userView = (row: UserRow): User => ({
  uuid: row.id,
  version: row.version,
  email: row.email,
  name: row.name,
  status: row.status,
  group_names: row.group_names,
  owner: row.owner,
  direct: row.direct,
  two_factor: row.two_factor,
  force_reset_password: row.force_reset_password,
  last_login_at: row.last_login_at?.toISOString() ?? null,
  last_login_ip: row.last_login_ip,
  sessions: row.sessions,
  invited_until: row.invited_until?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

export async function userDetail(db: Scoped, { tenant }: StaffCall, row: UserRow): Promise<Omit<UserDetail, "row" | "history">> {
  const groups = await groupsOf(db, tenant, row.group_ids);
  return {
    groups: groups.map(groupRights),
    permissions: row.permissions,
    elsewhere: row.membership !== "pending" && (await isElsewhere(db, row.id, tenant)),
  };
}
