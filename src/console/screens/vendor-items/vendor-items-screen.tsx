import { EntityScreen } from "../../entity/entity-screen.tsx";
import { vendorItems } from "./vendor-items-entity.ts";

/** What vendors supply. */
export function Component() {
  return <EntityScreen entity={vendorItems} />;
}
