import type { Place } from "../../../src/console/api/place.ts";
import type { GridHandle } from "../../../src/console/kit/commands/grid-handle.ts";
import { RowSource } from "../../../src/console/kit/grid/row-source.ts";
import type { PanesDeps } from "../../../src/console/lists/list-panes.ts";
import { ListPanes } from "../../../src/console/lists/list-panes.ts";
import type { Deeds } from "../kit/fakes.ts";
import { notingServices } from "../kit/fakes.ts";

export interface Line {
  readonly uuid: string;
  readonly bank: string;
  readonly made: string;
}
export const line = (uuid: string, more: Partial<Line> = {}): Line => ({ uuid, bank: "CIMB", made: "2026-11-20T18:00:00.000Z", ...more });

/** Panes over these lines in an address of their own, with a grid that has its cursor on `at.row` in the column `at.column`. */
export function thePanes(rows: readonly Line[], deps: Partial<PanesDeps<Line>> = {}) {
  const deeds: Deeds = [];
  const { services } = notingServices(deeds);
  const search: Record<string, string> = {};
  const place: Place = {
    screen: "merchants",
    params: {},
    search,
    get: (name) => search[name] ?? null,
    set(values, push = false) {
      deeds.push(["place", values, push]);
      for (const [name, value] of Object.entries(values)) {
        if (value === null) delete search[name];
        else search[name] = value;
      }
    },
    note: (values) => place.set(values),
  };
  const source = new RowSource<Line>();
  source.setPage(rows);
  const at = { row: rows[0] ?? null, column: null as string | null, marked: [] as Line[] };
  const panes = new ListPanes<Line>({
    source,
    services,
    place: () => place,
    aimOf: ({ uuid }) => ({ id: uuid, note: "" }),
    bring: (uuid) => Promise.resolve(source.indexOf(uuid) >= 0),
    ...deps,
  });
  const grid: Partial<GridHandle<Line>> = {
    cursorRow: () => at.row,
    cursorIndex: () => (at.row === null ? -1 : source.indexOf(at.row.uuid)),
    columnUnderCursor: () => (at.column === null ? null : { id: at.column, titleKey: "view.all" }),
    markedRows: () => at.marked,
    focus: () => void deeds.push(["focus"]),
    scrollToId: (uuid) => deeds.push(["scroll", uuid]) > 0,
  };
  panes.setGrid(grid as GridHandle<Line>); // all that panes and desk ask of one
  const published: Record<"list" | "detail", object[]> = { list: [], detail: [] };
  const open = () =>
    panes.open({ publish: (change) => published.list.push(change) }, { publish: (change) => published.detail.push(change) });
  return { panes, place, services, deeds, at, published, open };
}
