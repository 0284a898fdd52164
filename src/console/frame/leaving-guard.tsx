import { useEffect } from "react";
import { useBlocker } from "react-router-dom";
import { useApi } from "../api/use-api.ts";
import { useKit } from "../kit/use-kit.ts";

/** Asks before the user leaves a page with something that is shown only once. */
export function LeavingGuard() {
  const { leaving } = useKit();
  const { session } = useApi();
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      currentLocation.pathname !== nextLocation.pathname && leaving.isHeld() && session.store.getState().at !== null,
  );
  useEffect(() => {
    if (blocker.state !== "blocked") return undefined;
    let isNow = true;
    void leaving.may().then((may) => {
      if (isNow) (may ? blocker.proceed : blocker.reset)();
    });
    return () => void (isNow = false);
  }, [blocker, leaving]);
  return null;
}
