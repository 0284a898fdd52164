import { randomUUID } from "node:crypto";
import { routes } from "../../../src/contract/index.ts";
import { makeAccount, makeGroup, makePerson, makeRateGroup } from "../../support/factories.ts";
import type { Served } from "../../support/http.ts";
import { ask, sessionOf } from "../../support/http.ts";
import type { SigningMerchant } from "../../support/merchants.ts";
import { makeSigningMerchant } from "../../support/merchants.ts";
import { outsideOf } from "../../support/outside.ts";
import { makeOffice } from "../../support/payments.ts";
import { serverProcess } from "../../support/processes.ts";
import { benchActFloor, makeActFloor } from "./act-floor.ts";
import { few } from "./acts.ts";
import { percentile } from "./caller.ts";
import type { FloorFigures } from "./floor.ts";
import { startReader } from "./reader.ts";

export interface CreationFigures {
  readonly processes: number;
  readonly deposits: number;
  readonly withdrawals: number;
  /** Of 64 in flight for the whole time; any other answer than 200. */
  readonly refused: number;
  /** p95 of another tenant's list: with nothing else to do, and while deposits and withdrawals are created. */
  readonly calm: number;
  readonly duringDeposits: number;
  readonly duringWithdrawals: number;
  /** The rows of one creation by one prepared function, in the same run; of one process only. */
  readonly floors: Readonly<Record<"deposits" | "withdrawals", readonly FloorFigures[]>> | null;
}

const inFlight = 64;
const created = 1_500;

/** Deposits and withdrawals created over HTTP by one merchant, 64 in flight, and what another tenant feels of it. */
export async function benchCreations(processes: number): Promise<CreationFigures> {
  const server = await serverProcess();
  await server.start();
  const siblings = await Promise.all(Array.from({ length: processes - 1 }, () => serverProcess({ DATA_DIR: server.dataDir })));
  for (const sibling of siblings) await sibling.start();
  const outside = await outsideOf(server);
  const { db } = outside;
  const all = [outside.served, ...siblings.map(outside.at)];
  const served = (n: number): Served => all[n % all.length] ?? outside.served;
  try {
    const busy = await makeOffice(db);
    const merchant = await makeSigningMerchant(db, outside.served.deps, busy.tenant, { wallet: "100000000" });
    const group = await makeRateGroup(db, busy.tenant, {
      account_window_minutes: 60,
      account_max_count: 5_000,
      member_window_minutes: 60,
      member_turnover: "100000",
    });
    const accounts = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        makeAccount(db, busy.tenant, { deposit_daily_limit: "90000000", ...(n % 2 && { rate_limit_group_id: group }) }),
      ),
    );
    await makeGroup(db, busy.tenant, accounts, [merchant]);
    const quiet = await makeOffice(db);
    const person = await makePerson(db, quiet.tenant, "Reader");
    await db.owner.query("update memberships set permissions = '{pas.transaction.withdrawals.view}' where user_id = $1", [person.id]);
    const { access_token: token } = await sessionOf(outside.served.deps, person.id);
    const quietMerchant = await makeSigningMerchant(db, outside.served.deps, quiet.tenant, { wallet: "100000" });
    for (let n = 0; n < 50; n++) await quiet.withdraw(quietMerchant, { amount: "10.00", member: `M${n}` });
    await db.owner.query("vacuum analyze");

    const reader = startReader({
      urls: all.map(({ url }) => url ?? ""),
      token,
      tenant: quiet.tenant.id,
      currency: quiet.tenant.currency,
      path: `${routes.listWithdrawals.path}?view=queue&limit=50`,
    });
    const flood = async (kind: "createDeposit" | "createWithdrawal") => {
      let begun = 0;
      let refused = 0;
      let last = "";
      const creator = async () => {
        while (begun < created) {
          const uuid = await create(served(begun), kind, merchant, begun++);
          if (uuid === null) refused++;
          else last = uuid;
        }
      };
      const began = performance.now();
      const creating = Promise.all(Array.from({ length: inFlight }, creator)).then(() => performance.now() - began);
      const times = await reader.during(creating, 1);
      return { perSecond: (created - refused) / ((await creating) / 1000), refused, last, times };
    };

    await reader.during(Promise.resolve(), 50);
    const calm = await reader.during(Promise.resolve(), 400);
    const withdrawals = await flood("createWithdrawal");
    const deposits = await flood("createDeposit");
    await reader.close();
    const floorOf = async (sample: string, more: { readonly posts?: string; readonly accounts?: readonly string[] }) => {
      const floors: FloorFigures[] = [];
      for (const connections of [inFlight, few])
        floors.push(await benchActFloor(db, { tenant: busy.tenant.id, sample, targets: created, connections, ...more }));
      return floors;
    };
    let floors: CreationFigures["floors"] = null;
    if (processes === 1) {
      await makeActFloor(db);
      await db.owner.query("vacuum analyze");
      floors = {
        withdrawals: await floorOf(withdrawals.last, { posts: "withdrawal.hold" }),
        deposits: await floorOf(deposits.last, { accounts: accounts.map(({ id }) => id) }),
      };
    }
    return {
      processes,
      floors,
      deposits: deposits.perSecond,
      withdrawals: withdrawals.perSecond,
      refused: deposits.refused + withdrawals.refused,
      calm: percentile(calm, 0.95),
      duringDeposits: percentile(deposits.times, 0.95),
      duringWithdrawals: percentile(withdrawals.times, 0.95),
    };
  } finally {
    await outside.close();
    for (const sibling of siblings) await sibling.end();
    await server.end();
  }
}

/** Answers the new uuid; null: it was not created. `n` makes it another member, amount and account. */
export async function create(
  served: Served,
  kind: "createDeposit" | "createWithdrawal",
  merchant: SigningMerchant,
  n: number,
): Promise<string | null> {
  const answer = await ask(served, kind, {
    signedBy: merchant,
    body: {
      merchant_txn_no: randomUUID(),
      amount: `${100 + (n % 50)}.00`,
      currency: merchant.currency,
      method: "bank_transfer",
      member: `M${n % 500}`,
      customer_name: "Tan Wei Ming",
      ...(kind === "createWithdrawal" && { bank: "Maybank", account_number: `${10_000_000 + n}`, holder: "TAN WEI MING" }),
    },
  }).catch(() => null);
  // a connection that was cut off is no answer
  if (answer?.status !== 200) return null;
  const data = answer.data as { readonly uuid: string } | { readonly transaction: { readonly uuid: string } }; // a withdrawal, or a deposit
  return "transaction" in data ? data.transaction.uuid : data.uuid;
}
