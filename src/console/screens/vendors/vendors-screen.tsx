import { EntityScreen } from "../../entity/entity-screen.tsx";
import { vendors } from "./vendors-entity.ts";

/** The vendors of a tenant. */
export function Component() {
  return <EntityScreen entity={vendors} />;
}
