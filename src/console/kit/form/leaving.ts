import { useEffect, useSyncExternalStore } from "react";
import type { Questions, Services } from "../commands/services.ts";
import { discardQuestion } from "../sheets/questions.ts";
import { useKit } from "../use-kit.ts";
import type { FormSession } from "./session.ts";

type Warning = Questions["confirm"]["asked"];

/** What is on screen for this once and is lost to whoever leaves: they are asked first. */
export interface Leaving {
  /** Asked about until the way back is called. */
  hold(warning: Warning): () => void;
  isHeld(): boolean;
  /** Whether the page may be left; asked once for all who want to know meanwhile. A yes lets go of what was held. */
  may(): Promise<boolean>;
}

export function createLeaving(ask: Services["ask"]): Leaving {
  const held = new Set<Warning>();
  let asking: Promise<boolean> | null = null;
  return {
    hold(warning) {
      const own = { ...warning }; // two may hold with the same words
      held.add(own);
      return () => void held.delete(own);
    },
    isHeld: () => held.size > 0,
    may() {
      const [warning] = held;
      if (warning === undefined) return Promise.resolve(true);
      asking ??= ask("confirm", warning)
        .then((answer) => {
          if (answer === true) held.clear();
          return answer === true;
        })
        .finally(() => {
          asking = null;
        });
      return asking;
    },
  };
}

/** A page closed or loaded anew asks first, as browsers do. */
export function useAskBeforeClose(active: boolean): void {
  useEffect(() => {
    if (!active) return undefined;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [active]);
}

/** While mounted, whoever leaves the page is asked; `warning` must stay the same object. */
export function useHeldPage(warning: Warning | null): void {
  const { leaving } = useKit();
  useAskBeforeClose(warning !== null);
  useEffect(() => (warning === null ? undefined : leaving.hold(warning)), [leaving, warning]);
}

/** While something typed is not saved, whoever leaves the page is asked; once it is saved they are let go without waiting for a drawing. */
export function useHeldForm(session: FormSession): void {
  const { leaving } = useKit();
  useAskBeforeClose(useSyncExternalStore(session.subscribe, () => session.isChanged));
  useEffect(() => {
    let release: (() => void) | null = null;
    const follow = (): void => {
      if (session.isChanged) release ??= leaving.hold(discardQuestion);
      else {
        release?.();
        release = null;
      }
    };
    follow();
    const unfollow = session.subscribe(follow);
    return () => {
      unfollow();
      release?.();
    };
  }, [leaving, session]);
}
