import { randomInt, randomUUID } from "node:crypto";
import type { payoutRoutes } from "../../../src/contract/payouts.ts";
import { withdrawalHandlers } from "../../../src/server/payments/withdrawals.ts";
import { body, done, only } from "../../support/payments.ts";
import type { Fixture, Site } from "./fixtures.ts";

async function waiting({ office, merchant, mark }: Site) {
  const { id, version } = await office.withdraw(merchant, {
    merchant_txn_no: randomUUID(),
    member: randomUUID(),
    customer_name: mark,
    holder: mark,
    account_number: String(randomInt(1e9, 1e10)),
  });
  return { uuid: id, version };
}

async function payer({ office }: Site): Promise<string> {
  const { rows } = await office.db.owner.query<{ id: string }>(
    "select id from payment_accounts where tenant_id = $1 and currency = $2 order by created_at, id limit 1",
    [office.tenant.id, office.tenant.currency],
  );
  return rows[0]?.id ?? "";
}

export const payoutFixtures: Readonly<Record<keyof typeof payoutRoutes, Fixture>> = {
  planPayouts: {
    foreign: "nothing planned",
    make: async (site) => {
      const row = await waiting(site);
      const account = await payer(site);
      return { body: { rows: [row], prefer: "sum", pins: [{ uuid: row.uuid, account }], without: { rows: [], accounts: [account] } } };
    },
  },
  approvePayouts: {
    foreign: "every row not found",
    make: async (site, by) => {
      const row = await waiting(site);
      const claiming = await withdrawalHandlers.claimWithdrawals(site.office.call(by), body({ rows: [row] }));
      const { version } = done(only(claiming));
      return { body: { payout: [row.uuid], rows: [{ ...row, version, payment_account: await payer(site) }] } };
    },
  },
};
