import type { StoreApi } from "zustand/vanilla";
import { CallFailure } from "./failure.ts";
import type { Selection } from "./selection.ts";
import type { Ending } from "./session-end.ts";
import type { SessionState } from "./session.ts";
import type { SignedIn } from "./session-load.ts";

/** ms for which commands that change data stay disabled after a switch of tenant. */
export const settleTime = 500;

/** A failure that needs no report, because the session it belonged to has ended. */
function abandoned(): CallFailure {
  const failure = new CallFailure("aborted");
  failure.reported = true;
  return failure;
}

/** Switches a session to another tenant or currency, and ends it. */
export function createSessionSwitch(store: StoreApi<SessionState>, selection: Selection) {
  /** Grows when a session ends, so that answers for an older session are dropped. */
  let life = 0;
  let settling: ReturnType<typeof setTimeout> | undefined;
  let turning = 0;
  let ending: Promise<void> | null = null;

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
    /** Returns a check whether the current session still stands. */
    watch,

    /** Shows another tenant or currency; commands that change data stay disabled for `rest` ms. */
    show,

    /**
     * Switches from `at` to what `read` returns; stays at `at` where `read` fails. `leave` ends what was begun in the old place;
     * calls wait for the switch once `read` has begun.
     */
    async to(at: SignedIn, rest: number, read: () => Promise<SignedIn>, leave?: () => Promise<void>): Promise<SignedIn> {
      const isSameSession = watch();
      clearTimeout(settling);
      store.setState({ switching: true });
      turning++;
      const over = Promise.withResolvers<void>();
      try {
        await leave?.();
        ending = over.promise;
        const next = await read();
        if (!isSameSession()) throw abandoned();
        show(next, rest);
        return next;
      } catch (error) {
        if (isSameSession()) {
          selection.chooseTenant(at.tenant.id);
          if (at.currency) selection.chooseCurrency(at.currency.code);
          store.setState({ switching: false });
        }
        throw error;
      } finally {
        turning--;
        if (ending === over.promise) ending = null;
        over.resolve();
      }
    },

    isUnderWay: () => turning > 0,

    /** Resolves at the end of the switch that reads another place; null where none does. */
    ending: () => ending,

    /** Ends the session. */
    end(ended: Ending | null): void {
      life++;
      clearTimeout(settling);
      store.setState({ phase: "signed-out", at: null, ended, switching: false });
    },
  };
}
