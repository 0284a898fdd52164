import { sql } from "kysely";
import { permissions } from "../../contract/permissions.ts";
import { Refusal } from "../../contract/problems.ts";
import { ownerCode, userGroupColumns } from "../../contract/user-groups.ts";
import type { UserGroup, UserGroupDetail, UserGroupEdit, userGroupRoutes } from "../../contract/user-groups.ts";
import { actorOf } from "../audit/record.ts";
import { audit, stale } from "../audit/records.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import type { Handlers } from "../handlers.ts";
import { once } from "../idempotency.ts";
import { recordHandlers } from "../records/record-handlers.ts";
import { findRecords } from "../records/record-list.ts";
import { beyond, beyondLine, changed as differing, groupFaults, groupRights, holdingsOf, keepingOwner, lockPeople } from "./rights.ts";
import type { Holdings } from "./rights.ts";

const area = "cas.user.groups";

interface GroupRow {
  readonly id: string;
  readonly version: number;
  readonly code: string;
  readonly name: string;
  readonly permissions: string[];
  readonly members: number;
  readonly permission_count: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const isOwners = ({ code }: { readonly code: string }): boolean => code === ownerCode;

const groupsIn = ({ tenant }: Pick<StaffCall, "tenant">) => sql`select g.*, lower(g.name) as name_key,
    case when g.code = ${ownerCode} then ${permissions.length} else cardinality(g.permissions) end as permission_count,
    (select count(*)::integer from membership_groups mg where mg.tenant_id = g.tenant_id and mg.group_id = g.id) as members
  from user_groups g where g.tenant_id = ${tenant}`;

const groupView = ({ id, version, code, name, members, permission_count, created_at, updated_at }: GroupRow): UserGroup => ({
  uuid: id,
  version,
  code,
  name,
  members,
  permission_count,
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString(),
});

/** Most members a group's detail names. */
const mostNamed = 200;

async function detail(db: Scoped, { tenant, caller }: StaffCall, row: GroupRow): Promise<Omit<UserGroupDetail, "row" | "history">> {
  const { permissions } = groupRights(row);
  // how many they are stands in the row
  if (!caller.permissions.has("cas.user.users.view")) return { permissions, people: [] };
  // the name of somebody who has not accepted an invitation is not told
  const { rows } = await sql<{ uuid: string; name: string; email: string; status: string }>`select u.id as uuid, u.email, m.status,
      case when m.status = 'pending' then u.email else u.name end as name
    from membership_groups mg join memberships m on m.tenant_id = mg.tenant_id and m.user_id = mg.user_id join users u on u.id = m.user_id
    where mg.tenant_id = ${tenant} and mg.group_id = ${row.id} order by lower(u.name), u.id limit ${mostNamed}`.execute(db);
  return { permissions, people: rows };
}

/** The caller's rights, which the lock of this transaction keeps as they are. */
async function ownRights(db: Scoped, { tenant, caller }: StaffCall): Promise<Holdings> {
  const own = await holdingsOf(db, tenant, caller.id);
  if (!own) throw new Refusal("tenant.invalid");
  return own;
}

/** Refuses to change the owners' group, and to do away with a group that holds more than the caller does. */
function requireWithin(own: Holdings, group: GroupRow): void {
  if (isOwners(group)) throw new Refusal("group.fixed");
  const more = beyond(own, group.permissions);
  if (more.length > 0) throw new Refusal("user.holds-more", { permissions: more });
}

const rightTo = { update: `${area}.update`, delete: `${area}.delete`, "change-status": `${area}.update` } as const;

const { list, read, create, update, remove } = recordHandlers({
  entity: "user-group",
  table: "user_groups",
  columns: userGroupColumns,
  stored: {
    code: { sort: [{ name: "code", type: "text" }] },
    name: { sort: [{ name: "name_key", type: "text" }] },
    members: { sort: [{ name: "members", type: "bigint" }] },
    permission_count: { sort: [{ name: "permission_count", type: "bigint" }] },
  },
  rows: groupsIn,
  view: groupView,
  nameOf: ({ name }: GroupRow) => name,
  fixed: ({ code }: { code: string }) => ({ code }),
  fields: ({ name, permissions: given }: UserGroupEdit | GroupRow) => ({ name, permissions: [...given].toSorted() }),
  guarded: ["permissions"],
  constraints: { user_groups_tenant_id_code_key: { code: ["Already taken"] } },
  detail,
  async lock(db, call, _, act) {
    await lockPeople(db, call, rightTo[act]);
  },
  async faults(db, call, { row, was, now }) {
    // a new group is not locked for by `lock`
    const own = row === null ? await lockPeople(db, call, `${area}.create`) : await ownRights(db, call);
    if (row !== null && isOwners(row)) throw new Refusal("group.fixed");
    const more = beyond(own, differing(was?.permissions ?? [], now.permissions));
    return {
      ...(row === null && isOwners(now) && { code: ["Already taken"] }),
      ...(more.length > 0 && { permissions: [beyondLine(more)] }),
    };
  },
  async uses(db, call, row) {
    requireWithin(await ownRights(db, call), row);
    return { members: row.members };
  },
});

export const userGroupHandlers: Handlers<typeof userGroupRoutes, StaffCall> = {
  listUserGroups: list,
  readUserGroup: read,
  createUserGroup: create,
  updateUserGroup: update,
  deleteUserGroup: remove,

  async dissolveUserGroup(call, { params: { uuid }, body: { version, into } }) {
    const { tenant } = call;
    const act = once(call, null, async (db) => {
      const own = await lockPeople(db, call, `${area}.delete`);
      const [group] = await findRecords<GroupRow>(db, groupsIn(call), [uuid]);
      if (!group) throw new Refusal("not-found");
      if (group.version !== version) throw await stale(db, { tenant, entity: "user-group", id: uuid }, groupView(group));
      requireWithin(own, group);
      const [target] = into === uuid ? [] : await findRecords<GroupRow>(db, groupsIn(call), [into]);
      const faults = target ? await groupFaults(db, tenant, own, [into]) : ["Names a record that does not exist"];
      if (!target || faults.length > 0) throw new Refusal("request.invalid", { into: faults });
      const moved = await moveMembers(db, call, group, target);
      await sql`delete from user_groups where tenant_id = ${tenant} and id = ${uuid}`.execute(db);
      const { code, name } = group;
      const fact = { before: { code, name, permissions: group.permissions }, after: { members: target.code } };
      await audit(db, { tenant, entity: "user-group", id: uuid }, actorOf(call), "dissolve", fact);
      return { answer: { moved, into: { uuid: into, code: target.code, name: target.name } } };
    });
    return { data: await keepingOwner(act) };
  },
};

/** Each member's own history tells it, because each has other rights from then on. */
async function moveMembers(db: Scoped, call: StaffCall, from: GroupRow, to: GroupRow): Promise<number> {
  const { tenant } = call;
  const { rows } = await sql<{ user_id: string }>`select user_id from membership_groups
    where tenant_id = ${tenant} and group_id = ${from.id} order by user_id`.execute(db);
  const users = rows.map(({ user_id }) => user_id);
  await sql`insert into membership_groups (tenant_id, user_id, group_id) select ${tenant}, id, ${to.id} from unnest(${users}::uuid[]) id
    on conflict do nothing`.execute(db);
  await sql`delete from membership_groups where tenant_id = ${tenant} and group_id = ${from.id}`.execute(db);
  await sql`update memberships set version = version + 1, updated_at = clock_timestamp()
    where tenant_id = ${tenant} and user_id = any(${users}::uuid[])`.execute(db);
  for (const id of users) {
    const fact = { before: { groups: [from.code] }, after: { groups: [to.code] } };
    await audit(db, { tenant, entity: "user", id }, actorOf(call), "update", fact);
  }
  return users.length;
}
