import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { seededRandom } from "../../../src/server/demo/random.ts";
import { startReceiver } from "../../../src/server/demo/receiver.ts";
import type { Receiver } from "../../../src/server/demo/receiver.ts";
import { withdrawalHandlers } from "../../../src/server/payments/withdrawals.ts";
import { testDatabase } from "../../support/database.ts";
import { long } from "../../support/deep.ts";
import { makeSigningMerchant } from "../../support/merchants.ts";
import type { SigningMerchant } from "../../support/merchants.ts";
import { body, done, makeOffice, only } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";
import { serverProcess } from "../../support/processes.ts";
import type { ServerProcess } from "../../support/processes.ts";
import { settingsFor } from "../../support/settings-for.ts";

const size = Number(process.env["CALLBACKS"] ?? long({ share: 200, whole: 20_000 }));
const kills = Number(process.env["KILLS"] ?? long({ share: 2, whole: 50 }));
const merchantCount = 8;

// copies have a callback and no postings of their own; what is said of callbacks is checked by the test
const db = testDatabase({ invariants: false });
const random = seededRandom(29);
let office: Office;
let receiver: Receiver;
let server: ServerProcess;
let merchants: SigningMerchant[];

beforeAll(async () => {
  office = await makeOffice(db, { settings: { loopback_callbacks: true, recall_seconds: 0 } });
  receiver = await startReceiver({
    secretOf: (id) => merchants.find((one) => one.id === id)?.secret,
    // three in ten: refused, or taken while the answer is lost
    fault: () => (random.chance(0.2) ? "refused" : random.chance(0.125) ? "cut" : null),
    remember: size,
  });
  merchants = await Promise.all(
    Array.from({ length: merchantCount }, () => makeSigningMerchant(db, office.deps, office.tenant, { wallet: "1000" })),
  );
  for (const { id } of merchants) await db.owner.query("update merchants set callback_url = $2 where id = $1", [id, receiver.url(id)]);
  for (const merchant of merchants) await dueCallbacks(merchant, size / merchantCount);
  server = await serverProcess({ ...settingsFor(db), DEVELOPMENT: "true" });
}, 600_000);

afterAll(async () => {
  await server.end();
  await receiver.stop();
});

/** One withdrawal rejected as people do it, and as many copies of it as are wanted, each with its own callback: all are due. */
async function dueCallbacks(merchant: SigningMerchant, count: number): Promise<void> {
  const { id, version } = await office.withdraw(merchant, { amount: "10.00" });
  const rows = [{ uuid: id, version }];
  done(only(await withdrawalHandlers.rejectWithdrawals(office.call(), body({ rows, reason: { code: "duplicate" } }))));
  const columnsOf = async (table: string) =>
    (
      await db.owner.query<{ name: string }>(
        "select column_name as name from information_schema.columns where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'",
        [table],
      )
    ).rows.map(({ name }) => name);
  const [ofTransaction, ofEvent] = [await columnsOf("transactions"), await columnsOf("transaction_events")];
  const own: Readonly<Record<string, string>> = {
    id: "md5(t.id::text || copy)::uuid",
    txn_no: "t.txn_no || 'C' || copy",
    merchant_txn_no: "t.merchant_txn_no || 'C' || copy",
  };
  await db.owner.query(
    `insert into transactions (${ofTransaction.join(", ")}) select ${ofTransaction.map((name) => own[name] ?? `t.${name}`).join(", ")}
      from transactions t, generate_series(2, $2::integer) copy where t.id = $1`,
    [id, count],
  );
  await db.owner.query(
    `insert into transaction_events (${ofEvent.join(", ")})
      select ${ofEvent.map((name) => (name === "transaction_id" ? "md5(e.transaction_id::text || copy)::uuid" : `e.${name}`)).join(", ")}
      from transaction_events e, generate_series(2, $2::integer) copy where e.transaction_id = $1`,
    [id, count],
  );
  await db.owner.query(
    `insert into outbox (tenant_id, merchant_id, transaction_id, event_n, url, body, next_attempt_at)
      select o.tenant_id, o.merchant_id, md5(o.transaction_id::text || copy)::uuid, o.event_n, o.url, o.body, now()
      from outbox o, generate_series(2, $2::integer) copy where o.transaction_id = $1`,
    [id, count],
  );
}

const left = async () =>
  (
    await db.owner.query<{ n: number }>("select count(*)::integer as n from outbox where tenant_id = $1 and state <> 'delivered'", [
      office.tenant.id,
    ])
  ).rows[0]?.n ?? 0;

/** Lets the time pass that the schedule waits: attempts are due, and no address is left alone. */
async function passTime(): Promise<void> {
  await db.owner.query("update outbox set next_attempt_at = now() where tenant_id = $1 and state = 'pending' and next_attempt_at > now()", [
    office.tenant.id,
  ]);
  await db.owner.query("update callback_endpoints set paused_until = null where tenant_id = $1 and paused_until > now()", [
    office.tenant.id,
  ]);
}

test(
  `${size} callbacks arrive through 30 % faults and ${kills} kills of what sends them: none is lost, and each has one effect`,
  { timeout: 7_200_000 },
  async () => {
    const step = Math.floor(size / (kills + 1));
    for (let killed = 0; killed < kills; killed++) {
      await server.start();
      // in the middle of its work, whenever that is
      await vi.waitFor(
        async () => {
          await passTime();
          expect(receiver.effects.length).toBeGreaterThanOrEqual(step * (killed + 1) - random.whole(0, Math.floor(step / 2)));
        },
        { timeout: 600_000, interval: 20 },
      );
      await server.kill();
      // nobody holds these leases any more; they lapse by themselves later
      await db.owner.query("update outbox set leased_until = now() where tenant_id = $1 and leased_until > now()", [office.tenant.id]);
    }
    expect(await left()).toBeGreaterThan(0);
    await server.start();
    await vi.waitFor(
      async () => {
        await passTime();
        expect(await left()).toBe(0);
      },
      { timeout: 600_000, interval: 50 },
    );
    expect(receiver.forged).toBe(0);
    expect(receiver.effects).toHaveLength(size);
    const { rows: callbacks } = await db.owner.query<{ id: string }>("select id from outbox where tenant_id = $1", [office.tenant.id]);
    expect(new Set(receiver.effects.map(({ id }) => id))).toEqual(new Set(callbacks.map(({ id }) => id)));
    // attempts are kept without gaps, the last of each was taken, and no other one
    const { rows: wrong } = await db.owner.query(
      `select o.id from outbox o left join callback_attempts a on a.tenant_id = o.tenant_id and a.outbox_id = o.id
        where o.tenant_id = $1 group by o.id, o.attempts
        having count(a.n) <> o.attempts or max(a.n) <> o.attempts or count(*) filter (where a.status between 200 and 299) <> 1
          or not bool_or(a.n = o.attempts and a.status between 200 and 299)`,
      [office.tenant.id],
    );
    expect(wrong).toEqual([]);
    const { rows: kept } = await db.owner.query<{ n: number }>(
      "select count(*)::integer as n from callback_attempts where tenant_id = $1",
      [office.tenant.id],
    );
    // what was on its way at a kill was sent and is not on record: no more than an address is sent at once
    expect(receiver.requests - (kept[0]?.n ?? 0)).toBeLessThanOrEqual(kills * merchantCount * 17);
  },
);
