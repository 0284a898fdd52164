import type { UserDetail } from "../../../contract/users.ts";
import { RightsList } from "../../kit/form/rights-list.tsx";
import { givenBy } from "./group-rights.ts";

/** What somebody may do, by their groups and directly. */
export function UserRightsSection({ detail: { groups, permissions } }: { readonly detail: UserDetail }) {
  return <RightsList rights={{ direct: new Set(permissions), given: givenBy(groups) }} />;
}
