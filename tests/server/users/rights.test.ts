import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { permissions } from "../../../src/contract/permissions.ts";
import type { User, UserDetail } from "../../../src/contract/users.ts";
import { testDatabase } from "../../support/database.ts";
import { makePerson, makeTenant } from "../../support/factories.ts";
import type { Person, Tenant } from "../../support/factories.ts";
import { refusalOf, serve, setPassword } from "../../support/http.ts";
import type { Answered, Served } from "../../support/http.ts";
import { asMember, giveDirectly, heldIn, makeOwner, makeUserGroup, ownerOf, putIntoGroup } from "../../support/people.ts";

const db = testDatabase();
const view = "pas.transaction.withdrawals.view";
const approve = "pas.transaction.withdrawals.approve";
const manage = ["view", "update", "change-status", "delete", "reset-two-factor"].map((act) => `cas.user.users.${act}`);
let served: Served;
let tenant: Tenant;
let owner: Person;
/** May administer users, and look at withdrawals. */
let admin: Person;
let clerk: Person;

beforeAll(async () => {
  served = await serve(db);
});
afterAll(() => served.app.close());
beforeEach(async () => {
  tenant = await makeTenant(db);
  owner = await ownerOf(db, tenant);
  [admin, clerk] = [await makePerson(db, tenant, "Admin"), await makePerson(db, tenant, "Clerk")];
  await giveDirectly(db, tenant, admin, [...manage, view]);
});

const versionOf = async ({ id }: Person) => {
  const { rows } = await db.owner.query<{ version: number }>("select version from memberships where tenant_id = $1 and user_id = $2", [
    tenant.id,
    id,
  ]);
  return rows[0]?.version ?? 0;
};

interface Rights {
  readonly groups?: readonly string[];
  readonly permissions?: readonly string[];
  readonly name?: string;
  readonly password?: string;
}
async function edit(by: Person, whom: Person, { groups = [], permissions: direct = [], ...rest }: Rights): Promise<Answered> {
  const call = await asMember(served, tenant, by);
  return call("updateUser", { params: { uuid: whom.id }, body: { groups, permissions: direct, ...rest, version: await versionOf(whom) } });
}
async function setStatus(by: Person, whom: Person, status: string): Promise<Answered> {
  const call = await asMember(served, tenant, by);
  return call("changeUserStatus", { params: { uuid: whom.id }, body: { version: await versionOf(whom), status, reason: "" } });
}
async function remove(by: Person, whom: Person): Promise<Answered> {
  const call = await asMember(served, tenant, by);
  return call("deleteUser", { params: { uuid: whom.id }, query: { version: String(await versionOf(whom)) } });
}
const ownersGroup = async () => {
  const { rows } = await db.owner.query<{ id: string }>("select id from user_groups where tenant_id = $1 and code = 'owner'", [tenant.id]);
  return rows[0]?.id ?? "";
};

describe("nobody gives or takes what they do not hold", () => {
  test("directly: what one holds is given and is on record, what one lacks is told at its field", async () => {
    expect((await edit(admin, clerk, { permissions: [view] })).status).toBe(200);
    expect(await heldIn(db, tenant, clerk)).toEqual([view]);
    const refused = await edit(admin, clerk, { permissions: [view, approve] });
    expect([refused.status, refused.data]).toEqual([422, { permissions: [`Beyond your own rights: ${approve}`] }]);
    expect(await heldIn(db, tenant, clerk)).toEqual([view]);
    const { rows } = await db.owner.query(
      "select act, before, after from audit_entries where tenant_id = $1 and entity = 'user' and entity_id = $2 and actor_id = $3",
      [tenant.id, clerk.id, admin.id],
    );
    expect(rows).toEqual([{ act: "user.update", before: { permissions: [] }, after: { permissions: [view] } }]);
  });

  test("nor is it taken away by somebody who could not give it back", async () => {
    await giveDirectly(db, tenant, clerk, [approve, view]);
    expect((await edit(admin, clerk, { permissions: [view] })).status).toBe(422);
    expect((await edit(admin, clerk, { permissions: [approve] })).status).toBe(200);
    expect(await heldIn(db, tenant, clerk)).toEqual([approve]);
  });

  test("by a group: into one, and out of one", async () => {
    const [desk, risk] = [await makeUserGroup(db, tenant, [view]), await makeUserGroup(db, tenant, [view, approve])];
    expect((await edit(admin, clerk, { groups: [desk] })).status).toBe(200);
    expect((await edit(admin, clerk, { groups: [desk, risk] })).data).toEqual({ groups: [`Beyond your own rights: ${approve}`] });
    await putIntoGroup(db, tenant, clerk, risk);
    expect((await edit(admin, clerk, { groups: [desk] })).data).toEqual({ groups: [`Beyond your own rights: ${approve}`] });
    expect((await edit(admin, clerk, { groups: [risk] })).status).toBe(200);
  });

  test("nobody but an owner makes an owner", async () => {
    await giveDirectly(db, tenant, admin, permissions);
    const group = await ownersGroup();
    expect((await edit(admin, clerk, { groups: [group] })).data).toEqual({ groups: ["Only an owner can change who is an owner"] });
    expect((await edit(owner, clerk, { groups: [group] })).status).toBe(200);
    expect(await heldIn(db, tenant, clerk)).toEqual(["owner"]);
  });

  test("of a group of another tenant nobody becomes a member", async () => {
    const foreign = await makeUserGroup(db, await makeTenant(db));
    expect((await edit(owner, clerk, { groups: [foreign] })).data).toEqual({ groups: ["Names a record that does not exist"] });
  });

  test("a group gives no more than its editor holds, and takes no more", async () => {
    await giveDirectly(db, tenant, admin, ["cas.user.groups.create", "cas.user.groups.update", "cas.user.groups.delete", view]);
    const call = await asMember(served, tenant, admin);
    const make = (held: readonly string[]) =>
      call("createUserGroup", { body: { code: `g-${held.length}`, name: "Night", permissions: held } });
    expect((await make([view, approve])).data).toEqual({ permissions: [`Beyond your own rights: ${approve}`] });
    expect((await make([view])).status).toBe(200);
    const risk = await makeUserGroup(db, tenant, [view, approve]);
    const change = (held: readonly string[]) =>
      call("updateUserGroup", { params: { uuid: risk }, body: { name: "Risk", permissions: held, version: 1 } });
    expect((await change([view])).status).toBe(422);
    expect((await change([approve])).status).toBe(200);
    expect(refusalOf(await call("deleteUserGroup", { params: { uuid: risk }, query: { version: "2" } }))).toBe("user.holds-more");
  });

  test("who was let go is let in again by somebody who holds as much", async () => {
    await giveDirectly(db, tenant, clerk, [approve]);
    expect((await setStatus(admin, clerk, "suspended")).status).toBe(200);
    const refused = await setStatus(admin, clerk, "active");
    expect([refusalOf(refused), refused.data]).toEqual(["user.holds-more", { permissions: [approve] }]);
    expect((await setStatus(owner, clerk, "active")).status).toBe(200);
  });
});

describe("nobody gets into an account that holds more than they do", () => {
  test("by a password, which only who holds as much may set; its owner must replace it, and their sessions end", async () => {
    await giveDirectly(db, tenant, clerk, [approve]);
    const theirs = await asMember(served, tenant, clerk);
    expect(refusalOf(await edit(admin, clerk, { permissions: [approve], password: "a new password" }))).toBe("user.holds-more");
    await giveDirectly(db, tenant, admin, [...manage, view, approve]);
    expect((await edit(admin, clerk, { permissions: [approve], password: "a new password" })).status).toBe(200);
    expect(refusalOf(await theirs("readProfile"))).toBe("session.ended");
    expect(refusalOf(await (await asMember(served, tenant, clerk))("listWithdrawals", { currency: "MYR" }))).toBe("password.must-change");
  });

  test("by a reset of two-factor", async () => {
    await giveDirectly(db, tenant, clerk, [approve]);
    const call = await asMember(served, tenant, admin);
    expect(refusalOf(await call("resetUserTwoFactor", { params: { uuid: clerk.id } }))).toBe("user.holds-more");
  });

  test("a password left blank keeps the current one", async () => {
    await setPassword(db, clerk.id, "correct horse battery");
    const hash = async () => (await db.owner.query("select password_hash from users where id = $1", [clerk.id])).rows;
    const before = await hash();
    expect((await edit(admin, clerk, { name: "Clerk the Second" })).status).toBe(200);
    expect(await hash()).toEqual(before);
    const { rows } = await db.owner.query("select name from users where id = $1", [clerk.id]);
    expect(rows).toEqual([{ name: "Clerk the Second" }]);
  });

  test("one like the e-mail is refused at its field", async () => {
    const email = (await setPassword(db, clerk.id, "correct horse battery")) || "";
    expect((await edit(admin, clerk, { password: email })).data).toEqual({ password: ["Must not be the e-mail"] });
  });
});

test("the identity of somebody who also works elsewhere is not this tenant's: their rights here are", async () => {
  const other = await makeTenant(db);
  await db.owner.query("insert into memberships (tenant_id, user_id) values ($1, $2)", [other.id, clerk.id]);
  expect(refusalOf(await edit(admin, clerk, { password: "a new password" }))).toBe("user.elsewhere");
  expect(refusalOf(await edit(admin, clerk, { name: "Somebody" }))).toBe("user.elsewhere");
  const call = await asMember(served, tenant, admin);
  const force = async () => call("forcePasswordReset", { params: { uuid: clerk.id }, body: { version: await versionOf(clerk) } });
  expect(refusalOf(await force())).toBe("user.elsewhere");
  expect((await edit(admin, clerk, { permissions: [view] })).status).toBe(200);
  expect((await setStatus(admin, clerk, "suspended")).status).toBe(200);
  const { data } = await call("readUser", { params: { uuid: clerk.id } });
  expect((data as UserDetail).elsewhere).toBe(true); // the contract's shape
});

test("nobody changes themselves here, whatever they may", async () => {
  expect(refusalOf(await edit(owner, owner, { permissions: [view], groups: [await ownersGroup()] }))).toBe("user.oneself");
  expect(refusalOf(await setStatus(owner, owner, "inactive"))).toBe("user.oneself");
  expect(refusalOf(await remove(owner, owner))).toBe("user.oneself");
  const call = await asMember(served, tenant, owner);
  expect(refusalOf(await call("endUserSessions", { params: { uuid: owner.id } }))).toBe("user.oneself");
  expect(refusalOf(await call("forcePasswordReset", { params: { uuid: owner.id }, body: { version: 1 } }))).toBe("user.oneself");
});

test("only an owner acts on an owner", async () => {
  await giveDirectly(db, tenant, admin, permissions);
  const group = await ownersGroup();
  const call = await asMember(served, tenant, admin);
  const refused = [
    await edit(admin, owner, { groups: [group], name: "Somebody" }),
    await setStatus(admin, owner, "suspended"),
    await remove(admin, owner),
    await call("endUserSessions", { params: { uuid: owner.id } }),
    await call("forcePasswordReset", { params: { uuid: owner.id }, body: { version: 1 } }),
    await call("resetUserTwoFactor", { params: { uuid: owner.id } }),
  ];
  expect(refused.map(refusalOf)).toEqual(refused.map(() => "user.owner"));
});

describe("a tenant keeps an active owner", () => {
  beforeEach(async () => makeOwner(db, tenant, clerk));

  test.each([
    ["suspended", (by: Person, whom: Person) => setStatus(by, whom, "suspended")],
    ["removed", remove],
    ["taken out of the group", (by: Person, whom: Person) => edit(by, whom, {})],
  ])("the other of two is %s, the last one by nobody, not even past the rules of the server", async (_, act) => {
    expect((await act(clerk, owner)).status).toBe(200);
    // nobody is left who may: what the database itself says counts
    for (const change of [
      "update memberships set status = 'inactive' where tenant_id = $1 and user_id = $2",
      "delete from memberships where tenant_id = $1 and user_id = $2",
      "delete from membership_groups where tenant_id = $1 and user_id = $2",
    ])
      await expect(db.owner.query(change, [tenant.id, clerk.id])).rejects.toMatchObject({ constraint: "keeps_owner" });
  });

  test("the group itself is neither edited nor deleted nor dissolved", async () => {
    const [group, other] = [await ownersGroup(), await makeUserGroup(db, tenant)];
    const call = await asMember(served, tenant, owner);
    const params = { uuid: group };
    const refused = [
      await call("updateUserGroup", { params, body: { name: "Bosses", permissions: [view], version: 1 } }),
      await call("deleteUserGroup", { params, query: { version: "1" } }),
      await call("dissolveUserGroup", { params, body: { version: 1, into: other } }),
    ];
    expect(refused.map(refusalOf)).toEqual(["group.fixed", "group.fixed", "group.fixed"]);
  });
});

test("an administrator whose right is taken away while they act is refused, for the right is read again under the lock", async () => {
  const call = await asMember(served, tenant, admin);
  const client = await db.owner.connect();
  try {
    await client.query("begin");
    await client.query("select from tenants where id = $1 for no key update", [tenant.id]);
    const acting = call("changeUserStatus", { params: { uuid: clerk.id }, body: { version: 1, status: "suspended", reason: "" } });
    // the act has passed its guard and waits for the lock
    await expect
      .poll(async () => {
        const { rows } = await db.owner.query("select from pg_locks where not granted and locktype in ('transactionid', 'tuple')");
        return rows.length;
      })
      .toBeGreaterThan(0);
    await client.query("update memberships set permissions = '{}' where tenant_id = $1 and user_id = $2", [tenant.id, admin.id]);
    await client.query("commit");
    expect(refusalOf(await acting)).toBe("permission.missing");
  } finally {
    client.release();
  }
  const { data } = await (await asMember(served, tenant, owner))("readUser", { params: { uuid: clerk.id } });
  expect((data as { row: User }).row.status).toBe("active"); // the contract's shape
});

test("a change of rights needs a fresh proof of who one is; a name alone does not", async () => {
  const call = await asMember(served, tenant, owner);
  await db.owner.query("update sessions set proved_at = now() - interval '11 minutes' where user_id = $1", [owner.id]);
  const change = (body: object) =>
    call("updateUser", { params: { uuid: clerk.id }, body: { groups: [], permissions: [], version: 1, ...body } });
  expect(refusalOf(await change({ permissions: [view] }))).toBe("step-up.required");
  expect(refusalOf(await change({ password: "a new password" }))).toBe("step-up.required");
  expect((await change({ name: "Clerk the Third" })).status).toBe(200);
});
