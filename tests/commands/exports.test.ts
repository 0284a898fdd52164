import { beforeAll, expect, test } from "vitest";
import type { ListDesk, ListExport } from "../../src/console/kit/commands/desks.ts";
import type { GridHandle, TakenRows } from "../../src/console/kit/commands/grid-handle.ts";
import { createRegistry } from "../../src/console/kit/commands/registry.ts";
import type { Services } from "../../src/console/kit/commands/services.ts";
import type { Sheet } from "../../src/console/kit/commands/sheet.ts";
import type { Export } from "../../src/contract/exports.ts";
import { exportRoutes, exportRoutesOf } from "../../src/contract/exports.ts";
import { exportCommands } from "../../commands/exports.ts";
import { inLanguage } from "../console/in-language.ts";
import { aContext, aPane } from "../console/kit/fakes.ts";
import { aWithdrawal } from "../console/withdrawals/rows.ts";

beforeAll(() => inLanguage("en"));

const taken: TakenRows = {
  columns: [
    { id: "txn", title: "Txn no", width: 136, cell: { field: "txn_no", as: "text" } },
    { id: "created", title: "Created", width: 155.6, cell: { field: "created_at", as: "time" } },
    { id: "status", title: "Status", width: 116, cell: { field: "status", as: "choice", words: ["status."] } },
  ],
  rows: [aWithdrawal({ txn_no: "W1" })],
  marked: false,
  more: false,
  total: 1,
};
const created = aWithdrawal({}).created_at;
const started = { uuid: "e-1", screen: "withdrawals", state: "waiting" } as Export; // what is read of it

interface Given {
  readonly rows?: TakenRows;
  readonly refusal?: Error;
  readonly broken?: boolean;
  readonly own?: readonly Partial<Export>[];
  readonly sure?: boolean;
  /** Its filters are the page's own. */
  readonly isHere?: boolean;
}

/** A fixture whose server answers or refuses; calls of services are recorded in order. */
function fixture({ rows = taken, refusal, broken = false, own = [], sure = true, isHere = false }: Given = {}) {
  const deeds: unknown[][] = [];
  const sheets: Sheet[] = [];
  const nameOf = (route: unknown) => Object.entries(exportRoutes).find(([, one]) => one === route)?.[0];
  const services = {
    async call(route: unknown, sent: { body?: unknown; params?: unknown }) {
      const name = nameOf(route);
      deeds.push(["call", name, sent.params ?? sent.body]);
      if (refusal) throw refusal;
      if (name === "listExports") return { data: own };
      return { data: name === "downloadExport" ? { name: "", type: "x", bytes: new Uint8Array(3) } : started };
    },
    async saveSheet(sheet: Sheet) {
      deeds.push(["save", sheet.fileName]);
      sheets.push(sheet);
      if (broken) throw new Error("no chunk");
    },
    async saveFile(file: { name: string }) {
      deeds.push(["save", file.name]);
    },
    async ask(_: string, { title, words }: { title: string; words: object }) {
      deeds.push(["ask", title, words]);
      return sure || null;
    },
    workplace: () => ({
      tenant: "Harbour",
      currency: "MYR",
      user: "Aisyah",
      zone: 480,
      zoneText: "+08:00",
      timeOf: String,
      time: "2026-11-21 02:32 PM",
      stamp: "2026-11-21 1432",
      search: { view: "open", txn: "W" },
    }),
    changed: (subject: string, [row]: { uuid: string }[]) => void deeds.push(["changed", subject, row?.uuid]),
    open: (what: string) => void deeds.push(["open", what]),
    toast: (...toast: unknown[]) => void deeds.push(["toast", ...toast]),
    say: (key: string, words?: object) => void deeds.push(["say", key, words]),
    text: (key: string, words?: { count?: number }) => (words ? `${key} ${words.count}` : key),
  } as unknown as Services; // the deps an export goes through
  const registry = createRegistry(exportCommands, { services, routedScreens: new Set(["withdrawals"]) });
  const grid = { rowCount: () => rows.rows.length, taken: () => rows } as unknown as GridHandle; // what an export asks of it
  const exports: ListExport = {
    routes: exportRoutesOf("withdrawals")!,
    isRow: () => true,
    isHere,
    asked: () => ({ params: {}, query: { view: "queue", sort: "-created_at" } }),
    viewName: () => "Work list",
    filters: () => [["Member", "HP-1"]],
  };
  const list = { exports } as unknown as ListDesk; // as above
  const contextWith = (rights: readonly string[]) =>
    aContext({ permissions: { "pas.transaction.withdrawals": rights }, pane: { ...aPane({ grid, list }), subject: "withdrawal" } });
  const press = (rights: readonly string[] = ["view", "export"], key: "Shift+e" | "w e" | "y e" = "Shift+e") => {
    const context = contextWith(rights);
    return registry.run(registry.owner(key, context)?.id ?? "", "key", context);
  };
  return { deeds, sheets, press, run: (id: string) => registry.run(id, "palette", contextWith([])) };
}

test("Shift+E reports the export to the server, and only then makes the file of the rows on screen", async () => {
  const { deeds, sheets, press } = fixture();
  expect(await press()).toBe("ran");
  expect(deeds).toEqual([
    ["call", "exportWithdrawals", { rows: 1, filter: { view: "open", txn: "W" } }],
    ["save", "withdrawals 2026-11-21 1432.xlsx"],
    ["say", "export.said.done", expect.anything()],
  ]);
  expect(sheets[0]?.columns.map(({ title, kind }) => [title, kind])).toEqual([
    ["Txn no", "text"],
    ["Created (+08:00)", "time"],
    ["Status", "text"],
  ]);
  expect(sheets[0]?.rows).toEqual([["W1", created, "Process"]]);
  expect(Object.fromEntries(sheets[0]?.about.lines ?? [])).toEqual({
    Screen: "Withdrawals",
    Tenant: "Harbour",
    Currency: "MYR",
    "Exported by": "Aisyah",
    "Exported at": "2026-11-21 02:32 PM",
    "Time zone": "+08:00",
    Rows: "1",
    "Filter: export.about.view": "Work list",
    "Filter: Member": "HP-1",
    "Filter: export.about.sort": "Created ↓",
  });
});

test("of more rows than are loaded the server makes the file: of the same query, columns, filters and zone", async () => {
  const { deeds, press } = fixture({ rows: { ...taken, more: true, total: 2400 } });
  expect(await press()).toBe("ran");
  expect(deeds).toEqual([
    [
      "call",
      "startWithdrawalsExport",
      {
        params: {},
        query: { view: "queue", sort: "-created_at" },
        columns: [
          { title: "Txn no", width: 136, cell: { field: "txn_no", as: "text" } },
          { title: "Created", width: 156, cell: { field: "created_at", as: "time" } },
          { title: "Status", width: 116, cell: { field: "status", as: "choice", words: ["status."] } },
        ],
        filters: [
          ["export.about.view", "Work list"],
          ["Member", "HP-1"],
          ["export.about.sort", "Created ↓"],
        ],
        zone: 480,
      },
    ],
    ["changed", "export", "e-1"],
    ["say", "export.said.started", { screen: "screen.withdrawals", days: 7 }],
  ]);
});

test("marked rows are written by the browser however many there are; all loaded ones up to 5,000", async () => {
  const rows = Array.from({ length: 5_001 }, (_, at) => aWithdrawal({ txn_no: `W${at}` }));
  const madeBy = async (given: Partial<TakenRows>) => {
    const { deeds, press } = fixture({ rows: { ...taken, rows, ...given } });
    await press();
    return deeds[0]?.[1];
  };
  expect(await madeBy({ marked: true, total: 9_000 })).toBe("exportWithdrawals");
  expect(await madeBy({ rows: rows.slice(1) })).toBe("exportWithdrawals");
  expect(await madeBy({})).toBe("startWithdrawalsExport");
  const { deeds, press } = fixture({ rows: { ...taken, rows }, isHere: true });
  await press();
  expect(deeds[0]?.[1]).toBe("exportWithdrawals");
  // all that match are marked, and some are not loaded
  expect(await madeBy({ marked: true, more: true })).toBe("startWithdrawalsExport");
});

test("rows that fill several sheets are told before; who does not want that starts nothing", async () => {
  const rows = { ...taken, more: true, total: 2_100_000 };
  const words = { count: 3, rows: "2,100,000", most: "1,048,575" };
  const willing = fixture({ rows });
  await willing.press();
  expect(willing.deeds.map(([deed]) => deed)).toEqual(["ask", "call", "changed", "say"]);
  const unwilling = fixture({ rows, sure: false });
  await unwilling.press();
  expect(unwilling.deeds).toEqual([["ask", "export.ask.sheets", words]]);
  // a list too long to be counted
  const uncounted = fixture({ rows: { ...rows, total: null } });
  await uncounted.press();
  expect(uncounted.deeds.at(-1)).toEqual([
    "say",
    "export.said.started-uncounted",
    { screen: "screen.withdrawals", days: 7, most: "1,048,575" },
  ]);
});

test("when the server refuses, no file is made", async () => {
  for (const rows of [taken, { ...taken, more: true }]) {
    const { deeds, press } = fixture({ rows, refusal: Object.assign(new Error("refused"), { reported: true }) });
    expect(await press()).toBe("failed");
    expect(deeds.map(([service]) => service)).toEqual(["call"]);
  }
});

test("without the right the key says which one is missing", async () => {
  const { deeds, press } = fixture();
  expect(await press(["view"])).toBe("absent");
  expect(deeds).toEqual([["say", "refuse.no-right", { permission: "pas.transaction.withdrawals.export" }]]);
});

test("an empty list is refused, and a file that cannot be made is told", async () => {
  const empty = fixture({ rows: { ...taken, rows: [] } });
  expect([await empty.press(), empty.deeds]).toEqual(["refused", [["say", "export.refuse.no-rows", {}]]]);
  const broken = fixture({ broken: true });
  await broken.press();
  expect(broken.deeds.at(-1)).toEqual(["say", "export.failed", {}]);
});

test("w e shows one's exports, y e saves the newest that is ready, and the palette cancels the newest under way", async () => {
  const own = [
    { uuid: "run", state: "running", screen: "merchants" },
    { uuid: "old", state: "done", screen: "withdrawals", name: "w.xlsx" },
    { uuid: "older", state: "done", screen: "withdrawals" },
  ] as const;
  const some = fixture({ own });
  await some.press([], "w e");
  await some.press([], "y e");
  await some.run("exports.cancel");
  expect(some.deeds).toEqual([
    ["open", "exports"],
    ["call", "listExports", undefined],
    ["call", "downloadExport", { uuid: "old" }],
    ["save", "w.xlsx"],
    ["say", "export.said.saved", { file: "w.xlsx" }],
    ["call", "listExports", undefined],
    ["call", "cancelExport", { uuid: "run" }],
    ["changed", "export", "run"],
    ["say", "export.said.cancelled", { screen: "screen.merchants" }],
  ]);
  const none = fixture();
  await none.press([], "y e");
  await none.run("exports.cancel");
  expect(none.deeds.filter(([deed]) => deed === "say").map(([, key]) => key)).toEqual([
    "export.refuse.none-done",
    "export.refuse.none-open",
  ]);
});
