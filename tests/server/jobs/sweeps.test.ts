import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Deps } from "../../../src/server/call.ts";
import { verifyAudit } from "../../../src/server/audit/seal.ts";
import { checkInvariants } from "../../../src/server/db/invariants.ts";
import { openDatabase } from "../../../src/server/db/scope.ts";
import { startReceiver } from "../../../src/server/demo/receiver.ts";
import type { Receiver } from "../../../src/server/demo/receiver.ts";
import { createSweepRecord } from "../../../src/server/jobs/record.ts";
import { repeat } from "../../../src/server/jobs/repeat.ts";
import { startSweeps } from "../../../src/server/jobs/sweeps.ts";
import type { Sweeps } from "../../../src/server/jobs/sweeps.ts";
import { withdrawalHandlers } from "../../../src/server/payments/withdrawals.ts";
import { allAnchors } from "../../support/anchors.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount, makeGroup, makeDeps } from "../../support/factories.ts";
import { makeSigningMerchant } from "../../support/merchants.ts";
import type { SigningMerchant } from "../../support/merchants.ts";
import { body, makeOffice } from "../../support/payments.ts";

const db = testDatabase();
const soon = { timeout: 60_000, interval: 50 };
let folder: string;
let receiver: Receiver;
let merchant: SigningMerchant;
let running: Sweeps[];
let opened: Deps[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "sweeps-"));
  receiver = await startReceiver({ secretOf: () => merchant.secret, fault: () => null });
  running = [];
  opened = [];
});

afterEach(async () => {
  await Promise.all(running.map((sweeps) => sweeps.stop()));
  await Promise.all(opened.map((deps) => deps.database.close()));
  await receiver.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Another server on the same database, with connections of its own. */
function beside(): Deps {
  const deps = { ...makeDeps(db), database: openDatabase(db.connectAs, 8) };
  opened.push(deps);
  return deps;
}

const n = async (sql: string) => Number((await db.owner.query<{ n: string }>(`select count(*) as n from ${sql}`)).rows[0]?.n);

test("three servers' sweeps on one database do each thing once", async () => {
  const office = await makeOffice(db, { settings: { loopback_callbacks: true, recall_seconds: 0, claim_limit: 50 } });
  merchant = await makeSigningMerchant(db, office.deps, office.tenant, { wallet: "1000000", callback_url: receiver.url("m") });
  await makeGroup(db, office.tenant, [await makeAccount(db, office.tenant)], [merchant]);
  for (let i = 0; i < 30; i++) await office.deposit(merchant, { amount: "20.00" });
  const claimed = [];
  for (let i = 0; i < 20; i++) claimed.push(await office.claimed(merchant, { amount: "30.00" }));
  await withdrawalHandlers.rejectWithdrawals(
    office.call(),
    body({ rows: claimed.slice(0, 8).map(({ uuid, version }) => ({ uuid, version })), reason: { code: "duplicate" } }),
  );
  await db.owner.query("update transactions set expires_at = now() - interval '1 second' where kind = 'deposit'");
  await db.owner.query("update transactions set claim_until = now() - interval '1 second' where claimed_by is not null");

  running = [beside(), beside(), beside()].map((deps) => startSweeps(deps, { anchorsFolder: folder }));
  await vi.waitFor(async () => {
    expect(await n("transactions where status = 'expired'")).toBe(30);
    expect(await n("transactions where claimed_by is not null")).toBe(0);
    expect(await n("outbox where state = 'delivered'")).toBe(38);
    expect(await n("audit_unsealed")).toBe(0);
  }, soon);
  await Promise.all(running.splice(0).map((sweeps) => sweeps.stop()));

  expect(await n("transaction_events where act = 'expire'")).toBe(30);
  expect(await n("transaction_events where act = 'lapse'")).toBe(12);
  expect(await n("callback_attempts")).toBe(38);
  expect([receiver.requests, receiver.effects.length, receiver.forged]).toEqual([38, 38, 0]);
  const owner = await db.owner.connect();
  try {
    expect((await checkInvariants(owner)).filter(({ rows }) => rows.length > 0)).toEqual([]);
    const anchors = await allAnchors(folder);
    expect(anchors.length).toBeGreaterThan(0);
    expect(await verifyAudit(owner, anchors)).toEqual([]);
  } finally {
    owner.release();
  }
});

test("a callback whose server died while sending is sent by another when its lease has lapsed, with the same id", async () => {
  const office = await makeOffice(db, { settings: { loopback_callbacks: true } });
  merchant = await makeSigningMerchant(db, office.deps, office.tenant, { wallet: "1000", callback_url: receiver.url("m") });
  const { id, version } = await office.withdraw(merchant, { amount: "10.00" });
  await withdrawalHandlers.rejectWithdrawals(office.call(), body({ rows: [{ uuid: id, version }], reason: { code: "duplicate" } }));
  const { rows } = await db.owner.query<{ id: string }>(
    "update outbox set leased_until = now() + interval '1 hour' where transaction_id = $1 returning id",
    [id],
  );
  const other = await office.withdraw(merchant, { amount: "11.00" });
  await withdrawalHandlers.rejectWithdrawals(
    office.call(),
    body({ rows: [{ uuid: other.id, version: other.version }], reason: { code: "duplicate" } }),
  );
  running = [startSweeps(beside(), { anchorsFolder: folder })];
  // the rounds have begun, and what they send has ended: the leased one was passed over
  await vi.waitFor(() => expect(receiver.effects).not.toEqual([]), soon);
  await Promise.all(running.splice(0).map((sweeps) => sweeps.stop()));
  expect(receiver.effects.map((effect) => effect.id)).not.toContain(rows[0]?.id);

  await db.owner.query("update outbox set leased_until = now() - interval '1 second' where transaction_id = $1", [id]);
  running = [startSweeps(beside(), { anchorsFolder: folder })];
  await vi.waitFor(() => expect(receiver.effects.slice(1).map((effect) => effect.id)).toEqual([rows[0]?.id]), soon);
});

test("a sweep never overlaps itself, survives its failures, and ends when it is stopped", async () => {
  const failures: unknown[] = [];
  const nothing = () => undefined;
  const log = { debug: nothing, info: nothing, warn: nothing, error: (fields: object) => void failures.push(fields) };
  const sweeps = createSweepRecord();
  let [rounds, inside, most] = [0, 0, 0];
  const sweep = repeat(
    "test",
    5,
    async () => {
      most = Math.max(most, ++inside);
      rounds += 1;
      await new Promise((later) => setImmediate(later));
      inside -= 1;
      if (rounds === 2) throw new Error("once");
    },
    { log, sweeps },
  );
  await vi.waitFor(() => expect(rounds).toBeGreaterThan(5), soon);
  await sweep.stop();
  const ended = rounds;
  await new Promise((later) => setImmediate(later));
  expect([rounds, most, failures.length]).toEqual([ended, 1, 1]);
  expect(sweeps.all().get("test")).toEqual({ failures: 1, endedAt: expect.any(Date) });
});

test("stopping a sweep waits for the round that runs", async () => {
  const nothing = () => undefined;
  const round = Promise.withResolvers<void>();
  let began = false;
  const sweep = repeat(
    "test",
    1,
    () => {
      began = true;
      return round.promise;
    },
    { log: { debug: nothing, info: nothing, warn: nothing, error: nothing }, sweeps: createSweepRecord() },
  );
  await vi.waitFor(() => expect(began).toBe(true), soon);
  const order: string[] = [];
  const stopped = sweep.stop().then(() => order.push("stopped"));
  await new Promise((later) => setImmediate(later));
  order.push("round ends");
  round.resolve();
  await stopped;
  expect(order).toEqual(["round ends", "stopped"]);
});
