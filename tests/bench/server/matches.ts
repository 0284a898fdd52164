import { routes } from "../../../src/contract/index.ts";
import { seededRandom } from "../../../src/server/demo/random.ts";
import { aLine, bookLines } from "../../support/bank-lines.ts";
import { insertDeposits } from "../../support/bank-noise.ts";
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

const connections = 32;
const [warm, measured] = [500, 1_500];
const floorItems = 1_500;
const accountCount = 10;
const cents = (n: number) => (100 + n / 100).toFixed(2);

/**
 * A bank line matched to a pending deposit over HTTP, each by a person's act, with all guards and fsync on; the deposit is in process with
 * it and the payer's account is learned. No two deposits share an amount, so that a line has one candidate.
 */
export async function benchMatches(): Promise<ActFigures> {
  const server = await serverProcess();
  await server.start();
  const outside = await outsideOf(server);
  const { db, served } = outside;
  try {
    await makeActFloor(db);
    const office = await makeOffice(db, { settings: { auto_match: false } });
    const { id: tenant, currency } = office.tenant;
    const merchant = await makeSigningMerchant(db, served.deps, office.tenant);
    const accounts = await Promise.all(Array.from({ length: accountCount }, () => makeAccount(db, office.tenant)));
    const random = seededRandom(7);
    const createdAt = new Date(Date.now() - 3_600_000);
    const all = warm + measured + 2 * floorItems;
    const deposits = Array.from({ length: all }, (_, n) => ({
      id: random.uuid(createdAt.getTime()),
      txnNo: `D261121${String(1_000_000 + n).slice(-7)}`,
      merchantTxnNo: `ORD-${n}`,
      name: "Tan Wei Ming",
      member: `M${n % 500}`,
      amount: cents(n),
      createdAt,
      account: n % accountCount,
    }));
    await insertDeposits(db, office.tenant, merchant, accounts, deposits);
    const pairs: { readonly line: string; readonly deposit: string }[] = [];
    for (const [at, account] of accounts.entries()) {
      const own = deposits.filter((deposit) => deposit.account === at);
      const lines = own.map(({ amount, txnNo, member }) =>
        aLine({
          time: new Date(createdAt.getTime() + 600_000),
          amount,
          counterparty: "TAN WEI MING",
          counterparty_account: `55${member.slice(1).padStart(8, "0")}`,
          description: `FPX TRF ${txnNo}`,
        }),
      );
      const { ids } = await bookLines({ db, tenant: office.tenant }, account.id, lines);
      for (const [n, { id: deposit }] of own.entries()) pairs.push({ line: ids[n] ?? "", deposit });
    }
    const person = await makePerson(db, office.tenant, "Clerk");
    await db.owner.query("update memberships set permissions = $2 where user_id = $1", [person.id, [routes.matchBankLines.permission]]);
    const { access_token: token } = await sessionOf(served.deps, person.id);
    await db.owner.query("vacuum analyze");

    const { call, close } = caller(server.url, token, tenant, currency, connections);
    const sample = pairs[0]?.deposit ?? "";
    const times: number[] = [];
    const match = async (count: number) => {
      const left = pairs.splice(0, count);
      const next = async () => {
        for (let pair = left.shift(); pair; pair = left.shift()) {
          const rows = [{ uuid: pair.line, version: 1, transactions: [{ uuid: pair.deposit, version: 1 }] }];
          const { status, text, ms } = await call("POST", routes.matchBankLines.path, { rows });
          if (status !== 200 || !text.includes('"done":true')) throw new Error(`not matched: ${status} ${text}`);
          times.push(ms);
        }
      };
      await Promise.all(Array.from({ length: connections }, next));
    };
    await match(warm);
    await db.owner.query("analyze");
    times.length = 0;
    const figures = await measureActs(server, async () => {
      await match(measured);
      return times;
    });
    close();

    await db.owner.query("vacuum analyze");
    const floors: ActFigures["floors"][number][] = [];
    for (const each of [connections, few]) {
      const free = pairs.splice(0, floorItems);
      const targets = free.map(({ deposit }) => deposit);
      const lines = free.map(({ line }) => line);
      floors.push({ connections: each, ...(await benchActFloor(db, { tenant, sample, targets, lines, connections: each })) });
    }
    return { ...figures, floors };
  } finally {
    await outside.close();
    await server.end();
  }
}
