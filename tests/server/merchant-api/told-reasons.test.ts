import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { buildApp } from "../../../src/server/app.ts";
import { depositHandlers } from "../../../src/server/payments/deposits.ts";
import { withdrawalHandlers } from "../../../src/server/payments/withdrawals.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount, makeGroup } from "../../support/factories.ts";
import { makeSigningMerchant } from "../../support/merchants.ts";
import type { SigningMerchant } from "../../support/merchants.ts";
import { body, makeOffice, only } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";
import { depositOf, signedBy, withdrawalOf } from "../../support/signed.ts";

const db = testDatabase();
let app: FastifyInstance;
let office: Office;
let merchant: SigningMerchant;
let send: ReturnType<typeof signedBy>;
beforeAll(async () => {
  const reject_reasons = [
    { code: "suspected-fraud", text: null },
    { code: "account-closed", text: null, told: "account-closed" },
    { code: "limit-of-day", text: "The day’s limit of the house", told: "try-later" },
  ];
  office = await makeOffice(db, { settings: { reject_reasons } });
  app = await buildApp(office.deps, { logger: pino({ level: "silent" }), consoleFolder: null });
});
afterAll(() => app.close());
beforeEach(async () => {
  merchant = await makeSigningMerchant(db, office.deps, office.tenant, { wallet: "1000" });
  await makeGroup(db, office.tenant, [await makeAccount(db, office.tenant)], [merchant]);
  send = signedBy(app, merchant);
});

async function rejectWithdrawal(reason: { code: string; text?: string }): Promise<string> {
  const { uuid } = (await send("POST", "/withdrawals", { body: withdrawalOf("W-1") })).data;
  only(await withdrawalHandlers.rejectWithdrawals(office.call(), body({ rows: [{ uuid, version: 1 }], reason })));
  return uuid;
}
const callbackOf = async (uuid: string) =>
  (await db.owner.query<{ body: string }>("select body from outbox where transaction_id = $1", [uuid])).rows[0]?.body ?? "";

test.each<[{ code: string; text?: string }, string]>([
  [{ code: "suspected-fraud" }, "declined"],
  [{ code: "suspected-fraud", text: "card of a stolen phone" }, "declined"],
  [{ code: "other", text: "Known to the police" }, "declined"],
  [{ code: "account-closed" }, "account-closed"],
  [{ code: "limit-of-day" }, "try-later"],
])("%j is told as %s, by the answer, the list and the callback alike, and nothing else of it leaves the house", async (reason, told) => {
  const uuid = await rejectWithdrawal(reason);
  const read = await send("GET", `/transactions/${uuid}`);
  const list = await send("GET", "/transactions?status=rejected");
  const callback = await callbackOf(uuid);
  expect(read.data).toMatchObject({ status: "rejected", reject_reason: told });
  expect(list.data[0].reject_reason).toBe(told);
  expect(JSON.parse(callback)).toMatchObject({ type: "withdrawal.rejected", data: { uuid, reject_reason: told } });
  for (const text of [JSON.stringify(read.data), JSON.stringify(list.data), callback])
    expect(text).not.toMatch(/fraud|stolen|police|limit-of-day/);
  const { rows } = await db.owner.query("select reject_reason from transactions where id = $1", [uuid]);
  expect(rows).toEqual([{ reject_reason: reason.code === "other" ? reason.text : reason.code }]);
});

test("a deposit's rejection is told in the same way", async () => {
  const { uuid } = (await send("POST", "/deposits", { body: depositOf("D-1") })).data.transaction;
  only(await depositHandlers.rejectDeposits(office.call(), body({ rows: [{ uuid, version: 1 }], reason: { code: "suspected-fraud" } })));
  expect((await send("GET", `/transactions/${uuid}`)).data.reject_reason).toBe("declined");
  expect(JSON.parse(await callbackOf(uuid))).toMatchObject({ data: { reject_reason: "declined" } });
});

test("what was told stays told when the tenant decides otherwise later", async () => {
  const uuid = await rejectWithdrawal({ code: "account-closed" });
  const reasons = JSON.stringify([{ code: "account-closed", text: null, told: "declined" }]);
  const was = await db.owner.query<{ settings: object }>("select settings from tenants where id = $1", [office.tenant.id]);
  await db.owner.query("update tenants set settings = jsonb_set(settings, '{reject_reasons}', $2) where id = $1", [
    office.tenant.id,
    reasons,
  ]);
  expect((await send("GET", `/transactions/${uuid}`)).data.reject_reason).toBe("account-closed");
  await db.owner.query("update tenants set settings = $2 where id = $1", [office.tenant.id, was.rows[0]?.settings]);
});
