import type { AnyCommand, Reason } from "../src/console/kit/commands/command.ts";
import { defineCommand } from "../src/console/kit/commands/command.ts";
import type { Context } from "../src/console/kit/commands/context.ts";
import type { ColumnStanding, GridHandle } from "../src/console/kit/commands/grid-handle.ts";
import type { Menu } from "../src/console/kit/commands/menu.ts";
import type { Services } from "../src/console/kit/commands/services.ts";

const onGrid = { scope: "grid", subject: null, takes: "none", permission: "signed-in" } as const;

const standing = (context: Context): ColumnStanding | null => context.pane?.grid?.columnStanding() ?? null;

/** Refuses by the state of the cursor's column; where the pane has no columns it says so. */
const refuseByColumn =
  (why: (column: ColumnStanding) => Reason | null) =>
  (_: readonly [], context: Context): Reason | null => {
    const column = standing(context);
    return column === null ? "refuse.no-grid" : why(column);
  };

const act =
  (run: (grid: GridHandle) => void) =>
  (_: readonly [], __: Services, context: Context): void => {
    if (context.pane?.grid) run(context.pane.grid);
  };

const sortBy = (name: "ascending" | "descending"): AnyCommand =>
  defineCommand({
    ...onGrid,
    id: `column.sort-${name}`,
    refuse: refuseByColumn(({ sortable, order }) =>
      sortable ? (order === name ? "column.refuse.sorted-so" : null) : "column.refuse.unsortable",
    ),
    run: act((grid) => grid.orderByCursorColumn(name)),
  });

const pinTo = (side: "start" | "end"): AnyCommand =>
  defineCommand({
    ...onGrid,
    id: `column.pin-${side}`,
    refuse: refuseByColumn(({ pinned }) => (pinned === side ? "column.refuse.pinned-so" : null)),
    run: act((grid) => grid.pinColumn(side)),
  });

/** Groups of the column's menu; sorting and filter are left out where the column has none. */
function groupsOf({ sortable, pinned }: ColumnStanding, context: Context): Menu["groups"] {
  const of = (...commands: string[]) => commands.map((command) => ({ command }));
  const filter = context.pane?.list?.unfiltered() === null ? [{ command: "list.filter", name: "header.menu.filter" } as const] : [];
  const pins = { start: ["end"], end: ["start"] } as const;
  return [
    [...(sortable ? of("column.sort-ascending", "column.sort-descending", "column.sort-none") : []), ...filter],
    of("column.fit", "column.hide"),
    pinned === null ? of("column.pin-start", "column.pin-end") : of(...pins[pinned].map((side) => `column.pin-${side}`), "column.unpin"),
    of("column.choose", "column.reset"),
  ].filter((group) => group.length > 0);
}

/** Lists every column by name, and hides the chosen one or shows it again. */
async function choose(_: readonly [], { ask, text }: Services, context: Context): Promise<void> {
  const grid = context.pane?.grid ?? null;
  if (grid === null) return;
  const columns = grid.allColumns();
  const alone = columns.filter(({ shown }) => shown).length === 1;
  const chosen = await ask("choice", {
    title: "column.ask.choose",
    words: {},
    options: columns.map(({ id, titleKey, shown }) => ({
      id,
      label: text(titleKey),
      note: text(shown ? "column.ask.hides" : "column.ask.shows"),
      refused: shown && alone ? text("column.refuse.alone") : null,
    })),
  });
  const column = columns.find(({ id }) => id === chosen);
  if (column === undefined) return;
  if (column.shown) grid.hideColumn(column.id);
  else grid.showColumn(column.id);
}

/** The column menu and its entries; each acts on the cursor's column. */
export const columnCommands: readonly AnyCommand[] = [
  defineCommand({
    ...onGrid,
    id: "header.menu",
    keys: ["Alt+ArrowDown"],
    refuse: refuseByColumn(() => null),
    run(_, { menu, text }, context) {
      const column = standing(context);
      const at = context.pane?.grid?.columnBox() ?? null;
      if (column === null || at === null) return;
      menu({ title: "header.menu.title", words: { column: text(column.titleKey) }, at, groups: groupsOf(column, context) });
    },
  }),
  sortBy("ascending"),
  sortBy("descending"),
  defineCommand({
    ...onGrid,
    id: "column.sort-none",
    refuse: refuseByColumn(({ order }) => (order === null ? "column.refuse.unsorted" : null)),
    run: act((grid) => grid.orderByCursorColumn(null)),
  }),
  defineCommand({ ...onGrid, id: "column.fit", refuse: refuseByColumn(() => null), run: act((grid) => grid.fitColumn()) }),
  defineCommand({
    ...onGrid,
    id: "column.hide",
    refuse: refuseByColumn(({ alone }) => (alone ? "column.refuse.alone" : null)),
    run: act((grid) => grid.hideColumn()),
  }),
  pinTo("start"),
  pinTo("end"),
  defineCommand({
    ...onGrid,
    id: "column.unpin",
    refuse: refuseByColumn(({ pinned }) => (pinned === null ? "column.refuse.unpinned" : null)),
    run: act((grid) => grid.pinColumn(null)),
  }),
  defineCommand({ ...onGrid, id: "column.choose", refuse: refuseByColumn(() => null), run: choose }),
  defineCommand({ ...onGrid, id: "column.reset", refuse: refuseByColumn(() => null), run: act((grid) => grid.resetColumns()) }),
];
