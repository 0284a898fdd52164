import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { signAccess } from "../../../src/server/auth/tokens.ts";
import type { RouteName } from "../../../src/contract/index.ts";
import { testDatabase } from "../../support/database.ts";
import { makePerson, makeTenant } from "../../support/factories.ts";
import type { Tenant } from "../../support/factories.ts";
import { ask, refusalOf, serve, sessionOf, setPassword } from "../../support/http.ts";
import type { Asked, Served, Session } from "../../support/http.ts";
import { enableTwoFactor, linkFor } from "../../support/sign-in.ts";

// A request with a session that has ended is answered with why it ended, by whom and from where.
const db = testDatabase();
const password = "the old password";
const chosen = { password: "a brand new password", password_confirmation: "a brand new password" };
const firefox = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0" };
let served: Served;
let tenant: Tenant;
let user: string;
let email: string;
let over: Session;

beforeAll(async () => {
  served = await serve(db);
  tenant = await makeTenant(db);
});
afterAll(() => served.app.close());
beforeEach(async () => {
  user = (await makePerson(db, tenant)).id;
  email = await setPassword(db, user, password);
  over = await sessionOf(served.deps, user);
});

/** Done by the same person in another browser. */
async function elsewhere(name: RouteName, more: Asked = {}): Promise<void> {
  const { access_token: token } = await sessionOf(served.deps, user);
  const answer = await ask(served, name, { token, tenant: tenant.id, headers: firefox, ...more });
  expect(answer.status, answer.text).toBe(200);
}
async function reasonGiven(by: Session = over, token = by.access_token, cookie = by.cookie ?? undefined): Promise<unknown> {
  const answer = await ask(served, "readProfile", { token, cookie, tenant: tenant.id });
  expect(refusalOf(answer)).toBe("session.ended");
  return (JSON.parse(answer.text) as { data?: unknown }).data; // the envelope of a refusal
}
const idOf = async (): Promise<string> =>
  (await db.owner.query<{ id: string }>("select id from sessions where user_id = $1 order by started_at limit 1", [user])).rows[0]?.id ??
  "";
const at = expect.stringMatching(/^\d{4}-.*Z$/);
const there = { at, by: null, ip: "127.0.0.1", agent: firefox["user-agent"] };

test("a password changed in another browser", async () => {
  await elsewhere("changePassword", { body: { current_password: password, ...chosen } });
  expect(await reasonGiven()).toEqual({ why: "password-changed", ...there });
});

test("a password chosen by a mailed link", async () => {
  const link = await linkFor(db, user);
  expect((await ask(served, "resetPassword", { body: { ...link, ...chosen }, headers: firefox })).status).toBe(200);
  expect(email).toBe(link.email);
  expect(await reasonGiven()).toEqual({ why: "password-reset", ...there });
});

test.each(["endOwnSession", "endOtherSessions"] as const)("signed out from another browser (%s)", async (name) => {
  await elsewhere(name, name === "endOwnSession" ? { params: { uuid: await idOf() } } : {});
  expect(await reasonGiven()).toEqual({ why: "signed-out", ...there });
});

test("two-factor taken away by an administrator, who is named, and not where they sit", async () => {
  await enableTwoFactor(db, served.deps, user);
  const admin = await makePerson(db, tenant);
  await db.owner.query("update memberships set permissions = '{cas.user.users.reset-two-factor}' where user_id = $1", [admin.id]);
  const { access_token: token } = await sessionOf(served.deps, admin.id);
  await ask(served, "resetUserTwoFactor", { token, tenant: tenant.id, params: { uuid: user } });
  expect(await reasonGiven()).toEqual({ why: "two-factor-reset", at, by: admin.name, ip: null, agent: null });
});

test("a refresh token used twice, an account suspended, and two days over", async () => {
  await ask(served, "refreshToken", { body: { refresh_token: over.refresh_token } });
  await db.owner.query("update refresh_tokens set used_at = used_at - interval '11 seconds' where session_id = $1", [await idOf()]);
  await ask(served, "refreshToken", { body: { refresh_token: over.refresh_token }, headers: firefox });
  expect(await reasonGiven()).toEqual({ why: "token-reused", ...there });

  const nobody = { at, by: null, ip: null, agent: null };
  const late = await sessionOf(served.deps, user);
  await db.owner.query("update sessions set expires_at = now() - interval '1 minute' where user_id = $1 and ended_at is null", [user]);
  expect(await reasonGiven(late)).toEqual({ why: "expired", ...nobody });
  const shut = await sessionOf(served.deps, user);
  await db.owner.query("update users set status = 'suspended' where id = $1", [user]);
  expect(await reasonGiven(shut)).toEqual({ why: "suspended", ...nobody });
});

test("an access token whose quarter of an hour is over says so only while its session lives", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 16 * 60_000 });
  const old = await signAccess(served.deps.secrets, await idOf(), user, null).finally(() => vi.useRealTimers());
  expect(refusalOf(await ask(served, "readProfile", { token: old, tenant: tenant.id }))).toBe("session.expired");
  await elsewhere("endOtherSessions");
  expect(await reasonGiven(over, old)).toEqual({ why: "signed-out", ...there });
});

test("why a browser's session ended is answered only with its cookie", async () => {
  const bound = await sessionOf(served.deps, user, { browser: true });
  await elsewhere("endOtherSessions");
  expect(refusalOf(await ask(served, "readProfile", { token: bound.access_token, tenant: tenant.id }))).toBe("session.unbound");
  expect(await reasonGiven(bound)).toEqual({ why: "signed-out", ...there });
});
