import { EntityScreen } from "../../entity/entity-screen.tsx";
import { paymentGroups } from "./payment-groups-entity.ts";

/** Which merchants are served by which payment accounts, in one currency of a tenant. */
export function Component() {
  return <EntityScreen entity={paymentGroups} />;
}
