import { randomUUID } from "node:crypto";
import type { Deposit } from "../../../src/contract/deposits.ts";
import type { depositRoutes } from "../../../src/contract/deposit-routes.ts";
import { depositHandlers } from "../../../src/server/payments/deposits.ts";
import { expireDue } from "../../../src/server/payments/lapses.ts";
import type { Person } from "../../support/factories.ts";
import { body, done, only } from "../../support/payments.ts";
import type { Fixture, Site } from "./fixtures.ts";

const request = ({ mark }: Site, amount = "500.00") => ({
  amount,
  merchant_txn_no: randomUUID(),
  member: randomUUID(),
  customer_name: mark,
});
export const deposit = (site: Site) => site.office.deposit(site.merchant, request(site));
const taken = (site: Site, by: Person, amount?: string) => site.office.taken(site.merchant, request(site, amount), by);
const rows = ({ uuid, version }: Pick<Deposit, "uuid" | "version">) => ({ rows: [{ uuid, version }] });
const waiting = async (site: Site) => {
  const { id, version } = await deposit(site);
  return { uuid: id, version };
};
const confirmed = ({ amount, customer_name }: Deposit) => ({ amount, payer: customer_name });
async function approved(site: Site, by: Person, amount?: string): Promise<Deposit> {
  const row = await taken(site, by, amount);
  const { uuid, version } = row;
  return done(
    only(await depositHandlers.approveDeposits(site.office.call(by), body({ rows: [{ uuid, version, confirmed: confirmed(row) }] }))),
  );
}
const why = { code: "duplicate" };

export const depositFixtures: Readonly<Record<keyof typeof depositRoutes, Fixture>> = {
  listDeposits: {
    foreign: "an empty list",
    make: async (site) => ({ query: { view: "all", with: "count,sums", "filter[uuid]": (await deposit(site)).id } }),
  },
  countDeposits: { foreign: "names no ids", make: () => Promise.resolve({}) },
  readDeposit: { foreign: "not found", make: async (site) => ({ params: { uuid: (await deposit(site)).id } }) },
  createManualDeposit: {
    foreign: "not found",
    make: async (site) => {
      const { payment_account } = await site.office.paid(site.merchant, request(site));
      const { member, customer_name } = request(site);
      const form = { merchant: site.merchant.id, payment_account: payment_account?.uuid ?? "", amount: "120.00", member, customer_name };
      return { body: { ...form, reference_no: "R-9", remark: "by phone" } };
    },
  },
  takeNextDeposit: {
    foreign: "names no ids",
    make: async (site) => {
      await site.office.paid(site.merchant, request(site));
      return { body: { skip: [(await deposit(site)).id] } };
    },
  },
  claimDeposits: {
    foreign: "every row not found",
    make: async (site) => ({ body: rows(await site.office.paid(site.merchant, request(site))) }),
  },
  renewDepositClaims: { foreign: "nothing held", make: async (site, by) => ({ body: { uuids: [(await taken(site, by)).uuid] } }) },
  releaseDeposits: { foreign: "every row not found", make: async (site, by) => ({ body: rows(await taken(site, by)) }) },
  deferDeposits: { foreign: "every row not found", make: async (site, by) => ({ body: rows(await taken(site, by)) }) },
  takeOverDeposits: {
    foreign: "every row not found",
    make: async (site) => ({ body: { ...rows(await taken(site, site.office.ben)), reason: "away" } }),
  },
  processDeposits: { foreign: "every row not found", make: async (site) => ({ body: rows(await waiting(site)) }) },
  approveDeposits: {
    foreign: "every row not found",
    make: async (site, by) => {
      const { uuid, version } = await taken(site, by);
      return {
        body: { rows: [{ uuid, version, amount: "450.00", reason: "Paid less", confirmed: { amount: "450.00", payer: site.mark } }] },
      };
    },
  },
  secondApproveDeposits: {
    foreign: "every row not found",
    make: async (site) => {
      const row = await approved(site, site.office.ben, "60000.00");
      return { body: { rows: [{ uuid: row.uuid, version: row.version, confirmed: confirmed(row) }] } };
    },
  },
  handBackDeposits: {
    foreign: "every row not found",
    make: async (site) => ({ body: { ...rows(await approved(site, site.office.ben, "60000.00")), reason: "Ask the customer first" } }),
  },
  rejectDeposits: {
    foreign: "every row not found",
    // whoever has only the second right rejects what waits for a second person
    make: async (site) => ({ body: { ...rows(await approved(site, site.office.ben, "60000.00")), reason: why } }),
  },
  recallDeposits: { foreign: "every row not found", make: async (site, by) => ({ body: rows(await approved(site, by)) }) },
  reopenDeposits: {
    foreign: "every row not found",
    make: async (site) => {
      const { uuid } = await waiting(site);
      const { db, deps, tenant } = site.office;
      await db.owner.query("update transactions set expires_at = now() - interval '1 second' where id = $1", [uuid]);
      await expireDue(deps, tenant.id, 1000);
      const { rows: found } = await db.owner.query<{ version: number }>("select version from transactions where id = $1", [uuid]);
      return { body: { ...rows({ uuid, version: found[0]?.version ?? 0 }), reason: "late money" } };
    },
  },
  sendDepositCallbacks: {
    foreign: "every row not found",
    make: async (site) => {
      const rejected = await depositHandlers.rejectDeposits(site.office.call(), body({ ...rows(await waiting(site)), reason: why }));
      return { body: rows(done(only(rejected))) };
    },
  },
  remarkDeposit: {
    foreign: "not found",
    make: async (site) => {
      const { uuid, version } = await waiting(site);
      return { params: { uuid }, body: { version, remark: "called the bank" } };
    },
  },
};
