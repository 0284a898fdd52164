import { useMemo, useState } from "react";
import { isAllowed } from "../../../contract/permissions.ts";
import type { Permission } from "../../../contract/permissions.ts";
import { userRoutes as routes } from "../../../contract/users.ts";
import type { GroupRights } from "../../../contract/users.ts";
import { useChanged, useRead, useSignedIn } from "../../api/use-api.ts";
import { EntityScreen } from "../../entity/entity-screen.tsx";
import { useSentHere } from "../../lists/sent-here.ts";
import { RightsContext } from "../../kit/form/rights-context.ts";
import type { RightsSource } from "../../kit/form/rights-context.ts";
import { AddUserSheet } from "./add-user-sheet.tsx";
import { givenIn } from "./group-rights.ts";
import { users } from "./users-entity.ts";
import "./users.css";

const none: readonly GroupRights[] = [];

/** The people of a tenant. */
export function Component() {
  const { permissions } = useSignedIn().context;
  const [adding, setAdding] = useState(false);
  const groups = useRead(routes.listGroupRights, {});
  useChanged("user-group", () => void groups.refetch());
  const all = groups.data?.data ?? none;
  const rights = useMemo(
    (): RightsSource => ({
      of: "person",
      mayGive: (permission) => isAllowed(permissions, permission as Permission), // boxes are of the table
      given: (values) => givenIn(all, values),
    }),
    [permissions, all],
  );
  const back = useSentHere();
  const [open] = useState(() => () => setAdding(true));
  return (
    <RightsContext value={rights}>
      <EntityScreen entity={users} onCreate={open} />
      {adding && <AddUserSheet onClose={() => setAdding(false)} onEnd={() => back?.()} />}
    </RightsContext>
  );
}
