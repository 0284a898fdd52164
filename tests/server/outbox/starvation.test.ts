import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startReceiver } from "../../../src/server/demo/receiver.ts";
import type { Receiver } from "../../../src/server/demo/receiver.ts";
import { withdrawalHandlers } from "../../../src/server/payments/withdrawals.ts";
import { testDatabase } from "../../support/database.ts";
import { makeSigningMerchant } from "../../support/merchants.ts";
import type { SigningMerchant } from "../../support/merchants.ts";
import { body, makeOffice } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";
import { serverProcess } from "../../support/processes.ts";
import type { ServerProcess } from "../../support/processes.ts";
import { settingsFor } from "../../support/settings-for.ts";

const db = testDatabase();
const settings = { loopback_callbacks: true, recall_seconds: 0 };
const [due, processes] = [700, 2];

/** Takes every request and answers none. */
let silent: Server;
let asked = 0;
let receiver: Receiver;
let known: readonly SigningMerchant[] = [];
let servers: ServerProcess[] = [];

beforeAll(async () => {
  silent = createServer(() => (asked += 1));
  await new Promise<void>((listening) => silent.listen(0, "127.0.0.1", listening));
  receiver = await startReceiver({ secretOf: (id) => known.find((one) => one.id === id)?.secret, fault: () => null });
});

afterAll(async () => {
  for (const server of servers) await server.end();
  await receiver.stop();
  silent.closeAllConnections();
  await new Promise((closed) => silent.close(closed));
});

async function reject(office: Office, merchant: SigningMerchant, count: number): Promise<void> {
  for (let made = 0; made < count; made += 50) {
    const some = await Promise.all(
      Array.from({ length: Math.min(50, count - made) }, () => office.withdraw(merchant, { amount: "10.00" })),
    );
    const rows = some.map(({ id, version }) => ({ uuid: id, version }));
    await withdrawalHandlers.rejectWithdrawals(office.call(), body({ rows, reason: { code: "duplicate" } }));
  }
}

test(
  "seven hundred callbacks to an endpoint that hangs hold up no merchant's callback, of the same tenant or another",
  { timeout: 300_000 },
  async () => {
    const [office, other] = [await makeOffice(db, { settings }), await makeOffice(db, { settings })];
    const { port } = silent.address() as AddressInfo; // it listens on TCP
    const hanging = await makeSigningMerchant(db, office.deps, office.tenant, {
      wallet: "1000000",
      callback_url: `http://127.0.0.1:${port}/`,
    });
    const healthy = await Promise.all(
      [office, other].map(async (at) => ({ at, merchant: await makeSigningMerchant(db, at.deps, at.tenant, { wallet: "1000" }) })),
    );
    known = healthy.map(({ merchant }) => merchant);
    for (const { id } of known) await db.owner.query("update merchants set callback_url = $2 where id = $1", [id, receiver.url(id)]);
    await reject(office, hanging, due);

    const environment = { ...settingsFor(db), DEVELOPMENT: "true" };
    servers = await Promise.all(Array.from({ length: processes }, () => serverProcess(environment)));
    await Promise.all(servers.map((server) => server.start()));
    await vi.waitFor(() => expect(asked).toBeGreaterThan(0), { timeout: 60_000, interval: 20 });

    for (const { at, merchant } of healthy) await reject(at, merchant, 1);
    await vi.waitFor(
      () => expect(receiver.effects.map(({ merchant }) => merchant).toSorted()).toEqual(known.map(({ id }) => id).toSorted()),
      {
        timeout: 120_000,
        interval: 20,
      },
    );
    const { rows } = await db.owner.query(
      "select state, attempts, count(*)::integer as n from outbox where merchant_id = $1 group by 1, 2",
      [hanging.id],
    );
    expect(rows).toEqual([{ state: "pending", attempts: 0, n: due }]);
  },
);
