import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { buildApp } from "../../../src/server/app.ts";
import { oldSignaturesUntil } from "../../../src/contract/merchant-api.ts";
import { oldSignatureOf, signatureOf, signRequest } from "../../../src/server/merchant-api/sign.ts";
import { merchantSecretPlace } from "../../../src/server/secrets/secrets.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount, makeGroup } from "../../support/factories.ts";
import { makeSigningMerchant } from "../../support/merchants.ts";
import type { SigningMerchant } from "../../support/merchants.ts";
import { makeOffice } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

const db = testDatabase();
const base = "/service/payment/api/merchant/v1";
let app: FastifyInstance;
let office: Office;
let merchant: SigningMerchant;
let key = 0;

beforeAll(async () => {
  office = await makeOffice(db);
  app = await buildApp(office.deps, { logger: pino({ level: "silent" }), consoleFolder: null });
});
afterAll(() => app.close());

beforeEach(async () => {
  merchant = await makeSigningMerchant(db, office.deps, office.tenant, { wallet: "1000" });
  await makeGroup(db, office.tenant, [await makeAccount(db, office.tenant)], [merchant]);
});

interface Sending {
  readonly as?: { readonly apiKey: string; readonly secret: string };
  readonly at?: Date;
  readonly body?: object;
  readonly key?: string;
  /** What is sent instead of what was signed. */
  readonly sent?: { readonly method?: "GET" | "POST"; readonly path?: string; readonly body?: string };
  readonly headers?: Record<string, string | undefined>;
  readonly ip?: string;
}

async function send(
  method: "GET" | "POST",
  path: string,
  { as = merchant, at = new Date(), body, sent, headers, ip, key: given }: Sending = {},
) {
  const text = body === undefined ? "" : JSON.stringify(body);
  const idempotencyKey = given ?? `key-${++key}-abcdef`;
  const all: Record<string, string | undefined> = {
    ...signRequest(as, { method, path: `${base}${path}`, idempotencyKey, body: text }, at),
    ...(text && { "content-type": "application/json" }),
    ...headers,
  };
  const answer = await app.inject({
    method: sent?.method ?? method,
    url: `${base}${sent?.path ?? path}`,
    headers: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Record<string, string>, // just filtered
    ...(text && { payload: sent?.body ?? text }),
    ...(ip && { remoteAddress: ip }),
  });
  return { status: answer.statusCode, ...answer.json<{ code?: string; data?: never; meta?: never }>() } as {
    status: number;
    code?: string;
    data: Record<string, never> & never;
    meta?: { next: string | null };
  };
}

const deposit = (number: string, more: object = {}) => ({
  merchant_txn_no: number,
  amount: "120.00",
  currency: "MYR",
  method: "bank_transfer",
  member: "m1",
  customer_name: "Tan Wei Ming",
  ...more,
});
const withdrawal = (number: string, more: object = {}) => ({
  ...deposit(number),
  bank: "Maybank",
  account_number: "1234 5678 9012",
  holder: "TAN WEI MING",
  ...more,
});
// each request of a second is its own: otherwise two equal reads would be one replayed
let tick = 0;
const moment = () => new Date(Date.now() - 1_000 * (++tick % 200));

test("a merchant creates a deposit, reports it paid, and reads it back", async () => {
  const created = await send("POST", "/deposits", { body: deposit("D-1") });
  expect(created.status).toBe(200);
  expect(created.data).toMatchObject({
    transaction: { merchant_txn_no: "D-1", type: "deposit", status: "pending", amount: "120.00" },
    pay_into: { bank: "Maybank" },
  });
  const { uuid } = (created.data as unknown as { transaction: { uuid: string } }).transaction;
  const paid = await send("POST", `/deposits/${uuid}/paid`, { body: { reference_no: "R-77" } });
  expect(paid).toMatchObject({ status: 200, data: { uuid, status: "process" } });
  expect(await send("GET", `/transactions/${uuid}`)).toMatchObject({ status: 200, data: { uuid, status: "process" } });
  expect(await send("POST", `/deposits/${uuid}/paid`, { body: { reference_no: "R-78" } })).toMatchObject({
    status: 409,
    code: "deposit.not-pending",
  });
});

test("a withdrawal holds its amount and fee; more than the wallet has is refused", async () => {
  await db.owner.query("update merchants set withdrawal_rate = 1 where id = $1", [merchant.id]);
  expect(await send("POST", "/withdrawals", { body: withdrawal("W-1", { amount: "500.00" }) })).toMatchObject({
    status: 200,
    data: { type: "withdrawal", status: "pending", fee: "5.00" },
  });
  expect(await send("GET", "/balance")).toMatchObject({ status: 200, data: { currency: "MYR", available: "495.00", held: "505.00" } });
  expect(await send("POST", "/withdrawals", { body: withdrawal("W-2", { amount: "495.00" }) })).toMatchObject({
    status: 422,
    code: "merchant.insufficient-balance",
  });
});

test("the same key has one effect and the same answer; the same number with another key is refused", async () => {
  const body = withdrawal("W-9", { amount: "10.00" });
  const first = await send("POST", "/withdrawals", { body, key: "same-key-1", at: moment() });
  const again = await send("POST", "/withdrawals", { body, key: "same-key-1", at: moment() });
  expect(again).toEqual(first);
  expect(await send("POST", "/withdrawals", { body, key: "other-key-1", at: moment() })).toMatchObject({
    status: 409,
    code: "merchant.number-taken",
  });
  const other = await send("POST", "/withdrawals", { body: withdrawal("W-9", { amount: "11.00" }), key: "same-key-1", at: moment() });
  expect(other).toMatchObject({ status: 422, code: "request.idempotency-mismatch" });
});

test("the list pages through a merchant's own transactions, newest first", async () => {
  const stranger = await makeSigningMerchant(db, office.deps, office.tenant, { wallet: "1000" });
  await send("POST", "/withdrawals", { as: stranger, body: withdrawal("S-1", { amount: "1.00" }) });
  for (let n = 1; n <= 5; n++) await send("POST", "/withdrawals", { body: withdrawal(`L-${n}`, { amount: "1.00" }) });
  const seen: string[] = [];
  let cursor = "";
  for (let page = 0; page < 3; page++) {
    const { data, meta } = await send("GET", `/transactions?limit=2${cursor}`, { at: moment() });
    seen.push(...(data as unknown as { merchant_txn_no: string }[]).map(({ merchant_txn_no }) => merchant_txn_no));
    cursor = `&cursor=${meta?.next}`;
    expect(meta?.next === null).toBe(page === 2);
  }
  expect(seen).toEqual(["L-5", "L-4", "L-3", "L-2", "L-1"]);
  expect(await send("GET", "/transactions?merchant_txn_no=L-3", { at: moment() })).toMatchObject({ data: [{ merchant_txn_no: "L-3" }] });
  for (const broken of ["x", "------------------------------------", "%00"]) {
    expect((await send("GET", `/transactions?cursor=${broken}`, { at: moment() })).status).toBe(422);
  }
});

test("another merchant's transaction answers like one that does not exist", async () => {
  const stranger = await makeSigningMerchant(db, office.deps, office.tenant, { wallet: "1000" });
  const { data } = await send("POST", "/withdrawals", { as: stranger, body: withdrawal("X-1", { amount: "1.00" }) });
  const { uuid } = data as unknown as { uuid: string };
  const foreign = await send("GET", `/transactions/${uuid}`);
  const none = await send("GET", `/transactions/01900000-0000-7000-8000-000000000000`);
  expect(foreign).toEqual(none);
  expect(foreign).toMatchObject({ status: 404, code: "not-found" });
  expect(await send("POST", `/deposits/${uuid}/paid`, { body: { reference_no: "R" } })).toMatchObject({ status: 404 });
});

test("method, path, key and body are separate in what is signed: no two requests have the same signature", () => {
  const parts = { method: "POST", path: "/a", idempotencyKey: "key-1", body: "b.c" };
  const alike = [parts, { ...parts, path: "/a.b", body: "c" }, { ...parts, idempotencyKey: "", body: "key-1\nb.c" }];
  expect(new Set(alike.map((request) => signatureOf("secret", "1", request))).size).toBe(3);
  expect(oldSignatureOf("secret", "1", parts), "as the old way did").toBe(oldSignatureOf("secret", "1", alike[1] ?? parts));
});

describe("a request is refused", () => {
  const body = deposit("F-1");
  const cases: [string, () => Sending, number, string][] = [
    ["without a key", () => ({ body, headers: { "x-api-key": undefined } }), 401, "signature.missing"],
    ["without a timestamp", () => ({ body, headers: { "x-timestamp": undefined } }), 401, "signature.missing"],
    ["without a signature", () => ({ body, headers: { "x-signature": undefined } }), 401, "signature.missing"],
    ["signed with another secret", () => ({ body, as: { ...merchant, secret: "guessed" } }), 401, "signature.invalid"],
    ["with an unknown key of the tenant", () => ({ body, as: { ...merchant, apiKey: `${merchant.apiKey}x` } }), 401, "signature.invalid"],
    ["with a key of no tenant", () => ({ body, as: { ...merchant, apiKey: "NONE99_key" } }), 401, "signature.invalid"],
    [
      "with a body changed after signing",
      () => ({ body, sent: { body: JSON.stringify({ ...body, amount: "9999.00" }) } }),
      401,
      "signature.invalid",
    ],
    ["with one more space in the body", () => ({ body, sent: { body: `${JSON.stringify(body)} ` } }), 401, "signature.invalid"],
    ["sent to another path", () => ({ body, sent: { path: "/withdrawals" } }), 401, "signature.invalid"],
    ["with a query added", () => ({ body, sent: { path: "/deposits?x=1" } }), 401, "signature.invalid"],
    [
      "with its timestamp moved",
      () => ({ body, headers: { "x-timestamp": String(Math.floor(Date.now() / 1000) + 1) } }),
      401,
      "signature.invalid",
    ],
    ["six minutes old", () => ({ body, at: new Date(Date.now() - 360_000) }), 401, "signature.stale"],
    ["six minutes ahead", () => ({ body, at: new Date(Date.now() + 360_000) }), 401, "signature.stale"],
    ["with a timestamp that is no number", () => ({ body, headers: { "x-timestamp": "1e9" } }), 401, "signature.invalid"],
    ["with a signature in capitals", () => ({ body, headers: { "x-signature": `v2=${"A".repeat(64)}` } }), 401, "signature.upper-case"],
    [
      "with a signature in base64",
      () => ({ body, headers: { "x-signature": `v2=${Buffer.alloc(32, 7).toString("base64")}` } }),
      401,
      "signature.base64",
    ],
    ["with a timestamp in milliseconds", () => ({ body, headers: { "x-timestamp": String(Date.now()) } }), 401, "signature.milliseconds"],
    ["with a signature too short", () => ({ body, headers: { "x-signature": "ab" } }), 401, "signature.invalid"],
  ];
  test.each(cases)("%s", async (_, sending, status, code) => {
    expect(await send("POST", "/deposits", sending())).toMatchObject({ status, code });
    const { rows } = await db.owner.query("select from transactions where merchant_id = $1", [merchant.id]);
    expect(rows).toEqual([]);
  });

  test("when it was seen before", async () => {
    const [at, sameKey] = [new Date(), "seen-before-1"];
    expect((await send("POST", "/deposits", { body, at, key: sameKey })).status).toBe(200);
    expect(await send("POST", "/deposits", { body, at, key: sameKey })).toMatchObject({ status: 401, code: "signature.replayed" });
  });

  test("with another idempotency key than was signed, or none", async () => {
    for (const headers of [{ "idempotency-key": "another-key-1" }, { "idempotency-key": undefined }]) {
      expect(await send("POST", "/deposits", { body, headers })).toMatchObject({ status: 401, code: "signature.invalid" });
    }
  });

  describe("signed in the old way, without its key,", () => {
    afterEach(() => vi.useRealTimers());
    const old = (number: string, at: Date) => {
      const [text, timestamp] = [JSON.stringify(deposit(number)), (at.getTime() / 1000).toFixed(3)];
      const request = { method: "POST", path: `${base}/deposits`, idempotencyKey: "", body: text };
      const signature = oldSignatureOf(merchant.secret, timestamp, request);
      return send("POST", "/deposits", { body: deposit(number), headers: { "x-timestamp": timestamp, "x-signature": signature } });
    };

    test("from the stated day on, and taken until then", async () => {
      const end = Date.parse(oldSignaturesUntil);
      vi.useFakeTimers({ toFake: ["Date"], now: end - 1_000 });
      expect((await old("OLD-1", new Date())).status).toBe(200);
      vi.setSystemTime(end);
      expect(await old("OLD-2", new Date())).toMatchObject({ status: 401, code: "signature.invalid" });
    });
  });

  test("of an inactive merchant, though rightly signed", async () => {
    await db.owner.query("update merchants set status = 'suspended' where id = $1", [merchant.id]);
    expect(await send("POST", "/deposits", { body })).toMatchObject({ status: 403, code: "merchant.inactive" });
  });

  test("from an address the merchant has not listed", async () => {
    await db.owner.query("update merchants set whitelist_ips = '{198.51.100.0/24,2001:db8::7}' where id = $1", [merchant.id]);
    expect(await send("POST", "/deposits", { body, ip: "203.0.113.5" })).toMatchObject({ status: 403, code: "merchant.address-refused" });
    for (const [n, ip] of ["198.51.100.77", "::ffff:198.51.100.78", "2001:db8::7"].entries()) {
      expect([ip, (await send("POST", "/deposits", { body: deposit(`IP-${n}`), ip })).status]).toEqual([ip, 200]);
    }
  });

  test("signed with an old secret once that has ended, and taken until then", async () => {
    const seal = (secret: string) => office.deps.secrets.seal(secret, merchantSecretPlace(office.tenant.id, merchant.id));
    const rotate = (until: string) =>
      db.owner.query(
        `update merchants set secret = $2, previous_secret = $3, previous_secret_until = now() + interval '${until}' where id = $1`,
        [merchant.id, seal("fresh-secret"), seal(merchant.secret)],
      );
    await rotate("1 hour");
    expect((await send("POST", "/deposits", { body: deposit("O-1") })).status).toBe(200);
    await rotate("-1 second");
    expect(await send("POST", "/deposits", { body: deposit("O-2") })).toMatchObject({ status: 401, code: "signature.invalid" });
    expect((await send("POST", "/deposits", { body: deposit("O-3"), as: { ...merchant, secret: "fresh-secret" } })).status).toBe(200);
  });
});
