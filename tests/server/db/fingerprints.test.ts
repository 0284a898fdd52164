import { expect, test } from "vitest";
import { testDatabase } from "../../support/database.ts";
import { makeTenant } from "../../support/factories.ts";
import { fingerprints } from "../../support/fingerprints.ts";

const db = testDatabase();

// what tests of refusals lean on: a table that is not looked at again has not been written
test("every kind of write changes the fingerprint of its table and of no other, and one that is taken back changes none", async () => {
  const tenant = await makeTenant(db);
  const other = await makeTenant(db);
  const group = async (code: string) =>
    db.owner.query("insert into user_groups (tenant_id, code, name, permissions) values ($1, $2, $2, '{}')", [tenant.id, code]);
  await group("kept");
  const changed = async (write: () => Promise<unknown>) => {
    const all = await fingerprints(db);
    const others = await fingerprints(db, { tenant: other.id });
    await write();
    expect(await fingerprints(db, { tenant: other.id })).toEqual(others);
    const now = await fingerprints(db);
    return Object.keys(now).filter((name) => now[name] !== all[name]);
  };
  expect(await changed(() => group("new"))).toEqual(["user_groups"]);
  expect(await changed(() => db.owner.query("update user_groups set name = name where code = 'new'"))).toEqual(["user_groups"]);
  expect(await changed(() => db.owner.query("begin; delete from user_groups where code = 'new'; rollback"))).toEqual([]);
  expect(await changed(() => db.owner.query("update user_groups set name = 'x' where false"))).toEqual([]);
  expect(await changed(() => db.owner.query("delete from user_groups where code = 'new'"))).toEqual(["user_groups"]);
  expect(await changed(async () => undefined)).toEqual([]);
});
