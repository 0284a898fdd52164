import type { GridHandle, TakenRows } from "../../src/console/kit/commands/grid-handle.ts";
import { expect, test } from "vitest";
import { exportCommands } from "../../commands/exports.ts";
import { exportRoutes } from "../../src/contract/exports.ts";
import type { ListDesk } from "../../src/console/kit/commands/desks.ts";
import type { Sheet } from "../../src/console/kit/commands/sheet.ts";
import { createRegistry } from "../../src/console/kit/commands/registry.ts";
import type { Services } from "../../src/console/kit/commands/services.ts";
import { aContext, aPane } from "../console/kit/fakes.ts";

const taken: TakenRows = {
  columns: [
    { id: "txn", title: "Txn no", kind: "text", width: 136 },
    { id: "created_at", title: "Created", kind: "time", width: 156 },
  ],
  rows: [["W1", null]],
  marked: false,
  more: false,
  total: 1,
};

/** A fixture whose server answers or refuses; calls of services are recorded in order. */
function fixture({ rows = taken, refusal, broken = false }: { rows?: TakenRows; refusal?: Error; broken?: boolean } = {}) {
  const deeds: unknown[][] = [];
  const sheets: Sheet[] = [];
  const services = {
    async call(route: unknown, sent: { body: unknown }) {
      deeds.push(["call", route === exportRoutes.exportWithdrawals, sent.body]);
      if (refusal) throw refusal;
      return { data: {} };
    },
    async saveSheet(sheet: Sheet) {
      deeds.push(["save", sheet.fileName]);
      sheets.push(sheet);
      if (broken) throw new Error("no chunk");
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
    toast: (...toast: unknown[]) => void deeds.push(["toast", ...toast]),
    say: (key: string, words?: object) => void deeds.push(["say", key, words]),
    text: (key: string, words?: { count?: number; of?: string }) => (words ? `${key} ${words.count}/${words.of}` : key),
  } as unknown as Services; // the deps an export goes through
  const registry = createRegistry(exportCommands, { services, routedScreens: new Set(["withdrawals"]) });
  const grid = { rowCount: () => rows.rows.length, taken: () => rows } as unknown as GridHandle; // what an export asks of it
  const list = { exports: exportRoutes.exportWithdrawals } as unknown as ListDesk; // as above
  const press = (rights: readonly string[] = ["view", "export"]) => {
    const context = aContext({ permissions: { "pas.transaction.withdrawals": rights }, pane: aPane({ grid, list }) });
    return registry.run(registry.owner("Shift+e", context)?.id ?? "", "key", context);
  };
  return { deeds, sheets, press };
}

test("Shift+E reports the export to the server, and only then makes the file", async () => {
  const { deeds, sheets, press } = fixture();
  expect(await press()).toBe("ran");
  expect(deeds).toEqual([
    ["call", true, { rows: 1, filter: { view: "open", txn: "W" } }],
    ["save", "withdrawals 2026-11-21 1432.xlsx"],
    ["say", "export.said.done", expect.anything()],
  ]);
  expect(sheets[0]?.columns.map(({ title }) => title)).toEqual(["Txn no", "Created (+08:00)"]);
  expect(Object.fromEntries(sheets[0]?.about.lines ?? [])).toEqual({
    "export.about.screen": "screen.withdrawals",
    "export.about.tenant": "Harbour",
    "export.about.currency": "MYR",
    "export.about.user": "Aisyah",
    "export.about.time": "2026-11-21 02:32 PM",
    "export.about.zone": "+08:00",
    "export.about.rows": "export.about.loaded 1/1",
    "export.about.filter: export.about.view": "open",
    "export.about.filter: Txn no": "W",
  });
});

test("when the server refuses, no file is made", async () => {
  const { deeds, press } = fixture({ refusal: Object.assign(new Error("refused"), { reported: true }) });
  expect(await press()).toBe("failed");
  expect(deeds.map(([service]) => service)).toEqual(["call"]);
});

test("without the right the key says which one is missing", async () => {
  const { deeds, press } = fixture();
  expect(await press(["view"])).toBe("absent");
  expect(deeds).toEqual([["say", "refuse.no-right", { permission: "pas.transaction.withdrawals.export" }]]);
});

test("the export says when more rows match than are loaded, refuses an empty list, and reports a file that cannot be made", async () => {
  const part = fixture({ rows: { ...taken, more: true, total: 2400 } });
  await part.press();
  expect(part.deeds.at(-1)).toEqual([
    "toast",
    "export.part",
    "export.said.part",
    { count: 1, file: expect.any(String), of: "2,400" },
    "warn",
  ]);
  const empty = fixture({ rows: { ...taken, rows: [] } });
  expect([await empty.press(), empty.deeds]).toEqual(["refused", [["say", "export.refuse.no-rows", {}]]]);
  const broken = fixture({ broken: true });
  await broken.press();
  expect(broken.deeds.at(-1)).toEqual(["say", "export.failed", {}]);
});
