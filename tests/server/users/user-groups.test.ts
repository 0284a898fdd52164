import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { permissions } from "../../../src/contract/permissions.ts";
import type { UserGroup, UserGroupDetail } from "../../../src/contract/user-groups.ts";
import { testDatabase } from "../../support/database.ts";
import { makePerson, makeTenant } from "../../support/factories.ts";
import type { Person, Tenant } from "../../support/factories.ts";
import { refusalOf, serve } from "../../support/http.ts";
import type { Served } from "../../support/http.ts";
import { asMember, giveDirectly, heldIn, makeUserGroup, ownerOf, putIntoGroup } from "../../support/people.ts";

const db = testDatabase();
const view = "pas.transaction.withdrawals.view";
const approve = "pas.transaction.withdrawals.approve";
let served: Served;
let tenant: Tenant;
let owner: Person;
let call: Awaited<ReturnType<typeof asMember>>;

beforeAll(async () => {
  served = await serve(db);
});
afterAll(() => served.app.close());
beforeEach(async () => {
  tenant = await makeTenant(db);
  owner = await ownerOf(db, tenant);
  call = await asMember(served, tenant, owner);
});

const listed = async () => (await call("listUserGroups", { query: { sort: "code", with: "count" } })).data as UserGroup[]; // the contract's shape
const detailOf = async (uuid: string) => (await call("readUserGroup", { params: { uuid } })).data as UserGroupDetail; // likewise

test("groups are listed with their members and permissions; the owners' has all there are", async () => {
  const desk = await makeUserGroup(db, tenant, [view, approve], { code: "desk" });
  await putIntoGroup(db, tenant, await makePerson(db, tenant), desk);
  expect((await listed()).map(({ code, members, permission_count }) => [code, members, permission_count])).toEqual([
    ["desk", 1, 2],
    ["owner", 1, permissions.length],
  ]);
  const [, owners] = await listed();
  const { permissions: held, people } = await detailOf(owners?.uuid ?? "");
  expect([held, people.map(({ name }) => name)]).toEqual([[...permissions], [owner.name]]);
});

test("who may not see users is told how many a group has, and not who they are", async () => {
  const desk = await makeUserGroup(db, tenant, [view]);
  await putIntoGroup(db, tenant, await makePerson(db, tenant), desk);
  const reader = await makePerson(db, tenant);
  await giveDirectly(db, tenant, reader, ["cas.user.groups.view"]);
  const theirs = await asMember(served, tenant, reader);
  expect((await theirs("readUserGroup", { params: { uuid: desk } })).data).toMatchObject({ row: { members: 1 }, people: [] });
  expect((await detailOf(desk)).people).toHaveLength(1);
});

test("a code is fixed, taken once, and written plainly", async () => {
  const make = (code: string) => call("createUserGroup", { body: { code, name: "Night shift", permissions: [view] } });
  const made = (await make("night-shift")).data as UserGroup; // the contract's shape
  expect(made).toMatchObject({ code: "night-shift", name: "Night shift", permission_count: 1, members: 0 });
  expect((await make("night-shift")).data).toEqual({ code: ["Already taken"] });
  expect((await make("owner")).data).toEqual({ code: ["Already taken"] });
  expect((await make("Night shift")).data).toEqual({ code: ["Must be lowercase letters, digits and single hyphens"] });
  const body = { code: "other", name: "Night", permissions: [], version: 1 };
  expect((await call("updateUserGroup", { params: { uuid: made.uuid }, body })).data).toEqual({ code: ["Unknown field"] });
});

test("a permission there is none of, or one named twice, is refused", async () => {
  const make = (held: string[]) => call("createUserGroup", { body: { code: "desk", name: "Desk", permissions: held } });
  expect((await make([view, view])).data).toEqual({ permissions: ["Must not be named twice"] });
  expect((await make(["pas.everything"])).status).toBe(422);
});

test("one in use is not deleted, and its members are counted; it goes once they have gone to another", async () => {
  const [desk, night] = [
    await makeUserGroup(db, tenant, [view], { code: "desk", name: "Desk" }),
    await makeUserGroup(db, tenant, [approve], { code: "night", name: "Night" }),
  ];
  const [ann, ben] = [await makePerson(db, tenant, "Ann"), await makePerson(db, tenant, "Ben")];
  for (const one of [ann, ben]) await putIntoGroup(db, tenant, one, desk);
  await putIntoGroup(db, tenant, ben, night);
  const refused = await call("deleteUserGroup", { params: { uuid: desk }, query: { version: "1" } });
  expect([refusalOf(refused), refused.data]).toEqual(["record.in-use", { name: "Desk", members: 2 }]);
  const dissolve = (into: string) => call("dissolveUserGroup", { params: { uuid: desk }, body: { version: 1, into } });
  expect((await dissolve(desk)).data).toEqual({ into: ["Names a record that does not exist"] });
  const foreign = await makeUserGroup(db, await makeTenant(db));
  expect((await dissolve(foreign)).data).toEqual({ into: ["Names a record that does not exist"] });
  expect((await dissolve(night)).data).toEqual({ moved: 2, into: { uuid: night, code: "night", name: "Night" } });
  expect([await heldIn(db, tenant, ann), await heldIn(db, tenant, ben)]).toEqual([[approve], [approve]]);
  expect((await listed()).map(({ code }) => code)).toEqual(["night", "owner"]);
  const { rows } = await db.owner.query(
    "select entity, act, before, after from audit_entries where tenant_id = $1 and actor_id = $2 and act <> 'session.start' order by id",
    [tenant.id, owner.id],
  );
  expect(rows).toEqual([
    ...[ann, ben].map(() => ({ entity: "user", act: "user.update", before: { groups: ["desk"] }, after: { groups: ["night"] } })),
    {
      entity: "user-group",
      act: "user-group.dissolve",
      before: { code: "desk", name: "Desk", permissions: [view] },
      after: { members: "night" },
    },
  ]);
});

test("an unused one is deleted, an outdated edit is refused with the row as it is", async () => {
  const desk = await makeUserGroup(db, tenant, [view], { code: "desk", name: "Desk" });
  const edit = (name: string) => call("updateUserGroup", { params: { uuid: desk }, body: { name, permissions: [view], version: 1 } });
  expect((await edit("Day desk")).status).toBe(200);
  const late = await edit("Night desk");
  expect([refusalOf(late), (late.data as { row: UserGroup }).row.name]).toEqual(["record.stale", "Day desk"]);
  expect((await call("deleteUserGroup", { params: { uuid: desk }, query: { version: "2" } })).status).toBe(200);
  expect((await listed()).map(({ code }) => code)).toEqual(["owner"]);
});
