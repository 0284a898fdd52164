import type { AnyCommand, Chord, Reason } from "../src/console/kit/command.ts";
import { defineCommand } from "../src/console/kit/command.ts";
import type { Context } from "../src/console/kit/context.ts";
import type { GridHandle } from "../src/console/kit/grid/grid-handle.ts";
import type { Motion } from "../src/console/kit/grid/motions.ts";

const there = { scope: "grid", subject: null, takes: "none", permission: "signed-in" } as const;
const inHeader = { ...there, scope: "header", quiet: true } as const;

/** px a width key changes a column by. */
const widthStep = 16;

const headerActs = ["fit", "hide", "pin-start", "pin-end", "unpin", "reset"] as const;

type Move = Motion | ((context: Context) => Motion);

// Left and Right are screen directions, motions run in reading order (keyboard.md 5).
const toTheRight = (context: Context): Motion => (context.rightToLeft === true ? "previous-cell" : "next-cell");
const toTheLeft = (context: Context): Motion => (context.rightToLeft === true ? "next-cell" : "previous-cell");
const rightwards = (context: Context): 1 | -1 => (context.rightToLeft === true ? -1 : 1);

function move(name: string, to: Move, keys: readonly [Chord, ...Chord[]], extend = false): AnyCommand {
  return defineCommand({
    ...there,
    id: `grid.${name}`,
    keys,
    repeats: true,
    quiet: true,
    run: (_, __, context) => context.pane?.grid?.move(typeof to === "string" ? to : to(context), { extend }),
  });
}

const act =
  (run: (grid: GridHandle, context: Context) => void) =>
  (_: readonly [], __: unknown, context: Context): void => {
    if (context.pane?.grid) run(context.pane.grid, context);
  };

const needsRow = (_: readonly [], context: Context): Reason | null => (context.pane?.grid?.cursorRow() ? null : "refuse.no-row");

/** A field of the row under the cursor, where rows of this kind have it. */
function field(context: Context, name: string): string | null {
  const row: unknown = context.pane?.cursor ?? null;
  if (typeof row !== "object" || row === null || !(name in row)) return null;
  const value = (row as Readonly<Record<string, unknown>>)[name]; // just seen to be there
  return typeof value === "string" && value !== "" ? value : null;
}

const copyField = (id: `copy.${string}`, key: Chord, name: string): AnyCommand =>
  defineCommand({
    ...there,
    id,
    scope: "pane",
    keys: [key],
    refuse: (_, context) => (field(context, name) === null ? "refuse.nothing-to-copy" : null),
    run: (_, { copy }, context) => copy(field(context, name) ?? ""),
  });

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
  move("extend-down", "next-row", ["Shift+ArrowDown", "Shift+j"], true),
  move("extend-up", "previous-row", ["Shift+ArrowUp", "Shift+k"], true),
  move("extend-page-down", "next-page", ["Shift+PageDown"], true),
  move("extend-page-up", "previous-page", ["Shift+PageUp"], true),
  move("extend-first", "first-row", ["$mod+Shift+Home"], true),
  move("extend-last", "last-row", ["$mod+Shift+End"], true),
  defineCommand({
    ...there,
    id: "grid.mark",
    keys: ["Space", "x", "Shift+Space"],
    hint: true,
    refuse: needsRow,
    run: act((grid) => grid.toggleMark()),
  }),
  defineCommand({ ...there, id: "grid.mark-all", keys: ["$mod+a"], run: act((grid) => grid.markAll()) }),
  defineCommand({
    ...there,
    id: "grid.clear-marks",
    refuse: (_, context) => (context.pane?.marked.length ? null : "refuse.no-marks"),
    run: act((grid) => grid.clearMarks()),
  }),
  defineCommand({ ...there, id: "grid.open", keys: ["Enter", "o"], refuse: needsRow, run: act((grid) => grid.activate()) }),
  defineCommand({ ...there, id: "grid.sort", keys: ["s"], run: act((grid) => grid.sortByCursorColumn()) }),
  defineCommand({ ...there, id: "grid.sort-add", keys: ["Shift+s"], run: act((grid) => grid.sortByCursorColumn(true)) }),
  defineCommand({
    ...there,
    id: "copy.cell",
    keys: ["y y"],
    refuse: (_, context) => (context.pane?.grid?.cursorText() ? null : "refuse.nothing-to-copy"),
    run: (_, { copy }, context) => copy(context.pane?.grid?.cursorText() ?? ""),
  }),
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
  defineCommand({
    ...inHeader,
    id: "header.menu",
    keys: ["Alt+ArrowDown"],
    async run(_, { ask, text }, context) {
      const grid = context.pane?.grid ?? null;
      const column = grid?.columnUnderCursor() ?? null;
      if (grid === null || column === null) return;
      const chosen = await ask("choice", {
        title: "header.menu.title",
        words: { column: grid.cursorText() },
        options: headerActs.map((id) => ({ id, label: text(`header.menu.${id}`), note: "", refused: null })),
      });
      switch (chosen) {
        case "fit":
          return grid.fitColumn(column.id);
        case "hide":
          return grid.hideColumn(column.id);
        case "pin-start":
          return grid.pinColumn("start", column.id);
        case "pin-end":
          return grid.pinColumn("end", column.id);
        case "unpin":
          return grid.pinColumn(null, column.id);
        case "reset":
          return grid.resetColumns();
      }
    },
  }),
];
