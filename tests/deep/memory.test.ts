import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import WebSocket from "ws";
import type { RouteName } from "../../src/contract/index.ts";
import type { Config } from "../../src/contract/session.ts";
import type { RowRef } from "../../src/contract/wire.ts";
import type { Receiver } from "../../src/server/demo/receiver.ts";
import { startReceiver } from "../../src/server/demo/receiver.ts";
import { makeCrew } from "../support/crew.ts";
import { testDatabase } from "../support/database.ts";
import { makeAccount } from "../support/factories.ts";
import type { Served } from "../support/http.ts";
import { ask, sessionOf, setPassword } from "../support/http.ts";
import type { SigningMerchant } from "../support/merchants.ts";
import { makeSigningMerchant } from "../support/merchants.ts";
import type { Office } from "../support/payments.ts";
import { makeOffice } from "../support/payments.ts";
import type { ServerProcess } from "../support/processes.ts";
import { serverProcess } from "../support/processes.ts";
import { settingsFor } from "../support/settings-for.ts";

/** A third of the series: the heap has taken its size after the first, and what grows on grows from the second to the last. */
const minutes = 10;
/** MB the middle of the last third may be above that of the second: V8 takes and gives back by some tens, around one level. */
const spread = 20;

const db = testDatabase({ invariants: false });
const password = "some good password";
let server: ServerProcess;
let receiver: Receiver;
let office: Office;
let served: Served;
let merchant: SigningMerchant;
let operator: string;
let key: string;

beforeAll(async () => {
  server = await serverProcess({ ...settingsFor(db), DEVELOPMENT: "true" });
  await server.start();
  office = await makeOffice(db, { settings: { claim_limit: 100, recall_seconds: 0, loopback_callbacks: true } });
  await makeAccount(db, office.tenant, { balance: "100000000" });
  merchant = await makeSigningMerchant(db, office.deps, office.tenant, { wallet: "100000000" });
  receiver = await startReceiver({ secretOf: () => merchant.secret, fault: () => null });
  await db.owner.query("update merchants set callback_url = $2 where id = $1", [merchant.id, receiver.url(merchant.id)]);
  served = { deps: office.deps, url: server.url } as unknown as Served; // asked over its url only
  operator = (await makeCrew(db, served, office, 1))[0]?.id ?? "";
  const { data } = await ask(served, "readConfig", await signedIn());
  key = (data as Config).realtime.key; // the contract's answer
});
afterAll(async () => {
  await server.end();
  await receiver.stop();
});

async function signedIn() {
  const { access_token: token } = await sessionOf(office.deps, operator);
  return { token, tenant: office.tenant.id, currency: office.tenant.currency };
}

/** MB. */
async function residentSet(): Promise<number> {
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (.*)$/m.exec(metrics)?.[1]) / 1_048_576;
}

const middle = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

test(`${3 * minutes} minutes of mixed work leave the server's memory level`, async () => {
  let over = false;
  let made = 0;
  let person = await signedIn();
  const email = await setPassword(db, operator, password);
  const act = async (route: RouteName, { uuid, version }: RowRef, more: object = {}) => {
    const answered = await ask(served, route, { ...person, body: { rows: [{ uuid, version }], ...more } });
    if (answered.status !== 200) throw new Error(`${route}: ${answered.status} ${answered.text}`);
    return (answered.data as { outcomes: { row?: RowRef }[] }).outcomes[0]?.row; // the contract's answer
  };
  const work: (() => Promise<unknown>)[] = [
    () => ask(served, "listWithdrawals", { ...person, query: { view: "all", limit: "100", with: "count,sums" } }),
    () => ask(served, "login", { body: { email, password } }),
    async () => {
      const { id: uuid, version } = await office.withdraw(merchant, {
        amount: "1.00",
        member: `m ${made}`,
        merchant_txn_no: `n-${made++}`,
      });
      const claimed = await act("claimWithdrawals", { uuid, version });
      if (!claimed) throw new Error("a free one is claimed");
      if (made % 2 === 0) await act("approveWithdrawals", claimed);
      else await act("rejectWithdrawals", claimed, { reason: { code: "duplicate" } });
    },
    () =>
      new Promise((closed) => {
        const socket = new WebSocket(`${server.url.replace("http", "ws")}/app/${key}?protocol=7`);
        socket.once("message", () => socket.close()).once("error", () => socket.terminate());
        socket.once("close", closed);
      }),
  ];
  const working = work.map(async (one) => {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    while (!over) await one();
  });
  const ended = Promise.all(working);
  const thirds: number[][] = [[], [], []];
  for (const third of thirds) {
    const until = performance.now() + minutes * 60_000;
    while (performance.now() < until) {
      // oxlint-disable-next-line no-await-in-loop -- a series
      third.push(await residentSet());
      // oxlint-disable-next-line no-await-in-loop
      await Promise.race([delay(5_000), ended]); // an act that fails ends the series
      // a session's token lives for a quarter of an hour
      if (third.length % 60 === 0) person = await signedIn(); // oxlint-disable-line no-await-in-loop
    }
  }
  over = true;
  await ended;
  const levels = thirds.map(middle);
  process.stdout.write(
    `resident set: ${levels.map((level) => level.toFixed(0)).join(", ")} MB; ${made} acts, ${receiver.requests} callbacks\n`,
  );
  expect(receiver.requests).toBeGreaterThan(0);
  expect((levels[2] ?? 0) - (levels[1] ?? 0)).toBeLessThan(spread);
}, 7_200_000);
