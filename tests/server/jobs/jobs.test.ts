import { sql } from "kysely";
import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import type { Deps } from "../../../src/server/call.ts";
import { inTenant } from "../../../src/server/db/scope.ts";
import { cancelJob, startJob } from "../../../src/server/jobs/jobs.ts";
import { defineJob, JobFailure } from "../../../src/server/jobs/kind.ts";
import type { JobKind, JobResult, JobRun } from "../../../src/server/jobs/kind.ts";
import { failLost, tenantsWithLostJobs } from "../../../src/server/jobs/lost.ts";
import { defineSchedule, queueTurns } from "../../../src/server/jobs/schedule.ts";
import { testDatabase } from "../../support/database.ts";
import { makePerson, makeTenant } from "../../support/factories.ts";
import type { Person, Tenant } from "../../support/factories.ts";
import { startJobServer } from "../../support/job-server.ts";
import type { JobServer } from "../../support/job-server.ts";

const db = testDatabase();
const soon = { timeout: 60_000, interval: 50 };
type Payload = { step: string };
type Run = JobRun<Payload>;

let tenant: Tenant;
let person: Person;
let work: (run: Run) => Promise<JobResult | void>;
let begun: Run[];
const opened: JobServer[] = [];

const kind = defineJob<Payload>({
  name: "trial",
  payload: z.strictObject({ step: z.string() }),
  attempts: 2,
  atOnce: 2,
  perTenant: 1,
  minutes: 5,
  work(run) {
    begun.push(run);
    return work(run);
  },
});

/** A server on the database that runs jobs. */
function server(kinds: readonly JobKind[] = [kind]): Deps {
  const one = startJobServer(db, kinds);
  opened.push(one);
  return one.deps;
}

async function stop(deps: Deps): Promise<void> {
  const [one] = opened.splice(
    opened.findIndex((other) => other.deps === deps),
    1,
  );
  await one?.stop();
}

let running: Deps;
beforeEach(async () => {
  tenant = await makeTenant(db);
  person = await makePerson(db, tenant);
  work = async () => undefined;
  begun = [];
  running = opened[0]?.deps ?? server();
});
afterEach(async () => {
  for (const other of opened.slice(1)) await stop(other.deps);
});
afterAll(async () => {
  for (let last = opened.at(-1); last; last = opened.at(-1)) await stop(last.deps);
});

async function start(step: string, of = tenant): Promise<string> {
  const id = await inTenant(running.database, of.id, (scoped) =>
    startJob(scoped, running, { tenant: of.id, by: person.id }, kind, { step }),
  );
  running.jobs.wake(kind);
  return id;
}

interface Row {
  state: string;
  attempt: number;
  done: string;
  total: string | null;
  failure: string | null;
}
const rowOf = async (id: string): Promise<Row | undefined> =>
  (await db.owner.query<Row>("select state, attempt, done, total, failure from jobs where id = $1", [id])).rows[0];
const ends = (id: string, state: string) => vi.waitFor(async () => expect((await rowOf(id))?.state).toBe(state), soon);
/** Runs until the job is cancelled, taken over, or its server stops. */
const forever = (run: Run) => new Promise<never>((_, reject) => run.signal.addEventListener("abort", () => reject(new Error("aborted"))));
const rename =
  (name: string): JobResult =>
  async (scoped) => {
    await scoped.updateTable("users").set({ name }).where("id", "=", person.id).execute();
  };
const nameNow = async () => (await db.owner.query<{ name: string }>("select name from users where id = $1", [person.id])).rows[0]?.name;

test("a job that was started runs once, tells how far it is, and its result is written with its end", async () => {
  const gate = Promise.withResolvers<void>();
  work = async (run) => {
    await run.progress(3, 10);
    await gate.promise;
    await run.progress(10);
    return rename("done by a job");
  };
  const id = await start("one");
  await vi.waitFor(async () => expect(await rowOf(id)).toMatchObject({ state: "running", attempt: 1, done: "3", total: "10" }), soon);
  expect(await nameNow()).toBe(person.name);
  gate.resolve();
  await ends(id, "done");
  expect([await nameNow(), (await rowOf(id))?.done]).toEqual(["done by a job", "10"]);
  expect(begun.map(({ tenant: of, payload, attempt }) => ({ of, payload, attempt }))).toEqual([
    { of: tenant.id, payload: { step: "one" }, attempt: 1 },
  ]);
});

test("what its caller rolls back was never started", async () => {
  await expect(
    inTenant(running.database, tenant.id, async (scoped) => {
      await startJob(scoped, running, { tenant: tenant.id, by: person.id }, kind, { step: "never" });
      throw new Error("the caller's own");
    }),
  ).rejects.toThrow("the caller's own");
  const id = await start("after it");
  await ends(id, "done");
  expect(begun.map(({ payload }) => payload.step)).toEqual(["after it"]);
});

test("a payload that is none of the kind's is refused", async () => {
  const wrong = { step: "x", amount: "1.00" };
  await expect(
    inTenant(running.database, tenant.id, (scoped) => startJob(scoped, running, { tenant: tenant.id, by: person.id }, kind, wrong)),
  ).rejects.toThrow(/amount/);
});

test("a cancelled job that waits never runs; one that runs is aborted, and its result is not written", async () => {
  work = async (run) => {
    if (run.payload.step === "runs") await forever(run).catch(() => undefined);
    return rename(run.payload.step);
  };
  const runs = await start("runs");
  const waits = await start("waits");
  await vi.waitFor(() => expect(begun).toHaveLength(1), soon);
  const cancel = (id: string) =>
    inTenant(running.database, tenant.id, (scoped) => cancelJob(scoped, running, { tenant: tenant.id, id }, kind));
  expect([await cancel(waits), await cancel(runs)]).toEqual([true, true]);
  expect(await cancel(runs)).toBe(false);
  await vi.waitFor(() => expect(begun[0]?.signal.aborted).toBe(true), soon);
  const later = await start("later");
  await vi.waitFor(() => expect(begun.map(({ payload }) => payload.step)).toEqual(["runs", "later"]), soon);
  await ends(later, "done");
  for (const id of [runs, waits]) expect(await rowOf(id)).toMatchObject({ state: "cancelled", failure: null });
  expect(await nameNow()).toBe("later");
});

test("progress of a cancelled job throws, so that a loop ends with it", async () => {
  let thrown: unknown;
  work = async (run) => {
    try {
      for (let n = 0; ; n++) {
        await run.progress(n);
        await new Promise((later) => setImmediate(later));
      }
    } catch (error) {
      thrown = error;
      throw error;
    }
  };
  const id = await start("loop");
  await vi.waitFor(async () => expect(Number((await rowOf(id))?.done)).toBeGreaterThan(0), soon);
  await inTenant(running.database, tenant.id, (scoped) => cancelJob(scoped, running, { tenant: tenant.id, id }, kind));
  await vi.waitFor(() => expect(String(thrown)).toMatch(/over/), soon);
});

test("what fails is tried again, and has failed after its last attempt; what cannot succeed fails at once, by its code", async () => {
  work = async ({ payload, attempt }) => {
    if (payload.step === "hopeless") throw new JobFailure("no-such-thing");
    if (payload.step === "always" || attempt === 1) throw new Error("not now");
  };
  const [second, hopeless, always] = [await start("second"), await start("hopeless"), await start("always")];
  await ends(second, "done");
  await ends(always, "failed");
  expect(await rowOf(second)).toMatchObject({ attempt: 2, failure: null });
  expect(await rowOf(always)).toMatchObject({ attempt: 2, failure: "unforeseen" });
  expect(await rowOf(hopeless)).toMatchObject({ state: "failed", attempt: 1, failure: "no-such-thing" });
});

test("an attempt without a sign of life is taken over; what the first writes while the second runs does not count", async () => {
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let over = 0;
  work = async ({ payload, attempt }) => {
    if (payload.step !== "silent") return;
    await gates[attempt - 1]?.promise;
    over += 1;
    return rename(`attempt ${attempt}`);
  };
  const id = await start("silent");
  await vi.waitFor(() => expect(begun).toHaveLength(1), soon);
  // its process lives, but says nothing any more
  await db.owner.query("update pgboss.job set heartbeat_seconds = 1, heartbeat_on = now() - interval '1 hour' where state = 'active'");
  await vi.waitFor(() => expect(begun).toHaveLength(2), soon);
  gates[0]?.resolve();
  await vi.waitFor(() => expect(over).toBe(1), soon);
  // another tenant's, so that the first one's result has been written or refused
  await ends(await start("beside", await makeTenant(db)), "done");
  expect([await nameNow(), await rowOf(id)]).toEqual([person.name, expect.objectContaining({ state: "running", attempt: 2 })]);
  gates[1]?.resolve();
  await ends(id, "done");
  expect(await nameNow()).toBe("attempt 2");
});

test("a job whose every attempt was lost has failed, and says so", async () => {
  const stays = Promise.withResolvers<void>();
  work = () => stays.promise;
  const id = await start("lost");
  await vi.waitFor(() => expect(begun).toHaveLength(1), soon);
  const due = async () => (await sql<{ tenant_id: string }>`${tenantsWithLostJobs}`.execute(running.database.worker)).rows;
  expect(await due()).toEqual([]);
  await db.owner.query("update pgboss.job set state = 'failed' where state = 'active'");
  expect(await due()).toEqual([{ tenant_id: tenant.id }]);
  expect(await failLost(running, tenant.id, 10)).toEqual([id]);
  expect(await rowOf(id)).toMatchObject({ state: "failed", failure: "lost" });
  stays.resolve();
});

test("a server that stops hands its job back as if it had not begun, and another goes on with it", async () => {
  const other = server();
  work = forever;
  // both look for it
  const [id] = [await start("handed back")];
  await vi.waitFor(() => expect(begun).toHaveLength(1), soon);
  work = async () => rename("the other");
  const holder = begun[0]?.deps === running ? running : other;
  await stop(holder);
  if (holder === running) running = other;
  await ends(id, "done");
  expect([await nameNow(), await rowOf(id)]).toEqual(["the other", expect.objectContaining({ attempt: 1 })]);
});

test("one tenant's jobs run one after the other, in all processes together, and hold up no other tenant's", async () => {
  const gate = Promise.withResolvers<void>();
  work = () => gate.promise;
  server();
  const other = await makeTenant(db);
  const mine = [await start("first"), await start("second")];
  const theirs = await start("theirs", other);
  await vi.waitFor(() => expect(begun.map(({ payload }) => payload.step)).toEqual(expect.arrayContaining(["first", "theirs"])), soon);
  expect(begun).toHaveLength(2);
  gate.resolve();
  for (const id of [...mine, theirs]) await ends(id, "done");
  expect(begun).toHaveLength(3);
});

test("rows have their turn every so often: one job each however many processes look, missed turns left out, none beside one that runs", async () => {
  await db.owner
    .query(`create table watched_things (tenant_id uuid, id uuid, minutes integer, next_at timestamptz, primary key (tenant_id, id));
    call isolate('watched_things', 'select, update'); call let_worker_read('watched_things')`);
  const gate = Promise.withResolvers<void>();
  work = () => gate.promise;
  const schedule = defineSchedule({
    kind,
    table: "watched_things",
    every: sql`make_interval(mins => minutes)`,
    payload: (id) => ({ step: id }),
  });
  const {
    rows: [due, , hourly],
  } = await db.owner.query<{ id: string; next_at: Date | null }>(
    `insert into watched_things values ($1, gen_random_uuid(), 5, now() - interval '17 minutes'), ($1, gen_random_uuid(), 5, null),
      ($1, gen_random_uuid(), 60, now() + interval '1 minute') returning id, next_at`,
    [tenant.id],
  );
  await Promise.all([1, 2, 3].map(() => queueTurns(running, schedule)));
  await vi.waitFor(() => expect(begun.map(({ payload }) => payload.step)).toEqual([due?.id]), soon);
  const next = async (id?: string) =>
    (await db.owner.query<{ next_at: Date }>("select next_at from watched_things where id = $1", [id])).rows[0]?.next_at;
  // the turns 12, 7 and 2 minutes ago are left out
  expect(await next(due?.id)).toEqual(new Date((due?.next_at?.getTime() ?? 0) + 20 * 60_000));
  expect(await next(hourly?.id)).toEqual(hourly?.next_at);
  await db.owner.query("update watched_things set next_at = now() where id = $1", [due?.id]);
  await queueTurns(running, schedule);
  const { rows } = await db.owner.query("select from pgboss.job where singleton_key = $1", [due?.id]);
  expect(rows).toHaveLength(1);
  gate.resolve();
  expect(begun).toHaveLength(1);
});
