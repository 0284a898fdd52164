import { useEffect } from "react";
import { usePlace } from "../../api/place.ts";
import { EntityScreen } from "../../entity/entity-screen.tsx";
import { merchantProvider } from "./merchant-providers-entity.ts";

/** The set-up that the address names, among the others of its merchant. */
export function Component() {
  const place = usePlace();
  const named = place.params["merchantProviderUuid"] ?? "";
  const isNamed = place.get("record") !== null;
  useEffect(() => {
    if (!isNamed && named !== "") place.set({ record: named });
  }, [place, named, isNamed]);
  return <EntityScreen entity={merchantProvider} />;
}
