import type { StoreApi } from "zustand/vanilla";
import { CallFailure } from "./failure.ts";
import type { Selection } from "./selection.ts";
import type { Ending } from "./session-end.ts";
import type { SessionState } from "./session.ts";
import type { SignedIn } from "./session-load.ts";

/** Mutating keys stay dead this long after a tenant switch. */
export const settle = 500;

/** Nobody is left to be told. */
function abandoned(): CallFailure {
  const failure = new CallFailure("aborted");
  failure.reported = true;
  return failure;
}

/** Turning a session to another tenant or currency, and its end. */
export function createTurn(store: StoreApi<SessionState>, selection: Selection) {
  /** Grows as sessions end: what was asked in one is nothing to the next. */
  let life = 0;
  let settling: ReturnType<typeof setTimeout> | undefined;
  let turning = 0;

  function watch(): () => boolean {
    const mine = life;
    return () => mine === life && store.getState().at !== null;
  }

  function show(at: SignedIn, rest: number): void {
    clearTimeout(settling);
    store.setState({ at, epoch: store.getState().epoch + 1, switching: rest > 0 });
    if (rest > 0) settling = setTimeout(() => store.setState({ switching: false }), rest);
  }

  return {
    /** Says later whether the session of now still stands. */
    watch,

    /** Another tenant or currency on screen; mutating keys stay dead for `rest` milliseconds. */
    show,

    /** Leads from `at` to what `read` brings; where it does not come, `at` stays. */
    async to(at: SignedIn, rest: number, read: () => Promise<SignedIn>): Promise<SignedIn> {
      const stands = watch();
      clearTimeout(settling);
      store.setState({ switching: true });
      turning++;
      try {
        const next = await read();
        if (!stands()) throw abandoned();
        show(next, rest);
        return next;
      } catch (error) {
        if (stands()) {
          selection.chooseTenant(at.tenant.id);
          if (at.currency) selection.chooseCurrency(at.currency.code);
          store.setState({ switching: false });
        }
        throw error;
      } finally {
        turning--;
      }
    },

    isUnderWay: () => turning > 0,

    /** Nobody is signed in any more. */
    end(ended: Ending | null): void {
      life++;
      clearTimeout(settling);
      store.setState({ phase: "signed-out", at: null, ended, switching: false });
    },
  };
}
