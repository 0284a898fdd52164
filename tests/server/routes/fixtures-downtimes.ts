import { randomUUID } from "node:crypto";
import type { downtimeRoutes } from "../../../src/contract/downtimes.ts";
import { inMinutes, makeDowntime } from "../../support/downtimes.ts";
import { makeMasterAccount } from "../../support/master-accounts.ts";
import type { Fixture, Site } from "./fixtures.ts";

const account = ({ office, mark }: Site, name = `${mark} ${randomUUID()}`) => makeMasterAccount(office.db, office.tenant, { name });
const downtime = async (site: Site, name?: string) =>
  makeDowntime(site.office.db, site.office.tenant, site.owner, { master_account_id: await account(site, name) });
const form = () => ({
  starts_at: inMinutes(-5),
  ends_at: inMinutes(60),
  reason: "Maintenance",
  weekly: false,
  repeats_until: null,
  zone: "",
  merge: false,
});

export const downtimeFixtures: Readonly<Record<keyof typeof downtimeRoutes, Fixture>> = {
  listDowntimes: {
    foreign: "an empty list",
    make: async (site) => {
      const name = `${site.mark} ${randomUUID()}`;
      await downtime(site, name);
      return { query: { "filter[entity]": name, with: "count" } };
    },
  },
  readDowntimeTimeline: {
    foreign: "names no ids",
    make: async (site) => {
      await downtime(site);
      return { query: { from: inMinutes(-60), to: inMinutes(60) } };
    },
  },
  readDowntime: { foreign: "not found", make: async (site) => ({ params: { uuid: await downtime(site) } }) },
  createDowntime: {
    foreign: "names a record that is not there",
    make: async (site) => ({ body: { ...form(), entity: await account(site) } }),
  },
  updateDowntime: {
    foreign: "not found",
    make: async (site) => ({ params: { uuid: await downtime(site) }, body: { ...form(), version: 1 } }),
  },
  deleteDowntime: { foreign: "not found", make: async (site) => ({ params: { uuid: await downtime(site) }, query: { version: "1" } }) },
  endDowntime: { foreign: "not found", make: async (site) => ({ params: { uuid: await downtime(site) }, body: { version: 1 } }) },
};
