import type { GridRow } from "./grid-column.ts";
import type { GridCore } from "./grid-core.ts";
import type { PointerTarget } from "./grid-pointer.ts";
import { headerRow } from "./motions.ts";

/** What the pointer needs of a grid beyond what commands do to it. */
export type PointedDoors<Row extends GridRow> = Pick<PointerTarget<Row>, "columns" | "marks" | "rowsBefore" | "cellAt" | "goTo">;

/** The pointer's acts as those of the grid. */
export function pointerTarget<Row extends GridRow>(core: GridCore<Row>, doors: PointedDoors<Row>): PointerTarget<Row> {
  return {
    ...doors,
    rowAt: (index) => core.rowAt(index),
    markTo: (row) => core.marks.extendTo(row, core.cursorRow()?.uuid),
    toggleMark: (id) => core.marks.toggle(id),
    toggleAll: () => (core.marks.part() === "all" ? core.clearMarks() : core.markAll()),
    activate: () => core.activate(),
    sort: (columnId, add) => core.sortColumn(columnId, add),
    startResize: (columnId, event) => core.startResize(columnId, event),
    fitColumn: (columnId) => core.fitColumn(columnId),
    moveColumn: (columnId, by) => core.moveColumn(by, columnId),
    columnMenu: (column) => {
      doors.goTo({ row: headerRow, column }, false);
      core.focus();
      core.openColumnMenu();
    },
  };
}
