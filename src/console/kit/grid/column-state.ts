import {
  columnOrderingFeature,
  columnPinningFeature,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  functionalUpdate,
  rowSortingFeature,
  tableFeatures,
  useTable,
  type Updater,
} from "@tanstack/react-table";
import { useLayoutEffect, useMemo, useRef, useState } from "react";
import type { ColumnState, GridColumn, GridRow, Sort } from "./grid-column.ts";
import type { ColumnActs } from "./grid-core.ts";
import type { ShownColumn } from "./fitted-columns.ts";

const features = tableFeatures({
  columnOrderingFeature,
  columnPinningFeature,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  rowSortingFeature,
});

/** The table gets no rows, because it would build an object for each. */
const noRows: never[] = [];
const noState: ColumnState = {};
const noSort: readonly Sort[] = [];
const narrowest = 40;

export interface ColumnsInput<Row> {
  readonly columns: readonly GridColumn<Row>[];
  readonly sort?: readonly Sort[] | undefined;
  readonly onSort?: ((sort: readonly Sort[]) => void) | undefined;
  readonly columnState?: ColumnState | undefined;
  readonly onColumnState?: ((state: ColumnState) => void) | undefined;
  readonly rtl: boolean;
}

export interface Columns<Row> {
  /** In reading order: pinned at the start, free, pinned at the end. The same array until something changes. */
  readonly shown: readonly ShownColumn<Row>[];
  readonly acts: ColumnActs<Row>;
  readonly sort: readonly Sort[];
}

/** Order, widths, visibility, pinning and sort of the columns, with TanStack Table. */
export function useColumns<Row extends GridRow>(input: ColumnsInput<Row>): Columns<Row> {
  const { columns, sort = noSort, rtl } = input;
  const [own, setOwn] = useState<ColumnState>(noState);
  const state = input.columnState ?? own;
  // one drag writes several slices before the next render, and each must build on the one before
  const latest = useRef(state);
  useLayoutEffect(() => {
    latest.current = state;
  }, [state]);
  const change = (part: Partial<ColumnState>) => {
    latest.current = { ...latest.current, ...part };
    setOwn(latest.current);
    input.onColumnState?.(latest.current);
  };

  const definitions = useMemo(
    () =>
      columns.map((column) => ({
        id: column.id,
        accessorFn: () => null,
        size: column.width,
        minSize: column.minWidth ?? narrowest,
        enableSorting: column.sortable === true,
        sortDescFirst: false,
      })),
    [columns],
  );
  const slices = useMemo(
    () => ({
      sorting: sort.map(({ id, desc }) => ({ id, desc })),
      columnOrder: [...(state.order ?? [])],
      columnSizing: { ...state.widths },
      columnVisibility: visibilityOf(columns, state),
      columnPinning: pinningOf(columns, state),
    }),
    [columns, sort, state],
  );
  const table = useTable({
    features,
    data: noRows,
    columns: definitions,
    state: slices,
    columnResizeMode: "onChange",
    columnResizeDirection: rtl ? "rtl" : "ltr",
    onSortingChange: (updater) => input.onSort?.(functionalUpdate(updater, slices.sorting)),
    onColumnOrderChange: (updater) => change({ order: functionalUpdate(updater, [...(latest.current.order ?? [])]) }),
    onColumnSizingChange: (updater: Updater<Record<string, number>>) =>
      change({ widths: { ...functionalUpdate(updater, { ...latest.current.widths }) } }),
    onColumnVisibilityChange: (updater: Updater<Record<string, boolean>>) => {
      const { hidden = [], chosen = [] } = latest.current;
      const visible = functionalUpdate(updater, visibilityOf(columns, latest.current));
      // columns left aside for want of room keep their state until they are shown or hidden here
      const idsOf = (these: readonly GridColumn<Row>[]) => these.map(({ id }) => id);
      change({
        hidden: idsOf(columns.filter(({ id, aside }) => visible[id] === false && (aside !== true || hidden.includes(id)))),
        chosen: idsOf(columns.filter(({ id, aside }) => visible[id] !== false && (aside === true || chosen.includes(id)))),
      });
    },
    onColumnPinningChange: (updater) => change({ pinned: functionalUpdate(updater, pinningOf(columns, latest.current)) }),
  });

  const { start, center, end } = {
    start: table.getStartVisibleLeafColumns(),
    center: table.getCenterVisibleLeafColumns(),
    end: table.getEndVisibleLeafColumns(),
  };
  const shape = JSON.stringify([start, center, end].map((block) => block.map((column) => [column.id, column.getSize()])));
  const shown = useMemo(() => {
    const byId = new Map(columns.map((column) => [column.id, column]));
    const blocks: [string, number][][] = JSON.parse(shape); // the shape is written two lines above
    const sides = ["start", null, "end"] as const;
    return blocks.flatMap((block, side) =>
      block.flatMap(([id, width]): ShownColumn<Row>[] => {
        const column = byId.get(id);
        if (!column) return [];
        const byHand = state.widths?.[id] !== undefined;
        const grow = byHand ? 0 : (column.grow ?? 0);
        return [{ column, width, byHand, minWidth: column.minWidth ?? narrowest, grow, pinned: sides[side] ?? null }];
      }),
    );
  }, [columns, shape, state.widths]);

  const current = useRef({ table, shown });
  useLayoutEffect(() => {
    current.current = { table, shown };
  });
  const acts = useMemo(
    (): ColumnActs<Row> => ({
      sort: (id, add) => current.current.table.getColumn(id)?.toggleSorting(undefined, add),
      order(id, desc) {
        const column = current.current.table.getColumn(id);
        if (desc === null) column?.clearSorting();
        else column?.toggleSorting(desc, column.getIsSorted() !== false);
      },
      setWidth: (id, width) => current.current.table.setColumnSizing((widths) => ({ ...widths, [id]: width })),
      hide: (id) => current.current.table.getColumn(id)?.toggleVisibility(false),
      show: (id) => current.current.table.getColumn(id)?.toggleVisibility(true),
      hidden: () => {
        const visible = visibilityOf(columns, latest.current);
        return columns.filter(({ id }) => visible[id] === false);
      },
      pin: (id, side) => current.current.table.getColumn(id)?.pin(side ?? false),
      move: (id, by) => {
        const { table: now, shown: all } = current.current;
        const side = all.find(({ column }) => column.id === id)?.pinned ?? null;
        const block = all.filter(({ pinned }) => pinned === side).map(({ column }) => column.id);
        const target = block[block.indexOf(id) + by];
        if (target === undefined) return;
        const moved = (ids: readonly string[]): string[] => {
          const without = ids.filter((other) => other !== id);
          without.splice(without.indexOf(target) + (by > 0 ? 1 : 0), 0, id);
          return without;
        };
        if (side === null) now.setColumnOrder(moved(now.getAllLeafColumns().map((column) => column.id)));
        // pinned ones stand as they are listed
        else if (side === "start") now.setColumnPinning(({ start, ...rest }) => ({ ...rest, start: moved(start) }));
        else now.setColumnPinning(({ end, ...rest }) => ({ ...rest, end: moved(end) }));
      },
      startResize: (id, drawnWidth, event) => {
        const { table: now } = current.current;
        now.setColumnSizing((widths) => ({ ...widths, [id]: drawnWidth }));
        const header = now.getFlatHeaders().find(({ column }) => column.id === id);
        header?.getResizeHandler()(event);
      },
      reset: () => {
        const { table: now } = current.current;
        now.setColumnOrder([]);
        now.setColumnSizing({});
        now.setColumnVisibility(visibilityOf(columns, noState));
        now.setColumnPinning(pinningOf(columns, noState));
      },
    }),
    [columns],
  );
  return { shown, acts, sort };
}

/** Visibility as the table expects it. */
function visibilityOf<Row>(columns: readonly GridColumn<Row>[], { hidden = [], chosen = [] }: ColumnState): Record<string, boolean> {
  const away = columns.filter(({ id, aside }) => (aside === true ? !chosen.includes(id) : hidden.includes(id)));
  return Object.fromEntries(away.map(({ id }) => [id, false]));
}

/** The columns that are shown where there is room for them, in the order they were put in. */
export function columnsInOrder<Row>(columns: readonly GridColumn<Row>[], state: ColumnState): readonly GridColumn<Row>[] {
  const visible = visibilityOf(columns, state);
  const order = [...new Set([...(state.order ?? []), ...columns.map(({ id }) => id)])];
  return columns.filter(({ id }) => visible[id] !== false).toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
}

function pinningOf<Row>(columns: readonly GridColumn<Row>[], state: ColumnState): { start: string[]; end: string[] } {
  if (state.pinned) return { start: [...state.pinned.start], end: [...state.pinned.end] };
  const side = (which: "start" | "end") => columns.filter(({ pinned }) => pinned === which).map(({ id }) => id);
  return { start: side("start"), end: side("end") };
}
