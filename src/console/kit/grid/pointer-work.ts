import type { GridRow } from "./grid-column.ts";
import type { GridCore } from "./grid-core.ts";
import type { PointerTarget } from "./grid-pointer.ts";

/** What the pointer needs of a grid besides its handle. */
export interface PointedDeps<Row extends GridRow> extends Pick<PointerTarget<Row>, "columns" | "marks" | "rowsBefore" | "cellAt" | "goTo"> {
  /** The cursor's row while it is in view, else the header: there the cursor can change its column without scrolling. */
  rowHeld(): number;
}

export function pointerTarget<Row extends GridRow>(core: GridCore<Row>, deps: PointedDeps<Row>): PointerTarget<Row> {
  return {
    ...deps,
    rowAt: (index) => core.rowAt(index),
    markTo: (row) => core.marks.extendTo(row, core.cursorRow()?.uuid),
    toggleMark: (id) => core.marks.toggle(id),
    toggleAll: () => (core.marks.part() === "all" ? core.chosen.clearMarks() : core.chosen.markAll()),
    activate: () => core.activate(),
    sort: (columnId, add) => core.columnActs.sortColumn(columnId, add),
    startResize: (columnId, event) => core.columnActs.startResize(columnId, event),
    fitColumn: (columnId) => core.columnActs.fitColumn(columnId),
    moveColumn: (columnId, by) => core.columnActs.moveColumn(by, columnId),
    columnMenu: (column) => {
      deps.goTo({ row: deps.rowHeld(), column }, false);
      core.focus();
      core.columnActs.openColumnMenu();
    },
  };
}
