import { randomUUID } from "node:crypto";
import type { scoreWatcherRoutes } from "../../../src/contract/score-watchers.ts";
import { makeMasterAccount } from "../../support/master-accounts.ts";
import { makeWatcher } from "../../support/score-watchers.ts";
import type { Fixture, Site } from "./fixtures.ts";

const account = ({ office, mark }: Site, name = `${mark} ${randomUUID()}`) => makeMasterAccount(office.db, office.tenant, { name });
// its turn is far away: no watcher's job is to run among these requests
const watcher = async (site: Site, name?: string) =>
  makeWatcher(site.office.db, site.office.tenant, await account(site, name), { next_at: new Date(Date.now() + 86_400_000) });
const form = { threshold: "500.00", every_minutes: 15, notify: true, mail: false, is_paused: true };

export const scoreWatcherFixtures: Readonly<Record<keyof typeof scoreWatcherRoutes, Fixture>> = {
  listScoreWatchers: {
    foreign: "an empty list",
    make: async (site) => {
      const name = `${site.mark} ${randomUUID()}`;
      await watcher(site, name);
      return { query: { "filter[master_account]": name, with: "count" } };
    },
  },
  readScoreWatcher: { foreign: "not found", make: async (site) => ({ params: { uuid: await watcher(site) } }) },
  createScoreWatcher: {
    foreign: "names a record that is not there",
    make: async (site) => ({ body: { ...form, master_account: await account(site) } }),
  },
  updateScoreWatcher: {
    foreign: "not found",
    make: async (site) => ({ params: { uuid: await watcher(site) }, body: { ...form, version: 1 } }),
  },
  deleteScoreWatcher: { foreign: "not found", make: async (site) => ({ params: { uuid: await watcher(site) }, query: { version: "1" } }) },
};
