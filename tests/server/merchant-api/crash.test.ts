import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { signRequest } from "../../../src/server/merchant-api/sign.ts";
import { openDatabase } from "../../../src/server/db/scope.ts";
import { secretBox } from "../../../src/server/secrets/secrets.ts";
import type { TestDatabase } from "../../support/database.ts";
import { makeDeps } from "../../support/factories.ts";
import { makeSigningMerchant } from "../../support/merchants.ts";
import type { SigningMerchant } from "../../support/merchants.ts";
import { makeOffice } from "../../support/payments.ts";
import type { ServerProcess } from "../../support/processes.ts";
import { serverProcess } from "../../support/processes.ts";

let server: ServerProcess;
let db: TestDatabase;
let merchant: SigningMerchant;

beforeAll(async () => {
  server = await serverProcess();
  await server.start();
  const connectionString = await server.connectionString();
  const connectAs = (role: string): pg.ClientConfig => ({ connectionString: connectionString.replace(/user=\w+/, `user=${role}`) });
  const owner = new pg.Pool({ ...connectAs("app"), max: 2 });
  owner.on("error", () => undefined); // PostgreSQL is killed under it
  db = { database: openDatabase(connectAs, 2), owner, connectAs };
  const office = await makeOffice(db);
  const masterKey = Buffer.from(readFileSync(join(server.dataDir, "master.key"), "utf8"), "base64");
  merchant = await makeSigningMerchant(db, { ...makeDeps(db), secrets: secretBox(masterKey) }, office.tenant, { wallet: "1000" });
});
afterAll(async () => {
  await Promise.all([db.database.close(), db.owner.end()]);
  await server.end();
});

test("a signature seen before PostgreSQL crashed is not taken again", async () => {
  const path = "/service/payment/api/merchant/v1/withdrawals";
  const body = JSON.stringify({
    merchant_txn_no: "W-1",
    amount: "10.00",
    currency: "MYR",
    method: "bank_transfer",
    member: "m1",
    customer_name: "Lim Siew Har",
    bank: "Harbour Bank",
    account_number: "10001000",
    holder: "Lim Siew Har",
  });
  const signed = signRequest(merchant, { method: "POST", path, idempotencyKey: "crash-key-0001", body });
  const send = async () => {
    const answer = await fetch(server.url + path, { method: "POST", headers: { ...signed, "content-type": "application/json" }, body });
    const { code } = (await answer.json()) as { code?: string }; // the envelope
    return { status: answer.status, code };
  };
  expect((await send()).status).toBe(200);
  server.killPostgres();
  let again = { status: 0, code: undefined as string | undefined };
  await vi.waitFor(
    async () => {
      again = await send();
      expect(again.status, "the database is back").not.toBe(503);
    },
    { timeout: 60_000, interval: 100 },
  );
  expect(again).toEqual({ status: 401, code: "signature.replayed" });
});
