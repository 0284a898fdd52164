import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { ScoreWatcher } from "../../../src/contract/score-watchers.ts";
import type { Deps } from "../../../src/server/call.ts";
import { inTenant } from "../../../src/server/db/scope.ts";
import { scoreWatcherHandlers as act } from "../../../src/server/game-provider/score-watchers.ts";
import { checkAccounts } from "../../../src/server/game-provider/check-accounts.ts";
import { alarmedWatchers, scoreWatches, scoreWatchJob } from "../../../src/server/game-provider/watching.ts";
import { noSuchRecord } from "../../../src/server/records/links.ts";
import { queueTurns } from "../../../src/server/jobs/schedule.ts";
import type { Answering } from "../../support/answering.ts";
import { startAnswering } from "../../support/answering.ts";
import { testDatabase } from "../../support/database.ts";
import { inMinutes, makeDowntime } from "../../support/downtimes.ts";
import { staffCall } from "../../support/factories.ts";
import { startJobServer } from "../../support/job-server.ts";
import { makeMasterAccount } from "../../support/master-accounts.ts";
import { makeOffice } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";
import { mailPlace } from "../../../src/server/mail/mails.ts";
import { makeWatcher } from "../../support/score-watchers.ts";

const db = testDatabase();
let office: Office;
let deps: Deps;
let provider: Answering;
let told: [event: string, uuids: readonly string[]][];
beforeAll(async () => {
  provider = await startAnswering();
});
beforeEach(async () => {
  office = await makeOffice(db, { settings: { loopback_callbacks: true } });
  told = [];
  const changed = (_: string, event: string, uuids: readonly string[]) => void told.push([event, uuids]);
  deps = {
    ...office.deps,
    config: { ...office.deps.config, development: true },
    publisher: { ...office.deps.publisher, changed },
  };
  answersBalance("1000.00");
  provider.asked.length = 0;
});
afterAll(() => provider.stop());

function answersBalance(balance: string | null): void {
  provider.answer = (_, response) =>
    void response.writeHead(balance === null ? 500 : 200).end(JSON.stringify({ data: { balance, currency: "MYR", credit: true } }));
}
const account = (columns: object = {}) =>
  makeMasterAccount(db, office.tenant, {
    secrets: deps.secrets,
    credentials: { key: "sesame" },
    settings: { check_url: `${provider.url}/credit/${office.tenant.id}` },
    ...columns,
  });
const call = () => staffCall(deps, office.tenant, office.ann);
const none = { params: undefined, query: undefined, body: undefined } as const;
const read = async (uuid: string): Promise<ScoreWatcher> => (await act.readScoreWatcher(call(), { ...none, params: { uuid } })).data.row;
/** One turn of a watcher, as its job has it; answers whether the alarm was given in the console. */
async function turn(watcher: string, job: string = crypto.randomUUID()): Promise<boolean> {
  told = [];
  const signal = new AbortController().signal;
  await scoreWatchJob.work({
    deps,
    tenant: office.tenant.id,
    id: job,
    payload: { watcher },
    attempt: 1,
    signal,
    progress: async () => undefined,
  });
  return told.some(([event]) => event === "scoreAlarm");
}
/** As if everything of it had been so many minutes earlier. */
const age = (watcher: string, minutes: number) =>
  db.owner.query("update score_watchers set last_notified_at = last_notified_at - make_interval(mins => $2) where id = $1", [
    watcher,
    minutes,
  ]);
const form = (more: object = {}) => ({ threshold: "500.00", every_minutes: 15, notify: true, mail: false, is_paused: false, ...more });

test("a turn sets the account's balance, and gives the alarm below the threshold; again only after the watcher's interval", async () => {
  const watcher = await makeWatcher(db, office.tenant, await account(), { threshold: "1000", every_minutes: 10 });
  expect((await read(watcher)).state).toBe("waiting");
  expect(await turn(watcher)).toBe(false);
  expect(await read(watcher)).toMatchObject({ state: "normal", balance: "1000.00", last_notified_at: null });

  answersBalance("999.99");
  expect(await turn(watcher)).toBe(true);
  const row = await read(watcher);
  expect(row).toMatchObject({ state: "below", balance: "999.99" });
  expect(row.last_checked_at).toBe(row.last_notified_at);
  const { rows } = await db.owner.query("select last_notified_at as at from master_accounts where id = $1", [row.master_account.uuid]);
  expect(rows[0].at.toISOString()).toBe(row.last_notified_at);

  expect(await turn(watcher)).toBe(false);
  await age(watcher, 9);
  expect(await turn(watcher)).toBe(false);
  await age(watcher, 1);
  expect(await turn(watcher)).toBe(true);

  answersBalance("1000.00");
  await age(watcher, 60);
  expect(await turn(watcher)).toBe(false);
  expect((await read(watcher)).state).toBe("normal");
});

test("three checks in a row that fail are an alarm, too; two are none", async () => {
  const watcher = await makeWatcher(db, office.tenant, await account());
  answersBalance(null);
  expect([await turn(watcher), await turn(watcher), await turn(watcher)]).toEqual([false, false, true]);
  expect(await read(watcher)).toMatchObject({ state: "error", failure: "http-status" });
});

/** Ann is among the owners, whom alarms are mailed to. */
const makeOwner = () =>
  db.owner.query(
    `with g as (select id from user_groups where tenant_id = $1 and code = 'owner')
      insert into membership_groups (tenant_id, user_id, group_id) select $1, $2, id from g on conflict do nothing`,
    [office.tenant.id, office.ann.id],
  );

test("whose alarm is wanted by mail only mails the owners, and one that wants neither is silent", async () => {
  answersBalance("1.00");
  await makeOwner();
  const mails = async () =>
    (await db.owner.query<{ n: number }>("select count(*)::integer as n from mails where tenant_id = $1", [office.tenant.id])).rows[0]?.n;
  const before = Number(await mails());
  const quiet = await makeWatcher(db, office.tenant, await account(), { notify: false });
  expect([await turn(quiet), await mails(), (await read(quiet)).last_notified_at]).toEqual([false, before, null]);
  const mailing = await makeWatcher(db, office.tenant, await account(), { notify: false, mail: true });
  expect([await turn(mailing), Number(await mails()) > before]).toEqual([false, true]);
});

test("one of an account that is to give no notice is silent, and the account is not told of as notified", async () => {
  answersBalance("1.00");
  const uuid = await account({ enable_notification: false });
  const watcher = await makeWatcher(db, office.tenant, uuid, { mail: true });
  expect([await turn(watcher), await read(watcher)]).toMatchObject([false, { state: "below", last_notified_at: null }]);
  const { rows } = await db.owner.query("select last_notified_at from master_accounts where id = $1", [uuid]);
  expect(rows).toEqual([{ last_notified_at: null }]);
});

test("the mail tells amounts as the console does, and leads to the watcher in its tenant and currency", async () => {
  answersBalance("1234.50");
  await makeOwner();
  const watcher = await makeWatcher(db, office.tenant, await account(), { threshold: "1000000", mail: true });
  await turn(watcher);
  const { rows } = await db.owner.query<{ id: string; body: Buffer }>(
    "select id, body from mails where tenant_id = $1 order by created_at desc limit 1",
    [office.tenant.id],
  );
  const [mail] = rows;
  const told = office.deps.secrets.open(mail?.body ?? Buffer.alloc(0), mailPlace(office.tenant.id, mail?.id ?? ""));
  for (const amount of ["1,234.50 MYR", "1,000,000.00 MYR"]) expect(told).toContain(amount);
  expect(told).toContain(`/game-provider/score-watchers?record=${watcher}&tenant=${office.tenant.id}&currency=MYR`);
});

test("one that is paused, or whose account is suspended, asks nobody", async () => {
  const paused = await makeWatcher(db, office.tenant, await account(), { is_paused: true, next_at: null });
  const suspended = await makeWatcher(db, office.tenant, await account({ status: "suspend" }));
  const asked = provider.asked.length;
  for (const watcher of [paused, suspended]) {
    await turn(watcher);
    expect(await read(watcher)).toMatchObject({ state: "resting", last_checked_at: null });
  }
  expect(provider.asked).toHaveLength(asked);
});

test("a turn made again after a kill asks the provider at most once for each job, and gives one alarm", async () => {
  const watcher = await makeWatcher(db, office.tenant, await account());
  answersBalance("1.00");
  const asked = provider.asked.length;
  const job = crypto.randomUUID();
  expect([await turn(watcher, job), await turn(watcher, job)]).toEqual([true, false]);
  expect(provider.asked).toHaveLength(asked + 1);
});

test("made by its form it has its turn at once; paused it has none, and begins anew when it goes on", async () => {
  const master = await account();
  const { data } = await act.createScoreWatcher(call(), { ...none, body: { ...form(), master_account: master } });
  expect(data).toMatchObject({ state: "waiting", every_minutes: 15, master_account: { uuid: master } });
  expect(data.next_at).not.toBeNull();
  const update = async (more: object) => {
    const { version } = await read(data.uuid);
    return (await act.updateScoreWatcher(call(), { ...none, params: { uuid: data.uuid }, body: { ...form(more), version } })).data;
  };
  expect(await update({ is_paused: true })).toMatchObject({ state: "resting", next_at: null });
  expect((await update({ is_paused: false })).next_at).not.toBeNull();
  await expect(act.createScoreWatcher(call(), { ...none, body: { ...form(), master_account: crypto.randomUUID() } })).rejects.toMatchObject(
    {
      detail: { master_account: [noSuchRecord] },
    },
  );
});

test("while its account is down for maintenance it asks nobody; a check all the same is marked, and its failure counts for nothing", async () => {
  const master = await account();
  const watcher = await makeWatcher(db, office.tenant, master);
  const until = inMinutes(60);
  await makeDowntime(db, office.tenant, office.ann, { master_account_id: master }, { ends_at: until });
  expect(await read(watcher)).toMatchObject({ state: "resting", down_until: until });
  await turn(watcher);
  expect(provider.asked).toEqual([]);
  answersBalance(null);
  const { signal } = new AbortController();
  await checkAccounts(deps, office.tenant.id, [master], { job: null, user: office.ann.id }, signal, async () => undefined);
  const { rows } = await db.owner.query("select misses, failure, last_checked_at is not null as asked from master_accounts where id = $1", [
    master,
  ]);
  expect(rows).toEqual([{ misses: 0, failure: null, asked: true }]);
  const { data } = await act.readScoreWatcher(call(), { ...none, params: { uuid: watcher } });
  expect(data.checks).toMatchObject([{ in_downtime: true, failure: "http-status" }]);
});

test("those that give the alarm are counted in their currency", async () => {
  const counted = () => inTenant(deps.database, office.tenant.id, (scoped) => alarmedWatchers(scoped, office.tenant.id, "MYR"));
  const watcher = await makeWatcher(db, office.tenant, await account());
  expect(await counted()).toBe(0);
  answersBalance("1.00");
  await turn(watcher);
  expect(await counted()).toBe(1);
});

test("any number of servers share the turns: each that is due is made once, and the next is an interval later", async () => {
  const watchers = await Promise.all(Array.from({ length: 12 }, async () => makeWatcher(db, office.tenant, await account())));
  const servers = [startJobServer(db, [scoreWatchJob]), startJobServer(db, [scoreWatchJob])];
  for (const server of servers) Object.assign(server.deps, { config: deps.config });
  try {
    await Promise.all(servers.map((server) => queueTurns(server.deps, scoreWatches)));
    const checked = async () =>
      (
        await db.owner.query<{ n: number }>(
          "select count(*)::integer as n from score_watchers where tenant_id = $1 and last_checked_at is not null",
          [office.tenant.id],
        )
      ).rows[0]?.n;
    await expect.poll(checked).toBe(watchers.length);
    expect(provider.asked.filter(({ request: { url } }) => url?.endsWith(office.tenant.id))).toHaveLength(watchers.length);
    const { rows } = await inTenant(deps.database, office.tenant.id, (scoped) =>
      sql<{ soon: number }>`select count(*)::integer as soon from score_watchers
        where tenant_id = ${office.tenant.id} and next_at <= now() + interval '14 minutes'`.execute(scoped),
    );
    expect(rows[0]?.soon).toBe(0);
  } finally {
    for (const server of servers) await server.stop();
  }
});
