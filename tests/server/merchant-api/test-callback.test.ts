import { createServer } from "node:http";
import type { IncomingHttpHeaders, Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { buildApp } from "../../../src/server/app.ts";
import { testDatabase } from "../../support/database.ts";
import { makeSigningMerchant } from "../../support/merchants.ts";
import type { SigningMerchant } from "../../support/merchants.ts";
import { makeOffice } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";
import { signedBy } from "../../support/signed.ts";

const db = testDatabase();
let app: FastifyInstance;
let office: Office;
let merchant: SigningMerchant;
let send: ReturnType<typeof signedBy>;
let receiver: Server;
let received: { headers: IncomingHttpHeaders; body: string }[] = [];
let answer: (status: (code: number, headers?: Record<string, string>) => void) => void;
const port = () => (receiver.address() as AddressInfo).port; // it listens on TCP

beforeAll(async () => {
  office = await makeOffice(db, { settings: { loopback_callbacks: true } });
  app = await buildApp(office.deps, { logger: pino({ level: "silent" }), consoleFolder: null });
  receiver = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString("utf8")));
    request.on("end", () => {
      received.push({ headers: request.headers, body });
      answer((code, headers) => void response.writeHead(code, headers).end("what the receiver says"));
    });
  });
  await new Promise<void>((listening) => receiver.listen(0, "127.0.0.1", listening));
});
afterAll(async () => {
  await app.close();
  receiver.close();
});
beforeEach(async () => {
  received = [];
  answer = (status) => status(204);
  merchant = await makeSigningMerchant(db, office.deps, office.tenant, { callback_url: `http://127.0.0.1:${port()}/hook` });
  send = signedBy(app, merchant);
});

test("a test callback reaches the merchant's address, signed as the kept library verifies it", async () => {
  const { status, data } = await send("POST", "/callbacks/test");
  expect([status, data]).toEqual([200, { ...data, delivered: true, status: 204, error: null }]);
  const [callback] = received;
  const headers = callback?.headers as Record<string, string>; // the three are texts
  expect(headers["webhook-id"]).toBe(data.webhook_id);
  expect(new Webhook(merchant.secret).verify(callback?.body ?? "", headers)).toMatchObject({ type: "test" });
  const { rows } = await db.owner.query("select actor_kind, act from audit_entries where entity_id = $1", [merchant.id]);
  expect(rows).toEqual([{ actor_kind: "merchant", act: "merchant.test-callback" }]);
});

test.each([
  ["an error", (status: (code: number) => void) => status(503), 503, null],
  [
    "a redirect",
    (status: (code: number, headers?: Record<string, string>) => void) => status(302, { location: "/" }),
    302,
    "redirects are not followed",
  ],
])("%s is told with its status, not with the receiver's text", async (_, told, code, error) => {
  answer = told;
  const { data } = await send("POST", "/callbacks/test");
  expect(data).toMatchObject({ delivered: false, status: code, error });
  expect(JSON.stringify(data)).not.toContain("what the receiver says");
  expect(received).toHaveLength(1);
});

test("without an address, or with one that is not public, nothing is sent", async () => {
  await db.owner.query("update merchants set callback_url = 'https://10.0.0.8/hook' where id = $1", [merchant.id]);
  expect((await send("POST", "/callbacks/test")).data).toMatchObject({ delivered: false, status: null, error: "not a public address" });
  await db.owner.query("update merchants set callback_url = null where id = $1", [merchant.id]);
  expect(await send("POST", "/callbacks/test")).toMatchObject({ status: 409, code: "callback.no-address" });
  expect(received).toEqual([]);
});

test("the seventh within a minute is refused, and other requests are not", async () => {
  // the minute stands still: in the next one all would be let in again
  vi.useFakeTimers({ toFake: ["Date"] });
  try {
    const statuses: number[] = [];
    for (let n = 0; n < 7; n++) statuses.push((await send("POST", "/callbacks/test")).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429]);
    expect((await send("GET", "/balance")).status).toBe(200);
    expect(received).toHaveLength(6);
  } finally {
    vi.useRealTimers();
  }
});
