import type { RefObject } from "react";
import { useEffect, useLayoutEffect, useMemo, useRef } from "react";
import type { PaneState } from "../commands/context.ts";
import { paneName } from "../commands/side.ts";
import { useSide } from "./side-context.ts";
import { useKit } from "../use-kit.ts";

export interface PanePublisher {
  /** Publishes a change without rendering the screen: the cursor moved, a row was marked. */
  publish(change: Partial<Omit<PaneState, "id">>): void;
}

/** What a pane says that shows no records. */
export const withoutRows = {
  subject: null,
  cursor: null,
  marked: [],
  grid: null,
  queue: null,
  detail: null,
} as const satisfies Partial<PaneState>;

/**
 * Publishes what a pane shows, for the commands that act on it; the pane is current while the focus is within `ref`'s element. A
 * field of `state` is published again when its value changes; between renders `publish` may change any field.
 */
export function usePane(ref: RefObject<HTMLElement | null>, shown: PaneState): PanePublisher {
  const { context } = useKit();
  const { side } = useSide();
  // the same screen may be on both sides
  const state = side === "main" ? shown : { ...shown, id: paneName(side, shown.id) };
  const given = useRef(state);
  const held = useRef(state);

  useLayoutEffect(() => {
    const changed = Object.fromEntries(
      Object.entries(state).filter(([field, value]) => given.current[field as keyof PaneState] !== value), // Object.entries loses the field names
    );
    given.current = state;
    if (Object.keys(changed).length === 0) return;
    held.current = { ...held.current, ...changed };
    context.publishPane(held.current);
  });

  const { id } = state;
  useEffect(() => {
    const element = ref.current;
    context.publishPane(held.current);
    const leave = element === null ? undefined : context.placePane(id, element);
    return () => {
      leave?.();
      context.withdrawPane(id);
    };
  }, [context, id, ref]);

  return useMemo(
    () => ({
      publish(change) {
        held.current = { ...held.current, ...change };
        context.publishPane(held.current);
      },
    }),
    [context],
  );
}
