import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Downtime } from "../../../src/contract/downtimes.ts";
import { announcedBefore } from "../../../src/contract/downtimes.ts";
import type { Deps } from "../../../src/server/call.ts";
import { inTenant } from "../../../src/server/db/scope.ts";
import { tellDowntimes } from "../../../src/server/game-provider/downtime-events.ts";
import { downtimeHandlers as act } from "../../../src/server/game-provider/downtimes.ts";
import { masterAccountHandlers } from "../../../src/server/game-provider/master-accounts.ts";
import { noSuchRecord } from "../../../src/server/records/links.ts";
import { testDatabase } from "../../support/database.ts";
import type { DowntimeOf } from "../../support/downtimes.ts";
import { inMinutes, makeDowntime } from "../../support/downtimes.ts";
import type { Merchant } from "../../support/factories.ts";
import { makeMerchant, staffCall } from "../../support/factories.ts";
import { makeGame, makeProvider } from "../../support/game-provider.ts";

import { makeMasterAccount } from "../../support/master-accounts.ts";
import { makeOffice } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

const db = testDatabase();
let office: Office;
let deps: Deps;
let told: [event: string, uuids: readonly string[]][];
let merchant: Merchant;
let at: { account: string; provider: string; game: string };
beforeEach(async () => {
  office = await makeOffice(db);
  merchant = await makeMerchant(db, office.tenant);
  told = [];
  const changed = (_: string, event: string, uuids: readonly string[]) => void told.push([event, uuids]);
  deps = { ...office.deps, publisher: { ...office.deps.publisher, changed } };
  const account = await makeMasterAccount(db, office.tenant, { code: "NAGA", name: "Naga Slots" });
  const provider = await makeProvider(db, office.tenant, merchant, { master_account_id: account, name: "Naga" });
  at = { account, provider, game: await makeGame(db, office.tenant, provider, { code: "golden", name: "Golden Naga" }) };
});

const call = () => staffCall(deps, office.tenant, office.ann);
const none = { params: undefined, query: undefined, body: undefined } as const;
const form = (from: number, to: number, more: object = {}) => ({
  starts_at: inMinutes(from),
  ends_at: inMinutes(to),
  reason: "Build 4.12",
  weekly: false,
  repeats_until: null,
  zone: "",
  merge: false,
  ...more,
});
const plan = async (entity: string, from: number, to: number, more: object = {}): Promise<Downtime> =>
  (await act.createDowntime(call(), { ...none, body: { ...form(from, to, more), entity } })).data;
const make = (of: DowntimeOf, columns: Readonly<Record<string, unknown>> = {}) => makeDowntime(db, office.tenant, office.ann, of, columns);
const read = async (uuid: string) => (await act.readDowntime(call(), { ...none, params: { uuid } })).data;
const lines = (line: object) => ({ code: "request.invalid", detail: line });
const query = (more: object = {}) => ({ limit: 50, ...more }) as never; // as parsed
const listed = async (more: object = {}) => (await act.listDowntimes(call(), { ...none, query: query(more) })).data;
/** Until when something is down, by its rows above it. */
const downAt = async (
  instant: string,
  { account = null, provider = null, game = null }: Partial<Record<keyof typeof at, string | null>>,
) => {
  const { rows } = await db.owner.query<{ until: Date | null }>("select down_until($1, $2, $3, $4, $5) as until", [
    office.tenant.id,
    account,
    provider,
    game,
    instant,
  ]);
  return rows[0]?.until ?? null;
};
const days = (count: number): number => count * 1_440;

describe("a downtime", () => {
  test("is of an account, a merchant's set-up or a game, whichever its id names, and says what it is of", async () => {
    const [account, provider, game] = [await plan(at.account, 60, 120), await plan(at.provider, 60, 120), await plan(at.game, 60, 120)];
    expect(
      [account, provider, game].map(({ entity_type, entity, of, state }) => [entity_type, entity.code, entity.name, of, state]),
    ).toEqual([
      ["master-account", "NAGA", "Naga Slots", "", "planned"],
      ["merchant-provider", null, "Naga", merchant.name, "planned"],
      ["provider-game", "golden", "Golden Naga", `Naga · ${merchant.name}`, "planned"],
    ]);
    expect(game.entity.in).toEqual({ screen: "provider-games", params: { merchantProviderUuid: at.provider } });
    expect(provider.overlap_minutes).toBe(60);
    await expect(plan(merchant.id, 60, 120)).rejects.toMatchObject(lines({ entity: [noSuchRecord] }));
  });

  test("lasts while its window does, and tells what is down with it", async () => {
    const now = await plan(at.account, -10, 110);
    expect(now).toMatchObject({ state: "now", minutes: 120, repeats: "once", by: office.ann.name });
    const inside = await plan(at.game, 60, 180);
    const detail = await read(now.uuid);
    expect(detail).toMatchObject({ affected_count: 1, affected_games: 1, affected: [{ uuid: at.provider, name: "Naga", games: 1 }] });
    expect(detail.overlaps.map(({ uuid }) => uuid)).toEqual([inside.uuid]);
    expect((await read(inside.uuid)).overlaps.map(({ uuid }) => uuid)).toEqual([now.uuid]);
    expect(inside.overlap_minutes).toBe(50);
    const of = (state: string) => listed({ "filter[state]": [state] });
    expect((await of("now")).map(({ uuid }) => uuid)).toEqual([now.uuid]);
    expect((await listed({ "filter[overlaps]": ["true"] })).map(({ uuid }) => uuid)).toEqual([inside.uuid]);
    const over = await make({ master_account_id: at.account }, { starts_at: inMinutes(-120), ends_at: inMinutes(-60) });
    expect((await of("ended")).map(({ uuid }) => uuid)).toEqual([over]);
  });

  test.each([
    ["an end before its start", form(60, 30), { ends_at: ["Must be after the start"] }],
    ["an end that has passed", form(-60, -30), { ends_at: ["Must be in the future"] }],
    [
      "a last repetition without any",
      form(60, 90, { repeats_until: inMinutes(days(30)) }),
      { repeats_until: ["Must be empty, because it does not repeat"] },
    ],
    ["a week-long window every week", form(60, 60 + days(7), { weekly: true }), { ends_at: ["Must be at most 6 days later"] }],
    [
      "a last repetition before the first",
      form(60, 90, { weekly: true, repeats_until: inMinutes(30) }),
      { repeats_until: ["Must be after the start"] },
    ],
  ])("with %s is refused", async (_, body, line) => {
    await expect(act.createDowntime(call(), { ...none, body: { ...body, entity: at.game } })).rejects.toMatchObject(lines(line));
  });

  test("ends at once when it is told to, and one that repeats goes on next week", async () => {
    const [once, weekly] = [await plan(at.account, -30, 60), await plan(at.game, -30, 60, { weekly: true })];
    for (const { uuid, version } of [once, weekly]) await act.endDowntime(call(), { ...none, params: { uuid }, body: { version } });
    expect((await read(once.uuid)).row).toMatchObject({ state: "ended", minutes: 30 });
    const next = (await read(weekly.uuid)).row;
    expect(next).toMatchObject({ state: "planned", minutes: 90 });
    expect(Date.parse(next.start_time) - Date.parse(weekly.start_time)).toBe(7 * 86_400_000);
    expect((await read(once.uuid)).history.map((event) => event.act)).toEqual(["downtime.end-now", "downtime.create"]);
    const again = { ...none, params: { uuid: once.uuid }, body: { version: 2 } };
    await expect(act.endDowntime(call(), again)).rejects.toMatchObject({ code: "downtime.not-active" });
  });

  test("ends at once by the database's clock, whatever that of this process is", async () => {
    const { uuid, version } = await plan(at.account, -2, 60);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 300_000 });
    onTestFinished(() => void vi.useRealTimers());
    await act.endDowntime(call(), { ...none, params: { uuid }, body: { version } });
    expect((await read(uuid)).row).toMatchObject({ state: "ended", minutes: 2 });
  });

  test("of what is deleted goes with it", async () => {
    await make({ provider_game_id: at.game });
    await db.owner.query("delete from provider_games where id = $1", [at.game]);
    expect(await listed()).toEqual([]);
  });
});

describe("two downtimes of the same", () => {
  test("do not overlap: the second is refused at its start, and says with what; one that only touches is not", async () => {
    await plan(at.game, 60, 120);
    await expect(plan(at.game, 90, 150)).rejects.toMatchObject({ code: "request.invalid", detail: { starts_at: [/^Overlaps with/] } });
    await expect(plan(at.game, 30, 61)).rejects.toMatchObject({ code: "request.invalid" });
    const touching = (await listed())[0]?.end_time ?? "";
    const body = { ...form(0, 180), starts_at: touching, entity: at.game };
    expect((await act.createDowntime(call(), { ...none, body })).data.state).toBe("planned");
  });

  test("become one where that is wanted, with all that the whole then meets", async () => {
    await plan(at.game, 60, 120);
    await plan(at.game, 150, 200);
    await plan(at.game, 300, 400);
    const before = (await listed()).map(({ uuid }) => uuid);
    told = [];
    const one = await plan(at.game, 90, 160, { merge: true });
    expect(told.filter(([event]) => event === "downtime").flatMap(([, uuids]) => uuids)).toEqual(
      expect.arrayContaining([one.uuid, ...before.slice(0, 2)]),
    );
    expect(await listed()).toHaveLength(2);
    expect((await read(one.uuid)).row).toMatchObject({ minutes: 140 });
    const moved = { ...form(90, 320, { merge: true }), version: one.version };
    await act.updateDowntime(call(), { ...none, params: { uuid: one.uuid }, body: moved });
    expect(await listed()).toMatchObject([{ uuid: one.uuid, minutes: 310 }]);
  });

  test("cannot become one where one repeats", async () => {
    await plan(at.game, 60, 120, { weekly: true });
    await expect(plan(at.game, 90 + days(7), 150 + days(7))).rejects.toMatchObject({ code: "request.invalid" });
    await expect(plan(at.game, 90, 150, { merge: true })).rejects.toMatchObject(
      lines({ merge: ["Cannot be done, because one of them repeats weekly"] }),
    );
  });

  test("that repeat in different zones meet only in summer, and are refused all the same", async () => {
    // 10:00 in Malta is 09:00 in London all year, and 17:00 in Manila in winter only, 16:00 in summer
    const winter = (time: string) => `2027-01-04T${time}:00.000Z`;
    const weekly = (starts_at: string, ends_at: string, zone: string) => ({
      ...form(0, 0),
      weekly: true,
      starts_at: winter(starts_at),
      ends_at: winter(ends_at),
      zone,
    });
    const body = (times: object) => ({ ...form(0, 0), ...times, entity: at.game });
    const make_ = (times: object) => act.createDowntime(call(), { ...none, body: body(times) });
    await make_(weekly("09:00", "10:00", "Europe/Malta"));
    expect((await make_(weekly("10:00", "11:00", "Europe/London"))).data.zone).toBe("Europe/London");
    await expect(make_(weekly("08:00", "09:00", "Asia/Manila"))).rejects.toMatchObject({ code: "request.invalid" });
    await expect(make_(weekly("07:00", "08:00", "Asia/Manila"))).resolves.toBeDefined();
  });

  test("planned at the same time by two people: one is refused", async () => {
    const both = await Promise.allSettled([plan(at.game, 60, 120), plan(at.game, 60, 120)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await listed()).toHaveLength(1);
  });
});

describe("the timeline", () => {
  const timeline = async (from: number, to: number) =>
    (await act.readDowntimeTimeline(call(), { ...none, query: { from: inMinutes(from), to: inMinutes(to) } })).data;

  test("has the windows of its time on their lanes, each beneath what it is down with, and no others", async () => {
    const rival = await makeMerchant(db, office.tenant);
    const beside = await makeProvider(db, office.tenant, rival, { master_account_id: at.account, name: "Naga" });
    const alone = await makeProvider(db, office.tenant, rival, { name: "Alone" });
    const whole = await plan(at.account, 60, 120);
    const weekly = await plan(at.game, 100, 160, { weekly: true });
    await plan(alone, 200, 260);
    await plan(at.game, 1_000, 1_060);
    const drawn = await timeline(0, 250);
    const lanes = drawn.lanes.map(({ uuid, above, games }) => [uuid, above, games]);
    expect(lanes[0]).toEqual([at.account, null, 1]);
    expect(lanes).toContainEqual([beside, at.account, 0]);
    expect(lanes.findIndex(([uuid]) => uuid === at.game)).toBe(lanes.findIndex(([uuid]) => uuid === at.provider) + 1);
    expect(lanes.find(([uuid]) => uuid === at.game)).toEqual([at.game, at.provider, null]);
    expect(lanes.at(-1)).toEqual([alone, null, 0]);
    expect(drawn.windows.map(({ downtime, lane }) => [downtime, lane]).slice(0, 2)).toEqual([
      [whole.uuid, at.account],
      [weekly.uuid, at.game],
    ]);
    expect(drawn.windows).toHaveLength(3);
    expect(drawn.downtimes).toHaveLength(3);
    const weeks = await timeline(0, days(28));
    expect(weeks.windows.filter(({ downtime }) => downtime === weekly.uuid)).toHaveLength(4);
    expect(await timeline(300, 400)).toEqual({ lanes: [], more: 0, windows: [], downtimes: [] });
  });
});

describe("what is down", () => {
  test("is down with whatever stands above it, as long as the longest of these", async () => {
    const now = inMinutes(0);
    expect(await downAt(now, at)).toBeNull();
    await make({ provider_game_id: at.game }, { ends_at: inMinutes(20) });
    const ends = inMinutes(90);
    await make({ master_account_id: at.account }, { ends_at: ends });
    expect(await downAt(now, at)).toEqual(new Date(ends));
    expect(await downAt(now, { game: at.game })).not.toEqual(new Date(ends));
    expect(await downAt(now, { provider: at.provider })).toBeNull();
    expect(await downAt(ends, at)).toBeNull();
  });
});

test("an account tells its own downtimes that last or are to come, and none that is over or is of what stands beneath it", async () => {
  const now = await plan(at.account, -10, 30);
  const next = await plan(at.account, 60, 90, { weekly: true });
  await make({ master_account_id: at.account }, { starts_at: inMinutes(-90), ends_at: inMinutes(-60) });
  await plan(at.provider, 60, 90);
  const { data } = await masterAccountHandlers.readMasterAccount(call(), { ...none, params: { uuid: at.account } });
  expect(data.downtimes.map(({ uuid, state }) => [uuid, state])).toEqual([
    [now.uuid, "now"],
    [next.uuid, "planned"],
  ]);
});

describe("a downtime's turns", () => {
  const tell = () => tellDowntimes(deps, office.tenant.id, 100);
  const events = () => told.map(([event]) => event);
  const age = (uuid: string, minutes: number) =>
    db.owner.query(
      `update downtimes set starts_at = starts_at - make_interval(mins => $2), ends_at = ends_at - make_interval(mins => $2),
        tell_at = tell_at - make_interval(mins => $2) where id = $1`,
      [uuid, minutes],
    );

  test("it is announced, begins and ends by itself, each told once to whoever looks at what is down with it", async () => {
    const { uuid } = await plan(at.account, 60, 120);
    expect(events()).toContain("masterAccount");
    told = [];
    expect(await tell()).toEqual([uuid]);
    expect(events()).not.toContain("downtimeNotice");
    await age(uuid, 60 - announcedBefore);
    await tell();
    expect(told).toContainEqual(["downtimeNotice", [uuid]]);
    told = [];
    expect(await tell()).toEqual([]);
    await age(uuid, announcedBefore);
    await Promise.all([tell(), tell()]);
    expect(told.filter(([event]) => event === "downtimeNotice")).toEqual([["downtimeNotice", [uuid]]]);
    expect(told).toEqual(
      expect.arrayContaining([
        ["merchantProvider", [at.provider]],
        ["providerGame", [at.game]],
        ["downtime", [uuid]],
      ]),
    );
    await age(uuid, 60);
    told = [];
    await tell();
    expect(events()).toContain("downtimeNotice");
    expect((await read(uuid)).history.map((event) => event.act)).toEqual(["downtime.come-up", "downtime.go-down", "downtime.create"]);
    told = [];
    expect(await tell()).toEqual([]);
  });

  test("one that repeats is told of again next week", async () => {
    const { uuid } = await plan(at.game, -30, 30, { weekly: true });
    await tell();
    await age(uuid, 40);
    await tell();
    const { rows } = await db.owner.query<{ tell_at: Date; starts_at: Date }>("select tell_at, starts_at from downtimes where id = $1", [
      uuid,
    ]);
    const [row] = rows;
    expect(row && (row.tell_at.getTime() - row.starts_at.getTime()) / 60_000).toBe(days(7) - announcedBefore);
  });
});

test("a job sees downtimes of its own tenant only", async () => {
  await make({ provider_game_id: at.game });
  const other = await makeOffice(db);
  const seen = await inTenant(deps.database, other.tenant.id, (scoped) => scoped.selectFrom("downtimes").selectAll().execute());
  expect(seen).toEqual([]);
});
