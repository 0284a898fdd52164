import type { bankImportRoutes } from "../../../src/contract/bank-imports.ts";
import { stage, statementText } from "../../support/bank-imports.ts";
import { makeAccount } from "../../support/factories.ts";
import type { Fixture, Site } from "./fixtures.ts";

const account = async ({ office, mark }: Site) => (await makeAccount(office.db, office.tenant, { holder: `${mark} Sdn Bhd` })).id;
const staged = async (site: Site) => stage(site.office.call(), await account(site), statementText(3), `${site.mark}.csv`);
const named = async (site: Site) => ({ params: { uuid: (await staged(site)).uuid } });

export const bankImportFixtures: Readonly<Record<keyof typeof bankImportRoutes, Fixture>> = {
  uploadBankFile: {
    foreign: "not found",
    make: async (site) => ({
      query: { account: await account(site) },
      file: { name: "march.csv", bytes: Buffer.from(statementText(3)) },
    }),
  },
  listBankImports: {
    foreign: "an empty list",
    make: async (site) => ({ query: { account: (await staged(site)).payment_account.uuid } }),
  },
  readBankImport: { foreign: "not found", make: named },
  listBankImportLines: { foreign: "not found", make: named },
  changeBankImport: {
    foreign: "not found",
    make: async (site) => {
      const { uuid, version, layout } = await staged(site);
      // a number where there may be none, so that a wrong one is told from a missing one
      return { params: { uuid }, body: { version, layout: { ...layout, sheet: 0 } } };
    },
  },
  startBankImport: {
    foreign: "not found",
    make: async (site) => {
      const { uuid, version } = await staged(site);
      return { params: { uuid }, body: { version } };
    },
  },
  cancelBankImport: { foreign: "not found", make: named },
};
