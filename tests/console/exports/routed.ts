import { screenModules } from "../../../src/console/screens/index.ts";
import type { ScreenName } from "../../../src/contract/screens.ts";

/** Screens that are drawn. */
export const routed = Object.keys(screenModules) as ScreenName[]; // Object.keys widens
