import type { Permission } from "../../../src/contract/permissions.ts";

// What people of two tenants may do to each other's rights, written anew from the rules alone (domain.md, 1), to judge the server by.

export const universe = [
  "cas.user.users.update",
  "cas.user.users.change-status",
  "cas.user.users.delete",
  "cas.user.users.invite",
  "cas.user.groups.create",
  "cas.user.groups.update",
  "cas.user.groups.delete",
  "pas.transaction.withdrawals.view",
  "pas.transaction.withdrawals.approve",
  "pas.merchant.merchants.adjust-wallet",
  "audit-log.view",
  "vs.vendor.vendors.view",
] as const satisfies readonly Permission[];
export type Right = (typeof universe)[number];

export type Status = "pending" | "active" | "inactive" | "suspended";

export interface Member {
  status: Status;
  groups: Set<string>;
  direct: Set<Right>;
}

export interface House {
  /** Code → what it gives; of the owners, nothing is written. */
  groups: Map<string, Set<Right>>;
  members: Map<number, Member>;
  /** Groups made so far; each has a code of its own. */
  made: number;
}

export interface World {
  readonly houses: readonly [House, House];
  /** Who must choose a new password before anything else. */
  readonly forced: Set<number>;
}

/** `groups`, `direct` and `rights` of what is there are turned: those that were there go, others come, as a person at the form changes one or two. */
export type Act =
  | { kind: "rights"; groups: readonly number[]; direct: readonly Right[]; foreign: boolean }
  | { kind: "status"; status: Exclude<Status, "pending"> }
  | { kind: "remove" }
  | { kind: "invite"; groups: readonly number[] }
  | { kind: "accept" }
  | { kind: "force" }
  | { kind: "edit-group"; group: number; rights: readonly Right[] }
  | { kind: "create-group"; rights: readonly Right[] }
  | { kind: "delete-group"; group: number }
  | { kind: "dissolve"; group: number; into: number };

/** `by` does it in a tenant, to `whom` where it is about a person. */
export type Step = Act & { readonly house: 0 | 1; readonly by: number; readonly whom: number };

const owners = "owner";
/** A group by any number. */
export const codeAt = ({ groups }: House, at: number): string => [...groups.keys()][at % groups.size] ?? owners;
export const codesAt = (house: House, all: readonly number[]): Set<string> => new Set(all.map((at) => codeAt(house, at)));
export function turned<T>(was: ReadonlySet<T>, which: Iterable<T>): Set<T> {
  const now = new Set(was);
  for (const one of new Set(which)) if (!now.delete(one)) now.add(one);
  return now;
}

const isOwner = ({ groups }: Member): boolean => groups.has(owners);
function held(house: House, who: number): Set<Right> {
  const member = house.members.get(who);
  if (!member) return new Set();
  if (isOwner(member)) return new Set(universe);
  return new Set([...member.direct, ...[...member.groups].flatMap((code) => [...(house.groups.get(code) ?? [])])]);
}

export const activeOwners = (house: House): number =>
  [...house.members.values()].filter((member) => member.status === "active" && isOwner(member)).length;

const isWithin = <T>(part: Iterable<T>, whole: ReadonlySet<T>): boolean => [...part].every((one) => whole.has(one));
const isSame = <T>(a: ReadonlySet<T>, b: ReadonlySet<T>): boolean => a.size === b.size && isWithin(a, b);
const difference = <T>(a: ReadonlySet<T>, b: ReadonlySet<T>): T[] => [
  ...[...a].filter((one) => !b.has(one)),
  ...[...b].filter((one) => !a.has(one)),
];

const needed: Readonly<Record<Exclude<Act["kind"], "accept">, Right>> = {
  rights: "cas.user.users.update",
  status: "cas.user.users.change-status",
  remove: "cas.user.users.delete",
  invite: "cas.user.users.invite",
  force: "cas.user.users.update",
  "edit-group": "cas.user.groups.update",
  "create-group": "cas.user.groups.create",
  "delete-group": "cas.user.groups.delete",
  dissolve: "cas.user.groups.delete",
};

/** Carries a step out where it is allowed; whether it was. A refused one changes nothing. */
export function take(world: World, step: Step): boolean {
  const { by, whom } = step;
  const house = world.houses[step.house];
  const [actor, target] = [house.members.get(by), house.members.get(whom)];
  if (step.kind === "accept") {
    if (target?.status !== "pending") return false;
    target.status = "active";
    return true;
  }
  const own = held(house, by);
  if (actor?.status !== "active" || world.forced.has(by) || !own.has(needed[step.kind])) return false;
  const mayGive = (codes: Iterable<string>) =>
    [...codes].every((code) => (code === owners ? isOwner(actor) : isWithin(house.groups.get(code) ?? [], own)));
  const mayTouch = (member: Member) => whom !== by && (!isOwner(member) || isOwner(actor));
  const isLast = (member: Member) => member.status === "active" && isOwner(member) && activeOwners(house) === 1;

  switch (step.kind) {
    case "rights": {
      if (!target) return false;
      const [groups, direct] = [turned(target.groups, codesAt(house, step.groups)), turned(target.direct, step.direct)];
      if (step.foreign) return false;
      if (isSame(groups, target.groups) && isSame(direct, target.direct)) return true;
      if (!mayTouch(target) || !mayGive(difference(target.groups, groups)) || !isWithin(difference(target.direct, direct), own))
        return false;
      if (isLast(target) && !groups.has(owners)) return false;
      house.members.set(whom, { ...target, groups, direct });
      return true;
    }
    case "status": {
      if (!target) return false;
      if (target.status === step.status) return true;
      if (!mayTouch(target) || target.status === "pending" || isLast(target)) return false;
      if (step.status === "active" && !isWithin(held(house, whom), own)) return false;
      target.status = step.status;
      return true;
    }
    case "remove":
      if (!target || !mayTouch(target) || isLast(target)) return false;
      house.members.delete(whom);
      return true;
    case "invite": {
      const groups = codesAt(house, step.groups);
      if (target || !mayGive(groups)) return false;
      house.members.set(whom, { status: "pending", groups, direct: new Set() });
      return true;
    }
    case "force": {
      if (!target || !mayTouch(target) || target.status === "pending") return false;
      const there = world.houses[step.house === 0 ? 1 : 0].members.get(whom)?.status;
      if (there === "active" || there === "suspended") return false;
      world.forced.add(whom);
      return true;
    }
    case "edit-group": {
      const code = codeAt(house, step.group);
      const was = house.groups.get(code) ?? new Set<Right>();
      const now = turned(was, step.rights);
      if (isSame(was, now)) return true;
      if (code === owners || !isWithin(difference(was, now), own)) return false;
      house.groups.set(code, now);
      return true;
    }
    case "create-group":
      if (!isWithin(step.rights, own)) return false;
      house.groups.set(`made-${house.made++}`, new Set(step.rights));
      return true;
    case "delete-group": {
      const code = codeAt(house, step.group);
      const inUse = [...house.members.values()].some(({ groups }) => groups.has(code));
      if (code === owners || inUse || !isWithin(house.groups.get(code) ?? [], own)) return false;
      house.groups.delete(code);
      return true;
    }
    case "dissolve": {
      const [code, into] = [codeAt(house, step.group), codeAt(house, step.into)];
      if (code === owners || code === into || !isWithin(house.groups.get(code) ?? [], own) || !mayGive([into])) return false;
      for (const { groups } of house.members.values()) if (groups.delete(code)) groups.add(into);
      house.groups.delete(code);
      return true;
    }
  }
}
