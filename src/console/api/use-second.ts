import { useSyncExternalStore } from "react";
import { eachSecond, lastSecond } from "../kit/loading/seconds.ts";
import type { ServerTime } from "./server-time.ts";

/** performance.now() of the last full second; all clocks render together once a second. */
export function useSecond(): number {
  return useSyncExternalStore(eachSecond, lastSecond);
}

/** The minute it is by the server's clock, as ms since 1970; renders again only when it is another. */
export const useMinute = ({ now }: Pick<ServerTime, "now">): number =>
  useSyncExternalStore(eachSecond, () => Math.floor(now() / 60_000) * 60_000);
