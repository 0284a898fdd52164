import { useMemo } from "react";
import type { ScreenName } from "../../contract/screens.ts";
import { screens } from "../../contract/screens.ts";
import { usePlace } from "../api/place.ts";
import { useKit } from "../kit/use-kit.ts";

const parameter = "sent";

/** Search parameters of a screen to which `by` sends the operator to make one record. */
export const sentBy = (by: ScreenName): Readonly<Record<string, string>> => ({ [parameter]: by });

const isScreen = (name: string | null): name is ScreenName => name !== null && Object.hasOwn(screens, name);

/**
 * Goes back to the screen that sent the operator here for one new record; null where they came by themselves. It stands in the address, so
 * that a page loaded anew goes on with it.
 */
export function useSentHere(): (() => void) | null {
  const { services } = useKit();
  const by = usePlace().get(parameter);
  return useMemo(() => (isScreen(by) ? () => services.go(by) : null), [by, services]);
}
