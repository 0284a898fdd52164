import { holdsAny } from "../../contract/permissions.ts";
import type { Permission } from "../../contract/permissions.ts";
import { Refusal } from "../../contract/problems.ts";
import type { Route } from "../../contract/route.ts";
import type { StaffCall } from "../call.ts";

/** Throws permission.missing for staff without the right to a route, or outside the group it is for. */
export function requireRights(
  { permission, owner }: Pick<Route, "permission" | "owner">,
  { permissions, groups }: Pick<StaffCall["caller"], "permissions" | "groups">,
): void {
  const needed = permission as Permission | readonly [Permission, ...Permission[]]; // the other guards let in nobody who is staff
  if (permission !== "signed-in" && !holdsAny(permissions, needed)) throw new Refusal("permission.missing", { permission: needed });
  if (owner && !groups.includes("owner")) throw new Refusal("permission.missing", { group: "owner" });
}
