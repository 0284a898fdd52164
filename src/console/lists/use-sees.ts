import { useCallback } from "react";
import { isAllowed } from "../../contract/permissions.ts";
import type { ScreenName } from "../../contract/screens.ts";
import { screens } from "../../contract/screens.ts";
import { useSignedIn } from "../api/use-api.ts";
import { useKit } from "../kit/use-kit.ts";

/** Whether a screen is there and the operator may see it. */
export function useSees(): (screen: ScreenName) => boolean {
  const { registry } = useKit();
  const { permissions } = useSignedIn().context;
  return useCallback((screen) => registry.isRouted(screen) && isAllowed(permissions, screens[screen].permission), [registry, permissions]);
}
