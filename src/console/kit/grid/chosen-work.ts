import type { Copied, Everything, GridSelection, TakenRows } from "../commands/grid-handle.ts";
import { copyCells } from "./copied-cells.ts";
import type { FoundCells } from "./found-cells.ts";
import type { GridColumn, GridRow } from "./grid-column.ts";
import type { CoreOptions } from "./grid-options.ts";
import type { GridView } from "./grid-view.ts";
import type { MarkedRows } from "./marked-rows.ts";
import type { Place } from "./motions.ts";
import type { SelectedCells } from "./selected-cells.ts";
import { takenColumns } from "./taken-rows.ts";

export interface ChosenDeps<Row extends GridRow> {
  readonly marks: MarkedRows<Row>;
  readonly cells: SelectedCells<Row>;
  readonly found: FoundCells<Row>;
  options(): CoreOptions<Row>;
  view(): GridView<Row> | null;
  place(): Place;
  columns(): readonly GridColumn<Row>[];
  cursorRow(): Row | null;
}

export type ChosenWork<Row extends GridRow> = ReturnType<typeof chosenWork<Row>>;

/** The part of the grid's handle for targets, marks, the range, copying and finding. */
export function chosenWork<Row extends GridRow>({ marks, cells, found, options, view, place, columns, cursorRow }: ChosenDeps<Row>) {
  /** Hidden columns that belong to a whole row. */
  const besides = (): readonly GridColumn<Row>[] =>
    options()
      .acts.hidden()
      .filter(({ aside }) => aside === true);
  const work = {
    targets(): readonly Row[] {
      const rows = marks.ids.size > 0 ? work.markedRows() : [cursorRow()];
      return rows.filter((row): row is Row => row !== null && !options().source.isTombstone(row.uuid));
    },

    // ── marks ──

    markedRows(): readonly Row[] {
      return marks.ids.size === 0 ? [] : marks.rows();
    },
    toggleMark(id?: string): void {
      const range = id === undefined ? cells.range() : null;
      if (range !== null) return marks.toggleRows(options().source.rows.slice(range.top, range.bottom + 1));
      const one = id ?? cursorRow()?.uuid;
      if (one !== undefined) marks.toggle(one);
    },
    markAll(): void {
      const isPart = options().source.more || options().source.moreBefore;
      if (!marks.all() && options().allowsEverything && isPart) marks.markEverything();
    },
    clearMarks(): void {
      marks.clear();
    },
    marksEverything(): Everything | null {
      return marks.everything();
    },

    // ── range, copying, finding ──

    dismissPeek(): boolean {
      return view()?.dismissPeek() ?? false;
    },

    collapseRange(): boolean {
      const was = cells.collapse();
      if (was) view()?.drawCursor();
      return was;
    },
    selection(): GridSelection | null {
      return cells.selection();
    },
    onSelection(listener: () => void): () => void {
      return cells.onSelection(listener);
    },

    copySelection({ titles = false, row = false }: { titles?: boolean; row?: boolean } = {}): Promise<Copied> {
      const range = row ? null : cells.range();
      const marked = row || range !== null ? [] : work.markedRows();
      const here = cursorRow();
      const { column } = place();
      const [first, last] =
        range !== null ? [range.first, range.last + 1] : row || marked.length > 0 ? [0, columns().length] : [column, column + 1];
      const rows =
        range !== null ? options().source.rows.slice(range.top, range.bottom + 1) : marked.length > 0 ? marked : here ? [here] : [];
      const aside = row || marked.length > 0 ? besides() : [];
      return copyCells(rows, [...columns().slice(first, last), ...aside], titles ? options().titleOf : null);
    },

    taken(): TakenRows<Row> {
      const { source, columns, titleOf } = options();
      const marked = marks.ids.size > 0;
      const rows = (marked ? work.markedRows() : source.rows).filter(({ uuid }) => !source.isTombstone(uuid));
      const more = (!marked || work.marksEverything() !== null) && (source.more || source.moreBefore);
      const aside = besides().map((column) => ({ column, width: column.width }));
      return { columns: takenColumns([...columns, ...aside], titleOf), rows, marked, more, total: source.total };
    },

    openFind(): void {
      found.open();
    },
    find(text: string): void {
      found.open();
      found.seek(text);
    },
    findNext(by: 1 | -1): void {
      if (found.state().text === "") found.open();
      else found.step(by);
    },
  };
  return work;
}
