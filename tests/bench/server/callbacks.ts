import { once } from "node:events";
import { createServer } from "node:http";
import type { RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { withdrawalHandlers } from "../../../src/server/payments/withdrawals.ts";
import { makeSigningMerchant } from "../../support/merchants.ts";
import type { SigningMerchant } from "../../support/merchants.ts";
import { outsideOf } from "../../support/outside.ts";
import { body, makeOffice } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";
import { serverProcess } from "../../support/processes.ts";
import { percentile } from "./caller.ts";

export interface CallbackFigures {
  /** Ms from a callback becoming due to its arrival, while another merchant's endpoint hangs. */
  readonly sameTenant: { readonly p50: number; readonly most: number };
  readonly otherTenant: { readonly p50: number; readonly most: number };
  /** Due callbacks per second delivered to one working endpoint meanwhile. */
  readonly drained: number;
}

/** Callbacks due at the endpoint that hangs, and then at one that does not; and single ones timed of each of both tenants. */
const [due, single] = [700, 40];

/** How a dead endpoint with many due callbacks affects others: single callbacks of its tenant and of another, and a large batch. */
export async function benchCallbacks(processes: number): Promise<CallbackFigures> {
  const development = { DEVELOPMENT: "true" };
  const server = await serverProcess(development);
  await server.start();
  const siblings = await Promise.all(
    Array.from({ length: processes - 1 }, () => serverProcess({ ...development, DATA_DIR: server.dataDir })),
  );
  for (const sibling of siblings) await sibling.start();
  const outside = await outsideOf(server);
  const { db, served } = outside;
  const heard = new Map<string, number>();
  let expecting: { ids: ReadonlySet<string>; all: () => void } | undefined;
  const hangs = Promise.withResolvers<void>();
  const hanging = await listening(() => hangs.resolve());
  const healthy = await listening((request, answer) => {
    void text(request).then((sent) => {
      heard.set((JSON.parse(sent) as { data: { uuid: string } }).data.uuid, Date.now()); // the shape of every callback
      answer.writeHead(200).end();
      if (expecting && [...expecting.ids].every((id) => heard.has(id))) expecting.all();
    });
  });
  const received = (ids: readonly string[]) =>
    new Promise<void>((all) => {
      expecting = { ids: new Set(ids), all };
      if (ids.every((id) => heard.has(id))) all();
    });
  try {
    const settings = { loopback_callbacks: true, recall_seconds: 0 };
    const [office, other] = [await makeOffice(db, { settings }), await makeOffice(db, { settings })];
    const merchantAt = (at: Office, callback_url: string) =>
      makeSigningMerchant(db, served.deps, at.tenant, { wallet: "1000000", callback_url });
    const dead = await merchantAt(office, hanging.url);
    const singles = [await merchantAt(office, healthy.url), await merchantAt(other, healthy.url)] as const;
    const heap = await merchantAt(other, healthy.url);
    await db.owner.query("vacuum analyze");

    await manyDue(office, dead);
    await hangs.promise;
    const times: [same: number[], other: number[]] = [[], []];
    for (let n = 0; n < single; n++) {
      const [[same = ""], [others = ""]] = [await reject(office, singles[0], 1), await reject(other, singles[1], 1)];
      await received([same, others]);
      const { rows } = await db.owner.query<{ id: string; at: Date }>(
        "select transaction_id as id, created_at as at from outbox where transaction_id = any($1::uuid[])",
        [[same, others]],
      );
      for (const { id, at } of rows) times[id === same ? 0 : 1].push((heard.get(id) ?? Number.NaN) - at.getTime());
    }
    const ids = await manyDue(other, heap);
    const began = performance.now();
    await received(ids);
    const drained = ids.length / ((performance.now() - began) / 1000);
    const of = (all: readonly number[]) => ({ p50: percentile(all, 0.5), most: Math.max(...all) });
    return { sameTenant: of(times[0]), otherTenant: of(times[1]), drained };
  } finally {
    await outside.close();
    for (const sibling of siblings) await sibling.end();
    await server.end();
    await Promise.all([hanging.close(), healthy.close()]);
  }
}

async function listening(take: RequestListener): Promise<{ url: string; close: () => Promise<unknown> }> {
  const server = createServer(take).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return {
    url: `http://127.0.0.1:${port}/`,
    close() {
      server.closeAllConnections();
      return new Promise((closed) => server.close(closed));
    },
  };
}

/** Each has a callback from then on. Answers which transactions. */
async function reject(office: Office, merchant: SigningMerchant, count: number): Promise<string[]> {
  const made = await Promise.all(Array.from({ length: count }, () => office.withdraw(merchant, { amount: "10.00" })));
  const rows = made.map(({ id, version }) => ({ uuid: id, version }));
  await withdrawalHandlers.rejectWithdrawals(office.call(), body({ rows, reason: { code: "duplicate" } }));
  return rows.map(({ uuid }) => uuid);
}

/** Callbacks that are due all at once: the endpoint is left alone until all are there. */
async function manyDue(office: Office, merchant: SigningMerchant): Promise<string[]> {
  const { owner } = office.db;
  await owner.query("insert into callback_endpoints (tenant_id, merchant_id, paused_until) values ($1, $2, now() + interval '1 day')", [
    office.tenant.id,
    merchant.id,
  ]);
  const ids: string[] = [];
  while (ids.length < due) ids.push(...(await reject(office, merchant, 50)));
  await owner.query("delete from callback_endpoints where merchant_id = $1", [merchant.id]);
  return ids;
}
