import { routes } from "../../../src/contract/index.ts";
import { makeAccount, makePerson } from "../../support/factories.ts";
import { sessionOf } from "../../support/http.ts";
import { makeSigningMerchant } from "../../support/merchants.ts";
import type { Outside } from "../../support/outside.ts";
import { makeOffice } from "../../support/payments.ts";
import { caller } from "./caller.ts";

interface Wanted {
  /** Their wallets, among which the withdrawals are spread. */
  readonly merchants: number;
  readonly count: number;
  readonly connections: number;
  amountOf(n: number): string;
}

/** Withdrawals of a tenant of their own that one person has claimed. */
export interface ClaimedWithdrawals {
  readonly tenant: string;
  readonly accounts: readonly string[];
  /** In the order of `amountOf`. */
  readonly uuids: readonly string[];
  /** Approves these over HTTP, as many at once as there are connections; answers the ms of each. Throws where one is refused. */
  approve(uuids: readonly string[]): Promise<number[]>;
  close(): void;
}

/** Created by the merchants and claimed in one go, because only the approvals are to be measured. */
export async function claimedWithdrawals(
  url: string,
  { db, served }: Outside,
  { merchants, count, connections, amountOf }: Wanted,
): Promise<ClaimedWithdrawals> {
  const office = await makeOffice(db, { settings: { claim_limit: 100, recall_seconds: 60 } });
  const { tenant } = office;
  const wallets = await Promise.all(
    Array.from({ length: merchants }, () => makeSigningMerchant(db, served.deps, tenant, { wallet: "10000000", withdrawal_rate: "1" })),
  );
  const accounts = await Promise.all(
    Array.from({ length: 12 }, () =>
      makeAccount(db, tenant, { balance: "100000000", charges_value: "2", withdrawal_daily_limit: "90000000" }),
    ),
  );
  const person = await makePerson(db, tenant, "Operator");
  await db.owner.query(
    `with g as (insert into user_groups (tenant_id, code, name, permissions) values ($1, 'crew', 'Crew', $2) returning id)
      insert into membership_groups (tenant_id, user_id, group_id) select $1, $3, id from g`,
    [tenant.id, [routes.approveWithdrawals.permission], person.id],
  );
  const uuids: string[] = [];
  let made = 0;
  const make = async () => {
    while (made < count) {
      const n = made++;
      const wallet = wallets[n % wallets.length];
      if (!wallet) throw new Error("there are wallets");
      const asked = { amount: amountOf(n), member: `M${n % 500}`, account_number: `${10_000_000 + n}` };
      uuids[n] = (await office.withdraw(wallet, asked)).id;
    }
  };
  await Promise.all(Array.from({ length: 8 }, make));
  await db.owner.query(
    "update transactions set status = 'process', version = 2, events = 2, claimed_by = $2, claimed_at = now(), claim_until = now() + interval '1 hour' where tenant_id = $1",
    [tenant.id, person.id],
  );
  await db.owner.query("vacuum analyze");
  const { access_token: token } = await sessionOf(served.deps, person.id);
  const { call, close } = caller(url, token, tenant.id, tenant.currency, connections);
  return {
    tenant: tenant.id,
    accounts: accounts.map(({ id }) => id),
    uuids,
    close,
    async approve(asked) {
      const left = [...asked];
      const times: number[] = [];
      const approveAll = async () => {
        for (let uuid = left.pop(); uuid !== undefined; uuid = left.pop()) {
          const { status, text, ms } = await call("POST", routes.approveWithdrawals.path, { rows: [{ uuid, version: 2 }] });
          if (status !== 200 || !text.includes('"done":true')) throw new Error(`not approved: ${status} ${text}`);
          times.push(ms);
        }
      };
      await Promise.all(Array.from({ length: connections }, approveAll));
      return times;
    },
  };
}
