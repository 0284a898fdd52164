import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startReceiver } from "../../../src/server/demo/receiver.ts";
import type { Receiver, ReceiverOptions } from "../../../src/server/demo/receiver.ts";
import { seededRandom } from "../../../src/server/demo/random.ts";
import { checkInvariants } from "../../../src/server/db/invariants.ts";
import { readConfig } from "../../../src/server/config.ts";
import { createDispatcher } from "../../../src/server/outbox/dispatch.ts";
import { inTenant } from "../../../src/server/db/scope.ts";
import { findEndpoints, noteAttempt } from "../../../src/server/outbox/endpoints.ts";
import type { AttemptResult } from "../../../src/server/outbox/endpoints.ts";
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
  receiver = await startReceiver({ secretOf: () => merchant.secret, fault: (name) => fault(name), remember: 10_000 });
  merchant = await makeSigningMerchant(db, office.deps, office.tenant, { wallet: "1000000", callback_url: receiver.url("m") });
  await makeGroup(db, office.tenant, [await makeAccount(db, office.tenant)], [merchant]);
});

afterEach(() => receiver.stop());

const later = (time: string) =>
  db.owner.query(`update outbox set next_attempt_at = next_attempt_at - interval '${time}' where state = 'pending'`);

/** Sends due callbacks until no endpoint can be sent to now. */
async function dispatchDue(): Promise<void> {
  const dispatcher = createDispatcher(office.deps);
  do {
    await dispatcher.round();
    await dispatcher.idle();
  } while ((await findEndpoints(db.database, 1)).length > 0);
  await dispatcher.stop();
}

/** Sends until no callback waits: also those due after an endpoint's pause, and then a day later. */
async function dispatchAll(): Promise<void> {
  for (;;) {
    await dispatchDue();
    const { rows } = await db.owner.query<{ waiting: boolean; due: boolean }>(
      `select count(*) > 0 as waiting, coalesce(bool_or(next_attempt_at <= now()), false) as due from outbox
        where state = 'pending' and next_attempt_at is not null and tenant_id = $1`,
      [office.tenant.id],
    );
    if (!rows[0]?.waiting) return;
    if (rows[0].due) await db.owner.query("update callback_endpoints set paused_until = now() where tenant_id = $1", [office.tenant.id]);
    else await later("30 hours");
  }
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

const approvedDeposit = async (): Promise<string> => (await office.credited(merchant)).uuid;

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

/** A deposit that expired; the callback of its expiry is due. */
async function expiredDeposit(): Promise<string> {
  const { id } = await office.deposit(merchant);
  await db.owner.query("update transactions set expires_at = now() - interval '1 minute' where id = $1", [id]);
  await expireDue(office.deps, office.tenant.id, 100);
  return id;
}

async function reopenAndApprove(id: string): Promise<void> {
  const { rows } = await db.owner.query<{ version: number }>("select version from transactions where id = $1", [id]);
  const row = { uuid: id, version: rows[0]?.version ?? 0 };
  const again = only(await depositHandlers.reopenDeposits(office.call(), body({ rows: [row], reason: "late money" })));
  if (!again.done) throw new Error(again.problem.code);
  await office.credit(again.row);
}

const callbacksOf = (id: string) =>
  receiver.effects
    .map((effect) => JSON.parse(effect.body) as { type: string; data: { uuid: string } })
    .flatMap(({ type, data }) => (data.uuid === id ? [type] : []));
const statesOf = async (id: string) =>
  (await db.owner.query<{ state: string }>("select state from outbox where transaction_id = $1 order by event_n", [id])).rows.map(
    ({ state }) => state,
  );

test("an approval is called back at once though its expiry's callback waits out its schedule: what was not delivered is superseded", async () => {
  const [waiting, failed] = [await expiredDeposit(), await expiredDeposit()];
  fault = () => "refused";
  await dispatchDue();
  await db.owner.query("update outbox set state = 'failed', next_attempt_at = null where transaction_id = $1", [failed]);
  fault = () => null;
  for (const id of [waiting, failed]) await reopenAndApprove(id);
  await dispatchDue();
  for (const id of [waiting, failed]) {
    expect(callbacksOf(id)).toEqual(["deposit.approved"]);
    expect(await statesOf(id)).toEqual(["superseded", "delivered"]);
  }
});

test("a callback on its way when a newer decision is made is waited for, and never overtaken", async () => {
  const id = await expiredDeposit();
  const dispatcher = createDispatcher(office.deps);
  const onItsWay = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const hangs = createServer((_, answer) => {
    onItsWay.resolve();
    void answered.promise.then(() => answer.writeHead(200).end());
  });
  await new Promise<void>((listening) => hangs.listen(0, "127.0.0.1", listening));
  const { port } = hangs.address() as AddressInfo; // it listens on TCP
  await db.owner.query("update merchants set callback_url = $2 where id = $1", [merchant.id, `http://127.0.0.1:${port}/`]);
  await db.owner.query("update callback_endpoints set room = 8 where merchant_id = $1", [merchant.id]);
  await dispatcher.round();
  await onItsWay.promise;
  await reopenAndApprove(id);
  await db.owner.query("update merchants set callback_url = $2 where id = $1", [merchant.id, receiver.url("m")]);
  await dispatcher.round();
  const { rows } = await db.owner.query(
    "select attempts, leased_until is not null as leased from outbox where transaction_id = $1 order by event_n",
    [id],
  );
  expect(rows).toEqual([
    { attempts: 0, leased: true },
    { attempts: 0, leased: false },
  ]);
  answered.resolve();
  await dispatcher.idle();
  await dispatcher.round();
  await dispatcher.idle();
  await dispatcher.stop();
  await new Promise((closed) => hangs.close(closed));
  expect(callbacksOf(id)).toEqual(["deposit.approved"]);
  expect(await statesOf(id)).toEqual(["delivered", "delivered"]);
});

test("a callback asked for by hand goes now, to the merchant's present address, though its endpoint is left alone after failures", async () => {
  const [asked, other] = [await approvedDeposit(), await approvedDeposit()];
  const paused = async () =>
    (await db.owner.query("select from callback_endpoints where merchant_id = $1 and paused_until > now()", [merchant.id])).rowCount === 1;
  fault = () => "refused";
  do {
    await db.owner.query("update outbox set next_attempt_at = now() where state = 'pending' and tenant_id = $1", [office.tenant.id]);
    await dispatchDue();
  } while (!(await paused()));
  fault = () => null;
  await db.owner.query(
    "update outbox set next_attempt_at = now() + case when transaction_id = $2 then interval '5 hours' else '0' end where tenant_id = $1",
    [office.tenant.id, asked],
  );
  await db.owner.query("update merchants set callback_url = $2 where id = $1", [merchant.id, receiver.url("moved")]);
  const version = await db.owner.query<{ version: number }>("select version from transactions where id = $1", [asked]);
  only(
    await depositHandlers.sendDepositCallbacks(office.call(), body({ rows: [{ uuid: asked, version: version.rows[0]?.version ?? 0 }] })),
  );
  const dispatcher = createDispatcher(office.deps);
  await dispatcher.round();
  await dispatcher.idle();
  await dispatcher.stop();
  expect([callbacksOf(asked), callbacksOf(other)]).toEqual([["deposit.approved"], []]);
  expect(receiver.effects.map(({ merchant: at }) => at)).toEqual(["moved"]);
});

test("a callback asked for by hand while an attempt is on its way is sent after it", async () => {
  const id = await approvedDeposit();
  const dispatcher = createDispatcher(office.deps);
  let asking: Promise<unknown> | undefined;
  fault = () => {
    asking ??= db.owner
      .query<{ version: number }>("select version from transactions where id = $1", [id])
      .then(({ rows }) =>
        depositHandlers.sendDepositCallbacks(office.call(), body({ rows: [{ uuid: id, version: rows[0]?.version ?? 0 }] })),
      );
    return "refused";
  };
  // its answer is held back until the request was made
  const held = createServer((request, answer) => {
    fault("m");
    request.resume().on("end", () => void asking?.then(() => answer.writeHead(503).end()));
  });
  await new Promise<void>((listening) => held.listen(0, "127.0.0.1", listening));
  const { port } = held.address() as AddressInfo; // it listens on TCP
  await db.owner.query("update merchants set callback_url = $2 where id = $1", [merchant.id, `http://127.0.0.1:${port}/`]);
  await dispatcher.round();
  await dispatcher.idle();
  // it looks for more by itself once room was made: the next attempt is to meet the new address
  await dispatcher.stop();
  fault = () => null;
  await db.owner.query("update merchants set callback_url = $2 where id = $1", [merchant.id, receiver.url("m")]);
  const second = createDispatcher(office.deps);
  await second.round();
  await second.idle();
  await second.stop();
  await new Promise((closed) => held.close(closed));
  expect(callbacksOf(id)).toEqual(["deposit.approved"]);
  const { rows } = await db.owner.query("select n, status, by_user from callback_attempts where tenant_id = $1 order by n", [
    office.tenant.id,
  ]);
  expect(rows).toEqual([
    { n: 1, status: 503, by_user: null },
    { n: 2, status: 200, by_user: office.ann.id },
  ]);
});

describe("an endpoint", () => {
  const endpoint = async () =>
    (
      await db.owner.query<{ room: number; paused: boolean }>(
        "select room, paused_until > now() is true as paused from callback_endpoints where merchant_id = $1",
        [merchant.id],
      )
    ).rows[0];
  const note = async (result: AttemptResult) => {
    await inTenant(db.database, office.tenant.id, (scoped) =>
      noteAttempt(scoped, { tenant_id: office.tenant.id, merchant_id: merchant.id }, result),
    );
    return endpoint();
  };
  beforeEach(() =>
    db.owner.query("insert into callback_endpoints (tenant_id, merchant_id) values ($1, $2)", [office.tenant.id, merchant.id]),
  );

  test("that refuses three in ten is sent as many at once as one that takes all, and is not left alone", async () => {
    const random = seededRandom(11);
    for (let n = 0; n < 100; n++) expect(await note(random.chance(0.3) ? "refused" : "taken")).toMatchObject({ paused: false });
    expect((await endpoint())?.room).toBeGreaterThanOrEqual(12);
  });

  test("that lets three run into their time-out, or refuses nine, one after the other, is left alone and then probed with one", async () => {
    for (const [result, most] of [
      ["hung", 3],
      ["refused", 9],
    ] as const) {
      for (let n = 0; n < 20; n++) await note("taken");
      for (let n = 1; n < most; n++) expect([result, n, await note(result)]).toMatchObject([result, n, { paused: false }]);
      expect([result, await note(result)]).toEqual([result, { room: 1, paused: true }]);
    }
  });
});

test("a callback nobody accepts is tried ten times over 75 hours and then given up", async () => {
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
  // the record's history has both, with when they were and what was answered
  const { data } = await depositHandlers.readDeposit(office.call(), { params: { uuid: id }, query: undefined, body: undefined });
  const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
  const callback = data.callback?.id;
  expect(data.callback?.tries).toEqual([
    { callback, n: 1, at, status: 200, answer: expect.any(String), error: null, by: null },
    { callback, n: 2, at, status: 503, answer: '{"error":"try again later"}', error: null, by: office.ann.name },
  ]);
});

test("while the old secret lives both sign; afterwards only the new one", async () => {
  const [old, fresh] = [merchant.secret, `whsec_${Buffer.alloc(32, 9).toString("base64")}`];
  const seal = (secret: string) => office.deps.secrets.seal(secret, merchantSecretPlace(office.tenant.id, merchant.id));
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
  const dispatcher = createDispatcher(office.deps);
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
  const dispatcher = createDispatcher({ ...office.deps, config: production });
  await dispatcher.round();
  await dispatcher.idle();
  await dispatcher.stop();
  expect(receiver.requests).toBe(0);
  const { rows } = await db.owner.query<{ state: string }>("select state from outbox where tenant_id = $1", [office.tenant.id]);
  expect(rows.map(({ state }) => state)).toContain("pending");
  await dispatchAll();
  expect(receiver.effects.length).toBeGreaterThan(0);
});
