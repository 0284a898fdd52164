import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { SessionContext } from "../../../src/contract/session.ts";
import type { OtherSession, User } from "../../../src/contract/users.ts";
import { removeOld } from "../../../src/server/jobs/retention.ts";
import { testDatabase } from "../../support/database.ts";
import { makePerson, makeTenant } from "../../support/factories.ts";
import type { Person, Tenant } from "../../support/factories.ts";
import { ask, refusalOf, serve, sessionOf } from "../../support/http.ts";
import type { Served, Session } from "../../support/http.ts";
import { asMember, giveDirectly, makeInvitation, ownerOf } from "../../support/people.ts";

const db = testDatabase();
let served: Served;
let tenant: Tenant;
let owner: Person;
let clerk: Person;
let call: Awaited<ReturnType<typeof asMember>>;

beforeAll(async () => {
  served = await serve(db);
});
afterAll(() => served.app.close());
beforeEach(async () => {
  tenant = await makeTenant(db);
  owner = await ownerOf(db, tenant);
  clerk = await makePerson(db, tenant, "Clerk");
  call = await asMember(served, tenant, owner);
});

const listed = async () =>
  (await call("listUserSessions", { params: { uuid: clerk.id } })).data as { sessions: OtherSession[]; last_act: { act: string } | null }; // the contract's shape
const works = async ({ access_token: token }: Session, of = tenant) => {
  const answer = await ask(served, "readContext", { token, tenant: of.id });
  return answer.code ?? answer.status;
};
const rowOf = async () => (await call("listUsers", { query: { "filter[uuid]": clerk.id } })).data as User[]; // the contract's shape
const act = async (status: string) =>
  call("changeUserStatus", { params: { uuid: clerk.id }, body: { version: (await rowOf())[0]?.version, status, reason: "" } });

test("where somebody is signed in, since when, and what they did last", async () => {
  expect(await listed()).toEqual({ sessions: [], last_act: null });
  await sessionOf(served.deps, clerk.id, { agent: "Firefox" });
  const second = await sessionOf(served.deps, clerk.id, { agent: "Chrome" });
  await db.owner.query("update memberships set permissions = '{profile.update}' where user_id = $1", [clerk.id]);
  await ask(served, "updateProfile", { token: second.access_token, tenant: tenant.id, body: { name: "Clerk the Second" } });
  const { sessions, last_act } = await listed();
  expect(sessions.map(({ agent, ip }) => [agent, ip])).toEqual([
    ["Chrome", "127.0.0.1"],
    ["Firefox", "127.0.0.1"],
  ]);
  expect(last_act?.act).toBe("user.update");
  expect((await rowOf())[0]?.sessions).toBe(2);
});

test("one is ended and the other lives on; then all; each is told by whom, and it is on record", async () => {
  const [first, second] = [await sessionOf(served.deps, clerk.id), await sessionOf(served.deps, clerk.id)];
  const [newest, oldest] = (await listed()).sessions;
  const end = (session = "") => call("endUserSession", { params: { uuid: clerk.id, session } });
  expect((await end(newest?.uuid)).status).toBe(200);
  expect([await works(first), await works(second)]).toEqual([200, "session.ended"]);
  expect(refusalOf(await end(newest?.uuid))).toBe("not-found");
  const told = await ask(served, "readContext", { token: second.access_token, tenant: tenant.id });
  expect(told.data).toMatchObject({ why: "signed-out", by: owner.name });
  expect((await call("endUserSessions", { params: { uuid: clerk.id } })).data).toEqual({ ended: 1 });
  expect(await works(first)).toBe("session.ended");
  const { rows } = await db.owner.query(
    "select act, after from audit_entries where tenant_id = $1 and entity_id = $2 and act = 'user.end-sessions'",
    [tenant.id, clerk.id],
  );
  expect(rows).toHaveLength(2);
  expect(oldest).toBeDefined();
});

test("a session of somebody else is not ended by the name of another", async () => {
  const stranger = await makePerson(db, tenant);
  const theirs = await sessionOf(served.deps, stranger.id);
  const { rows } = await db.owner.query<{ id: string }>("select id from sessions where user_id = $1", [stranger.id]);
  expect(refusalOf(await call("endUserSession", { params: { uuid: clerk.id, session: rows[0]?.id ?? "" } }))).toBe("not-found");
  expect(await works(theirs)).toBe(200);
});

describe("whoever is no longer active is out at once", () => {
  test.each(["suspended", "inactive"])("%s: an old session does not come back with them", async (status) => {
    const session = await sessionOf(served.deps, clerk.id);
    expect((await act(status)).status).toBe(200);
    expect(await works(session)).toBe("session.ended");
    expect((await act("active")).status).toBe(200);
    expect(await works(session)).toBe("session.ended");
    expect(await works(await sessionOf(served.deps, clerk.id))).toBe(200);
  });

  test("removed: their identity and the history of what they did stay", async () => {
    const session = await sessionOf(served.deps, clerk.id);
    await giveDirectly(db, tenant, clerk, ["profile.update"]);
    await ask(served, "updateProfile", { token: session.access_token, tenant: tenant.id, body: { name: "Clerk the Second" } });
    const removed = await call("deleteUser", { params: { uuid: clerk.id }, query: { version: String((await rowOf())[0]?.version) } });
    expect(removed.status).toBe(200);
    expect([await works(session), await rowOf()]).toEqual(["session.ended", []]);
    const { rows } = await db.owner.query("select name from users where id = $1", [clerk.id]);
    expect(rows).toEqual([{ name: "Clerk the Second" }]);
    const history = await db.owner.query("select act, actor_name from audit_entries where tenant_id = $1 and entity_id = $2 order by id", [
      tenant.id,
      clerk.id,
    ]);
    expect(history.rows).toEqual([
      { act: "user.update", actor_name: "Clerk" },
      { act: "user.delete", actor_name: owner.name },
    ]);
  });
});

describe("who also works in another tenant", () => {
  let elsewhere: Tenant;
  beforeEach(async () => {
    elsewhere = await makeTenant(db);
    await db.owner.query("insert into memberships (tenant_id, user_id) values ($1, $2)", [elsewhere.id, clerk.id]);
  });

  test.each([
    ["signed out", () => call("endUserSessions", { params: { uuid: clerk.id } })],
    ["suspended and let in again", async () => [await act("suspended"), await act("active")]],
  ])("is %s here and works on there; a new sign-in opens both", async (_, how) => {
    const session = await sessionOf(served.deps, clerk.id);
    await how();
    expect([await works(session), await works(session, elsewhere)]).toEqual(["tenant.invalid", 200]);
    const context = await ask(served, "readContext", { token: session.access_token, tenant: elsewhere.id });
    expect((context.data as SessionContext).available_tenants.map(({ id }) => id)).toEqual([elsewhere.id]); // the contract's shape
    expect((await listed()).sessions).toEqual([]);
    expect((await rowOf())[0]?.sessions).toBe(0);
    const fresh = await sessionOf(served.deps, clerk.id);
    expect([await works(fresh), await works(fresh, elsewhere)]).toEqual([200, 200]);
    // what it was ended for goes with the session
    await db.owner.query("update sessions set expires_at = now() - interval '31 days' where user_id = $1", [clerk.id]);
    await db.owner.query("delete from refresh_tokens");
    await removeOld(served.deps);
    expect((await db.owner.query("select from session_exits where user_id = $1", [clerk.id])).rowCount).toBe(0);
  });
});

test("who was only invited is none of the tenant's to look at or sign out", async () => {
  const home = await makeTenant(db);
  const guest = await makePerson(db, home);
  const session = await sessionOf(served.deps, guest.id);
  await makeInvitation(db, tenant, guest, { by: owner.id });
  expect((await call("listUserSessions", { params: { uuid: guest.id } })).data).toEqual({ sessions: [], last_act: null });
  expect((await call("endUserSessions", { params: { uuid: guest.id } })).data).toEqual({ ended: 0 });
  expect(await works(session, home)).toBe(200);
});
