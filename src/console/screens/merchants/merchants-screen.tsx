import { EntityScreen } from "../../entity/entity-screen.tsx";
import { merchants } from "./merchants-entity.ts";

/** The merchants of a tenant in one currency. */
export function Component() {
  return <EntityScreen entity={merchants} />;
}
