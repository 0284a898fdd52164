import { useContext, useEffect, useEffectEvent } from "react";
import { createStore } from "zustand/vanilla";
import type { ScreenName } from "../../contract/screens.ts";
import { usePlace } from "../api/place.ts";
import type { Side } from "../kit/commands/side.ts";
import { SideContext } from "../kit/panes/side-context.ts";
import { useKit } from "../kit/use-kit.ts";

/** Where each kind of what moves money is listed. */
export const transactionScreens = { deposit: "deposits", withdrawal: "withdrawals", transfer: "transfers" } as const;

/** What the record under a side's cursor is matched to, or would best be: on which screen, and which record there. */
interface Counterpart {
  readonly screen: ScreenName;
  readonly record: string;
  readonly by: Side;
}

/** Of the side with the focus; the other side follows it. */
const pointed = createStore<{ readonly at: Counterpart | null }>()(() => ({ at: null }));

/** The side that has come beside another and is on its way to what belongs to the record there. */
let coming: Side | null = null;

/** Where two screens stand side by side, tells the other what belongs to the record under this side's cursor; null: nothing does. */
export function usePointTo(screen: ScreenName, record: string | null): void {
  const { side } = useContext(SideContext);
  const { context } = useKit();
  useEffect(() => {
    // the side that follows must not lead
    if (record === null || context.getState().side !== side || coming === side) return undefined;
    const at = { screen, record, by: side };
    pointed.setState({ at });
    return () => {
      if (pointed.getState().at === at) pointed.setState({ at: null });
    };
  }, [context, side, screen, record]);
}

/**
 * Where two screens stand side by side, brings this side's cursor to what the other side's points to; the focus stays where it is. A
 * screen that comes beside another begins there, once it is `ready`, though it takes the focus.
 */
export function useFollow(isReady: boolean, follow: (record: string, isMeant: () => boolean) => Promise<void>): void {
  const { side, doubled } = useContext(SideContext);
  const { context } = useKit();
  const { screen } = usePlace();
  const isMeant = (at: Counterpart | null): at is Counterpart => at?.screen === screen && at.by !== side;
  const begin = useEffectEvent(async () => {
    const { at } = pointed.getState();
    if (!isMeant(at)) return;
    coming = side;
    await follow(at.record, () => true).finally(() => (coming = null));
  });
  const go = useEffectEvent(({ at }: { at: Counterpart | null }) => {
    // no cursor moves under the hands of whoever works here
    const isElsewhere = () => context.getState().side !== side;
    if (isMeant(at) && isElsewhere()) void follow(at.record, isElsewhere);
  });
  useEffect(() => {
    if (!doubled || !isReady) return undefined;
    void begin();
    return pointed.subscribe((now) => go(now));
  }, [doubled, isReady]);
}
