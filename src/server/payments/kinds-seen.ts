import { counterPermissions } from "../../contract/notifications.ts";
import type { StaffCall } from "../call.ts";
import type { TransactionKind } from "../db/tables/kinds.ts";

/** The kinds of transactions the caller may see. */
export const kindsSeen = ({ caller }: Pick<StaffCall, "caller">): TransactionKind[] => [
  ...(caller.permissions.has(counterPermissions.deposit) ? ["deposit" as const] : []),
  ...(caller.permissions.has(counterPermissions.withdraw) ? ["withdrawal" as const] : []),
];
