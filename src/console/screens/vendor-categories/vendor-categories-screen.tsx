import { EntityScreen } from "../../entity/entity-screen.tsx";
import { vendorCategories } from "./vendor-categories-entity.ts";

/** The categories of what vendors supply, each with its attributes. */
export function Component() {
  return <EntityScreen entity={vendorCategories} />;
}
