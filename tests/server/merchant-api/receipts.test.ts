import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { mostReceiptBytes } from "../../../src/contract/receipts.ts";
import { buildApp } from "../../../src/server/app.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount, makeGroup } from "../../support/factories.ts";
import { makeSigningMerchant } from "../../support/merchants.ts";
import type { SigningMerchant } from "../../support/merchants.ts";
import { makeOffice } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";
import { uniquePng } from "../../support/receipts.ts";
import { depositOf, signedBy } from "../../support/signed.ts";

const db = testDatabase();
let app: FastifyInstance;
let office: Office;
let merchant: SigningMerchant;
let send: ReturnType<typeof signedBy>;
let uuid: string;
beforeAll(async () => {
  office = await makeOffice(db);
  app = await buildApp(office.deps, { logger: pino({ level: "silent" }), consoleFolder: null });
});
afterAll(() => app.close());
beforeEach(async () => {
  merchant = await makeSigningMerchant(db, office.deps, office.tenant);
  await makeGroup(db, office.tenant, [await makeAccount(db, office.tenant)], [merchant]);
  send = signedBy(app, merchant);
  uuid = (await send("POST", "/deposits", { body: depositOf("D-1") })).data.transaction.uuid;
});

const receipts = async () =>
  (await db.owner.query<{ type: string; actor: string }>("select type, actor from receipts where transaction_id = $1", [uuid])).rows;

test("the bytes of a receipt, signed as a body is, report the deposit paid; what they are decides, not what they are called", async () => {
  const answer = await send("POST", `/deposits/${uuid}/receipt`, { body: uniquePng(), type: "application/octet-stream" });
  expect(answer).toMatchObject({ status: 200, data: { uuid, status: "process" } });
  expect(await receipts()).toEqual([{ type: "image/png", actor: merchant.name }]);
});

test("the same key keeps one receipt, and the same file with another key is known", async () => {
  const given = { body: uniquePng(), type: "image/png" };
  const first = await send("POST", `/deposits/${uuid}/receipt`, { ...given, key: "receipt-key-1" });
  expect((await send("POST", `/deposits/${uuid}/receipt`, { ...given, key: "receipt-key-1" })).data).toEqual(first.data);
  expect(await send("POST", `/deposits/${uuid}/receipt`, given)).toMatchObject({ status: 409, code: "receipt.known" });
  expect(await receipts()).toHaveLength(1);
});

test.each([
  ["HTML named a picture", Buffer.from("<html><script>alert(1)</script></html>"), "image/png", "receipt.type"],
  ["JSON", Buffer.from("{}"), "application/json", "request.unsupported-media"],
  ["more than 5 MB", Buffer.alloc(mostReceiptBytes + 1), "image/png", "request.too-large"],
])("%s is refused, and the deposit stays as it is", async (_, body, type, code) => {
  expect((await send("POST", `/deposits/${uuid}/receipt`, { body, type })).code).toBe(code);
  expect(await receipts()).toEqual([]);
  expect((await send("GET", `/transactions/${uuid}`)).data.status).toBe("pending");
});

test("bytes changed after signing are refused, and so is another merchant's deposit", async () => {
  const forged = { "x-signature": `v2=${"0".repeat(64)}` };
  expect((await send("POST", `/deposits/${uuid}/receipt`, { body: uniquePng(), type: "image/png", headers: forged })).code).toBe(
    "signature.invalid",
  );
  const stranger = signedBy(app, await makeSigningMerchant(db, office.deps, office.tenant));
  expect((await stranger("POST", `/deposits/${uuid}/receipt`, { body: uniquePng(), type: "image/png" })).code).toBe("not-found");
  expect(await receipts()).toEqual([]);
});
