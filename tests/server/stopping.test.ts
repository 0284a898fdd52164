import { once } from "node:events";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeCrew } from "../support/crew.ts";
import { testDatabase } from "../support/database.ts";
import { makeAccount } from "../support/factories.ts";
import { makeSigningMerchant } from "../support/merchants.ts";
import { makeOffice } from "../support/payments.ts";
import type { ServerProcess } from "../support/processes.ts";
import { serverProcess } from "../support/processes.ts";
import { settingsFor } from "../support/settings-for.ts";

const db = testDatabase();
let server: ServerProcess;

beforeEach(async () => {
  server = await serverProcess(settingsFor(db));
  await server.start();
});
afterEach(() => server.end());

/** How long the clients below would hold on: less than any time-out of the server's for a silent connection. */
const patience = 18_000;

/** A connection that never closes its own end, whatever the server does; it says `words` and hears what comes until its patience is over. */
async function client(words: string): Promise<{ socket: Socket; heard(): string; hadEnough(): boolean }> {
  const socket = connect({ port: Number(new URL(server.url).port), host: "127.0.0.1", allowHalfOpen: true });
  let heard = "";
  let over = false;
  socket.on("error", () => undefined); // cut off
  socket.on("data", (chunk) => (heard += chunk.toString()));
  await once(socket, "connect");
  if (words !== "") socket.write(words);
  const timer = setTimeout(() => {
    over = true;
    socket.destroy();
  }, patience);
  socket.once("close", () => clearTimeout(timer));
  return { socket, heard: () => heard, hadEnough: () => over };
}

const request = (head: string) => `${head}\r\nhost: x\r\n`;
const login = "POST /service/centralize-authenticate/api/tenant/v1/auth/login HTTP/1.1";

describe("an orderly stop ends, logging no error, before the client does that", () => {
  const clients: [does: string, words: string, first: string][] = [
    ["keeps a silent connection after an answer", `${request("GET /healthz HTTP/1.1")}\r\n`, '{"status":"ok"}'],
    ["has opened a connection ahead and said nothing", "", ""],
    ["stands in the headers of a request", `${request("GET /healthz HTTP/1.1")}x-slow: a`, ""],
    ["stands in the body of a request", `${request(login)}content-type: application/json\r\ncontent-length: 100\r\n\r\n{"email":`, ""],
    ["was refused an upgrade", `${request("GET /elsewhere HTTP/1.1")}upgrade: websocket\r\nconnection: upgrade\r\n\r\n`, "HTTP/1.1 404"],
  ];
  test.each(clients)("%s", async (_, words, first) => {
    const held = await client(words);
    await expect.poll(held.heard).toContain(first);
    const { code, logged } = await server.stop();
    expect({ code, logged, hadEnough: held.hadEnough() }).toEqual({ code: 0, logged: "", hadEnough: false });
    held.socket.destroy();
  });
});

test("what runs is finished and answered, as its connection's last", async () => {
  const office = await makeOffice(db);
  await makeAccount(db, office.tenant);
  const merchant = await makeSigningMerchant(db, office.house, office.tenant, { callback_url: null, wallet: "10000" });
  const [hand] = await makeCrew(db, { house: office.house, url: server.url } as unknown as Parameters<typeof makeCrew>[1], office, 1); // it asks over the url only
  const { id: uuid, version } = await office.withdraw(merchant);
  const holder = await db.owner.connect();
  try {
    await holder.query("begin");
    await holder.query("select from transactions where id = $1 for update", [uuid]);
    const acted = hand?.act("claim", { uuid, version });
    await expect
      .poll(
        async () =>
          (await db.owner.query("select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()")).rowCount,
      )
      .toBe(1);
    const stopped = server.stop();
    await holder.query("rollback");
    expect(await acted).toMatchObject({ done: true });
    expect(await stopped).toEqual({ code: 0, logged: "" });
  } finally {
    holder.release();
  }
});

test("a probe hears that it stops before it is gone, and that its connection closes", async () => {
  const asked: { status: number; connection: string | null }[] = [];
  const ask = async () => {
    const { status, headers } = await fetch(`${server.url}/readyz`);
    asked.push({ status, connection: headers.get("connection") });
  };
  await ask();
  const stopped = server.stop();
  for (let gone = false; !gone;) {
    // oxlint-disable-next-line no-await-in-loop -- as a probe does, one after the other
    gone = await ask().then(
      () => false,
      () => true,
    );
    // oxlint-disable-next-line no-await-in-loop
    await delay(20);
  }
  expect(await stopped).toEqual({ code: 0, logged: "" });
  expect(asked[0]).toEqual({ status: 200, connection: "keep-alive" });
  expect(asked.at(-1)).toEqual({ status: 503, connection: "close" });
});
