import type { ComponentType } from "react";
import type { ScreenName } from "../../contract/screens.ts";

export type ScreenModule = { readonly Component: ComponentType };

/** Screen → its chunk. A screen not named here is routed nowhere and offered nowhere. */
export const screenModules: Partial<Record<ScreenName, () => Promise<ScreenModule>>> = {
  // withdrawals: () => import("./withdrawals/withdrawals-screen.tsx"),
};
