import type { GridHandle } from "./grid-handle.ts";

/**
 * Takes the marks off rows that are done; the others stay marked. Rows that have left the list meanwhile have none. Where all matching
 * rows are marked, those that are loaded are from then on, one by one, because what matches and was not done here is not meant.
 */
export function unmark(
  grid: Pick<GridHandle, "markedRows" | "marksEverything" | "clearMarks" | "toggleMark">,
  done: ReadonlySet<string>,
): void {
  const marked = (grid.markedRows() as readonly { readonly uuid: string }[]).map(({ uuid }) => uuid); // each grid's are
  if (grid.marksEverything() === null) {
    for (const uuid of marked) if (done.has(uuid)) grid.toggleMark(uuid);
    return;
  }
  grid.clearMarks();
  for (const uuid of marked) if (!done.has(uuid)) grid.toggleMark(uuid);
}
