import { randomUUID } from "node:crypto";
import type { payoutFileRoutes } from "../../../src/contract/payout-files.ts";
import type { payoutTemplateRoutes } from "../../../src/contract/payout-templates.ts";
import { payoutFileHandlers } from "../../../src/server/payout-files/payout-files.ts";
import type { Person } from "../../support/factories.ts";
import { makePayoutTemplate, templateForm } from "../../support/payout-files.ts";
import { body } from "../../support/payments.ts";
import type { Fixture, Site } from "./fixtures.ts";

const template = (site: Site, name = `${site.mark} ${randomUUID()}`.slice(0, 60)) =>
  makePayoutTemplate(site.office.db, site.office.tenant, { name });

type Approved = (site: Site, by: Person) => Promise<{ readonly uuid: string; readonly version: number }>;

export function payoutFileFixtures(
  approved: Approved,
): Readonly<Record<keyof typeof payoutFileRoutes | keyof typeof payoutTemplateRoutes, Fixture>> {
  const asked = async (site: Site, by: Person) => {
    const { uuid, version } = await approved(site, by);
    return { template: await template(site), rows: [{ uuid, version }] };
  };
  return {
    listPayoutTemplates: {
      foreign: "an empty list",
      make: async (site) => {
        const name = `${site.mark} ${randomUUID()}`.slice(0, 60);
        await template(site, name);
        return { query: { "filter[name]": name, with: "count" } };
      },
    },
    readPayoutTemplate: { foreign: "not found", make: async (site) => ({ params: { uuid: await template(site) } }) },
    createPayoutTemplate: { foreign: "names no ids", make: async () => ({ body: templateForm() }) },
    updatePayoutTemplate: {
      foreign: "not found",
      make: async (site) => ({ params: { uuid: await template(site) }, body: { ...templateForm(), version: 1 } }),
    },
    deletePayoutTemplate: {
      foreign: "not found",
      make: async (site) => ({ params: { uuid: await template(site) }, query: { version: "1" } }),
    },
    previewPayoutFile: { foreign: "not found", make: async (site, by) => ({ body: await asked(site, by) }) },
    exportPayoutFile: { foreign: "not found", make: async (site, by) => ({ body: await asked(site, by) }) },
    readPayoutFile: {
      foreign: "not found",
      make: async (site, by) => {
        const { data } = await payoutFileHandlers.exportPayoutFile(site.office.call(by), body(await asked(site, by)));
        return { params: { uuid: data.uuid } };
      },
    },
  };
}
