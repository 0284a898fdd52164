import { randomInt, randomUUID } from "node:crypto";
import type { merchantCallbackRoutes } from "../../../src/contract/merchant-callbacks.ts";
import { depositHandlers } from "../../../src/server/payments/deposits.ts";
import { withdrawalHandlers } from "../../../src/server/payments/withdrawals.ts";
import type { Person } from "../../support/factories.ts";
import { body, done, only } from "../../support/payments.ts";
import type { Fixture, Site } from "./fixtures.ts";

/** The callback of a withdrawal that was rejected. */
async function callback(site: Site): Promise<{ id: string; txn_no: string }> {
  const { office, merchant, mark } = site;
  const { id, version, txn_no } = await office.withdraw(merchant, {
    merchant_txn_no: randomUUID(),
    member: randomUUID(),
    customer_name: mark,
    holder: mark,
    account_number: String(randomInt(1e9, 1e10)),
  });
  done(
    only(await withdrawalHandlers.rejectWithdrawals(office.call(), body({ rows: [{ uuid: id, version }], reason: { code: "duplicate" } }))),
  );
  const { rows } = await office.db.owner.query<{ id: string }>("select id from outbox where transaction_id = $1", [id]);
  return { id: rows[0]?.id ?? "", txn_no };
}

async function codeOf({ office, merchant }: Site): Promise<string> {
  const { rows } = await office.db.owner.query<{ code: string }>("select code from merchants where id = $1", [merchant.id]);
  return rows[0]?.code ?? "";
}

/** The callback of a rejected deposit, for whoever may send no withdrawal's again. */
async function ofDeposit({ office, merchant, mark }: Site): Promise<string> {
  const { id, version } = await office.deposit(merchant, { merchant_txn_no: randomUUID(), member: randomUUID(), customer_name: mark });
  done(only(await depositHandlers.rejectDeposits(office.call(), body({ rows: [{ uuid: id, version }], reason: { code: "duplicate" } }))));
  const { rows } = await office.db.owner.query<{ id: string }>("select id from outbox where transaction_id = $1", [id]);
  return rows[0]?.id ?? "";
}

/** Of the kind of transaction whose callbacks this person may send again. */
async function theirs(site: Site, by: Person): Promise<string> {
  const { rows } = await site.office.db.owner.query<{ may: boolean }>(
    "select 'pas.transaction.deposits.send-callback' = any(permissions) and not 'pas.transaction.withdrawals.send-callback' = any(permissions) as may from memberships where tenant_id = $1 and user_id = $2",
    [site.office.tenant.id, by.id],
  );
  return rows[0]?.may ? ofDeposit(site) : (await callback(site)).id;
}

const since = "2026-11-21T06:32:00.000Z";

export const callbackFixtures: Readonly<Record<keyof typeof merchantCallbackRoutes, Fixture>> = {
  listMerchantCallbacks: {
    foreign: "an empty list",
    make: async (site) => ({ query: { "filter[uuid]": (await callback(site)).id, with: "count" } }),
  },
  readMerchantCallback: { foreign: "not found", make: async (site) => ({ params: { uuid: (await callback(site)).id } }) },
  resendCallbacks: {
    foreign: "every row not found",
    make: async (site, by) => ({ body: { rows: [{ uuid: await theirs(site, by), version: 1 }] } }),
  },
  countFailedCallbacks: { foreign: "not found", make: async (site) => ({ query: { since, merchant_code: await codeOf(site) } }) },
  resendFailedCallbacks: { foreign: "not found", make: async (site) => ({ body: { since, merchant_code: await codeOf(site) } }) },
};
