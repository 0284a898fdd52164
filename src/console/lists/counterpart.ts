import { useContext, useEffect, useEffectEvent } from "react";
import { createStore } from "zustand/vanilla";
import type { ScreenName } from "../../contract/screens.ts";
import { usePlace } from "../api/place.ts";
import { SideContext } from "../kit/panes/side-context.ts";
import { useKit } from "../kit/use-kit.ts";

/** Where each kind of what moves money is listed. */
export const transactionScreens = { deposit: "deposits", withdrawal: "withdrawals", transfer: "transfers" } as const;

/** What the record under the cursor is matched to, or would best be: on which screen, and which record there. */
interface Counterpart {
  readonly screen: ScreenName;
  readonly record: string;
}

/** Of the side with the focus; the other side follows it. */
const pointed = createStore<{ readonly at: Counterpart | null }>()(() => ({ at: null }));

/** Where two screens stand side by side, tells the other what belongs to the record under this side's cursor; null: nothing does. */
export function usePointTo(screen: ScreenName, record: string | null): void {
  const { side, doubled } = useContext(SideContext);
  const { context } = useKit();
  useEffect(() => {
    // the side that follows must not lead
    if (doubled && record !== null && context.getState().side === side) pointed.setState({ at: { screen, record } });
  }, [context, side, doubled, screen, record]);
}

/** Where two screens stand side by side, brings this side's cursor to what the other side's points to; the focus stays where it is. */
export function useFollow(follow: (record: string) => void): void {
  const { side, doubled } = useContext(SideContext);
  const { context } = useKit();
  const { screen } = usePlace();
  const go = useEffectEvent(({ at }: { at: Counterpart | null }) => {
    if (at?.screen === screen && context.getState().side !== side) follow(at.record);
  });
  useEffect(() => {
    if (!doubled) return undefined;
    go(pointed.getState());
    return pointed.subscribe((now) => go(now));
  }, [doubled]);
}
