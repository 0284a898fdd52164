import { EntityScreen } from "../../entity/entity-screen.tsx";
import { useTransfers } from "../../transfers/use-transfers.tsx";
import { merchants } from "./merchants-entity.ts";

/** The merchants of a tenant in one currency. */
export function Component() {
  const { lends, sheet } = useTransfers();
  return (
    <>
      <EntityScreen entity={merchants} lends={lends} />
      {sheet}
    </>
  );
}
