import { sql } from "kysely";
import { Refusal } from "../../contract/problems.ts";
import type { UserEdit, userRoutes } from "../../contract/users.ts";
import { userColumns } from "../../contract/users.ts";
import { actorOf } from "../audit/record.ts";
import { audit } from "../audit/records.ts";
import { acceptPassword, hashPassword } from "../auth/passwords.ts";
import { isElsewhere } from "../auth/own-tenants.ts";
import { storePassword } from "../auth/reset.ts";
import { endSessionsOf } from "../auth/sessions.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import { inTenant } from "../db/scope.ts";
import type { Handlers } from "../handlers.ts";
import { once } from "../idempotency.ts";
import { auditLabel, inOrder, linkedRecords } from "../records/links.ts";
import type { Part } from "../records/record-kind.ts";
import { recordHandlers } from "../records/record-handlers.ts";
import { addUserHandlers } from "./add-user.ts";
import { endInvitation } from "./invitations.ts";
import { endHere, otherSessionHandlers } from "./others-sessions.ts";
import {
  allGroups,
  beyond,
  beyondLine,
  changed as differing,
  groupFaults,
  groupRights,
  holdingsOf,
  keepingOwner,
  lockPeople,
} from "./rights.ts";
import { requireAll, requireOther } from "./rights.ts";
import type { Holdings } from "./rights.ts";
import { findUser, holdingsIn, seenUser, userDetail, usersOf, userView } from "./user-rows.ts";
import type { UserRow } from "./user-rows.ts";

const area = "cas.user.users";

/** Their groups, which are rows of their own. */
export const groupsPart: Part<readonly string[]> = Object.assign(
  async (db: Scoped, { tenant }: StaffCall, id: string, now: readonly string[]) => {
    await sql`delete from membership_groups where tenant_id = ${tenant} and user_id = ${id} and group_id <> all(${now}::uuid[])`.execute(
      db,
    );
    await sql`insert into membership_groups (tenant_id, user_id, group_id) select ${tenant}, ${id}, one from unnest(${now}::uuid[]) one
      on conflict do nothing`.execute(db);
    return [];
  },
  {
    audited: async (db: Scoped, { tenant }: StaffCall, ids: readonly string[]) =>
      (await linkedRecords(db, tenant, "user_groups", ids)).map(auditLabel),
  },
);

const namePart: Part<string> = async (db, _, id, name) => {
  await sql`update users set name = ${name}, updated_at = now() where id = ${id}`.execute(db);
  return [];
};

/** A password somebody else has chosen must be replaced at the next sign-in; the sessions of the old one end. `now` is its hash. */
const passwordPart: Part<string> = Object.assign(
  async (db: Scoped, call: StaffCall, id: string, now: string) => {
    await storePassword(db, id, now);
    await demandPassword(db, id);
    await endSessionsOf(db, id, "password-changed", { user: call.caller.id, ...call });
    return [];
  },
  { audited: async () => "set" },
);

const demandPassword = (db: Scoped, id: string) => sql`update users set force_reset_password = true where id = ${id}`.execute(db);

/** The caller's rights, which the lock of this transaction keeps as they are. */
async function ownRights(db: Scoped, { tenant, caller }: StaffCall): Promise<Holdings> {
  const own = await holdingsOf(db, tenant, caller.id);
  if (!own) throw new Refusal("tenant.invalid");
  return own;
}

/** Refuses a change of what is the same in all tenants, unless this is the person's only one. */
async function requireIdentityHere(db: Scoped, { tenant }: StaffCall, row: UserRow): Promise<void> {
  if (row.membership === "pending") throw new Refusal("user.pending");
  if (await isElsewhere(db, row.id, tenant)) throw new Refusal("user.elsewhere");
}

const rightTo = { update: `${area}.update`, "change-status": `${area}.change-status`, delete: `${area}.delete` } as const;

const { list, read, update, changeStatus, remove } = recordHandlers({
  entity: "user",
  table: "memberships",
  idColumn: "user_id",
  columns: userColumns,
  stored: {
    email: { sort: [{ name: "email_key", type: "text" }] },
    name: { sort: [{ name: "name_key", type: "text", missing: "" }] },
    direct: { sort: [{ name: "direct", type: "bigint" }] },
    sessions: { sort: [{ name: "sessions", type: "bigint" }] },
    last_login_at: { sort: [{ name: "last_login_at", type: "timestamptz", missing: "-infinity" }] },
  },
  rows: usersOf,
  view: userView,
  nameOf: ({ name, email }) => name ?? email,
  fields: (of: UserEdit | UserRow) => ({
    ...(of.name && { name: of.name }),
    ...("password" in of && of.password && { password: of.password }),
    groups: inOrder("group_ids" in of ? of.group_ids : of.groups),
    permissions: [...of.permissions].toSorted(),
  }),
  parts: { name: namePart, password: passwordPart, groups: groupsPart },
  guarded: ["password", "groups", "permissions"],
  detail: userDetail,
  async lock(db, call, _, act) {
    await lockPeople(db, call, rightTo[act]);
  },
  async faults(db, call, { row, was, now, changed }) {
    if (row === null || was === null) throw new Error("users are made by add-user.ts");
    const own = await ownRights(db, call);
    requireOther(call, own, { id: row.id, isOwner: row.owner });
    if (changed.name !== undefined || changed.password !== undefined) await requireIdentityHere(db, call, row);
    if (changed.password !== undefined) requireAll(own, holdingsIn(row));
    const groups = changed.groups ? await groupFaults(db, call.tenant, own, differing(was.groups, now.groups)) : [];
    const more = changed.permissions ? beyond(own, differing(was.permissions, now.permissions)) : [];
    return { ...(groups.length > 0 && { groups }), ...(more.length > 0 && { permissions: [beyondLine(more)] }) };
  },
  async setsStatus(db, call, row, to) {
    const own = await ownRights(db, call);
    requireOther(call, own, { id: row.id, isOwner: row.owner });
    if (row.membership === "pending") throw new Refusal("user.pending");
    // who lets somebody in again gives them all they hold
    if (to === "active") requireAll(own, holdingsIn(row));
    else await endHere(db, call, row.id, "suspended");
  },
  async release(db, call, row) {
    requireOther(call, await ownRights(db, call), { id: row.id, isOwner: row.owner });
    if (row.membership === "pending") await endInvitation(db, call.tenant, row.id, "withdrawn");
    else await endHere(db, call, row.id, "removed");
  },
});

type R = typeof userRoutes;

export const userHandlers: Handlers<R, StaffCall> = {
  ...otherSessionHandlers,
  ...addUserHandlers,
  listUsers: list,
  readUser: read,

  listGroupRights: ({ deps, tenant }) =>
    inTenant(deps.database, tenant, async (db) => ({ data: (await allGroups(db, tenant)).map(groupRights) })),

  async updateUser(call, received) {
    const { password, ...body } = received.body;
    if (password === undefined) return keepingOwner(update(call, received));
    const { deps, tenant, gone } = call;
    const row = await inTenant(deps.database, tenant, (db) => findUser(db, call, received.params.uuid));
    if (!row) throw new Refusal("not-found");
    acceptPassword(password, row.email);
    // hashed before the transaction, which holds the tenant's lock
    const hash = await hashPassword(password, { lane: "known", gone });
    return keepingOwner(update(call, { ...received, body: { ...body, password: hash } }));
  },

  changeUserStatus: (call, received) => keepingOwner(changeStatus(call, received)),
  deleteUser: (call, received) => keepingOwner(remove(call, received)),

  async forcePasswordReset(call, { params: { uuid }, body: { version } }) {
    const data = await once(call, null, async (db) => {
      const own = await lockPeople(db, call, `${area}.update`);
      const row = await seenUser(db, call, uuid, version);
      requireOther(call, own, { id: uuid, isOwner: row.owner });
      await requireIdentityHere(db, call, row);
      await demandPassword(db, uuid);
      await audit(db, { tenant: call.tenant, entity: "user", id: uuid }, actorOf(call), "force-password-reset", {});
      const changed = await findUser(db, call, uuid);
      return { answer: userView(changed ?? row) };
    });
    return { data };
  },
};
