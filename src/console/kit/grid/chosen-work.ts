import { ColumnWork } from "./column-work.ts";
import { copyCells, type Copied } from "./copied-cells.ts";
import type { FoundCells } from "./found-cells.ts";
import type { GridColumn, GridRow } from "./grid-column.ts";
import type { Everything, MarkedRows } from "./marked-rows.ts";
import type { Place } from "./motions.ts";
import type { GridSelection, SelectedCells } from "./selected-cells.ts";
import { takenCells, type TakenRows } from "./taken-rows.ts";

/** What of a grid's handle is about chosen rows and cells: targets, marks, the range, copying, finding. */
export abstract class ChosenWork<Row extends GridRow> extends ColumnWork<Row> {
  abstract readonly marks: MarkedRows<Row>;
  abstract readonly cells: SelectedCells<Row>;
  abstract readonly found: FoundCells<Row>;
  protected abstract get place(): Place;
  protected abstract get columns(): readonly GridColumn<Row>[];
  abstract cursorRow(): Row | null;

  targets(): readonly Row[] {
    const rows = this.marks.ids.size > 0 ? this.markedRows() : [this.cursorRow()];
    return rows.filter((row): row is Row => row !== null && !this.options.source.isTombstone(row.uuid));
  }

  // ── marks ──

  markedRows(): readonly Row[] {
    return this.marks.ids.size === 0 ? [] : this.marks.rows();
  }
  toggleMark(id?: string): void {
    const range = id === undefined ? this.cells.range() : null;
    if (range !== null) return this.marks.toggleRows(this.options.source.rows.slice(range.top, range.bottom + 1));
    const one = id ?? this.cursorRow()?.uuid;
    if (one !== undefined) this.marks.toggle(one);
  }
  markAll(): void {
    const isPart = this.options.source.more || this.options.source.moreBefore;
    if (!this.marks.all() && this.options.allowsEverything && isPart) this.marks.markEverything();
  }
  clearMarks(): void {
    this.marks.clear();
  }
  marksEverything(): Everything | null {
    return this.marks.everything();
  }

  // ── range, copying, finding ──

  dismissPeek(): boolean {
    return this.view?.dismissPeek() ?? false;
  }

  collapseRange(): boolean {
    const was = this.cells.collapse();
    if (was) this.view?.drawCursor();
    return was;
  }
  selection(): GridSelection | null {
    return this.cells.told();
  }
  onSelection(listener: () => void): () => void {
    return this.cells.onTold(listener);
  }

  copySelection({ titles = false, row = false }: { titles?: boolean; row?: boolean } = {}): Promise<Copied> {
    const range = row ? null : this.cells.range();
    const marked = row || range !== null ? [] : this.markedRows();
    const here = this.cursorRow();
    const { column } = this.place;
    const [first, last] =
      range !== null ? [range.first, range.last + 1] : row || marked.length > 0 ? [0, this.columns.length] : [column, column + 1];
    const rows =
      range !== null ? this.options.source.rows.slice(range.top, range.bottom + 1) : marked.length > 0 ? marked : here ? [here] : [];
    const besides = row || marked.length > 0 ? this.#besides() : [];
    return copyCells(rows, [...this.columns.slice(first, last), ...besides], titles ? this.options.titleOf : null);
  }

  taken(): TakenRows {
    const { source, columns, titleOf } = this.options;
    const marked = this.marks.ids.size > 0;
    const rows = (marked ? this.markedRows() : source.rows).filter(({ uuid }) => !source.isTombstone(uuid));
    const more = (!marked || this.marksEverything() !== null) && (source.more || source.moreBefore);
    const besides = this.#besides().map((column) => ({ column, width: column.width }));
    return { ...takenCells(rows, [...columns, ...besides], titleOf), marked, more, total: source.total };
  }

  /** What goes with whole rows although it is not shown. */
  #besides(): readonly GridColumn<Row>[] {
    return this.options.acts.hidden().filter(({ aside }) => aside === true);
  }

  openFind(): void {
    this.found.open();
  }
  find(text: string): void {
    this.found.open();
    this.found.seek(text);
  }
  findNext(by: 1 | -1): void {
    if (this.found.state().text === "") this.found.open();
    else this.found.step(by);
  }
}
