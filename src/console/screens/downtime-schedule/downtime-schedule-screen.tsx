import { EntityScreen } from "../../entity/entity-screen.tsx";
import { downtimes } from "./downtimes-entity.ts";

/** When providers, what merchants have there, and games are down. */
export function Component() {
  return <EntityScreen entity={downtimes} />;
}
