import { beforeEach, describe, expect, test } from "vitest";
import { columnCommands } from "../../commands/columns.ts";
import { listCommands } from "../../commands/list.ts";
import { withdrawalCommands } from "../../commands/withdrawals/commands.ts";
import type { ListDesk } from "../../src/console/kit/commands/desks.ts";
import type { ColumnStanding, GridHandle } from "../../src/console/kit/commands/grid-handle.ts";
import type { Menu } from "../../src/console/kit/commands/menu.ts";
import { createRegistry } from "../../src/console/kit/commands/registry.ts";
import { aContext, aPane, notingServices } from "../console/kit/fakes.ts";

const { services, deeds } = notingServices();
const registry = createRegistry([...withdrawalCommands, ...listCommands, ...columnCommands], {
  services,
  routedScreens: new Set(),
});
beforeEach(() => void (deeds.length = 0));

const amount: ColumnStanding = {
  id: "amount",
  titleKey: "transaction.column.amount",
  sortable: true,
  order: null,
  pinned: null,
  alone: false,
};

/** A list with the cursor in such a column, and the calls its grid received. */
function listWith(column: Partial<ColumnStanding>, filters: "filter" | "no filter" = "filter") {
  const calls: unknown[][] = [];
  const note =
    (name: string) =>
    (...with_: unknown[]): void =>
      void calls.push([name, ...with_]);
  const grid = {
    columnStanding: () => ({ ...amount, ...column }),
    columnBox: () => ({ left: 100, right: 180, top: 40, bottom: 68 }),
    allColumns: () => [
      { id: "amount", titleKey: "transaction.column.amount", shown: true },
      { id: "bank", titleKey: "withdrawal.column.bank", shown: false },
    ],
    firstRows: () => null,
    inHeader: () => false,
    orderByCursorColumn: note("order"),
    hideColumn: note("hide"),
    showColumn: note("show"),
    pinColumn: note("pin"),
  } as unknown as GridHandle; // what the menu asks of it
  const list = { unfiltered: () => (filters === "filter" ? null : "list.refuse.no-filter-here") } as unknown as ListDesk;
  return { calls, context: aContext({ pane: aPane({ grid, list }) }) };
}

async function menuOf(...list: Parameters<typeof listWith>): Promise<string[][]> {
  const { context } = listWith(...list);
  const owner = registry.owner("Alt+ArrowDown", context);
  await registry.run(owner?.id ?? "", "key", context);
  const [service, opened] = deeds.at(-1) ?? [];
  expect(service).toBe("menu");
  return (opened as Menu).groups.map((group) => group.map(({ command }) => command.replace("column.", "")));
}

describe("a column's menu", () => {
  test("opens from any cell, under the column's own title and header", async () => {
    await menuOf({});
    expect(deeds).toMatchObject([
      ["menu", { title: "header.menu.title", words: { column: "transaction.column.amount" }, at: { left: 100 } }],
    ]);
  });

  test("sorts, filters by the list's own command, fits, hides, pins and opens the list of all columns", async () => {
    expect(await menuOf({})).toEqual([
      ["sort-ascending", "sort-descending", "sort-none", "list.filter"],
      ["fit", "hide"],
      ["pin-start", "pin-end"],
      ["choose", "reset"],
    ]);
  });

  test("offers no sorting and no filter where the column has none, and unpins a pinned one", async () => {
    expect(await menuOf({ sortable: false, pinned: "start" }, "no filter")).toEqual([
      ["fit", "hide"],
      ["pin-end", "unpin"],
      ["choose", "reset"],
    ]);
  });

  test("everything in it is a command that is registered", async () => {
    const offered = (await menuOf({})).flat();
    expect(offered.filter((id) => registry.get(id) === undefined && registry.get(`column.${id}`) === undefined)).toEqual([]);
  });
});

describe("what it offers", () => {
  const run = async (id: string, column: Partial<ColumnStanding>) => {
    const { calls, context } = listWith(column);
    return [await registry.run(id, "menu", context), calls];
  };

  test("an order is set directly, not toggled", async () => {
    expect(await run("column.sort-descending", {})).toEqual(["ran", [["order", "descending"]]]);
    expect(await run("column.sort-ascending", { order: "descending" })).toEqual(["ran", [["order", "ascending"]]]);
    expect(await run("column.sort-none", { order: "descending" })).toEqual(["ran", [["order", null]]]);
  });

  test("an act that changes nothing or is impossible is refused with its reason", async () => {
    expect((await run("column.sort-ascending", { order: "ascending" }))[0]).toBe("refused");
    expect((await run("column.sort-ascending", { sortable: false }))[0]).toBe("refused");
    expect((await run("column.sort-none", {}))[0]).toBe("refused");
    expect((await run("column.hide", { alone: true }))[0]).toBe("refused");
    expect((await run("column.unpin", {}))[0]).toBe("refused");
    expect(deeds.map(([, key]) => key)).toEqual([
      "column.refuse.sorted-so",
      "column.refuse.unsortable",
      "column.refuse.unsorted",
      "column.refuse.alone",
      "column.refuse.unpinned",
    ]);
  });

  test("all columns are listed by name: a hidden one is shown, the last one shown cannot be hidden", async () => {
    const asked: unknown[] = [];
    const ask = (_: string, { options }: { options: readonly { id: string; refused: string | null }[] }) => {
      asked.push(options.map(({ id, refused }) => [id, refused]));
      return Promise.resolve("bank");
    };
    const deps = { ...services, ask, text: (key: string) => key } as never; // the deps this command has
    const choosing = createRegistry(columnCommands, { services: deps, routedScreens: new Set() });
    const { calls, context } = listWith({});
    await choosing.run("column.choose", "menu", context);
    expect(asked).toEqual([
      [
        ["amount", "column.refuse.alone"],
        ["bank", null],
      ],
    ]);
    expect(calls).toEqual([["show", "bank"]]);
  });
});
