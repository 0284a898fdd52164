import type { Fixture, Site } from "./fixtures.ts";
import { makeAccount } from "../../support/factories.ts";

/** The uuid of today's row of an owner, or of a whole tenant. */
function todayOf(id: string): string {
  const day = Math.floor((Date.now() + 480 * 60_000) / 86_400_000);
  return `${day.toString(16).padStart(4, "0")}0001${id.slice(8)}`;
}

const today = (): string => new Date(Date.now() + 480 * 60_000).toISOString().slice(0, 10);
const period = () => ({ from: today(), to: today() });

async function movedAccount({ office }: Site): Promise<string> {
  return (await makeAccount(office.db, office.tenant, { balance: "700" })).id;
}

/** For each route of the three reports. */
export const reportFixtures = {
  listAccountDays: {
    foreign: "an empty list",
    make: async (site) => ({ query: { "filter[uuid]": todayOf(await movedAccount(site)) } }),
  },
  readAccountDay: { foreign: "not found", make: async (site) => ({ params: { uuid: todayOf(await movedAccount(site)) } }) },
  summarizeAccountDays: { foreign: "names no ids", make: async () => ({ query: period() }) },
  listAccountDayEntries: { foreign: "names no ids", make: async () => ({ query: { ...period(), figure: "deposits" } }) },
  listMerchantDays: {
    foreign: "an empty list",
    make: async ({ merchant }) => ({ query: { "filter[uuid]": todayOf(merchant.id) } }),
  },
  readMerchantDay: { foreign: "not found", make: async ({ merchant }) => ({ params: { uuid: todayOf(merchant.id) } }) },
  summarizeMerchantDays: { foreign: "names no ids", make: async () => ({ query: period() }) },
  listMerchantDayEntries: { foreign: "names no ids", make: async () => ({ query: { ...period(), figure: "withdrawals" } }) },
  listCashFlowDays: {
    foreign: "an empty list",
    make: async (site) => {
      await movedAccount(site);
      return { query: { "filter[uuid]": todayOf(site.office.tenant.id) } };
    },
  },
  readCashFlowDay: {
    foreign: "not found",
    make: async (site) => {
      await movedAccount(site);
      return { params: { uuid: todayOf(site.office.tenant.id) } };
    },
  },
  summarizeCashFlow: { foreign: "names no ids", make: async () => ({ query: period() }) },
  listCashFlowEntries: { foreign: "names no ids", make: async () => ({ query: { ...period(), figure: "charges" } }) },
} satisfies Readonly<Record<string, Fixture>>;
