import type { ColumnStanding, Density } from "../commands/grid-handle.ts";
import type { GridColumn, GridRow } from "./grid-column.ts";
import type { CoreOptions } from "./grid-options.ts";
import type { GridView } from "./grid-view.ts";

export interface ColumnDeps<Row extends GridRow> {
  options(): CoreOptions<Row>;
  view(): GridView<Row> | null;
  /** The column under the cursor. */
  current(): GridColumn<Row> | null;
}

/** The columns' part of the grid's handle: order, width, sorting. Without a column id it acts on the cursor's column. */
export function columnWork<Row extends GridRow>({ options, view, current }: ColumnDeps<Row>) {
  const indexOf = (id: string): number => options().columns.findIndex(({ column }) => column.id === id);
  const work = {
    indexOf,
    sortByCursorColumn(add = false): void {
      const column = current();
      if (column?.sortable) options().acts.sort(column.id, add);
    },
    sortColumn(columnId: string, add: boolean): void {
      options().acts.sort(columnId, add);
    },
    orderByCursorColumn(order: ColumnStanding["order"]): void {
      const column = current();
      if (column?.sortable) options().acts.order(column.id, order === null ? null : order === "descending");
    },
    columnStanding(): ColumnStanding | null {
      const { columns, sort } = options();
      const column = current();
      if (column === null) return null;
      const { id, titleKey, sortable = false } = column;
      const sorted = sort.find((one) => one.id === id);
      const order = sorted === undefined ? null : sorted.desc ? "descending" : "ascending";
      return { id, titleKey, sortable, order, pinned: columns[indexOf(id)]?.pinned ?? null, alone: columns.length === 1 };
    },
    columnBox(): DOMRectReadOnly | null {
      const column = current();
      return column === null ? null : options().headerBox(indexOf(column.id));
    },
    startResize(columnId: string, event: MouseEvent): void {
      options().acts.startResize(columnId, work.drawnWidth(columnId), event);
    },
    openColumnMenu(): void {
      options().onColumnMenu?.();
    },
    setWidth(columnId: string, width: number): void {
      const least = options().columns[indexOf(columnId)]?.minWidth ?? 0;
      options().acts.setWidth(columnId, Math.max(least, Math.round(width)));
    },
    /** Drawn width in px, including what a growing column was given. */
    drawnWidth(columnId: string): number {
      return view()?.layout.columns[indexOf(columnId)]?.width ?? 0;
    },
    resizeColumn(by: number, columnId = current()?.id): void {
      if (columnId !== undefined) work.setWidth(columnId, work.drawnWidth(columnId) + by);
    },
    fitColumn(columnId = current()?.id): void {
      const shown = view();
      if (columnId === undefined || shown === null) return;
      work.setWidth(columnId, shown.widest(indexOf(columnId)));
    },
    moveColumn(by: number, columnId = current()?.id): void {
      if (columnId !== undefined) options().acts.move(columnId, by);
    },
    hideColumn(columnId = current()?.id): void {
      if (columnId !== undefined && options().columns.length > 1) options().acts.hide(columnId);
    },
    pinColumn(side: "start" | "end" | null, columnId = current()?.id): void {
      if (columnId !== undefined) options().acts.pin(columnId, side);
    },
    resetColumns(): void {
      options().acts.reset();
    },
    allColumns(): readonly { id: string; titleKey: GridColumn<Row>["titleKey"]; shown: boolean }[] {
      const listed = (columns: readonly GridColumn<Row>[], shown: boolean) => columns.map(({ id, titleKey }) => ({ id, titleKey, shown }));
      return [
        ...listed(
          options().columns.map(({ column }) => column),
          true,
        ),
        ...listed(options().acts.hidden(), false),
      ];
    },
    showColumn(columnId: string): void {
      options().acts.show(columnId);
    },
    setDensity(density: Density): void {
      options().setDensity(density);
    },
  };
  return work;
}
