import { EntityScreen } from "../../entity/entity-screen.tsx";
import { gameMerchants } from "./game-merchants-entity.ts";

/** Merchants as the providers' side sees them: who plays with whom, in production or in test. */
export function Component() {
  return <EntityScreen entity={gameMerchants} />;
}
