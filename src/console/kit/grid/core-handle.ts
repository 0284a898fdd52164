import type { GridHandle } from "../commands/grid-handle.ts";
import type { GridRow } from "./grid-column.ts";
import type { GridCore } from "./grid-core.ts";

/** The handle for commands: columns, selected rows and cells, and the cursor. */
export function handleOf<Row extends GridRow>(core: GridCore<Row>): GridHandle<Row> {
  return {
    ...core.columnActs,
    ...core.chosen,
    focus: () => core.focus(),
    move: (motion, options) => core.move(motion, options),
    cursorRow: () => core.cursorRow(),
    cursorIndex: () => core.cursorIndex(),
    cursorText: () => core.cursorText(),
    columnUnderCursor: () => core.columnUnderCursor(),
    rowAt: (index) => core.rowAt(index),
    rowCount: () => core.rowCount(),
    scrollToId: (id, columnId) => core.scrollToId(id, columnId),
    timeOrder: () => core.timeOrder(),
    jumpToTime: (at) => core.jumpToTime(at),
    firstRows: () => core.firstRows(),
    inHeader: () => core.inHeader(),
    activate: () => core.activate(),
  };
}
