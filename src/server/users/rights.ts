import { sql } from "kysely";
import { permissions } from "../../contract/permissions.ts";
import type { Permission } from "../../contract/permissions.ts";
import { Refusal } from "../../contract/problems.ts";
import { ownerCode } from "../../contract/user-groups.ts";
import type { GroupRights } from "../../contract/users.ts";
import type { StaffCall } from "../call.ts";
import { violated } from "../db/errors.ts";
import type { Scoped } from "../db/scope.ts";

/** What a member holds in the tenant, by their groups and directly, whatever their status. */
export interface Holdings {
  readonly isOwner: boolean;
  readonly rights: ReadonlySet<string>;
}

const every: ReadonlySet<string> = new Set(permissions);
export const heldBy = (isOwner: boolean, rights: Iterable<string>): Holdings => ({ isOwner, rights: isOwner ? every : new Set(rights) });

/** null: no member of this tenant. */
export async function holdingsOf(db: Scoped, tenant: string, user: string): Promise<(Holdings & { readonly status: string }) | null> {
  const { rows } = await sql<{ status: string; owner: boolean; rights: string[] }>`select m.status,
      coalesce(bool_or(g.code = ${ownerCode}), false) as owner,
      m.permissions || coalesce(array_agg(p) filter (where p is not null), '{}') as rights
    from memberships m
    left join membership_groups mg on mg.tenant_id = m.tenant_id and mg.user_id = m.user_id
    left join user_groups g on g.tenant_id = mg.tenant_id and g.id = mg.group_id
    left join lateral unnest(g.permissions) p on true
    where m.tenant_id = ${tenant} and m.user_id = ${user} group by m.tenant_id, m.user_id`.execute(db);
  const row = rows[0];
  return row ? { ...heldBy(row.owner, row.rights), status: row.status } : null;
}

/**
 * The caller's own rights, read after the tenant is locked: every change of a member, a group or a right takes this lock first, so that
 * none is judged by what another is about to change. Refuses a caller who no longer has one of the rights to the act.
 */
export async function lockPeople(db: Scoped, { tenant, caller }: StaffCall, ...needed: readonly Permission[]): Promise<Holdings> {
  await sql`select from tenants where id = ${tenant} for no key update`.execute(db);
  const own = await holdingsOf(db, tenant, caller.id);
  if (own?.status !== "active" || !needed.some((permission) => own.rights.has(permission)))
    throw new Refusal("permission.missing", { permission: needed });
  return own;
}

/** Those of `rights` that the caller does not hold, and so can neither give nor take; unknown ones mean nothing. */
export const beyond = (own: Holdings, rights: Iterable<string>): string[] =>
  [...new Set(rights)].filter((right) => every.has(right) && !own.rights.has(right));

/** What is in one of the two only: given and taken. */
export function changed(was: readonly string[], now: readonly string[]): string[] {
  return [...now.filter((one) => !was.includes(one)), ...was.filter((one) => !now.includes(one))];
}

/** The line of a field by which somebody would give or take more than they hold. */
export const beyondLine = (rights: readonly string[]): string => `Beyond your own rights: ${rights.join(", ")}`;
export const ownersOnly = "Only an owner can change who is an owner";

interface Group {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly permissions: readonly string[];
}

export async function groupsOf(db: Scoped, tenant: string, ids: readonly string[]): Promise<Group[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Group>`select id, code, name, permissions from user_groups
    where tenant_id = ${tenant} and id = any(${ids}::uuid[]) order by lower(name), id`.execute(db);
  return rows;
}

export async function allGroups(db: Scoped, tenant: string): Promise<Group[]> {
  const { rows } = await sql<Group>`select id, code, name, permissions from user_groups
    where tenant_id = ${tenant} order by lower(name), id`.execute(db);
  return rows;
}

export const groupRights = ({ id, code, name, permissions: given }: Group): GroupRights => {
  const owner = code === ownerCode;
  return { uuid: id, code: null, name, owner, permissions: owner ? [...permissions] : [...given] };
};

/** What is wrong with somebody's coming into these groups, or leaving them. */
export async function groupFaults(db: Scoped, tenant: string, own: Holdings, ids: readonly string[]): Promise<string[]> {
  const groups = await groupsOf(db, tenant, ids);
  if (groups.length < new Set(ids).size) return ["Names a record that does not exist"];
  if (!own.isOwner && groups.some(({ code }) => code === ownerCode)) return [ownersOnly];
  const more = beyond(
    own,
    groups.flatMap((group) => group.permissions),
  );
  return more.length > 0 ? [beyondLine(more)] : [];
}

/** Refuses an act on oneself, and on an owner unless by one. */
export function requireOther({ caller }: StaffCall, own: Holdings, target: { readonly id: string; readonly isOwner: boolean }): void {
  if (target.id === caller.id) throw new Refusal("user.oneself");
  requireOwnerFor(own, target.isOwner);
}
export function requireOwnerFor(own: Holdings, isOwner: boolean): void {
  if (isOwner && !own.isOwner) throw new Refusal("user.owner");
}

/** Refuses what would put everything the other holds into the caller's hands, where that is more than the caller holds. */
export function requireAll(own: Holdings, other: Holdings): void {
  const more = beyond(own, other.rights);
  if (more.length > 0) throw new Refusal("user.holds-more", { permissions: more });
}

/** Runs a change of people; the database refuses one after which the tenant has no active owner (functions/people.sql). */
export async function keepingOwner<T>(change: Promise<T>): Promise<T> {
  try {
    return await change;
  } catch (error) {
    throw violated(error) === "keeps_owner" ? new Refusal("user.last-owner") : error;
  }
}
