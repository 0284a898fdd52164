import { randomUUID } from "node:crypto";
import type { masterAccountRoutes } from "../../../src/contract/master-accounts.ts";
import { masterAccountHandlers } from "../../../src/server/game-provider/master-accounts.ts";
import { checkSettings, makeMasterAccount } from "../../support/master-accounts.ts";
import type { Person } from "../../support/factories.ts";
import type { Fixture, Site } from "./fixtures.ts";

const account = ({ office, mark }: Site, columns: Parameters<typeof makeMasterAccount>[2] = {}) =>
  makeMasterAccount(office.db, office.tenant, { name: `${mark} ${randomUUID()}`, ...columns });
const withCredentials = (site: Site) => account(site, { secrets: site.office.deps.secrets, credentials: { key: site.mark } });
const form = () => ({
  name: "Harbour Slots",
  upline: "Harbour Holdings",
  threshold: "500.00",
  enable_notification: true,
  ...checkSettings(),
  credentials: "",
});
async function run(site: Site, by: Person): Promise<string> {
  const body = { uuids: [await account(site)] };
  const { data } = await masterAccountHandlers.checkMasterAccounts(site.office.call(by), { body, params: undefined, query: undefined });
  return data.uuid;
}

export const masterAccountFixtures: Readonly<Record<keyof typeof masterAccountRoutes, Fixture>> = {
  listMasterAccounts: {
    foreign: "an empty list",
    make: async (site) => {
      const name = `${site.mark} ${randomUUID()}`;
      await account(site, { name });
      return { query: { "filter[name]": name, with: "count,sums" } };
    },
  },
  readMasterAccount: { foreign: "not found", make: async (site) => ({ params: { uuid: await account(site) } }) },
  createMasterAccount: {
    foreign: "names no ids",
    make: async () => ({ body: { ...form(), code: randomUUID().slice(0, 8).toUpperCase(), credentials: '{"key":"k-1234"}' } }),
  },
  updateMasterAccount: {
    foreign: "not found",
    make: async (site) => ({ params: { uuid: await account(site) }, body: { ...form(), version: 1 } }),
  },
  changeMasterAccountStatus: {
    foreign: "not found",
    make: async (site) => ({ params: { uuid: await account(site) }, body: { version: 1, status: "suspend", reason: "contract ended" } }),
  },
  deleteMasterAccount: { foreign: "not found", make: async (site) => ({ params: { uuid: await account(site) }, query: { version: "1" } }) },
  checkMasterAccounts: { foreign: "not found", make: async (site) => ({ body: { uuids: [await account(site)] } }) },
  readCreditCheck: { foreign: "not found", make: async (site, by) => ({ params: { uuid: await run(site, by) } }) },
  cancelCreditCheck: { foreign: "not found", make: async (site, by) => ({ params: { uuid: await run(site, by) }, body: {} }) },
  // no credential of that name: nothing is sent
  tryCreditCheck: {
    foreign: "not found",
    make: async (site) => ({ body: { ...checkSettings(), uuid: await account(site), credentials: "{}" } }),
  },
  readMasterAccountBalances: { foreign: "not found", make: async (site) => ({ params: { uuid: await account(site) } }) },
  viewMasterCredentials: { foreign: "not found", make: async (site) => ({ params: { uuid: await withCredentials(site) } }) },
};
