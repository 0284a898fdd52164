import type { Copied, GridHandle } from "../../src/console/kit/commands/grid-handle.ts";
import { describe, expect, test } from "vitest";
import { gridCommands } from "../../commands/grid.ts";
import type { Context } from "../../src/console/kit/commands/context.ts";
import { createRegistry } from "../../src/console/kit/commands/registry.ts";
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
  test("arrows and letters move the cursor; Shift with an arrow extends the range, with a letter the marks", async () => {
    const calls: unknown[][] = [];
    for (const chord of ["j", "ArrowUp", "Shift+j", "Shift+ArrowUp", "g g", "Shift+g", "$mod+Home"]) await press(chord, notingGrid(calls));
    expect(calls).toEqual([
      ["move", "next-row", {}],
      ["move", "previous-row", {}],
      ["move", "next-row", { extend: true }],
      ["move", "previous-row", { range: true }],
      ["move", "first-row", {}],
      ["move", "last-row", {}],
      ["move", "first-row", {}],
    ]);
  });

  test("Left and Right are screen directions: in Arabic Left goes to the next cell", async () => {
    const calls: unknown[][] = [];
    await press("ArrowLeft", notingGrid(calls));
    await press("ArrowLeft", notingGrid(calls), { rightToLeft: true });
    await press("$mod+Shift+ArrowLeft", notingGrid(calls));
    await press("$mod+Shift+ArrowLeft", notingGrid(calls), { rightToLeft: true });
    expect(calls.map(([, motion]) => motion)).toEqual(["previous-cell", "next-cell", "first-cell", "last-cell"]);
  });
});

describe("the header", () => {
  test("Enter opens a row, and in the header sorts", async () => {
    const calls: unknown[][] = [];
    await press("Enter", notingGrid(calls, { row: {} }));
    await press("Enter", notingGrid(calls, { header: true }));
    await press("Shift+Enter", notingGrid(calls, { header: true }));
    expect(calls).toEqual([["activate"], ["sortByCursorColumn"], ["sortByCursorColumn", true]]);
  });

  test("a column grows towards its end, to the left in Arabic", async () => {
    const calls: unknown[][] = [];
    await press("$mod+Shift+ArrowRight", notingGrid(calls, { header: true }));
    await press("$mod+Shift+ArrowRight", notingGrid(calls, { header: true }), { rightToLeft: true });
    expect(calls).toEqual([
      ["resizeColumn", 16],
      ["resizeColumn", -16],
    ]);
  });
});

describe("copying", () => {
  const copying = (copied: Copied) => ({ ...notingGrid(), copySelection: () => Promise.resolve(copied) }) as GridHandle; // the rest is not asked

  test("the txn no and the payee's account number", async () => {
    deeds.length = 0;
    await press("y i", notingGrid());
    await press("y a", notingGrid());
    expect(deeds).toEqual([
      ["copy", "W1"],
      ["copy", "1140"],
    ]);
  });

  test("says what was copied, and why nothing was", async () => {
    deeds.length = 0;
    await press("y y", copying({ rows: 1, columns: 1, text: "4,850.00" }));
    await press("$mod+c", copying({ rows: 3, columns: 2, text: "…" }));
    for (const refusal of ["nothing", "too-much", "refused"] as const) await press("$mod+c", copying(refusal));
    expect(deeds).toEqual([
      ["say", "copied", { text: "4,850.00" }],
      ["say", "grid.copy.done", { count: 3, columns: 2 }],
      ["say", "refuse.nothing-to-copy", {}, "warn"],
      ["say", "grid.copy.too-much", {}, "warn"],
      ["say", "failed.copy", {}, "fail"],
    ]);
  });

  test("says so when there is nothing to copy", async () => {
    deeds.length = 0;
    expect(await press("y a", notingGrid(), {}, aRow("d1", { txn_no: "D1" }))).toBe("refused");
    expect(deeds).toEqual([["say", "refuse.nothing-to-copy", {}, "warn"]]);
  });
});

test("finding is refused where there are no rows", async () => {
  deeds.length = 0;
  const context = aContext({ pane: null });
  expect(await registry.run("grid.find", "key", context)).toBe("refused");
  expect(deeds).toEqual([["say", "refuse.no-grid", {}, "warn"]]);
});

test("a mark needs a row under the cursor", async () => {
  const calls: unknown[][] = [];
  expect(await press("Space", notingGrid(calls))).toBe("refused");
  expect(await press("x", notingGrid(calls, { row: {} }))).toBe("ran");
  expect(calls).toEqual([["toggleMark"]]);
});

describe("the jump to a date", () => {
  type Order = ReturnType<GridHandle["timeOrder"]>;

  /** Jumps with the key in a list of that order; returns the questions asked and the grid's calls. */
  async function jump(order: Order, ...answers: (string | null)[]) {
    // the words of a German user
    const words: Readonly<Record<string, string>> = { "moment.now": "jetzt", "moment.today": "heute", "moment.yesterday": "gestern" };
    const calls: unknown[][] = [];
    const asked: unknown[] = [];
    const grid = new Proxy(notingGrid(calls), { get: (all, name) => (name === "timeOrder" ? () => order : Reflect.get(all, name)) });
    const noted = notingServices();
    const refused: unknown[] = [];
    const ask = (kind: string, { refuse }: { refuse?(typed: string): unknown }) => {
      asked.push(kind);
      // as the sheet does, it stays open while the text is refused
      for (;;) {
        const answer = answers.shift() ?? null;
        const why = answer === null ? null : (refuse?.(answer) ?? null);
        if (why === null) return Promise.resolve(answer);
        refused.push(why);
      }
    };
    const text = (key: string) => words[key] ?? key;
    const answering = { ask, text };
    const deps = new Proxy(noted.services, { get: (all, service) => Reflect.get(answering, service) ?? Reflect.get(all, service) });
    const own = createRegistry(gridCommands, { services: deps, routedScreens: new Set() });
    await own.run("grid.jump-to-date", "key", aContext({ pane: aPane({ grid }) }));
    return { calls, asked, refused, said: noted.deeds.filter(([service]) => service === "say").map(([, key]) => key) };
  }

  test("asks until a time can be read, then goes there", async () => {
    expect(await jump("ready", "soon", "2026-11-20 14:30")).toEqual({
      calls: [["jumpToTime", "2026-11-20 14:30"]],
      asked: ["text"],
      refused: [{ key: "grid.jump.unreadable", words: { text: "soon" } }],
      said: [],
    });
  });

  test("accepts the user's own word for a day, and sends the word that the server reads", async () => {
    expect(await jump("ready", "Gestern")).toMatchObject({ calls: [["jumpToTime", "yesterday"]], refused: [] });
    expect(await jump("ready", "yesterday")).toMatchObject({ calls: [["jumpToTime", "yesterday"]], refused: [] });
  });

  test("in another order it offers to sort by time first, and cancelling changes nothing", async () => {
    expect(await jump({ sortBy: "age" }, "sort", "-2h")).toMatchObject({ calls: [["jumpToTime", "-2h"]], asked: ["choice", "text"] });
    expect(await jump({ sortBy: "age" }, null)).toMatchObject({ calls: [], asked: ["choice"] });
  });

  test("a list without an order by time says so", async () => {
    expect(await jump(null, "today")).toMatchObject({ calls: [], asked: [], said: ["refuse.no-time-order"] });
  });
});
