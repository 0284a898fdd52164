import { EntityScreen } from "../../entity/entity-screen.tsx";
import { rateLimitGroups } from "./rate-limit-groups-entity.ts";

/** How much payment accounts and customers may move within a window of minutes, and what of it is used. */
export function Component() {
  return <EntityScreen entity={rateLimitGroups} />;
}
