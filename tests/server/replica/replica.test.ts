import { sql } from "kysely";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { routes } from "../../../src/contract/index.ts";
import { readsReplica } from "../../../src/contract/route.ts";
import { forReading, inTenant, openDatabase } from "../../../src/server/db/scope.ts";
import { exportHandlers } from "../../../src/server/exports/exports.ts";
import { exportJob } from "../../../src/server/exports/export-job.ts";
import { withdrawalHandlers } from "../../../src/server/payments/withdrawals.ts";
import { countOpenDays } from "../../../src/server/reports/open-days.ts";
import { merchantDayHandlers } from "../../../src/server/reports/reports.ts";
import { plainRequest } from "../../support/exports.ts";
import { ask, routeNames, routeOf, serve, sessionOf } from "../../support/http.ts";
import type { Answered, Asked, Served } from "../../support/http.ts";
import { startJobServer } from "../../support/job-server.ts";
import { liveSocket } from "../../support/live-socket.ts";
import { body, done, only } from "../../support/payments.ts";
import { serverProcess } from "../../support/processes.ts";
import { replicatedDatabase } from "../../support/replicated.ts";
import { ownCluster } from "../../support/own-cluster.ts";
import { settingsFor } from "../../support/settings-for.ts";
import { fixtures, makeSite } from "../routes/fixtures.ts";
import type { Site } from "../routes/fixtures.ts";

const db = replicatedDatabase();
let served: Served;
let site: Site;
let asked: Asked;

beforeAll(async () => {
  served = await serve(db);
  site = await makeSite(db, "Tan Wei Ming");
  asked = {
    token: (await sessionOf(served.deps, site.owner.id)).access_token,
    tenant: site.office.tenant.id,
    currency: site.office.tenant.currency,
  };
});
afterAll(() => served.app.close());

const list = () => ask(served, "listWithdrawals", { ...asked, query: { view: "all", limit: "500" } });
const uuidsOf = ({ data }: Answered) => (data as { uuid: string }[]).map(({ uuid }) => uuid); // the contract's answer

/** How many reads each outcome has had more after `work` than before it. */
async function reads(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = { ...db.replica.counts };
  await work();
  const more = Object.entries(db.replica.counts).map(([outcome, n]) => [outcome, n - before[outcome as keyof typeof before]] as const);
  return Object.fromEntries(more.filter(([, n]) => n > 0));
}

/** Lists until the replica has answered, as it does when it has caught up and the pause after a failure is over. */
async function untilRead(): Promise<void> {
  await expect.poll(() => reads(list)).toEqual({ replica: 1 });
}

const pause = (on: boolean) => db.standby.ask(`select pg_wal_replay_${on ? "pause" : "resume"}()`, "postgres");
const isPaused = async () => (await db.standby.ask("select pg_get_wal_replay_pause_state() as state", "postgres")).rows[0]?.state;

test("lists, search and reports are answered by the replica, each by its own route, and write nothing", async () => {
  await untilRead();
  const marked = routeNames.filter((name) => readsReplica(routeOf(name)));
  expect(marked).toEqual(
    expect.arrayContaining(["listWithdrawals", "search", "readDashboard", "summarizeAccountDays", "listMerchantTransactions"]),
  );
  const found: unknown[] = [];
  for (const name of marked) {
    const ready = await fixtures[name].make(site, site.owner);
    const { permission } = routeOf(name);
    const who: Asked = permission === "merchant" ? { signedBy: site.merchant } : asked;
    let answer: Answered | undefined;
    let counted: Record<string, number> = {};
    const isThere = async () => {
      counted = await reads(async () => (answer = await ask(served, name, { ...who, ...ready })));
      return !("late" in counted || "away" in counted);
    };
    await expect.poll(isThere, { message: name }).toBe(true);
    if (answer?.status !== 200 || counted["replica"] === undefined) found.push([name, counted, answer?.text]);
  }
  expect(found).toEqual([]);
});

test("the figures of pinned views are, all of a tenant's in one read", async () => {
  await untilRead();
  const { id } = await site.office.withdraw(site.merchant, { amount: "7.25" });
  const screens = ["withdrawals", "deposits", "bank-transactions", "merchants"];
  const lists = [
    ...screens.map((screen) => ({ screen, query: {} })),
    { screen: "withdrawals", query: { view: "all", "filter[uuid]": id } },
  ];
  let answer: Answered | undefined;
  const readSoFar = () => Object.values(db.replica.counts).reduce((sum, n) => sum + n, 0);
  const read = () =>
    reads(async () => {
      const before = readSoFar();
      answer = await ask(served, "readPinFigures", { ...asked, body: { lists } });
      // they are answered a moment before their transaction ends, which is counted
      await vi.waitUntil(() => readSoFar() > before, { timeout: 60_000 });
    });
  await expect.poll(read).toEqual({ replica: 1 });
  const figures = answer?.data as { known: boolean; sums: Record<string, string> }[]; // the contract's answer
  expect(figures.map(({ known }) => known)).toEqual(lists.map(() => true));
  expect(figures.at(-1)?.sums).toEqual({ amount: "7.25" });
});

test("an open day of which a part is counted is the replica's as it is the primary's", async () => {
  done(
    only(
      await withdrawalHandlers.rejectWithdrawals(
        site.office.call(),
        body({ rows: [await claimedRow()], reason: { code: "other", text: "No" } }),
      ),
    ),
  );
  await countOpenDays(served.deps);
  const { rowCount } = await db.owner.query("select from merchant_decided_parts where tenant_id = $1 and failed > 0", [
    site.office.tenant.id,
  ]);
  expect(rowCount).toBe(1);
  await untilRead();
  let answer: Answered | undefined;
  const days = () => reads(async () => (answer = await ask(served, "listMerchantDays", asked)));
  await expect.poll(days).toEqual({ replica: 1 });
  const query = routes.listMerchantDays.query.parse({});
  const { data } = await merchantDayHandlers.listMerchantDays(site.office.call(), { query, params: undefined, body: undefined });
  expect(data.length).toBeGreaterThan(0);
  expect(answer?.data).toEqual(data);
});

/** A withdrawal that waits for its decision. */
async function claimedRow(): Promise<{ uuid: string; version: number }> {
  const { uuid, version } = await site.office.claimed(site.merchant);
  return { uuid, version };
}

test("what nobody said may be read there is read from the primary", async () => {
  await untilRead();
  const { id: uuid } = await site.office.withdraw(site.merchant);
  expect(await reads(() => ask(served, "readWithdrawal", { ...asked, params: { uuid } }))).toEqual({});
});

test("one's own write, and another process's, is in the next list although the replica has not replayed it", async () => {
  await untilRead();
  await pause(true);
  try {
    await expect.poll(isPaused).toBe("paused");
    const own = await site.office.withdraw(site.merchant);
    let answer = await list();
    expect(uuidsOf(answer)).toContain(own.id);
    await inTenant(db.sibling(), site.office.tenant.id, (there) => sql`update merchants set name = 'Told by an event'`.execute(there));
    answer = await ask(served, "listMerchants", asked);
    expect(answer.text).toContain("Told by an event");
    expect(db.replica.state).toBe("late");
    await expect.poll(() => reads(list)).toEqual({ late: 1 });
  } finally {
    await pause(false);
  }
  await untilRead();
  expect(db.replica.state).toBe("read");
});

test("who is told by an event at one process reads it at another, although the replica has not replayed it", async () => {
  const environment = { ...settingsFor(db), DATABASE_URL: db.urls.primary, DATABASE_REPLICA_URL: db.urls.replica };
  const servers = await Promise.all([0, 1, 2].map(() => serverProcess(environment)));
  await Promise.all(servers.map((server) => server.start()));
  const [acting, telling, reading] = servers.map(({ url }): Served => ({ ...served, url }));
  if (!acting || !telling || !reading) throw new Error("three were started");
  const socket = await liveSocket(telling, asked);
  try {
    await untilRead();
    const { id: uuid, version } = await site.office.withdraw(site.merchant);
    await pause(true);
    await ask(acting, "claimWithdrawals", { ...asked, body: { rows: [{ uuid, version }] } });
    await expect.poll(() => socket.heard("withdraw")).toContain(uuid);
    expect(uuidsOf(await ask(reading, "listWithdrawals", { ...asked, query: { view: "mine" } }))).toContain(uuid);
  } finally {
    await pause(false);
    socket.close();
    for (const server of servers) await server.end();
  }
});

test("a replica that stops fails no read, and is read from again when it is back", async () => {
  await untilRead();
  await db.standby.stop();
  try {
    const { status } = await list();
    expect([status, db.replica.state]).toEqual([200, "away"]);
    expect(await reads(list)).toEqual({ away: 1 });
    const begun = db.sibling();
    await begun.prove();
    expect(begun.replica?.state).toBe("away");
  } finally {
    await db.standby.start();
  }
  await untilRead();
});

test("a read the replica ends to replay a change is answered by the primary", async () => {
  await db.standby.asSuperuser(["alter system set max_standby_streaming_delay = 0", "select pg_reload_conf()"]);
  await untilRead();
  await db.primary.asSuperuser(["create table churned (n integer)"], "countinghouse");
  const churn = ["insert into churned values (1)", "delete from churned", "vacuum churned"];
  const read = () =>
    inTenant(
      forReading(db.database),
      site.office.tenant.id,
      async (there) => {
        const { rows } = await sql<{ is_replica: boolean }>`select pg_is_in_recovery() as is_replica`.execute(there);
        if (!rows[0]?.is_replica) return;
        let ended: unknown;
        const waiting = sql`select pg_sleep(600)`.execute(there).catch((error: unknown) => (ended = error));
        // until no other snapshot keeps the rows
        while (ended === undefined) await db.primary.asSuperuser(churn, "countinghouse");
        await waiting;
        throw ended;
      },
      { snapshot: "snapshot" },
    );
  await expect.poll(() => reads(read)).toEqual({ conflict: 1 });
});

test.each([
  [1, "replica"],
  [2, "primary"],
])(
  "attempt %i at an export reads its rows from the %s, because what went wrong at the one may go well at the other",
  async (attempt, from) => {
    const work: typeof exportJob.work = (run) => exportJob.work({ ...run, attempt, deps: { ...run.deps, database: db.database } });
    const server = startJobServer(db, [{ ...exportJob, work } satisfies typeof exportJob]);
    const exported = async () => {
      const request = body({ ...plainRequest, query: { view: "all" } });
      const { data } = await exportHandlers.startWithdrawalsExport(site.office.call(site.owner), request);
      const state = async () => (await db.owner.query("select state from jobs where id = $1", [data.uuid])).rows[0]?.state;
      await vi.waitUntil(async () => (await state()) === "done", { timeout: 60_000 });
      await db.owner.query("delete from export_parts; delete from exports"); // somebody has five at most
    };
    try {
      await untilRead();
      await expect.poll(() => reads(exported)).toEqual(from === "replica" ? { replica: 1 } : {});
    } finally {
      await server.stop();
    }
  },
);

test("a primary that answers before a commit is on disk is refused, because nobody could wait for that", async () => {
  await db.owner.query("alter database countinghouse set synchronous_commit = off");
  const other = db.sibling();
  try {
    await expect(other.prove()).rejects.toThrow(/synchronous_commit/);
  } finally {
    await db.owner.query("alter database countinghouse reset synchronous_commit");
  }
});

test("readiness and metrics tell of the replica", async () => {
  await untilRead();
  const { body: ready } = await served.app.inject("/readyz");
  expect(JSON.parse(ready)).toEqual({ status: "ready", replica: "read" });
  const { body: metrics } = await served.app.inject("/metrics");
  expect(metrics).toContain(`replica_reads_total{outcome="replica"} ${db.replica.counts.replica}`);
});

test("what is no replica of the primary is refused at the start, by name", async () => {
  const other = await ownCluster();
  try {
    for (const [url, why] of [
      [db.urls.primary, /DATABASE_REPLICA_URL: .*it is no replica: it takes writes itself/],
      [other.superuserUrl("postgres"), /DATABASE_REPLICA_URL: /],
    ] as const) {
      const options = { connectAs: () => ({ connectionString: url }), log: served.deps.log };
      const wrong = openDatabase(() => ({ connectionString: db.urls.primary }), 2, undefined, undefined, options);
      await expect(wrong.prove()).rejects.toThrow(why);
      await wrong.close();
    }
  } finally {
    await other.stop();
  }
});
