import { EntityScreen } from "../../entity/entity-screen.tsx";
import { downtimes } from "./downtimes-entity.ts";
import { Timeline } from "./timeline.tsx";

/** When providers, what merchants have there, and games are down: drawn over time, and as a list. */
export function Component() {
  return <EntityScreen entity={downtimes} above={Timeline} />;
}
