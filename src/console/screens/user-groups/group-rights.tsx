import type { UserGroupDetail } from "../../../contract/user-groups.ts";
import { RightsList } from "../../kit/form/rights-list.tsx";

/** What a group gives. */
export function GroupRightsSection({ detail: { permissions, row } }: { readonly detail: UserGroupDetail }) {
  return <RightsList rights={{ direct: new Set(), given: new Map(permissions.map((one) => [one, [row.name]])) }} />;
}
