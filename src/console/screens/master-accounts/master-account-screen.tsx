import { useMemo } from "react";
import { usePlace } from "../../api/place.ts";
import { RecordScreen } from "../../entity/record-screen.tsx";
import { masterAccount } from "./master-accounts-entity.ts";
import { CheckProgress, useCreditChecks } from "./use-credit-checks.tsx";

/** One of the house's accounts at game providers, on a page of its own. */
export function Component() {
  const { params } = usePlace();
  const checks = useCreditChecks();
  const lends = useMemo(() => ({ credit: checks }), [checks]);
  const uuid = params["masterAccountUuid"] ?? "";
  return (
    <RecordScreen
      key={uuid}
      entity={masterAccount}
      list="master-accounts"
      uuid={uuid}
      lends={lends}
      acts={<CheckProgress checks={checks} />}
    />
  );
}
