import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { buildApp } from "../../../src/server/app.ts";
import { checkInvariants } from "../../../src/server/db/invariants.ts";
import { expireDue } from "../../../src/server/payments/lapses.ts";
import { withdrawalHandlers } from "../../../src/server/payments/withdrawals.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount, makeGroup } from "../../support/factories.ts";
import { makeSigningMerchant } from "../../support/merchants.ts";
import type { SigningMerchant } from "../../support/merchants.ts";
import { body, makeOffice, only } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";
import { signedBy, withdrawalOf } from "../../support/signed.ts";

const db = testDatabase();
let app: FastifyInstance;
let office: Office;
let merchant: SigningMerchant;
let send: ReturnType<typeof signedBy>;
beforeAll(async () => {
  office = await makeOffice(db);
  app = await buildApp(office.deps, { logger: pino({ level: "silent" }), consoleFolder: null });
});
afterAll(() => app.close());
beforeEach(async () => {
  merchant = await makeSigningMerchant(db, office.deps, office.tenant, { wallet: "1000" });
  await db.owner.query("update merchants set withdrawal_rate = 1 where id = $1", [merchant.id]);
  await makeGroup(db, office.tenant, [await makeAccount(db, office.tenant)], [merchant]);
  send = signedBy(app, merchant);
});

const create = async () => (await send("POST", "/withdrawals", { body: withdrawalOf("W-1", { amount: "100.00" }) })).data.uuid as string;
const balance = async () => (await send("GET", "/balance")).data;
async function brokenInvariants() {
  const client = await db.owner.connect();
  try {
    return (await checkInvariants(client)).filter(({ rows }) => rows.length > 0);
  } finally {
    client.release();
  }
}
const versionOf = async (uuid: string) =>
  (await db.owner.query<{ version: number }>("select version from transactions where id = $1", [uuid])).rows[0]?.version ?? 0;

test("a pending withdrawal is cancelled: the whole hold returns, one callback goes out, and the books are right", async () => {
  const uuid = await create();
  expect(await balance()).toMatchObject({ available: "899.00", held: "101.00" });
  const cancelled = await send("POST", `/withdrawals/${uuid}/cancel`);
  expect(cancelled).toMatchObject({ status: 200, data: { status: "rejected", reject_reason: "merchant-asked", debited: null } });
  expect(await balance()).toMatchObject({ available: "1000.00", held: "0.00" });
  const { rows } = await db.owner.query<{ body: string }>("select body from outbox where transaction_id = $1", [uuid]);
  expect(rows.map((row) => JSON.parse(row.body) as unknown)).toMatchObject([
    { type: "withdrawal.rejected", data: { uuid, reject_reason: "merchant-asked" } },
  ]);
  const audit = await db.owner.query("select actor_kind, act from audit_entries where entity_id = $1 order by id desc limit 1", [uuid]);
  expect(audit.rows).toEqual([{ actor_kind: "merchant", act: "withdrawal.reject" }]);
  expect(await brokenInvariants()).toEqual([]);
});

test("cancelling again answers the same with the same key, and that it is not pending with another", async () => {
  const uuid = await create();
  const first = await send("POST", `/withdrawals/${uuid}/cancel`, { key: "cancel-key-1" });
  expect((await send("POST", `/withdrawals/${uuid}/cancel`, { key: "cancel-key-1" })).data).toEqual(first.data);
  expect(await send("POST", `/withdrawals/${uuid}/cancel`)).toMatchObject({
    status: 409,
    code: "withdrawal.not-pending",
    data: { status: "rejected" },
  });
  expect(await balance()).toMatchObject({ available: "1000.00", held: "0.00" });
});

test("one an operator has claimed is refused with its state, and can be cancelled once it is free again", async () => {
  const uuid = await create();
  const claimed = only(await withdrawalHandlers.claimWithdrawals(office.call(), body({ rows: [{ uuid, version: 1 }] })));
  expect(claimed.done).toBe(true);
  expect(await send("POST", `/withdrawals/${uuid}/cancel`)).toMatchObject({
    status: 409,
    code: "withdrawal.not-pending",
    data: { status: "process" },
  });
  expect(await balance()).toMatchObject({ available: "899.00", held: "101.00" });
  await withdrawalHandlers.releaseWithdrawals(office.call(), body({ rows: [{ uuid, version: await versionOf(uuid) }] }));
  expect((await send("POST", `/withdrawals/${uuid}/cancel`)).status).toBe(200);
});

test("one the bank may be paying is neither cancelled nor expired, though its claim has lapsed", async () => {
  const uuid = await create();
  const atBank = (reference: string | null) =>
    db.owner.query("update transactions set reference_no = $2, expires_at = now() - interval '1 second' where id = $1", [uuid, reference]);
  await atBank("MBB-77120");
  expect(await send("POST", `/withdrawals/${uuid}/cancel`)).toMatchObject({ status: 409, code: "withdrawal.not-pending" });
  expect(await expireDue(office.deps, office.tenant.id, 100)).toEqual([]);
  expect(await balance()).toMatchObject({ available: "899.00", held: "101.00" });
  await atBank(null);
  expect(await expireDue(office.deps, office.tenant.id, 100)).toEqual([uuid]);
});

test("another merchant's withdrawal does not exist", async () => {
  const uuid = await create();
  const stranger = await makeSigningMerchant(db, office.deps, office.tenant);
  expect(await signedBy(app, stranger)("POST", `/withdrawals/${uuid}/cancel`)).toMatchObject({ status: 404, code: "not-found" });
});

test("an operator's claim and the merchant's cancellation at once: one of them has it, and the money is held or back", async () => {
  for (let n = 0; n < 20; n++) {
    const uuid = (await send("POST", "/withdrawals", { body: withdrawalOf(`R-${n}`, { amount: "10.00" }) })).data.uuid as string;
    const [cancelled, claimed] = await Promise.all([
      send("POST", `/withdrawals/${uuid}/cancel`),
      withdrawalHandlers.claimWithdrawals(office.call(), body({ rows: [{ uuid, version: 1 }] })),
    ]);
    expect([cancelled.status === 200, only(claimed).done].toSorted()).toEqual([false, true]);
    if (only(claimed).done)
      await withdrawalHandlers.releaseWithdrawals(office.call(), body({ rows: [{ uuid, version: await versionOf(uuid) }] }));
  }
  expect(await brokenInvariants()).toEqual([]);
});
