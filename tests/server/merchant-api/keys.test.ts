import { createHmac } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { oldSignaturesSince, oldSignaturesUntil } from "../../../src/contract/merchant-api.ts";
import { buildApp } from "../../../src/server/app.ts";
import { literalSignatureOf, oldSignatureOf } from "../../../src/server/merchant-api/sign.ts";
import type { Sign } from "../../../src/server/merchant-api/sign.ts";
import { signCallback } from "../../../src/server/outbox/sign.ts";
import { testDatabase } from "../../support/database.ts";
import { makeSigningMerchant } from "../../support/merchants.ts";
import type { SigningMerchant } from "../../support/merchants.ts";
import { makeOffice } from "../../support/payments.ts";
import { signedBy } from "../../support/signed.ts";

const db = testDatabase();
const path = "/service/payment/api/merchant/v1/balance";
let app: FastifyInstance;
let merchant: SigningMerchant;
beforeAll(async () => {
  const office = await makeOffice(db);
  app = await buildApp(office.deps, { logger: pino({ level: "silent" }), consoleFolder: null });
  merchant = await makeSigningMerchant(db, office.deps, office.tenant);
});
afterAll(() => app.close());
beforeEach(() => vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-12-24T12:00:00Z") }));
afterEach(() => vi.useRealTimers());

let tick = 0;
/** Reads the balance, signed in this way. */
function readBalance(sign: (timestamp: string) => string) {
  tick += 1;
  const timestamp = ((Date.now() - tick) / 1000).toFixed(3);
  return signedBy(app, merchant)("GET", "/balance", { headers: { "x-timestamp": timestamp, "x-signature": sign(timestamp) } });
}
const request = { method: "GET", path, idempotencyKey: "", body: "" };
const former: [string, string, Sign][] = [
  ["the text of the secret", "v2=", literalSignatureOf],
  ["the text of the secret, without v2=", "", oldSignatureOf],
];

test("one key signs requests and callbacks: the bytes after whsec_, in base64", async () => {
  const bytes = Buffer.from(merchant.secret.slice("whsec_".length), "base64");
  const answer = await readBalance(
    (timestamp) => `v2=${createHmac("sha256", bytes).update(`v2\n${timestamp}\nGET\n${path}\n\n`).digest("hex")}`,
  );
  expect([answer.status, answer.headers["deprecation"], answer.headers["sunset"]]).toEqual([200, undefined, undefined]);
  const { "webhook-signature": signature } = signCallback([merchant.secret], "id-1", new Date(7_000), "{}");
  expect(signature).toBe(`v1,${createHmac("sha256", bytes).update("id-1.7.{}").digest("base64")}`);
});

test.each(former)("a signature by %s is taken, and its answer says since when and until when", async (_, prefix, sign) => {
  const { status, headers } = await readBalance((timestamp) => prefix + sign(merchant.secret, timestamp, request));
  expect([status, headers["deprecation"]]).toEqual([200, `@${Date.parse(oldSignaturesSince) / 1000}`]);
  expect(Date.parse(String(headers["sunset"]))).toBe(Date.parse(oldSignaturesUntil));
  expect(headers["link"]).toContain("</docs#signing>");
});

test.each(former)("a signature by %s is refused from that day on", async (_, prefix, sign) => {
  vi.setSystemTime(Date.parse(oldSignaturesUntil) - 1);
  expect((await readBalance((timestamp) => prefix + sign(merchant.secret, timestamp, request))).status).toBe(200);
  vi.setSystemTime(Date.parse(oldSignaturesUntil) + 1_000);
  tick = 0;
  expect(await readBalance((timestamp) => prefix + sign(merchant.secret, timestamp, request))).toMatchObject({
    status: 401,
    code: "signature.invalid",
  });
});

test.each([
  ["milliseconds", { "x-timestamp": "1798113600000" }, "seconds"],
  ["upper-case", { "x-signature": `v2=${"AB".repeat(32)}` }, "lower case"],
  ["base64", { "x-signature": `v2=${Buffer.alloc(32, 1).toString("base64")}` }, "base64"],
  ["base64", { "x-signature": Buffer.alloc(32, 1).toString("base64url") }, "base64"],
])("%s is named as what is wrong", async (mistake, headers, word) => {
  const answer = await signedBy(app, merchant)("GET", "/balance", { headers });
  expect(answer).toMatchObject({ status: 401, code: `signature.${mistake}` });
  expect(answer.message).toContain(word);
});
