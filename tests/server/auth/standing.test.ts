import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { testDatabase } from "../../support/database.ts";
import { makePerson, makeTenant } from "../../support/factories.ts";
import type { Tenant } from "../../support/factories.ts";
import { ask, refusalOf, serve, sessionOf } from "../../support/http.ts";
import type { Served, Session } from "../../support/http.ts";

// Who somebody is, and what they may, is read on every request: what changed holds for the next one.
const db = testDatabase();
const view = "pas.transaction.withdrawals.view";
let served: Served;
let tenant: Tenant;
let elsewhere: Tenant;
let user: string;
let session: Session;
let group: string;

beforeAll(async () => {
  served = await serve(db, { listen: true });
});
afterAll(() => served.app.close());
beforeEach(async () => {
  tenant = await makeTenant(db);
  elsewhere = await makeTenant(db);
  user = (await makePerson(db, tenant)).id;
  group = randomUUID();
  const { owner } = db;
  await owner.query("insert into memberships (tenant_id, user_id, permissions) values ($1, $2, $3)", [elsewhere.id, user, [view]]);
  await owner.query("insert into user_groups (tenant_id, id, code, name, permissions) values ($1, $2, 'desk', 'Desk', $3)", [
    tenant.id,
    group,
    [view],
  ]);
  await owner.query("insert into membership_groups (tenant_id, user_id, group_id) values ($1, $2, $3)", [tenant.id, user, group]);
  session = await sessionOf(served.deps, user);
});

const list = (of = tenant) => ask(served, "listWithdrawals", { token: session.access_token, tenant: of.id, currency: "MYR" });
const refresh = () => ask(served, "refreshToken", { body: { refresh_token: session.refresh_token } });
const statuses = async () => [(await list()).status, (await list(elsewhere)).status];

test("signing out ends the session: its tokens are dead at once, another sign-in's live on", async () => {
  const other = await sessionOf(served.deps, user);
  expect(await statuses()).toEqual([200, 200]);
  const answer = await ask(served, "logout", { token: session.access_token, body: { refresh_token: session.refresh_token } });
  expect([answer.status, answer.data]).toEqual([200, {}]);
  expect(answer.cookies[0]).toMatch(/^binding=; Max-Age=0; Path=\/; /);
  expect(refusalOf(await list())).toBe("session.ended");
  expect(refusalOf(await refresh())).toBe("refresh.refused");
  expect(refusalOf(await ask(served, "logout", { token: session.access_token, body: { refresh_token: "x" } }))).toBe("session.ended");
  expect((await ask(served, "readProfile", { token: other.access_token, tenant: tenant.id })).status).toBe(200);
});

test("signing out with somebody else's refresh token ends one's own session only", async () => {
  const stranger = await makePerson(db, tenant);
  const theirs = await sessionOf(served.deps, stranger.id);
  await ask(served, "logout", { token: session.access_token, body: { refresh_token: theirs.refresh_token } });
  expect(refusalOf(await list())).toBe("session.ended");
  expect((await ask(served, "readProfile", { token: theirs.access_token, tenant: tenant.id })).status).toBe(200);
});

test("a suspended user is out everywhere with the next request, and back when active again", async () => {
  expect(await statuses()).toEqual([200, 200]);
  await db.owner.query("update users set status = 'suspended' where id = $1", [user]);
  expect(refusalOf(await list())).toBe("session.ended");
  expect(refusalOf(await list(elsewhere))).toBe("session.ended");
  expect(refusalOf(await refresh())).toBe("refresh.refused");
  await db.owner.query("update users set status = 'active' where id = $1", [user]);
  expect(await statuses()).toEqual([200, 200]);
});

test.each(["suspended", "inactive"])("a membership made %s shuts that tenant with the next request, and no other", async (status) => {
  expect(await statuses()).toEqual([200, 200]);
  await db.owner.query("update memberships set status = $3 where tenant_id = $1 and user_id = $2", [tenant.id, user, status]);
  expect(refusalOf(await list())).toBe("tenant.invalid");
  expect((await list(elsewhere)).status).toBe(200);
  const { data } = await ask(served, "readContext", { token: session.access_token });
  expect(data).toMatchObject({ current_tenant: elsewhere.id, available_tenants: [{ id: elsewhere.id }] });
});

test("a suspended tenant is shut to its members with the next request", async () => {
  await db.owner.query("update tenants set status = 'suspended' where id = $1", [tenant.id]);
  expect(refusalOf(await list())).toBe("tenant.invalid");
  expect((await list(elsewhere)).status).toBe(200);
});

test("a right taken from the group, from the person, or with the group, is gone with the next request", async () => {
  const { owner } = db;
  expect((await list()).status).toBe(200);
  await owner.query("update user_groups set permissions = '{}' where id = $1", [group]);
  expect(refusalOf(await list())).toBe("permission.missing");
  await owner.query("update memberships set permissions = $3 where tenant_id = $1 and user_id = $2", [tenant.id, user, [view]]);
  expect((await list()).status, "held directly").toBe(200);
  await owner.query("update memberships set permissions = '{}' where tenant_id = $1 and user_id = $2", [tenant.id, user]);
  expect(refusalOf(await list())).toBe("permission.missing");
  await owner.query("update user_groups set permissions = $2 where id = $1", [group, [view]]);
  expect((await list()).status, "held by the group").toBe(200);
  await owner.query("delete from membership_groups where group_id = $1", [group]);
  expect(refusalOf(await list())).toBe("permission.missing");
});

test("an owner who is taken out of the owners' group has no right left", async () => {
  const { owner } = db;
  const { rows } = await owner.query<{ user_id: string }>("select user_id from membership_groups where tenant_id = $1 and user_id <> $2", [
    tenant.id,
    user,
  ]);
  const boss = rows[0]?.user_id ?? "";
  const { access_token: token } = await sessionOf(served.deps, boss);
  const asked = { token, tenant: tenant.id, currency: "MYR" };
  expect((await ask(served, "listWithdrawals", asked)).status).toBe(200);
  // another one stays: a tenant never loses its last owner
  await owner.query("update membership_groups set user_id = $2 where tenant_id = $1 and user_id = $3", [tenant.id, user, boss]);
  expect(refusalOf(await ask(served, "listWithdrawals", asked))).toBe("permission.missing");
});

test("a group called owner in one tenant gives nothing in another", async () => {
  const { access_token: token } = session;
  await db.owner.query(
    "insert into membership_groups (tenant_id, user_id, group_id) select tenant_id, $2, id from user_groups where tenant_id = $1 and code = 'owner'",
    [tenant.id, user],
  );
  const may = (of: Tenant) => ask(served, "listDeposits", { token, tenant: of.id, currency: "MYR" });
  expect((await may(tenant)).status).toBe(200);
  expect(refusalOf(await may(elsewhere))).toBe("permission.missing");
});
