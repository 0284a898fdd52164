import type { Density, GridColumn, GridRow } from "./grid-column.ts";
import type { CoreOptions } from "./grid-options.ts";
import type { GridView } from "./grid-view.ts";

/** The columns' part of a grid's handle: order, width, sorting. Without a column named it is the cursor's. */
export abstract class ColumnWork<Row extends GridRow> {
  protected abstract get options(): CoreOptions<Row>;
  protected abstract get view(): GridView<Row> | null;
  abstract columnUnderCursor(): GridColumn<Row> | null;

  sortByCursorColumn(add = false): void {
    const column = this.columnUnderCursor();
    if (column?.sortable) this.options.acts.sort(column.id, add);
  }
  sortColumn(columnId: string, add: boolean): void {
    this.options.acts.sort(columnId, add);
  }
  startResize(columnId: string, event: MouseEvent): void {
    this.options.acts.startResize(columnId, this.drawnWidth(columnId), event);
  }
  openColumnMenu(): void {
    this.options.onColumnMenu?.();
  }
  setWidth(columnId: string, width: number): void {
    const least = this.options.columns[this.columnIndex(columnId)]?.minWidth ?? 0;
    this.options.acts.setWidth(columnId, Math.max(least, Math.round(width)));
  }
  /** px as drawn, with what a growing column was given. */
  drawnWidth(columnId: string): number {
    return this.view?.layout.columns[this.columnIndex(columnId)]?.width ?? 0;
  }
  resizeColumn(by: number, columnId = this.columnUnderCursor()?.id): void {
    if (columnId !== undefined) this.setWidth(columnId, this.drawnWidth(columnId) + by);
  }
  fitColumn(columnId = this.columnUnderCursor()?.id): void {
    if (columnId === undefined || !this.view) return;
    this.setWidth(columnId, this.view.widest(this.columnIndex(columnId)));
  }
  moveColumn(by: number, columnId = this.columnUnderCursor()?.id): void {
    if (columnId !== undefined) this.options.acts.move(columnId, by);
  }
  hideColumn(columnId = this.columnUnderCursor()?.id): void {
    if (columnId !== undefined && this.options.columns.length > 1) this.options.acts.hide(columnId);
  }
  pinColumn(side: "start" | "end" | null, columnId = this.columnUnderCursor()?.id): void {
    if (columnId !== undefined) this.options.acts.pin(columnId, side);
  }
  resetColumns(): void {
    this.options.acts.reset();
  }
  hiddenColumns(): readonly GridColumn<Row>[] {
    return this.options.acts.hidden();
  }
  showColumn(columnId: string): void {
    this.options.acts.show(columnId);
  }
  setDensity(density: Density): void {
    this.options.setDensity(density);
  }

  protected columnIndex(id: string): number {
    return this.options.columns.findIndex(({ column }) => column.id === id);
  }
}
