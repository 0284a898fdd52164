import { exportedScreens, exportNamesOf } from "../../../src/contract/exports.ts";
import type { ExportedScreen, exportRoutes, ExportState, ownExportRoutes } from "../../../src/contract/exports.ts";
import { listOf } from "../../../src/server/exports/lists.ts";
import { makeExport, plainRequest } from "../../support/exports.ts";
import { makeMerchant } from "../../support/factories.ts";
import type { Person } from "../../support/factories.ts";
import { makeProvider } from "../../support/game-provider.ts";
import type { Fixture, Site } from "./fixtures.ts";

const noted: Fixture = { foreign: "names no ids", make: async ({ mark }) => ({ body: { rows: 3, filter: { q: mark } } }) };
/** None of the caller's is open: only some may be at a time. */
const freeFor = ({ office }: Site, by: Person) =>
  office.db.owner.query("update jobs set state = 'cancelled', ended_at = now() where started_by = $1 and ended_at is null", [by.id]);

/** The records that the path of a nested list names. */
async function paramsOf({ office }: Site, screen: ExportedScreen): Promise<Record<string, string>> {
  const named = Object.keys(listOf(screen).route.params?.shape ?? {});
  if (named.length === 0) return {};
  const merchant = await makeMerchant(office.db, office.tenant);
  const merchantProviderUuid = await makeProvider(office.db, office.tenant, merchant);
  const known: Readonly<Record<string, string>> = { merchantUuid: merchant.id, merchantProviderUuid };
  return Object.fromEntries(named.map((name) => [name, known[name] ?? ""]));
}

const started = (screen: ExportedScreen): Fixture => ({
  foreign: "names no ids",
  async make(site, by) {
    await freeFor(site, by);
    const isFound = listOf(screen).route.query?.safeParse({ q: site.mark }).success === true;
    return { body: { ...plainRequest, params: await paramsOf(site, screen), query: isFound ? { q: site.mark } : {} } };
  },
});

const own = (state: ExportState, sent: object = {}): Fixture => ({
  foreign: "not found",
  async make(site, by) {
    await freeFor(site, by);
    const { db, tenant } = site.office;
    return { ...sent, params: { uuid: await makeExport(db, tenant, by, state) } };
  },
});

const ownFixtures: Record<keyof typeof ownExportRoutes, Fixture> = {
  listExports: { foreign: "names no ids", make: async () => ({}) },
  retryExport: own("failed", { body: {} }),
  cancelExport: own("waiting", { body: {} }),
  deleteExport: own("done"),
  downloadExport: own("done"),
};

/** Two for each exported screen, and those of one's own exports. */
export const exportFixtures = {
  ...Object.fromEntries(
    exportedScreens.flatMap((screen) => {
      const { note, start } = exportNamesOf(screen);
      return [
        [note, noted],
        [start, started(screen)],
      ];
    }),
  ),
  ...ownFixtures,
} as Record<keyof typeof exportRoutes, Fixture>; // built as the routes are
