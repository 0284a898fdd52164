import { EntityScreen } from "../../entity/entity-screen.tsx";
import { payoutTemplates } from "./payout-templates-entity.ts";

/** How each bank wants its bulk file. */
export function Component() {
  return <EntityScreen entity={payoutTemplates} />;
}
