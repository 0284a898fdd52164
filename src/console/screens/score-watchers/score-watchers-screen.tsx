import { EntityScreen } from "../../entity/entity-screen.tsx";
import { scoreWatchers } from "./score-watchers-entity.ts";

/** Who watches what is left in the house's accounts at game providers. */
export function Component() {
  return <EntityScreen entity={scoreWatchers} />;
}
