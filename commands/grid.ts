import type { Copied, GridHandle, Motion } from "../src/console/kit/commands/grid-handle.ts";
import type { AnyCommand, Chord, Reason } from "../src/console/kit/commands/command.ts";
import { defineCommand } from "../src/console/kit/commands/command.ts";
import type { Context } from "../src/console/kit/commands/context.ts";
import type { Services } from "../src/console/kit/commands/services.ts";
import { plainMoment, readMoment } from "../src/values/moments.ts";

const onGrid = { scope: "grid", subject: null, takes: "none", permission: "signed-in" } as const;
const inHeader = { ...onGrid, scope: "header", quiet: true } as const;

/** px by which a key changes a column's width. */
const widthStep = 16;

type Move = Motion | ((context: Context) => Motion);

// Left and Right are screen directions, but motions run in reading order.
const toTheRight = (context: Context): Motion => (context.rightToLeft === true ? "previous-cell" : "next-cell");
const toTheLeft = (context: Context): Motion => (context.rightToLeft === true ? "next-cell" : "previous-cell");
const rightwards = (context: Context): 1 | -1 => (context.rightToLeft === true ? -1 : 1);

interface Moving {
  /** Extends the marks from their anchor. */
  readonly extend?: true;
  /** Extends the range of cells. */
  readonly range?: true;
}

function move(name: string, to: Move, keys: readonly [Chord, ...Chord[]] | null, how: Moving = {}): AnyCommand {
  return defineCommand({
    ...onGrid,
    id: `grid.${name}`,
    ...(keys !== null && { keys, repeats: true, quiet: true }),
    run: (_, __, context) => context.pane?.grid?.move(typeof to === "string" ? to : to(context), how),
  });
}

const marking = { extend: true } as const;
const ranging = { range: true } as const;

// Home and End run in reading order; Left and Right are screen directions.
const toTheRightEnd = (context: Context): Motion => (context.rightToLeft === true ? "first-cell" : "last-cell");
const toTheLeftEnd = (context: Context): Motion => (context.rightToLeft === true ? "last-cell" : "first-cell");

const act =
  (run: (grid: GridHandle, context: Context) => void) =>
  (_: readonly [], __: unknown, context: Context): void => {
    if (context.pane?.grid) run(context.pane.grid, context);
  };

const needsRow = (_: readonly [], context: Context): Reason | null => (context.pane?.grid?.cursorRow() ? null : "refuse.no-row");

const needsGrid = (_: readonly [], context: Context): Reason | null => (context.pane?.grid ? null : "refuse.no-grid");

/** A field of the row under the cursor; null where such rows do not have it. */
function field(context: Context, name: string): string | null {
  const row: unknown = context.pane?.cursor ?? null;
  if (typeof row !== "object" || row === null || !(name in row)) return null;
  const value = (row as Readonly<Record<string, unknown>>)[name]; // the check above has found the field
  return typeof value === "string" && value !== "" ? value : null;
}

const copyField = (id: `copy.${string}`, key: Chord, name: string): AnyCommand =>
  defineCommand({
    ...onGrid,
    id,
    scope: "pane",
    keys: [key],
    refuse: (_, context) => (field(context, name) === null ? "refuse.nothing-to-copy" : null),
    run: async (_, { copy }, context) => void (await copy(field(context, name) ?? "")),
  });

/** Reports what was copied, or why nothing was. */
function sayCopied({ say }: Services, copied: Copied): void {
  if (copied === "nothing") say("refuse.nothing-to-copy", {}, "warn");
  else if (copied === "too-much") say("grid.copy.too-much", {}, "warn");
  else if (copied === "refused") say("failed.copy", {}, "fail");
  else if (copied.rows === 1 && copied.columns === 1)
    say("copied", { text: copied.text.length > 60 ? `${copied.text.slice(0, 60)}…` : copied.text });
  else say("grid.copy.done", { count: copied.rows, columns: copied.columns });
}

const copying = (what: { titles?: boolean; row?: boolean }) => async (_: readonly [], services: Services, context: Context) => {
  const grid = context.pane?.grid ?? null;
  if (grid !== null) sayCopied(services, await grid.copySelection(what));
};

/** Checks only that the text can be read, because only the list knows its time zone. */
const unreadable = (typed: string, plain: string): Reason | null =>
  typed === "" || readMoment(plain, 0, 0) !== null ? null : { key: "grid.jump.unreadable", words: { text: typed } };

async function jumpToDate(_: readonly [], services: Services, context: Context): Promise<void> {
  const grid = context.pane?.grid ?? null;
  const order = grid?.timeOrder() ?? null;
  if (grid === null || order === null) return;
  if (order !== "ready") {
    const sort = { id: "sort", label: services.text("grid.jump.sort"), note: services.text("grid.jump.sort-note"), refused: null };
    if ((await services.ask("choice", { title: "grid.jump.other-order", words: {}, options: [sort] })) !== "sort") return;
  }
  const plain = (typed: string): string => plainMoment(typed, (word) => services.text(`moment.${word}`));
  const at = await services.ask("text", {
    title: "grid.jump.title",
    words: {},
    initial: "",
    maximum: 40,
    hint: "grid.jump.hint",
    refuse: (typed) => unreadable(typed, plain(typed)),
  });
  if (at !== null && at !== "") grid.jumpToTime(plain(at));
}

const density = (name: "compact" | "normal" | "roomy"): AnyCommand =>
  defineCommand({ ...onGrid, scope: "pane", id: `grid.density-${name}`, refuse: needsGrid, run: act((grid) => grid.setDensity(name)) });

export const gridCommands: readonly AnyCommand[] = [
  move("down", "next-row", ["ArrowDown", "j"]),
  move("up", "previous-row", ["ArrowUp", "k"]),
  move("right", toTheRight, ["ArrowRight"]),
  move("left", toTheLeft, ["ArrowLeft"]),
  move("page-down", "next-page", ["PageDown"]),
  move("page-up", "previous-page", ["PageUp"]),
  move("row-start", "first-cell", ["Home"]),
  move("row-end", "last-cell", ["End"]),
  move("first", "first-row", ["$mod+Home", "$mod+ArrowUp", "g g"]),
  move("last", "last-row", ["$mod+End", "$mod+ArrowDown", "Shift+g"]),
  defineCommand({
    ...onGrid,
    id: "grid.jump-to-date",
    keys: ["Shift+d"],
    refuse: (_, context) =>
      context.pane?.grid ? (context.pane.grid.timeOrder() === null ? "refuse.no-time-order" : null) : "refuse.no-grid",
    run: jumpToDate,
  }),
  move("extend-down", "next-row", ["Shift+j"], marking),
  move("extend-up", "previous-row", ["Shift+k"], marking),
  move("extend-page-down", "next-page", null, marking),
  move("extend-page-up", "previous-page", null, marking),
  move("extend-first", "first-row", null, marking),
  move("extend-last", "last-row", null, marking),
  move("range-down", "next-row", ["Shift+ArrowDown"], ranging),
  move("range-up", "previous-row", ["Shift+ArrowUp"], ranging),
  move("range-right", toTheRight, ["Shift+ArrowRight"], ranging),
  move("range-left", toTheLeft, ["Shift+ArrowLeft"], ranging),
  move("range-page-down", "next-page", ["Shift+PageDown"], ranging),
  move("range-page-up", "previous-page", ["Shift+PageUp"], ranging),
  move("range-row-start", "first-cell", ["Shift+Home"], ranging),
  move("range-row-end", "last-cell", ["Shift+End"], ranging),
  move("range-first", "first-row", ["$mod+Shift+Home", "$mod+Shift+ArrowUp"], ranging),
  move("range-last", "last-row", ["$mod+Shift+End", "$mod+Shift+ArrowDown"], ranging),
  move("range-right-end", toTheRightEnd, ["$mod+Shift+ArrowRight"], ranging),
  move("range-left-end", toTheLeftEnd, ["$mod+Shift+ArrowLeft"], ranging),
  defineCommand({
    ...onGrid,
    id: "grid.mark",
    keys: ["Space", "x", "Shift+Space"],
    hint: true,
    refuse: needsRow,
    run: act((grid) => grid.toggleMark()),
  }),
  defineCommand({ ...onGrid, id: "grid.mark-all", keys: ["$mod+a"], run: act((grid) => grid.markAll()) }),
  defineCommand({
    ...onGrid,
    id: "grid.clear-marks",
    refuse: (_, context) => (context.pane?.marked.length ? null : "refuse.no-marks"),
    run: act((grid) => grid.clearMarks()),
  }),
  defineCommand({ ...onGrid, id: "grid.open", keys: ["Enter", "o"], refuse: needsRow, run: act((grid) => grid.activate()) }),
  defineCommand({ ...onGrid, id: "grid.sort", keys: ["s"], run: act((grid) => grid.sortByCursorColumn()) }),
  defineCommand({ ...onGrid, id: "grid.sort-add", keys: ["Shift+s"], run: act((grid) => grid.sortByCursorColumn(true)) }),
  // a screen whose own search is on "/" keeps that key, because its scope is deeper
  defineCommand({ ...onGrid, scope: "console", id: "grid.find", keys: ["/"], refuse: needsGrid, run: act((grid) => grid.openFind()) }),
  defineCommand({ ...onGrid, id: "grid.find-here", keys: ["$mod+f"], quiet: true, run: act((grid) => grid.openFind()) }),
  defineCommand({ ...onGrid, id: "grid.find-next", keys: ["$mod+g"], run: act((grid) => grid.findNext(1)) }),
  defineCommand({ ...onGrid, id: "grid.find-previous", keys: ["$mod+Shift+g"], run: act((grid) => grid.findNext(-1)) }),
  density("compact"),
  density("normal"),
  density("roomy"),
  defineCommand({ ...onGrid, id: "copy.selection", keys: ["$mod+c"], run: copying({}) }),
  defineCommand({ ...onGrid, id: "copy.with-titles", run: copying({ titles: true }) }),
  defineCommand({ ...onGrid, id: "copy.row", keys: ["y r"], refuse: needsRow, run: copying({ row: true }) }),
  // what is selected, or the cell; a screen whose records have more to copy keeps that key, because its scope is deeper
  defineCommand({ ...onGrid, scope: "console", id: "copy.cell", keys: ["y y"], refuse: needsGrid, run: copying({}) }),
  copyField("copy.txn-no", "y i", "txn_no"),
  copyField("copy.account-number", "y a", "account_number"),
  defineCommand({ ...inHeader, id: "header.sort", keys: ["Enter"], run: act((grid) => grid.sortByCursorColumn()) }),
  defineCommand({ ...inHeader, id: "header.sort-add", keys: ["Shift+Enter"], run: act((grid) => grid.sortByCursorColumn(true)) }),
  defineCommand({
    ...inHeader,
    id: "header.move-left",
    keys: ["Shift+ArrowLeft"],
    run: act((grid, context) => grid.moveColumn(-rightwards(context))),
  }),
  defineCommand({
    ...inHeader,
    id: "header.move-right",
    keys: ["Shift+ArrowRight"],
    run: act((grid, context) => grid.moveColumn(rightwards(context))),
  }),
  defineCommand({
    ...inHeader,
    id: "header.narrower",
    keys: ["$mod+Shift+ArrowLeft"],
    repeats: true,
    run: act((grid, context) => grid.resizeColumn(-rightwards(context) * widthStep)),
  }),
  defineCommand({
    ...inHeader,
    id: "header.wider",
    keys: ["$mod+Shift+ArrowRight"],
    repeats: true,
    run: act((grid, context) => grid.resizeColumn(rightwards(context) * widthStep)),
  }),
];
