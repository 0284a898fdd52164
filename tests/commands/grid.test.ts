import { describe, expect, test } from "vitest";
import { gridCommands } from "../../commands/grid.ts";
import type { Context } from "../../src/console/kit/context.ts";
import type { GridHandle } from "../../src/console/kit/grid/grid-handle.ts";
import { createRegistry } from "../../src/console/kit/registry.ts";
import { aContext, aPane, aRow, notingGrid, notingServices } from "../console/kit/fakes.ts";

const { services, deeds } = notingServices();
const registry = createRegistry(gridCommands, { services, routedScreens: new Set() });

async function press(
  chord: string,
  grid: GridHandle,
  change: Partial<Context> = {},
  cursor = aRow("w1", { txn_no: "W1", account_number: "1140" }),
) {
  const context = aContext({ pane: aPane({ grid, cursor }), ...change });
  const owner = registry.owner(chord, context);
  if (owner === null) throw new Error(`nothing on ${chord}`);
  return registry.run(owner.id, "key", context);
}

describe("motions", () => {
  test("arrows and letters move the cursor, Shift marks on", async () => {
    const told: unknown[][] = [];
    for (const chord of ["j", "ArrowUp", "Shift+j", "g g", "Shift+g", "$mod+Home"]) await press(chord, notingGrid(told));
    expect(told).toEqual([
      ["move", "next-row", { extend: false }],
      ["move", "previous-row", { extend: false }],
      ["move", "next-row", { extend: true }],
      ["move", "first-row", { extend: false }],
      ["move", "last-row", { extend: false }],
      ["move", "first-row", { extend: false }],
    ]);
  });

  test("Left and Right are screen directions: in Arabic Left goes to the next cell", async () => {
    const told: unknown[][] = [];
    await press("ArrowLeft", notingGrid(told));
    await press("ArrowLeft", notingGrid(told), { rightToLeft: true });
    expect(told.map(([, motion]) => motion)).toEqual(["previous-cell", "next-cell"]);
  });
});

describe("the header", () => {
  test("Enter opens a row, and in the header sorts", async () => {
    const told: unknown[][] = [];
    await press("Enter", notingGrid(told, { row: {} }));
    await press("Enter", notingGrid(told, { header: true }));
    await press("Shift+Enter", notingGrid(told, { header: true }));
    expect(told).toEqual([["activate"], ["sortByCursorColumn"], ["sortByCursorColumn", true]]);
  });

  test("a column grows towards its end, to the left in Arabic", async () => {
    const told: unknown[][] = [];
    await press("$mod+Shift+ArrowRight", notingGrid(told, { header: true }));
    await press("$mod+Shift+ArrowRight", notingGrid(told, { header: true }), { rightToLeft: true });
    expect(told).toEqual([
      ["resizeColumn", 16],
      ["resizeColumn", -16],
    ]);
  });
});

describe("copying", () => {
  test("the cell, the txn no and the payee's account number", async () => {
    deeds.length = 0;
    await press("y y", notingGrid([], { text: "4,850.00" }));
    await press("y i", notingGrid());
    await press("y a", notingGrid());
    expect(deeds).toEqual([
      ["copy", "4,850.00"],
      ["copy", "W1"],
      ["copy", "1140"],
    ]);
  });

  test("says so where there is nothing to copy", async () => {
    deeds.length = 0;
    expect(await press("y a", notingGrid(), {}, aRow("d1", { txn_no: "D1" }))).toBe("refused");
    expect(deeds).toEqual([["say", "refuse.nothing-to-copy", {}, "warn"]]);
  });
});

test("a mark needs a row under the cursor", async () => {
  const told: unknown[][] = [];
  expect(await press("Space", notingGrid(told))).toBe("refused");
  expect(await press("x", notingGrid(told, { row: {} }))).toBe("ran");
  expect(told).toEqual([["toggleMark"]]);
});
