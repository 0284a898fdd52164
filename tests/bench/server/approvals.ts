import { routes } from "../../../src/contract/index.ts";
import { makeAccount, makePerson } from "../../support/factories.ts";
import { sessionOf } from "../../support/http.ts";
import { makeSigningMerchant } from "../../support/merchants.ts";
import { outsideOf } from "../../support/outside.ts";
import { makeOffice } from "../../support/payments.ts";
import { serverProcess } from "../../support/processes.ts";
import { benchActFloor, makeActFloor } from "./act-floor.ts";
import type { ActFigures } from "./acts.ts";
import { few, measureActs } from "./acts.ts";
import { caller } from "./caller.ts";
import type { FloorFigures } from "./floor.ts";

export interface ApprovalFigures extends ActFigures {
  /** The floor at as many connections without triggers and foreign keys. */
  readonly unguarded: FloorFigures;
}

const items = 3_000;
const floorItems = 4_000;
/** The item whose approval the floor writes again. */
const sampleOf = 17;
const connections = 32;

/** Approvals over HTTP with all guards and fsync on: spread over 20 wallets, then all of one. */
export async function benchApprovals(): Promise<{ spread: ApprovalFigures; hot: ApprovalFigures }> {
  const server = await serverProcess();
  await server.start();
  const outside = await outsideOf(server);
  const { db, served } = outside;

  async function approve(merchants: number): Promise<ApprovalFigures> {
    const office = await makeOffice(db, { settings: { claim_limit: 100, recall_seconds: 60 } });
    const wallets = await Promise.all(
      Array.from({ length: merchants }, () =>
        makeSigningMerchant(db, served.deps, office.tenant, { wallet: "10000000", withdrawal_rate: "1" }),
      ),
    );
    const accounts = await Promise.all(
      Array.from({ length: 12 }, () =>
        makeAccount(db, office.tenant, { balance: "100000000", charges_value: "2", withdrawal_daily_limit: "90000000" }),
      ),
    );
    const person = await makePerson(db, office.tenant, "Operator");
    await db.owner.query(
      `with g as (insert into user_groups (tenant_id, code, name, permissions) values ($1, 'crew', 'Crew', $2) returning id)
        insert into membership_groups (tenant_id, user_id, group_id) select $1, $3, id from g`,
      [office.tenant.id, [routes.approveWithdrawals.permission], person.id],
    );
    const [uuids, forFloor]: [string[], string[]] = [[], []];
    let [made, sample] = [0, ""];
    const make = async () => {
      while (made < items + floorItems) {
        const n = made++;
        const wallet = wallets[n % wallets.length];
        if (!wallet) throw new Error("there are wallets");
        const row = await office.withdraw(wallet, {
          // those of the floor are copies of the sample
          amount: `${100 + (n < items ? n % 50 : sampleOf % 50)}.00`,
          member: `M${n % 500}`,
          account_number: `${10_000_000 + n}`,
        });
        if (n === sampleOf) sample = row.id;
        else (n < items ? uuids : forFloor).push(row.id);
      }
    };
    await Promise.all(Array.from({ length: 8 }, make));
    // claimed in one go: only the approvals are to be measured
    await db.owner.query(
      "update transactions set status = 'process', version = 2, events = 2, claimed_by = $2, claimed_at = now(), claim_until = now() + interval '1 hour' where tenant_id = $1",
      [office.tenant.id, person.id],
    );
    await db.owner.query("vacuum analyze");
    const { access_token: token } = await sessionOf(served.deps, person.id);
    const { call, close } = caller(server.url, token, office.tenant.id, office.tenant.currency, connections);
    const times: number[] = [];
    const approveAll = async (until: number) => {
      for (let uuid = uuids.pop(); uuid !== undefined; uuid = uuids.length > until ? uuids.pop() : undefined) {
        const { status, text, ms } = await call("POST", routes.approveWithdrawals.path, { rows: [{ uuid, version: 2 }] });
        if (status !== 200 || !text.includes('"done":true')) throw new Error(`not approved: ${status} ${text}`);
        times.push(ms);
      }
    };
    const run = (until: number) => Promise.all(Array.from({ length: connections }, () => approveAll(until)));
    uuids.push(sample); // approved first
    await run(items - 500); // warm
    // what was planned for tables that were empty is planned again, as autovacuum would have it
    await db.owner.query("analyze");
    await run(items - 600);
    times.length = 0;
    const figures = await measureActs(server, async () => {
      await run(0);
      return times;
    });
    close();
    // no callback falls due while the floor is measured
    await db.owner.query("update outbox set next_attempt_at = null where tenant_id = $1", [office.tenant.id]);
    await db.owner.query("vacuum analyze");
    const asked = { tenant: office.tenant.id, sample, accounts: accounts.map(({ id }) => id), posts: "withdrawal" };
    const take = (count: number) => forFloor.splice(0, count);
    const atMost = await benchActFloor(db, { ...asked, connections, targets: take(1_500) });
    const atFew = await benchActFloor(db, { ...asked, connections: few, targets: take(1_250) });
    const unguarded = await benchActFloor(db, { ...asked, connections, targets: take(1_250), unguarded: true });
    const floors = [
      { connections, ...atMost },
      { connections: few, ...atFew },
    ];
    return { ...figures, floors, unguarded };
  }

  try {
    await makeActFloor(db);
    return { spread: await approve(20), hot: await approve(1) };
  } finally {
    await outside.close();
    await server.end();
  }
}
