import { EntityScreen } from "../../entity/entity-screen.tsx";
import { merchantProviders } from "./merchant-providers-entity.ts";

/** What one merchant is set up with at game providers. */
export function Component() {
  return <EntityScreen entity={merchantProviders} />;
}
