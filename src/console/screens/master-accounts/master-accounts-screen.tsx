import { useMemo } from "react";
import { EntityScreen } from "../../entity/entity-screen.tsx";
import { masterAccounts } from "./master-accounts-entity.ts";
import { CheckProgress, useCreditChecks } from "./use-credit-checks.tsx";

/** The house's accounts at game providers: what is left in each, and how each is asked. */
export function Component() {
  const checks = useCreditChecks();
  const lends = useMemo(() => ({ credit: checks }), [checks]);
  return <EntityScreen entity={masterAccounts} lends={lends} acts={<CheckProgress checks={checks} />} />;
}
