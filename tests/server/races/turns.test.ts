import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "../../../src/server/db/scope.ts";
import { createTurns, turnsOf } from "../../../src/server/db/turns.ts";
import { testDatabase } from "../../support/database.ts";
import { makePerson } from "../../support/factories.ts";
import type { Served } from "../../support/http.ts";
import { ask, serve, sessionOf } from "../../support/http.ts";
import { makeSigningMerchant } from "../../support/merchants.ts";
import { makeOffice, rejections } from "../../support/payments.ts";

const db = testDatabase({ pool: 8, patient: true });
let served: Served;
beforeAll(async () => {
  served = await serve(db, { listen: true });
});
afterAll(() => served.app.close());

/** Works that the test ends, and which tenants' works are running. */
function works() {
  const running: { tenant: string; end: () => void }[] = [];
  return {
    running,
    begin: (tenant: string) => () =>
      new Promise<void>((done) => {
        const one = {
          tenant,
          end() {
            running.splice(running.indexOf(one), 1);
            done();
          },
        };
        running.push(one);
      }),
    tenants: () => running.map(({ tenant }) => tenant),
    /** Ends so many, each once it has begun. */
    async end(count: number) {
      for (let ended = 0; ended < count;) {
        const [one] = running;
        if (one) ended++;
        one?.end();
        // oxlint-disable-next-line no-await-in-loop -- the next begins when one has ended
        await setImmediate();
      }
    },
  };
}

test("a tenant holds no more turns than its share, and one that comes later is served at once", async () => {
  const turns = createTurns({ all: 4, each: 2, waiting: 10, waitMs: 60_000 });
  const { running, begin, tenants, end } = works();
  const all = ["a", "a", "a", "b"].map((tenant) => turns.run(tenant, begin(tenant)));
  await expect.poll(tenants).toEqual(["a", "a", "b"]);
  running[0]?.end();
  await expect.poll(tenants).toEqual(["a", "b", "a"]);
  await end(3);
  await Promise.all(all);
});

test("where all turns are held, the next goes to the tenant that holds the fewest, and by turns where several hold as few", async () => {
  const turns = createTurns({ all: 2, each: 2, waiting: 10, waitMs: 60_000 });
  const { running, begin } = works();
  const all = ["a", "a", "a", "a", "b", "c", "b"].map((tenant) => turns.run(tenant, begin(tenant)));
  const order: string[] = [];
  while (order.length < all.length) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await expect.poll(() => running.length).toBe(Math.min(2, all.length - order.length));
    const [first] = running;
    if (!first) throw new Error("somebody is served");
    order.push(first.tenant);
    first.end();
  }
  await Promise.all(all);
  expect(order).toEqual(["a", "a", "b", "a", "c", "b", "a"]);
});

test("who finds too many of its own waiting is refused as busy, another tenant is not", async () => {
  const turns = createTurns({ all: 1, each: 1, waiting: 2, waitMs: 60_000 });
  const { running, begin } = works();
  const all = ["a", "a", "a", "a", "b"].map((tenant) => turns.run(tenant, begin(tenant)));
  const settled = Promise.allSettled(all);
  for (let n = 0; n < 4; n++) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await expect.poll(() => running.length).toBe(1);
    running[0]?.end();
  }
  expect(rejections(await settled)).toEqual(["request.busy"]);
});

test("who has waited too long is refused as busy, and leaves its place", async () => {
  const turns = createTurns({ all: 1, each: 1, waiting: 1, waitMs: 1 });
  const { running, begin } = works();
  const first = turns.run("a", begin("a"));
  await expect(turns.run("a", begin("a"))).rejects.toMatchObject({ code: "request.busy" });
  running[0]?.end();
  await first;
  expect(await turns.run("a", () => Promise.resolve("served"))).toBe("served");
});

test("what fails gives its turn back", async () => {
  const turns = turnsOf(1, 1, 60_000);
  await expect(turns.run("a", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await turns.run("a", () => Promise.resolve("served"))).toBe("served");
});

test("a tenant's share is divided by the processes on its database, and whole again when they have gone", async () => {
  const share = async () => {
    await db.database.shareTurns();
    const { running, begin, end } = works();
    const all = Array.from({ length: 4 }, () => db.database.turns.run("a", begin("a")));
    await db.database.turns.run("b", async () => undefined);
    const held = running.length;
    await end(all.length);
    await Promise.all(all);
    return held;
  };
  expect(await share()).toBe(2);
  const siblings = [openDatabase(db.connectAs, 8), openDatabase(db.connectAs, 8)];
  for (const sibling of siblings) await sibling.prove();
  expect(await share()).toBe(1);
  for (const sibling of siblings) await sibling.close();
  // PostgreSQL counts a connection until its process has ended
  await expect.poll(share).toBe(2);
});

test("while every request of one tenant waits for a locked row, another tenant is answered", async () => {
  const stuck = await makeOffice(db);
  const merchant = await makeSigningMerchant(db, stuck.deps, stuck.tenant, { wallet: "1000000" });
  const free = await makeOffice(db);
  const reader = await makePerson(db, free.tenant);
  await db.owner.query("update memberships set permissions = '{pas.transaction.withdrawals.view}' where user_id = $1", [reader.id]);
  const { access_token: token } = await sessionOf(served.deps, reader.id);
  const holder = await db.owner.connect();
  await holder.query("begin");
  await holder.query("select from ledger_accounts where tenant_id = $1 and kind = 'wallet' for update", [stuck.tenant.id]);
  let answered = 0;
  const asked = Array.from({ length: 32 }, async (_, n) => {
    const { status } = await ask(served, "createWithdrawal", {
      signedBy: merchant,
      body: {
        merchant_txn_no: randomUUID(),
        amount: "10.00",
        currency: merchant.currency,
        method: "bank_transfer",
        member: `M${n}`,
        customer_name: "Tan Wei Ming",
        bank: "Maybank",
        account_number: "1234567890",
        holder: "TAN WEI MING",
      },
    });
    answered++;
    return status;
  });
  const waiting = async () =>
    (
      await db.owner.query<{ n: number }>(
        "select count(*)::integer as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      )
    ).rows[0]?.n;
  await expect.poll(waiting).toBe(2);
  const read = await ask(served, "listWithdrawals", {
    token,
    tenant: free.tenant.id,
    currency: free.tenant.currency,
    query: { view: "queue" },
  });
  expect([read.status, answered]).toEqual([200, 0]);
  await holder.query("rollback");
  holder.release();
  expect(new Set(await Promise.all(asked))).toEqual(new Set([200]));
});
