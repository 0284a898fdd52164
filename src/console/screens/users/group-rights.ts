import type { GroupRights } from "../../../contract/users.ts";
import { splitReferences } from "../../kit/form/codecs.ts";
import type { Values } from "../../kit/form/conflict.ts";

/** Permission → names of the groups that give it. */
export function givenBy(groups: readonly Pick<GroupRights, "name" | "permissions">[]): ReadonlyMap<string, readonly string[]> {
  const given = new Map<string, string[]>();
  for (const { name, permissions } of groups) for (const one of permissions) given.set(one, [...(given.get(one) ?? []), name]);
  return given;
}

/** Of the groups that a form has chosen. */
export const givenIn = (all: readonly GroupRights[], { groups = "" }: Values): ReadonlyMap<string, readonly string[]> => {
  const { chosen } = splitReferences(groups);
  return givenBy(all.filter(({ uuid }) => chosen.includes(uuid)));
};
