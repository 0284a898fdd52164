import { randomUUID } from "node:crypto";
import type { rateLimitGroupRoutes } from "../../../src/contract/rate-limit-groups.ts";
import { makeAccount, makeRateGroup } from "../../support/factories.ts";
import type { Fixture, Site } from "./fixtures.ts";

const named = ({ mark }: Site) => `${mark} ${randomUUID()}`.slice(0, 60);
const account = async ({ office, mark }: Site, columns: Readonly<Record<string, unknown>> = {}) =>
  (await makeAccount(office.db, office.tenant, { holder: `${mark} Sdn Bhd`, ...columns })).id;
const group = (site: Site, name = named(site)) =>
  makeRateGroup(site.office.db, site.office.tenant, {
    name,
    account_window_minutes: 60,
    account_max_count: 40,
    member_window_minutes: 60,
    member_turnover: "9000",
  });
/** With an account in use. */
async function used(site: Site) {
  const id = await group(site);
  await account(site, { rate_limit_group_id: id });
  return id;
}
const form = () => ({
  name: `Harbour ${randomUUID().slice(0, 8)}`,
  account_window_minutes: 60,
  account_max_count: 240,
  account_turnover: "100000.00",
  account_max_amount: "5000.00",
  member_window_minutes: 1440,
  member_max_count: null,
  member_turnover: "20000.00",
  member_max_amount: null,
});

export const rateLimitFixtures: Readonly<Record<keyof typeof rateLimitGroupRoutes, Fixture>> = {
  listRateLimitGroups: {
    foreign: "an empty list",
    make: async (site) => {
      const name = named(site);
      await group(site, name);
      return { query: { "filter[name]": name, with: "count" } };
    },
  },
  readRateLimitGroup: { foreign: "not found", make: async (site) => ({ params: { uuid: await used(site) } }) },
  createRateLimitGroup: { foreign: "names no ids", make: async () => ({ body: form() }) },
  updateRateLimitGroup: {
    foreign: "not found",
    make: async (site) => ({ params: { uuid: await group(site) }, body: { ...form(), version: 1 } }),
  },
  changeRateLimitGroupStatus: {
    foreign: "not found",
    make: async (site) => ({ params: { uuid: await used(site) }, body: { version: 1, status: "inactive", reason: "campaign" } }),
  },
  deleteRateLimitGroup: { foreign: "not found", make: async (site) => ({ params: { uuid: await group(site) }, query: { version: "1" } }) },
  assignRateLimitAccounts: {
    foreign: "not found",
    make: async (site) => ({ params: { uuid: await group(site) }, body: { version: 1, accounts: [await account(site)] } }),
  },
  readRateLimitUsage: { foreign: "not found", make: async (site) => ({ params: { uuid: await used(site) } }) },
  readRateLimitsReached: {
    foreign: "names no ids",
    make: async (site) => ({ query: { accounts: await account(site), account_window_minutes: "60", account_max_count: "1" } }),
  },
};
