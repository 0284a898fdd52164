import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Invitation } from "../../../src/contract/invitations.ts";
import type { SessionContext } from "../../../src/contract/session.ts";
import { removeOld } from "../../../src/server/jobs/retention.ts";
import { testDatabase } from "../../support/database.ts";
import { makePerson, makeTenant, setSettings } from "../../support/factories.ts";
import type { Person, Tenant } from "../../support/factories.ts";
import { ask, refusalOf, serve, sessionOf, setPassword } from "../../support/http.ts";
import type { Served } from "../../support/http.ts";
import { asMember, heldIn, makeAccountOf, makeInvitation, makeUserGroup, ownerOf, putIntoGroup } from "../../support/people.ts";

const db = testDatabase();
const view = "pas.transaction.withdrawals.view";
let served: Served;
let tenant: Tenant;
let owner: Person;

beforeAll(async () => {
  served = await serve(db);
});
afterAll(() => served.app.close());
beforeEach(async () => {
  tenant = await makeTenant(db);
  owner = await ownerOf(db, tenant);
  await db.owner.query("update tenants set name = 'Lotus Pay Group' where id = $1", [tenant.id]);
});

/** Somebody who works in another tenant. */
async function colleague() {
  const home = await makeTenant(db);
  const person = await makePerson(db, home, "Siti Nurhaliza");
  const email = await setPassword(db, person.id, "correct horse battery");
  return { ...person, home, email };
}
const read = (token: string) => ask(served, "readInvitation", { body: { token } });
const accept = async (token: string, { id }: Pick<Person, "id">) =>
  ask(served, "acceptInvitation", { body: { token }, token: (await sessionOf(served.deps, id)).access_token });
const choose = (token: string, more: object = {}) =>
  ask(served, "acceptWithPassword", {
    body: { token, password: "battery staple horse", password_confirmation: "battery staple horse", ...more },
  });
const statusOf = async ({ id }: Pick<Person, "id">) => {
  const { rows } = await db.owner.query<{ status: string }>("select status from memberships where tenant_id = $1 and user_id = $2", [
    tenant.id,
    id,
  ]);
  return rows[0]?.status;
};

describe("who works elsewhere", () => {
  test("accepts with the account they have, and from then on works in both, with the rights of each", async () => {
    const who = await colleague();
    const group = await makeUserGroup(db, tenant, [view]);
    const token = await makeInvitation(db, tenant, who, { by: owner.id });
    await putIntoGroup(db, tenant, who, group);
    expect((await read(token)).data).toMatchObject({
      tenant: { name: "Lotus Pay Group" } as Invitation["tenant"],
      email: who.email,
      by: owner.name,
      way: "sign-in",
      name: null,
    } satisfies Partial<Invitation>);
    expect((await accept(token, who)).data).toMatchObject({ id: tenant.id, name: "Lotus Pay Group" });
    const here = await asMember(served, tenant, who);
    const context = (await here("readContext")).data as SessionContext; // the contract's shape
    expect(context.available_tenants.map(({ id }) => id).toSorted()).toEqual([tenant.id, who.home.id].toSorted());
    expect(context.permissions).toEqual({ "pas.transaction.withdrawals": ["view"] });
    expect((await (await asMember(served, who.home, who))("readContext")).data).toMatchObject({ permissions: {} });
    const { rows } = await db.owner.query("select act, actor_id, before, after from audit_entries where tenant_id = $1", [tenant.id]);
    expect(rows).toEqual([{ act: "user.accept-invitation", actor_id: who.id, before: { status: "pending" }, after: { status: "active" } }]);
  });

  test("does not accept with a password, which would be a way around their own sign-in", async () => {
    const who = await colleague();
    const token = await makeInvitation(db, tenant, who, { by: owner.id });
    expect(refusalOf(await choose(token))).toBe("invitation.sign-in");
    expect(await statusOf(who)).toBe("pending");
    expect((await ask(served, "login", { body: { email: who.email, password: "correct horse battery" } })).status).toBe(200);
  });

  test("nor where that one has suspended them since they were made here, because whoever read the link would have their account", async () => {
    const who = await colleague();
    await db.owner.query("update memberships set status = 'suspended' where tenant_id = $1 and user_id = $2", [who.home.id, who.id]);
    const token = await makeInvitation(db, tenant, who, { by: owner.id, isNew: true });
    expect((await read(token)).data).toMatchObject({ way: "sign-in" });
    expect(refusalOf(await choose(token))).toBe("invitation.sign-in");
    // one that was mailed to them alone
    await db.owner.query("update invitations set ended_at = now(), ended_why = 'replaced' where user_id = $1", [who.id]);
    expect((await choose(await makeInvitation(db, tenant, who, { by: owner.id }))).status).toBe(200);
  });

  test("voids the links their account had been mailed before", async () => {
    const who = await colleague();
    await db.owner.query("insert into password_resets (hash, user_id, expires_at) values ('\\x01', $1, now() + interval '1 hour')", [
      who.id,
    ]);
    expect((await accept(await makeInvitation(db, tenant, who, { by: owner.id }), who)).status).toBe(200);
    const { rows } = await db.owner.query("select from password_resets where user_id = $1 and used_at is null", [who.id]);
    expect(rows).toEqual([]);
  });

  test("nobody else accepts for them", async () => {
    const [who, other] = [await colleague(), await colleague()];
    const token = await makeInvitation(db, tenant, who, { by: owner.id });
    expect(refusalOf(await accept(token, other))).toBe("invitation.other-user");
    expect(await statusOf(who)).toBe("pending");
    expect(await statusOf(other)).toBeUndefined();
  });

  test("need not have anything set up in the tenant they come from, nor in this one", async () => {
    const who = await colleague();
    await setSettings(db, tenant, { require_two_factor: true });
    await db.owner.query("update users set force_reset_password = true where id = $1", [who.id]);
    const token = await makeInvitation(db, tenant, who, { by: owner.id });
    expect((await accept(token, who)).status).toBe(200);
  });
});

describe("who has no account yet", () => {
  const guest = async () => {
    const who = await makeAccountOf(db, "Lim Mei Ling");
    return { ...who, token: await makeInvitation(db, tenant, who, { by: owner.id, isNew: true }) };
  };

  test("chooses a password, and a name to go by, and signs in with it", async () => {
    const { token, email, id } = await guest();
    expect((await read(token)).data).toMatchObject({ way: "password", name: "Lim Mei Ling", email });
    expect((await choose(token, { name: "Mei Ling" })).data).toEqual({ email });
    expect((await ask(served, "login", { body: { email, password: "battery staple horse" } })).status).toBe(200);
    expect((await (await asMember(served, tenant, { id }))("readProfile")).data).toMatchObject({ user: { name: "Mei Ling" } });
  });

  test("one that is too short, too common, the e-mail, or not repeated, is told at its field, and the link stays good", async () => {
    const { token, email } = await guest();
    const wrong = async (password: string, password_confirmation = password) =>
      Object.keys((await choose(token, { password, password_confirmation })).data ?? {});
    expect(await wrong("short")).toEqual(["password"]);
    expect(await wrong("password123")).toEqual(["password"]);
    expect(await wrong(email)).toEqual(["password"]);
    expect(await wrong("battery staple horse", "another")).toEqual(["password_confirmation"]);
    expect((await choose(token)).status).toBe(200);
  });

  test("keeps their own name where another tenant, which let them go, had made them", async () => {
    const who = await makeAccountOf(db, "Siti Nurhaliza");
    const token = await makeInvitation(db, tenant, who, { by: owner.id });
    expect((await read(token)).data).toMatchObject({ way: "password", name: null });
    expect((await choose(token, { name: "Somebody" })).status).toBe(200);
    expect((await (await asMember(served, tenant, who))("readProfile")).data).toMatchObject({ user: { name: "Siti Nurhaliza" } });
  });
});

describe("a link that is good no more says why, on either way", () => {
  test.each([
    ["expired", "expires_at = now() - interval '1 second'"],
    ["withdrawn", "ended_at = now(), ended_why = 'withdrawn'"],
    ["replaced", "ended_at = now(), ended_why = 'replaced'"],
    ["accepted", "ended_at = now(), ended_why = 'accepted'"],
  ])("%s", async (why, change) => {
    const who = await makeAccountOf(db);
    const token = await makeInvitation(db, tenant, who, { by: owner.id });
    await db.owner.query(`update invitations set ${change} where user_id = $1`, [who.id]);
    const answers = [await read(token), await accept(token, who), await choose(token)];
    expect(answers.map(refusalOf)).toEqual(answers.map(() => `invitation.${why}`));
    expect(await statusOf(who)).toBe("pending");
  });

  test("unknown: of no tenant, of another, cut, or made up", async () => {
    const who = await makeAccountOf(db);
    const token = await makeInvitation(db, tenant, who, { by: owner.id });
    const secret = token.slice(37);
    const other = await makeTenant(db);
    for (const wrong of [
      "x",
      token.slice(0, -1),
      `${other.id}.${secret}`,
      `${randomUUID()}.${secret}`,
      `${tenant.id}.${secret.toUpperCase()}`,
    ])
      expect(refusalOf(await read(wrong))).toBe("invitation.unknown");
    await db.owner.query("update tenants set status = 'suspended' where id = $1", [tenant.id]);
    expect(refusalOf(await read(token))).toBe("invitation.unknown");
  });
});

test("of an acceptance and a withdrawal at the same time one counts", async () => {
  const who = await colleague();
  for (let n = 0; n < 8; n++) {
    const token = await makeInvitation(db, tenant, who, { by: owner.id });
    const { rows } = await db.owner.query<{ version: number }>("select version from memberships where tenant_id = $1 and user_id = $2", [
      tenant.id,
      who.id,
    ]);
    const admin = await asMember(served, tenant, owner);
    const [accepted, withdrawn] = await Promise.all([
      accept(token, who),
      admin("withdrawInvitation", { params: { uuid: who.id }, body: { version: rows[0]?.version } }),
    ]);
    expect([accepted.status, withdrawn.status].filter((status) => status === 200)).toHaveLength(1);
    expect(await statusOf(who)).toBe(accepted.status === 200 ? "active" : undefined);
    await db.owner.query("delete from memberships where tenant_id = $1 and user_id = $2", [tenant.id, who.id]);
  }
});

test("tries at links are limited for each network", async () => {
  const ip = "198.51.100.77";
  const codes = [];
  for (let n = 0; n < 51; n++) codes.push((await ask(served, "readInvitation", { body: { token: "x" }, ip })).code);
  expect(codes.slice(49)).toEqual(["invitation.unknown", "login.throttled"]);
  expect((await ask(served, "readInvitation", { body: { token: "x" }, ip: "198.51.100.78" })).code).toBe("invitation.unknown");
});

test("invitations that ended long ago are removed, but for what a pending member can be sent again", async () => {
  const [gone, pending] = [await makeAccountOf(db), await makeAccountOf(db)];
  for (const who of [gone, pending]) await makeInvitation(db, tenant, who, { by: owner.id });
  await db.owner.query("update invitations set ended_at = now() - interval '31 days', ended_why = 'withdrawn' where tenant_id = $1", [
    tenant.id,
  ]);
  await db.owner.query("delete from memberships where user_id = $1", [gone.id]);
  await removeOld(served.deps);
  const { rows } = await db.owner.query("select user_id from invitations where tenant_id = $1", [tenant.id]);
  expect(rows).toEqual([{ user_id: pending.id }]);
  expect(await heldIn(db, tenant, pending)).toEqual([]);
});
