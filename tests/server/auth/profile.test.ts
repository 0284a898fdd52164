import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { routes } from "../../../src/contract/index.ts";
import { requireStepUp } from "../../../src/server/auth/proof.ts";
import { testDatabase } from "../../support/database.ts";
import { makePerson, makeTenant, staffCall } from "../../support/factories.ts";
import type { Tenant } from "../../support/factories.ts";
import { ask, refusalOf, serve, sessionOf, setPassword } from "../../support/http.ts";
import type { Asked, Served, Session } from "../../support/http.ts";
import type { RouteName } from "../../../src/contract/index.ts";
import { codeOf, enableTwoFactor } from "../../support/sign-in.ts";

const db = testDatabase();
const password = "the old password";
const chosen = { password: "a brand new password", password_confirmation: "a brand new password" };
let served: Served;
let tenant: Tenant;
let user: string;
let email: string;
let session: Session;

beforeAll(async () => {
  served = await serve(db);
  tenant = await makeTenant(db);
});
afterAll(() => served.app.close());
beforeEach(async () => {
  user = (await makePerson(db, tenant)).id;
  email = await setPassword(db, user, password);
  await db.owner.query("update memberships set permissions = '{profile.update}' where user_id = $1", [user]);
  session = await sessionOf(served.deps, user);
});

const call = (name: RouteName, more: Asked = {}, by: Session = session) =>
  ask(served, name, { token: by.access_token, tenant: tenant.id, ...more });
const alive = async (by: Session) => (await call("readProfile", {}, by)).status;
const acts = async () =>
  (await db.owner.query<{ act: string }>("select act from audit_entries where actor_id = $1 order by id", [user])).rows.map(
    ({ act }) => act,
  );
const old = () => db.owner.query("update sessions set proved_at = now() - interval '11 minutes' where user_id = $1", [user]);

test("one's name is changed for all tenants, and both names are on record", async () => {
  const { data } = await call("updateProfile", { body: { name: "  Lim Siew Har " } });
  expect(data).toMatchObject({ user: { name: "Lim Siew Har", email } });
  const { rows } = await db.owner.query("select after from audit_entries where actor_id = $1", [user]);
  expect(rows).toEqual([{ after: { name: "Lim Siew Har" } }]);
});

test("a changed password ends one's other sessions and keeps this one; the old password is void, a forced change is over", async () => {
  const others = [await sessionOf(served.deps, user), await sessionOf(served.deps, user, { browser: true })];
  await db.owner.query("update users set force_reset_password = true where id = $1", [user]);
  expect((await call("changePassword", { body: { current_password: password, ...chosen } })).data).toEqual({});
  expect(await alive(session)).toBe(200);
  for (const { access_token, refresh_token, cookie } of others) {
    const asked = { token: access_token, tenant: tenant.id, cookie: cookie ?? undefined };
    expect(refusalOf(await ask(served, "readProfile", asked))).toBe("session.ended");
    expect(refusalOf(await ask(served, "refreshToken", { body: { refresh_token }, cookie: cookie ?? undefined }))).toBe("refresh.refused");
  }
  expect(refusalOf(await ask(served, "login", { body: { email, password } }))).toBe("login.refused");
  expect((await ask(served, "login", { body: { email, password: chosen.password } })).status).toBe(200);
  expect((await call("listOwnSessions")).status, "nothing to set up any more").toBe(200);
  expect(await acts()).toEqual(["user.change-password", "session.start"]);
});

test("a change that is repeated, because its answer was lost, is answered as before; its passwords cannot be tried out on what is kept", async () => {
  const body = { current_password: password, ...chosen };
  const change = () => call("changePassword", { body, headers: { "idempotency-key": "change-once" } });
  const [first, again] = [await change(), await change()];
  expect([first.status, again.status]).toEqual([200, 200]);
  const { rows } = await db.owner.query<{ fingerprint: Buffer }>("select fingerprint from idempotency_keys where actor = $1", [user]);
  const { method, path } = routes.changePassword;
  const plain = JSON.stringify(Object.fromEntries(Object.entries(body).sort(([a], [b]) => (a < b ? -1 : 1))));
  const guessed = createHash("sha256").update(`${method} ${path}\n`).update(plain).digest();
  expect(rows.map(({ fingerprint }) => fingerprint.equals(guessed))).toEqual([false]);
});

test("a password set while a change was verified stays, because the change proved the one before it", async () => {
  const { rows } = await db.owner.query<{ password_hash: string }>("select password_hash from users where id = $1", [user]);
  const reset = await db.owner.connect();
  try {
    await reset.query("begin");
    await reset.query("update users set password_hash = 'set by a reset' where id = $1", [user]);
    const change = call("changePassword", { body: { current_password: password, ...chosen } });
    const waits = "select count(*)::integer as n from pg_stat_activity where wait_event_type = 'Lock' and query like '%users%'";
    await expect.poll(async () => (await db.owner.query<{ n: number }>(waits)).rows[0]?.n).toBe(1);
    await reset.query("commit");
    expect(refusalOf(await change)).toBe("password.wrong");
  } finally {
    reset.release();
  }
  const now = await db.owner.query("select password_hash from users where id = $1", [user]);
  expect([rows[0]?.password_hash === "set by a reset", now.rows]).toEqual([false, [{ password_hash: "set by a reset" }]]);
});

test("the password stays as it is without the current one, and for one that is bad or the same", async () => {
  const change = (body: object) => call("changePassword", { body: { current_password: password, ...chosen, ...body } });
  expect(refusalOf(await change({ current_password: "wrong" }))).toBe("password.wrong");
  for (const given of [password, "short", "qwerty12345", email]) {
    expect(refusalOf(await change({ password: given, password_confirmation: given }))).toBe("request.invalid");
  }
  expect(refusalOf(await change({ password_confirmation: "something else" }))).toBe("request.invalid");
  expect((await ask(served, "login", { body: { email, password } })).status).toBe(200);
});

test("ten wrong passwords in a quarter of an hour, and the right one does not help; successes do not count", async () => {
  const prove = (given: string) => call("stepUp", { body: { password: given } });
  const atOnce = await Promise.all(Array.from({ length: 30 }, () => prove(password)));
  expect(atOnce.map(({ status }) => status)).toEqual(atOnce.map(() => 200));
  for (let n = 0; n < 10; n++) expect(refusalOf(await prove("wrong"))).toBe("password.wrong");
  expect(refusalOf(await prove(password))).toBe("login.throttled");
  expect(refusalOf(await call("changePassword", { body: { current_password: password, ...chosen } }))).toBe("login.throttled");
});

test("one sees one's own sessions, which of them asks, and ends one or all others", async () => {
  const [second, third] = [await sessionOf(served.deps, user), await sessionOf(served.deps, user)];
  const stranger = await sessionOf(served.deps, (await makePerson(db, tenant)).id);
  const list = async () => (await call("listOwnSessions")).data as { uuid: string; current: boolean; ip: string }[]; // the contract's shape
  const all = await list();
  expect(all.map(({ current }) => current)).toEqual([false, false, true]);
  expect(all[0]).toMatchObject({ ip: "127.0.0.1", agent: "test" });
  expect((await call("endOwnSession", { params: { uuid: all[1]?.uuid ?? "" } })).status).toBe(200);
  expect([await alive(session), await alive(second), await alive(third)]).toEqual([200, 401, 200]);
  const { rows } = await db.owner.query<{ id: string }>("select id from sessions where user_id <> $1 order by id desc limit 1", [user]);
  for (const uuid of [all[1]?.uuid, rows[0]?.id]) {
    expect(refusalOf(await call("endOwnSession", { params: { uuid: uuid ?? "" } }))).toBe("not-found");
  }
  expect((await call("endOtherSessions")).data).toEqual({ ended: 1 });
  expect([await alive(session), await alive(third)]).toEqual([200, 401]);
  expect((await ask(served, "readProfile", { token: stranger.access_token, tenant: tenant.id })).status).toBe(200);
  expect(await list()).toHaveLength(1);
  expect(await acts()).toEqual(["session.end", "session.end"]);
});

test("step-up succeeds with the password or a code, for this session only", async () => {
  const secret = await enableTwoFactor(db, served.deps, user);
  const other = await sessionOf(served.deps, user);
  const begin = (by: Session) => call("beginTwoFactor", {}, by);
  const code = codeOf(secret);
  for (const body of [{ password }, { code }]) {
    await old();
    expect(refusalOf(await begin(session))).toBe("step-up.required");
    expect((await call("stepUp", { body })).data).toEqual({});
    expect((await begin(session)).status).toBe(200);
    expect(refusalOf(await begin(other)), "proved elsewhere").toBe("step-up.required");
  }
  await old();
  for (const body of [{ password: "wrong" }, { code: codeOf(secret, 20) }, { code }]) {
    expect(["password.wrong", "code.refused"]).toContain(refusalOf(await call("stepUp", { body })));
  }
  expect(refusalOf(await begin(session)), "not by what was wrong, nor by a code used before").toBe("step-up.required");
});

test("a single act can require step-up, too", async () => {
  const { rows } = await db.owner.query<{ id: string }>("select id from sessions where user_id = $1", [user]);
  const made = staffCall(served.deps, tenant, { id: user, name: "" });
  const own = { ...made, caller: { ...made.caller, session: rows[0]?.id ?? "" } };
  await expect(requireStepUp(db.database.open, own)).resolves.toBeUndefined();
  await old();
  await expect(requireStepUp(db.database.open, own)).rejects.toMatchObject({ code: "step-up.required" });
});

test("a tenant that requires two-factor refuses users without it, there and nowhere else", async () => {
  const strict = await makeTenant(db, { settings: { require_two_factor: true } });
  await db.owner.query("insert into memberships (tenant_id, user_id) values ($1, $2)", [strict.id, user]);
  const list = (of: Tenant) => ask(served, "listOwnSessions", { token: session.access_token, tenant: of.id });
  expect(refusalOf(await list(strict))).toBe("two-factor.must-set-up");
  expect((await list(tenant)).status).toBe(200);
  await enableTwoFactor(db, served.deps, user);
  expect((await list(strict)).status).toBe(200);
});
