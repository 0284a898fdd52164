import type { CursorPlace } from "./cursor-place.ts";
import type { GridRow } from "./grid-column.ts";
import type { GridView } from "./grid-view.ts";
import type { MarkedRows } from "./marked-rows.ts";
import { headerRow } from "./motions.ts";
import type { NearEnds } from "./near-ends.ts";
import type { JumpTarget, RowChange, RowSource } from "./row-source.ts";
import type { SelectedCells } from "./selected-cells.ts";

interface ChangedDeps<Row extends GridRow> {
  readonly cursor: CursorPlace<Row>;
  readonly marks: MarkedRows<Row>;
  readonly cells: SelectedCells<Row>;
  readonly ends: NearEnds<Row>;
  source(): RowSource<Row>;
  view(): GridView<Row> | null;
}

/** What becomes of cursor, marks, range and view when rows come or go: the row the user looks at stays in its place. */
export function changedRows<Row extends GridRow>({ cursor, marks, cells, ends, source, view }: ChangedDeps<Row>) {
  return {
    reset(keepsPlace: boolean, to?: JumpTarget): void {
      const rows = source();
      const before = cursor.place.row;
      const inView = view()?.isInView(before) ?? false;
      const sought = typeof to === "object" ? to.id : to === undefined ? cursor.rowId : null;
      const found = sought === null ? -1 : rows.indexOf(sought, before);
      const end = rows.length - 1;
      if (before !== headerRow || to !== undefined) {
        if (found >= 0) cursor.setRow(found);
        else cursor.setRow(keepsPlace ? Math.max(0, Math.min(before, end)) : to === "last" ? Math.max(0, end) : 0);
      }
      if (!keepsPlace) cells.collapse();
      if (!keepsPlace && to === undefined) ends.begin();
      marks.forget((id) => rows.get(id) === undefined, !keepsPlace && to === undefined);
      marks.joined(rows.rows);
      cells.changed();
      if (rows.showsPreviousRows) view()?.hold();
      else {
        if (keepsPlace && inView) view()?.shift(cursor.place.row - before);
        else if (!keepsPlace && found < 0 && to !== "last") view()?.scrollToTop();
        view()?.rowsChanged();
        if (!keepsPlace && (found >= 0 || to === "last")) view()?.show();
      }
      marks.publishPart();
    },

    splice({ index, removed, inserted, paged }: RowChange<Row> & { kind: "splice" }): void {
      const rows = source();
      const { row } = cursor.place;
      const moved = (from: number) => {
        if (from < index) return from;
        const kept = from < index + removed.length ? index : from - removed.length;
        return kept + inserted;
      };
      // the row the user looks at: the cursor's if in view, else the first in view
      const anchor = view()?.isInView(row) && cursor.rowId !== null ? row : (view()?.firstInView() ?? 0);
      const shift = cursor.rowId === null && inserted === rows.length ? 0 : moved(anchor) - anchor;
      if (row !== headerRow) {
        // when the cursor's page leaves, the cursor moves into view, so that a key never acts on a row out of sight
        const isLost = paged === true && row >= index && row < index + removed.length;
        const to = cursor.rowId === null ? 0 : moved(isLost ? anchor : row);
        cursor.setRow(Math.max(0, Math.min(to, rows.length - 1)));
      }
      if (removed.length > 0) {
        const left = new Set(removed.map(({ uuid }) => uuid));
        marks.forget((id) => left.has(id) && rows.get(id) === undefined);
      }
      if (inserted > 0 && marks.everything() !== null) marks.joined(rows.rows.slice(index, index + inserted));
      cells.stale();
      if (removed.length === 0 && index > 0 && index + inserted === rows.length) view()?.rowsAppended(index);
      else {
        view()?.shift(shift);
        view()?.rowsChanged();
      }
      marks.publishPart();
    },
  };
}
