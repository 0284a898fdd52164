import { useCallback, useContext, useSyncExternalStore } from "react";
import type { SubjectName, Subjects } from "../../contract/index.ts";
import type { PaneState } from "../kit/commands/context.ts";
import { sideOfPane } from "../kit/commands/side.ts";
import { SideContext } from "../kit/panes/side-context.ts";
import { useKit } from "../kit/use-kit.ts";

export interface MarkedBeside<S extends SubjectName> {
  readonly rows: readonly Subjects[S][];
  /** Takes the marks off. */
  clear(): void;
}

const none: readonly never[] = [];

/** The rows marked on the other side, where two screens stand side by side and the other lists such records. */
export function useMarkedBeside<S extends SubjectName>(subject: S): MarkedBeside<S> {
  const { side } = useContext(SideContext);
  const { context } = useKit();
  const beside = useCallback(
    (): PaneState | undefined =>
      [...context.getState().panes.values()].find(
        (pane) => sideOfPane(pane.id) !== side && pane.subject === subject && pane.marked.length > 0,
      ),
    [context, side, subject],
  );
  const rows = useSyncExternalStore(context.subscribe, () => beside()?.marked ?? none);
  const clear = useCallback(() => beside()?.grid?.clearMarks(), [beside]);
  return { rows: rows as readonly Subjects[S][], clear }; // of a pane of that subject
}
