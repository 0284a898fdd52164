import { afterEach, beforeEach, expect, test } from "vitest";
import { startReceiver } from "../../../src/server/demo/receiver.ts";
import type { Receiver, ReceiverOptions } from "../../../src/server/demo/receiver.ts";
import { seededRandom } from "../../../src/server/demo/random.ts";
import { checkInvariants } from "../../../src/server/db/invariants.ts";
import { readConfig } from "../../../src/server/config.ts";
import { createDispatcher } from "../../../src/server/outbox/dispatch.ts";
import { attemptDelays, nextDelay } from "../../../src/server/outbox/schedule.ts";
import { signCallback, verifyCallback } from "../../../src/server/outbox/sign.ts";
import { depositHandlers } from "../../../src/server/payments/deposits.ts";
import { expireDue } from "../../../src/server/payments/lapses.ts";
import { withdrawalHandlers } from "../../../src/server/payments/withdrawals.ts";
import { merchantSecretPlace } from "../../../src/server/secrets/secrets.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount, makeGroup } from "../../support/factories.ts";
import { makeSigningMerchant } from "../../support/merchants.ts";
import type { SigningMerchant } from "../../support/merchants.ts";
import { body, makeOffice, only } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

const db = testDatabase();
let office: Office;
let merchant: SigningMerchant;
let receiver: Receiver;
let fault: ReceiverOptions["fault"];

beforeEach(async () => {
  fault = () => null;
  office = await makeOffice(db, { settings: { loopback_callbacks: true, recall_seconds: 0 } });
  receiver = await startReceiver({ secretOf: () => merchant.secret, fault: () => fault(), remember: 10_000 });
  merchant = await makeSigningMerchant(db, office.house, office.tenant, { wallet: "1000000", callback_url: receiver.url("m") });
  await makeGroup(db, office.tenant, [await makeAccount(db, office.tenant)], [merchant]);
});

afterEach(() => receiver.stop());

const later = (time: string) =>
  db.owner.query(`update outbox set next_attempt_at = next_attempt_at - interval '${time}' where state = 'pending'`);

/** Rounds of the dispatcher, each a day after the one before, until nothing is due any more. */
async function dispatchAll(): Promise<void> {
  const dispatcher = createDispatcher(office.house);
  for (;;) {
    const before = receiver.requests;
    await dispatcher.round();
    await dispatcher.idle();
    const { rows } = await db.owner.query(
      "select from outbox where state = 'pending' and next_attempt_at is not null and tenant_id = $1 limit 1",
      [office.tenant.id],
    );
    if (rows.length === 0) break;
    if (receiver.requests === before) await later("30 hours");
  }
  await dispatcher.stop();
}

async function rejected(count: number): Promise<void> {
  const rows: { uuid: string; version: number }[] = [];
  while (rows.length < count) {
    const some = await Promise.all(Array.from({ length: 10 }, () => office.withdraw(merchant, { amount: "10.00" })));
    rows.push(...some.map(({ id, version }) => ({ uuid: id, version })));
  }
  for (let from = 0; from < rows.length; from += 200) {
    await withdrawalHandlers.rejectWithdrawals(office.call(), body({ rows: rows.slice(from, from + 200), reason: { code: "duplicate" } }));
  }
}

async function approvedDeposit(): Promise<string> {
  const { id, version } = await office.deposit(merchant);
  const paid = only(await depositHandlers.processDeposits(office.call(), body({ rows: [{ uuid: id, version }] })));
  if (!paid.done) throw new Error(paid.problem.code);
  const approved = only(await depositHandlers.approveDeposits(office.call(), body({ rows: [{ uuid: id, version: paid.row.version }] })));
  if (!approved.done) throw new Error(approved.problem.code);
  return id;
}

test(
  "five hundred callbacks arrive through 30 % faults: all signed, one effect each, and the books are in order",
  { timeout: 300_000 },
  async () => {
    await rejected(440);
    for (let n = 0; n < 60; n++) await approvedDeposit();
    const random = seededRandom(11);
    fault = () => (random.chance(0.2) ? "refused" : random.chance(0.125) ? "cut" : null);
    await dispatchAll();
    expect(receiver.forged).toBe(0);
    expect(receiver.requests).toBeGreaterThan(600);
    expect(receiver.effects).toHaveLength(500);
    expect(new Set(receiver.effects.map(({ id }) => id)).size).toBe(500);
    const { rows } = await db.owner.query(
      "select status, count(*)::int as n from transactions where tenant_id = $1 group by 1 order by 1",
      [office.tenant.id],
    );
    expect(rows).toEqual([
      { status: "completed", n: 60 },
      { status: "rejected", n: 440 },
    ]);
    const owner = await db.owner.connect();
    try {
      expect((await checkInvariants(owner)).filter((one) => one.rows.length > 0)).toEqual([]);
    } finally {
      owner.release();
    }
  },
);

test("of one transaction the earlier callback goes first, however often it must be tried", async () => {
  const ids: string[] = [];
  for (let n = 0; n < 12; n++) ids.push((await office.deposit(merchant)).id);
  await db.owner.query("update transactions set expires_at = now() - interval '1 minute' where id = any($1)", [ids]);
  await expireDue(office.house, office.tenant.id, 100);
  for (const id of ids) {
    const { rows } = await db.owner.query<{ version: number }>("select version from transactions where id = $1", [id]);
    const again = only(
      await depositHandlers.reopenDeposits(
        office.call(),
        body({ rows: [{ uuid: id, version: rows[0]?.version ?? 0 }], reason: "late money" }),
      ),
    );
    if (!again.done) throw new Error(again.problem.code);
    only(await depositHandlers.approveDeposits(office.call(), body({ rows: [{ uuid: id, version: again.row.version }] })));
  }
  const random = seededRandom(5);
  fault = () => (random.chance(0.4) ? "refused" : null);
  await dispatchAll();
  expect(receiver.effects).toHaveLength(24);
  for (const id of ids) {
    const types = receiver.effects
      .map((effect) => JSON.parse(effect.body) as { type: string; data: { uuid: string } })
      .filter(({ data }) => data.uuid === id);
    expect(types.map(({ type }) => type)).toEqual(["deposit.expired", "deposit.approved"]);
  }
});

test("a callback nobody takes is tried ten times over 75 hours and then given up", async () => {
  await approvedDeposit();
  fault = () => "refused";
  await dispatchAll();
  const { rows } = await db.owner.query("select state, attempts, next_attempt_at from outbox where tenant_id = $1", [office.tenant.id]);
  expect(rows).toEqual([{ state: "failed", attempts: 10, next_attempt_at: null }]);
  const kept = await db.owner.query("select n, status, answer from callback_attempts where tenant_id = $1 order by n", [office.tenant.id]);
  expect(kept.rows).toEqual(Array.from({ length: 10 }, (_, n) => ({ n: n + 1, status: 503, answer: '{"error":"try again later"}' })));
});

test("waits grow as the schedule says, within a fifth either way", () => {
  expect(attemptDelays.reduce((sum, delay) => sum + delay, 0)).toBe((75 * 3600 + 35 * 60 + 5) * 1000);
  attemptDelays.forEach((delay, made) => {
    expect(nextDelay(made, 0)).toBe(Math.round(delay * 0.8));
    expect(nextDelay(made, 0.9999)).toBeLessThanOrEqual(delay * 1.2);
  });
  expect(nextDelay(10, 0.5)).toBeNull();
});

test("a repetition asked for keeps the id, and its failure undoes nothing", async () => {
  const id = await approvedDeposit();
  await dispatchAll();
  const { rows } = await db.owner.query<{ version: number }>("select version from transactions where id = $1", [id]);
  fault = () => "refused";
  only(await depositHandlers.sendDepositCallbacks(office.call(), body({ rows: [{ uuid: id, version: rows[0]?.version ?? 0 }] })));
  await dispatchAll();
  const outbox = await db.owner.query("select state, attempts from outbox where tenant_id = $1", [office.tenant.id]);
  expect(outbox.rows).toEqual([{ state: "delivered", attempts: 2 }]);
  const asked = await db.owner.query("select n, by_user from callback_attempts where tenant_id = $1 order by n", [office.tenant.id]);
  expect(asked.rows).toEqual([
    { n: 1, by_user: null },
    { n: 2, by_user: office.ann.id },
  ]);
});

test("while the old secret lives both sign; afterwards only the new one", async () => {
  const [old, fresh] = [merchant.secret, `whsec_${Buffer.alloc(32, 9).toString("base64")}`];
  const seal = (secret: string) => office.house.secrets.seal(secret, merchantSecretPlace(office.tenant.id, merchant.id));
  const rotate = (until: string) =>
    db.owner.query(
      `update merchants set secret = $2, previous_secret = $3, previous_secret_until = now() + interval '${until}' where id = $1`,
      [merchant.id, seal(fresh), seal(old)],
    );
  for (const [until, known, arrives] of [
    ["1 hour", old, 1],
    ["1 hour", fresh, 2],
    ["-1 second", fresh, 3],
    ["-1 second", old, 3],
  ] as const) {
    await rotate(until);
    merchant = { ...merchant, secret: known };
    await approvedDeposit();
    await createDispatcherRound();
    expect([until, receiver.effects.length]).toEqual([until, arrives]);
  }
  expect(receiver.forged).toBe(1);
});

async function createDispatcherRound(): Promise<void> {
  const dispatcher = createDispatcher(office.house);
  await dispatcher.round();
  // stopping alone cuts off what takes longer than five seconds
  await dispatcher.idle();
  await dispatcher.stop();
}

test("a merchant without an address is not called, and its transaction stays approved", async () => {
  await db.owner.query("update merchants set callback_url = null where id = $1", [merchant.id]);
  const id = await approvedDeposit();
  await createDispatcherRound();
  expect(receiver.requests).toBe(0);
  const { rows } = await db.owner.query("select status from transactions where id = $1", [id]);
  expect(rows).toEqual([{ status: "approved" }]);
});

test("a signature is only as good as its secret, its moment and its body", () => {
  const secret = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
  const at = new Date("2026-11-21T06:32:00Z");
  const headers = signCallback([secret], "msg_1", at, '{"a":1}');
  expect(verifyCallback(secret, headers, '{"a":1}', at)).toBe(true);
  expect(verifyCallback(secret, headers, '{"a":2}', at)).toBe(false);
  expect(verifyCallback(`whsec_${Buffer.alloc(32, 2).toString("base64")}`, headers, '{"a":1}', at)).toBe(false);
  expect(verifyCallback(secret, { ...headers, "webhook-id": "msg_2" }, '{"a":1}', at)).toBe(false);
  expect(verifyCallback(secret, headers, '{"a":1}', new Date(at.getTime() + 301_000))).toBe(false);
});

test("the signature is the one of the Standard Webhooks documents", () => {
  // the example of the specification's reference libraries
  const headers = signCallback(
    ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
    "msg_p5jXN8AQM9LWM0D4loKWxJek",
    new Date(1_614_265_330_000),
    '{"test": 2432232314}',
  );
  expect(headers["webhook-signature"]).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
});

test("the switch for callbacks to the machine itself, come with a copied database, opens nothing in production", async () => {
  await rejected(1);
  const production = readConfig({
    DATABASE_URL: "postgresql://owner@db.example/pay",
    MASTER_KEY: Buffer.alloc(32, 1).toString("base64"),
  });
  const dispatcher = createDispatcher({ ...office.house, config: production });
  await dispatcher.round();
  await dispatcher.idle();
  await dispatcher.stop();
  expect(receiver.requests).toBe(0);
  const { rows } = await db.owner.query<{ state: string }>("select state from outbox where tenant_id = $1", [office.tenant.id]);
  expect(rows.map(({ state }) => state)).toContain("pending");
  await dispatchAll();
  expect(receiver.effects.length).toBeGreaterThan(0);
});
