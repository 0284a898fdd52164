import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import type { MasterAccount, MasterAccountForm } from "../../../src/contract/master-accounts.ts";
import type { Deps, StaffCall } from "../../../src/server/call.ts";
import { checkAccounts } from "../../../src/server/game-provider/check-accounts.ts";
import { creditCheckJob } from "../../../src/server/game-provider/check-job.ts";
import { masterAccountHandlers as act } from "../../../src/server/game-provider/master-accounts.ts";
import type { Answering } from "../../support/answering.ts";
import { startAnswering } from "../../support/answering.ts";
import { testDatabase } from "../../support/database.ts";
import { staffCall } from "../../support/factories.ts";
import { startJobServer } from "../../support/job-server.ts";
import { checkSettings, makeMasterAccount } from "../../support/master-accounts.ts";
import { makeOffice } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

const db = testDatabase();
let office: Office;
let deps: Deps;
let provider: Answering;
beforeAll(async () => {
  office = await makeOffice(db, { settings: { loopback_callbacks: true } });
  deps = { ...office.deps, config: { ...office.deps.config, development: true } };
  provider = await startAnswering();
});
beforeEach(() => answersBalance("1000.00"));
afterAll(() => provider.stop());

/** Accounts named here fail; all others have this balance. */
function answersBalance(balance: string, failing: readonly string[] = []): void {
  provider.answer = ({ url = "" }, response) => {
    const isFailing = failing.some((one) => url.endsWith(one));
    response.writeHead(isFailing ? 500 : 200).end(JSON.stringify({ data: { balance, currency: "MYR", credit: Number(balance) > 0 } }));
  };
}
const key = "sesame-4711";
const account = (columns: Parameters<typeof makeMasterAccount>[2] = {}, path = "credit") =>
  makeMasterAccount(db, office.tenant, {
    secrets: deps.secrets,
    credentials: { key },
    settings: { check_url: `${provider.url}/${path}` },
    ...columns,
  });
const call = (more: Parameters<typeof staffCall>[3] = {}): StaffCall => staffCall(deps, office.tenant, office.ann, more);
const none = { params: undefined, query: undefined, body: undefined } as const;
const read = async (uuid: string) => (await act.readMasterAccount(call(), { ...none, params: { uuid } })).data;
const check = (ids: readonly string[], job: string | null = null) =>
  checkAccounts(deps, office.tenant.id, ids, { job, user: office.ann.id }, new AbortController().signal, async () => undefined);
const form = (row: MasterAccount, more: Partial<MasterAccountForm> = {}) => ({
  name: row.name,
  upline: row.upline ?? "",
  threshold: row.threshold,
  enable_notification: row.enable_notification,
  ...checkSettings(row.check_url),
  check_headers: row.check_headers,
  credentials: "",
  ...more,
  version: row.version,
});
async function update(uuid: string, more: Partial<MasterAccountForm>, of: StaffCall = call()) {
  const { row } = await read(uuid);
  return act.updateMasterAccount(of, { ...none, params: { uuid }, body: form(row, more) });
}
/** The caller's session with a proof of who they are, just now. */
async function proved(more: Parameters<typeof staffCall>[3] = {}): Promise<StaffCall> {
  const made = call(more);
  await db.owner.query("insert into sessions (id, user_id, expires_at, proved_at) values ($1, $2, now() + interval '1 hour', now())", [
    made.caller.session,
    made.caller.id,
  ]);
  return made;
}

test("a check writes what it read, and who asked", async () => {
  const id = await account();
  await check([id]);
  const { row, checks } = await read(id);
  expect(row).toMatchObject({ balance: "1000.00", has_credit: true, misses: 0, failure: null, is_error: false, state: "normal" });
  expect(checks).toMatchObject([{ balance: "1000.00", has_credit: true, failure: null, http_status: 200, by: "Ann Lim" }]);
  expect(checks[0]?.at).toBe(row.last_checked_at);
  expect(provider.asked.at(-1)?.request.headers["x-api-key"]).toBe(key);
});

test("an account is in error after three checks in a row that failed, keeps its last balance, and is well after one that succeeds", async () => {
  const id = await account();
  await check([id]);
  answersBalance("1.00", ["credit"]);
  const errors = [];
  for (let n = 0; n < 3; n++) {
    await check([id]);
    const { row } = await read(id);
    errors.push([row.misses, row.is_error, row.failure, row.balance]);
  }
  expect(errors).toEqual([
    [1, false, "http-status", "1000.00"],
    [2, false, "http-status", "1000.00"],
    [3, true, "http-status", "1000.00"],
  ]);
  answersBalance("900.00");
  await check([id]);
  expect((await read(id)).row).toMatchObject({ misses: 0, is_error: false, failure: null, balance: "900.00" });
});

test("it is critical below its threshold until 5 % above it, whether the balance or the threshold moves", async () => {
  const id = await account({ threshold: "1000" });
  const states = [];
  for (const balance of ["1000.00", "999.99", "1049.99", "1050.00"]) {
    answersBalance(balance);
    await check([id]);
    states.push((await read(id)).row.state);
  }
  expect(states).toEqual(["normal", "critical", "critical", "normal"]);
  await update(id, { threshold: "1050.01" });
  expect((await read(id)).row.state).toBe("critical");
  await update(id, { threshold: "1000.01" });
  expect((await read(id)).row.state, "1050.00 is not yet 5 % above it").toBe("critical");
  await update(id, { threshold: "1000.00" });
  expect((await read(id)).row.state).toBe("normal");
});

test("one without a balance is not critical; a suspended one says so first", async () => {
  const id = await account({ threshold: "1000" });
  expect((await read(id)).row.state).toBe("normal");
  answersBalance("1.00");
  await check([id]);
  const { row } = await read(id);
  const body = { version: row.version, status: "suspend" as const, reason: "contract ended" };
  await act.changeMasterAccountStatus(call(), { ...none, params: { uuid: id }, body });
  expect((await read(id)).row.state).toBe("suspended");
});

test("of two checks at a time the one that was begun later counts", async () => {
  const id = await account();
  let release = () => {};
  const waits = new Promise<void>((done) => (release = done));
  const { answer } = provider;
  provider.answer = (_, response) => void waits.then(() => response.end('{"data":{"balance":"5.00","currency":"MYR","credit":true}}'));
  const slow = check([id]);
  await expect.poll(() => provider.asked.at(-1)?.request.url).toBe("/credit");
  provider.answer = answer;
  await check([id]);
  release();
  await slow;
  expect((await read(id)).row.balance).toBe("1000.00");
  expect((await read(id)).checks).toHaveLength(2);
});

test("one that takes long keeps no other waiting", async () => {
  const [slow, ...quick] = [await account({}, "slow"), await account({}, "one"), await account({}, "two")];
  let release = () => {};
  provider.answer = ({ url = "" }, response) => {
    const reply = () => response.end('{"data":{"balance":"5.00","currency":"MYR","credit":true}}');
    if (url === "/slow") release = reply;
    else reply();
  };
  const told: number[] = [];
  const all = checkAccounts(
    deps,
    office.tenant.id,
    [slow ?? "", ...quick],
    { job: null, user: null },
    new AbortController().signal,
    async (n) => void told.push(n),
  );
  await expect.poll(() => told.at(-1)).toBe(2);
  for (const id of quick) expect((await read(id)).row.balance).toBe("5.00");
  release();
  await all;
  expect(told).toEqual([0, 1, 2, 3]);
});

test("a job that begins again after a kill asks only those it has not asked", async () => {
  const [one, two] = [await account({}, "one"), await account({}, "two")];
  const job = randomUUID();
  await check([one], job);
  const before = provider.asked.length;
  await check([one, two], job);
  expect(provider.asked.slice(before).map(({ request }) => request.url)).toEqual(["/two"]);
});

test("checks asked for run as a job, which says how far it is and what failed", async () => {
  const [well, ill] = [await account({}, "well"), await account({}, "ill")];
  answersBalance("70.00", ["ill"]);
  const { data: begun } = await act.checkMasterAccounts(call(), { ...none, body: { uuids: [well, ill, well] } });
  expect(begun).toMatchObject({ state: "waiting", total: 2, done: 0, failed: 0 });
  const server = startJobServer(db, [creditCheckJob], { config: deps.config });
  const run = async () => (await act.readCreditCheck(call(), { ...none, params: { uuid: begun.uuid } })).data;
  await expect.poll(run, { timeout: 30_000 }).toEqual({ uuid: begun.uuid, state: "done", total: 2, done: 2, failed: 1 });
  await server.stop();
  expect((await read(well)).row.balance).toBe("70.00");
  expect((await read(ill)).row).toMatchObject({ misses: 1, failure: "http-status" });
  expect((await read(well)).history.map((event) => event.act)).toContain("master-account.check-credit");
  const other = staffCall(deps, office.tenant, office.ben);
  await expect(act.readCreditCheck(other, { ...none, params: { uuid: begun.uuid } })).rejects.toMatchObject({ code: "not-found" });
});

test("a job can be cancelled before it runs", async () => {
  const id = await account();
  const { data } = await act.checkMasterAccounts(call(), { ...none, body: { uuids: [id] } });
  const cancelled = await act.cancelCreditCheck(call(), { ...none, params: { uuid: data.uuid }, body: {} });
  expect(cancelled.data).toMatchObject({ state: "cancelled", done: 0 });
});

test("credentials are sealed, shown to nobody by reading, and by the right to see them on record", async () => {
  const { data } = await act.createMasterAccount(await proved(), {
    ...none,
    body: {
      code: `C${randomUUID().slice(0, 6).toUpperCase()}`,
      name: "Harbour Slots",
      upline: "",
      threshold: "0",
      enable_notification: true,
      ...checkSettings(`${provider.url}/credit`),
      credentials: `{"key":"${key}"}`,
    },
  });
  const { rows } = await db.owner.query<{ credentials: Buffer }>("select credentials from master_accounts where id = $1", [data.uuid]);
  expect(rows[0]?.credentials.toString("latin1")).not.toContain(key);
  expect(JSON.stringify(await read(data.uuid))).not.toContain(key);
  const shown = await act.viewMasterCredentials(call(), { ...none, params: { uuid: data.uuid } });
  expect(JSON.parse(shown.data.secret)).toEqual({ key });
  const { history } = await read(data.uuid);
  expect(history.map((event) => event.act)).toContain("master-account.view-credentials");
  const { rows: audited } = await db.owner.query("select before, after from audit_entries where tenant_id = $1", [office.tenant.id]);
  expect(JSON.stringify(audited)).not.toContain(key);
});

test("an account without credentials has none to show", async () => {
  const id = await makeMasterAccount(db, office.tenant);
  await expect(act.viewMasterCredentials(call(), { ...none, params: { uuid: id } })).rejects.toMatchObject({ code: "credentials.none" });
});

test("what is left empty stays; what is written anew takes its place, and needs a fresh proof", async () => {
  const id = await account();
  const keptKey = async () => (await act.viewMasterCredentials(call(), { ...none, params: { uuid: id } })).data.secret;
  await update(id, { name: "Renamed" });
  expect(JSON.parse(await keptKey())).toEqual({ key });
  await expect(update(id, { credentials: '{"key":"other-4712"}' })).rejects.toMatchObject({ code: "step-up.required" });
  await update(id, { credentials: '{"key":"other-4712"}' }, await proved());
  expect(JSON.parse(await keptKey())).toEqual({ key: "other-4712" });
});

test("kept credentials go to another address only by the right to see them, or written anew", async () => {
  const id = await account();
  const elsewhere = { check_url: "https://elsewhere.example/" };
  const blind = () => proved({ permissions: ["gps.provider.master-accounts.update", "gps.provider.master-accounts.check-credit"] });
  const refused = { code: "request.invalid", detail: { credentials: ["Must be written anew, because they would go to another address"] } };
  await expect(update(id, elsewhere, await blind())).rejects.toMatchObject(refused);
  await expect(update(id, { require_proxy: true, proxy_url: "https://proxy.example" }, await blind())).rejects.toMatchObject(refused);
  const before = provider.asked.length;
  const tried = { ...checkSettings("https://elsewhere.example/"), uuid: id, credentials: "" };
  await expect(act.tryCreditCheck(await blind(), { ...none, body: tried })).rejects.toMatchObject(refused);
  expect(provider.asked.length).toBe(before);
  await update(id, { check_url: `${provider.url}/other-path` }, await blind());
  await update(id, { ...elsewhere, credentials: '{"key":"new-4713"}' }, await blind());
  await update(id, { check_url: "https://third.example/" }, await proved());
});

test("an address that could never be asked is refused, and a proxy that is required must be named", async () => {
  const id = await account();
  for (const [more, field] of [
    [{ check_url: "https://10.0.0.1/" }, "check_url"],
    [{ check_url: "http://provider.example/" }, "check_url"],
    [{ require_proxy: true }, "proxy_url"],
    [{ success_pointer: "/status" }, "success_value"],
  ] as const)
    await expect(update(id, more, await proved())).rejects.toMatchObject({
      code: "request.invalid",
      detail: { [field]: [expect.any(String)] },
    });
});

test("it is tried as the form says, with what is kept, and nothing is written but who did it", async () => {
  const id = await account();
  const before = await read(id);
  const { data } = await act.tryCreditCheck(call(), {
    ...none,
    body: { ...checkSettings(`${provider.url}/tried`), uuid: id, credentials: "" },
  });
  expect(data).toMatchObject({ balance: "1000.00", failure: null, http_status: 200 });
  expect(JSON.stringify(data)).not.toContain(key);
  expect(provider.asked.at(-1)?.request.headers["x-api-key"]).toBe(key);
  const after = await read(id);
  expect([after.row, after.checks]).toEqual([before.row, before.checks]);
  expect(after.history.map((event) => event.act)).toContain("master-account.try");
  const typed = { ...checkSettings(`${provider.url}/tried`), uuid: null, credentials: '{"key":"typed-4714"}' };
  expect((await act.tryCreditCheck(call(), { ...none, body: typed })).data).toMatchObject({ failure: null });
  expect(provider.asked.at(-1)?.request.headers["x-api-key"]).toBe("typed-4714");
  const { rows: audited } = await db.owner.query(
    "select actor_name from audit_entries where tenant_id = $1 and act = 'master-account.try' and entity_id is null",
    [office.tenant.id],
  );
  expect(audited, "one that is not yet saved is tried on record, too").toEqual([{ actor_name: "Ann Lim" }]);
});

test("the balance's course has one reading a quarter of an hour, its last, and none of a failed check", async () => {
  const id = await account();
  const insert =
    "insert into master_account_checks (tenant_id, master_account_id, at, milliseconds, balance, has_credit, failure) values ($1, $2, date_bin('15 minutes', now(), 'epoch') - $3::interval, 9, $4, $4::numeric > 0, $5)";
  for (const [ago, balance, failure] of [
    ["15 days", "1", null],
    ["2 hours", "20", null],
    ["1 hour 58 minutes", "21", null],
    ["1 hour 57 minutes", null, "timed-out"],
    ["1 hour", "30", null],
  ] as const)
    await db.owner.query(insert, [office.tenant.id, id, ago, balance, failure]);
  const { data } = await act.readMasterAccountBalances(call(), { ...none, params: { uuid: id } });
  expect(data.map(({ balance }) => balance)).toEqual(["21.00", "30.00"]);
});

test("of two processes whose clocks differ the later check counts", async () => {
  const uuid = await account();
  await check([uuid]);
  answersBalance("70.00");
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 300_000 });
  onTestFinished(() => void vi.useRealTimers());
  await check([uuid]);
  expect((await read(uuid)).row.balance).toBe("70.00");
});
