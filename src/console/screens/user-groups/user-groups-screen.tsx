import { useMemo, useState } from "react";
import { isAllowed } from "../../../contract/permissions.ts";
import type { Permission } from "../../../contract/permissions.ts";
import { useSignedIn } from "../../api/use-api.ts";
import { EntityScreen } from "../../entity/entity-screen.tsx";
import { RightsContext } from "../../kit/form/rights-context.ts";
import type { RightsSource } from "../../kit/form/rights-context.ts";
import { CompareSheet } from "./compare-sheet.tsx";
import { userGroups } from "./user-groups-entity.ts";

const nothing: ReadonlyMap<string, readonly string[]> = new Map();

/** The user groups of a tenant and what they give. */
export function Component() {
  const { permissions } = useSignedIn().context;
  const [pair, setPair] = useState<readonly [string, string] | null>(null);
  const rights = useMemo(
    (): RightsSource => ({ of: "group", mayGive: (permission) => isAllowed(permissions, permission as Permission), given: () => nothing }), // boxes are of the table
    [permissions],
  );
  const lends = useMemo(
    () => ({ comparing: { compare: (one: { uuid: string }, other: { uuid: string }) => setPair([one.uuid, other.uuid]) } }),
    [],
  );
  return (
    <RightsContext value={rights}>
      <EntityScreen entity={userGroups} lends={lends} />
      {pair !== null && <CompareSheet one={pair[0]} other={pair[1]} onClose={() => setPair(null)} />}
    </RightsContext>
  );
}
