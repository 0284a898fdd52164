import pg from "pg";
import { beforeAll, expect, test } from "vitest";
import { Preferences } from "../../../src/contract/preferences.ts";
import { preferenceHandlers as handlers } from "../../../src/server/preferences/handlers.ts";
import { testDatabase } from "../../support/database.ts";
import { makePerson } from "../../support/factories.ts";
import type { Person } from "../../support/factories.ts";
import { body, makeOffice } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

const db = testDatabase();
const defaults = Preferences.parse({});
const nothing = { body: undefined, params: undefined, query: undefined };
let office: Office;
let elsewhere: Office;

beforeAll(async () => {
  [office, elsewhere] = [await makeOffice(db), await makeOffice(db)];
});

const someone = () => makePerson(db, office.tenant);
const read = async (person: Person, at = office) => (await handlers.readPreferences(at.call(person), nothing)).data;
const set = async (person: Person, parts: Partial<Preferences>, key?: string) =>
  (await handlers.updatePreferences(office.call(person, { body: parts, ...(key !== undefined && { key }) }), body(parts))).data;

test("who set nothing has the defaults, and reading them writes nothing", async () => {
  const ann = await someone();
  expect(await read(ann)).toEqual(defaults);
  expect((await db.owner.query("select from user_preferences where user_id = $1", [ann.id])).rowCount).toBe(0);
});

test("a part given is replaced whole, the others stay", async () => {
  const ann = await someone();
  await set(ann, { keys: { "withdrawals.approve": ["y"], "withdrawals.reject": ["n"] }, letters_off: true });
  await set(ann, { keys: { "withdrawals.approve": ["a"] }, density: "roomy" });
  const expected = { ...defaults, keys: { "withdrawals.approve": ["a"] }, letters_off: true, density: "roomy" };
  expect(await read(ann)).toEqual(expected);
  expect(await set(ann, {})).toEqual(expected);
});

test("keys of commands this release does not know are kept as they are", async () => {
  const ann = await someone();
  const keys = { "no.such-command": ["Mod+Q"], constructor: ["x"], toString: [] };
  await set(ann, { keys });
  expect((await read(ann)).keys).toEqual(keys);
});

test("a part another release stored is ignored, not answered", async () => {
  const ann = await someone();
  await db.owner.query("insert into user_preferences (user_id, parts) values ($1, $2)", [
    ann.id,
    JSON.stringify({ practised: true, of_tomorrow: 1 }),
  ]);
  expect(await read(ann)).toEqual({ ...defaults, practised: true });
});

test("everybody has their own, the same in every tenant", async () => {
  const [ann, ben] = [await someone(), await someone()];
  await db.owner.query("insert into memberships (tenant_id, user_id) values ($1, $2)", [elsewhere.tenant.id, ann.id]);
  await set(ann, { density: "compact" });
  expect((await read(ben)).density).toBe("normal");
  expect((await read(ann, elsewhere)).density).toBe("compact");
});

test("parts set at the same moment are all kept", async () => {
  const ann = await someone();
  for (let round = 0; round < 5; round++) {
    const panes = { list: 400 + round };
    const keys = { "shell.help": [`F${round + 1}`] };
    await Promise.all([
      set(ann, { panes }),
      set(ann, { keys }),
      set(ann, { letters_off: round % 2 === 0 }),
      set(ann, { practised: round % 2 === 1 }),
    ]);
    expect(await read(ann)).toEqual({ ...defaults, panes, keys, letters_off: round % 2 === 0, practised: round % 2 === 1 });
  }
});

test("a request sent again under its key is not done again", async () => {
  const ann = await someone();
  await set(ann, { density: "compact" }, "first-request");
  await set(ann, { density: "roomy" });
  expect((await set(ann, { density: "compact" }, "first-request")).density).toBe("compact");
  expect((await read(ann)).density).toBe("roomy");
});

test("the database itself shows and takes the row of one user only", async () => {
  const [ann, ben] = [await someone(), await someone()];
  await set(ann, { practised: true });
  await set(ben, { practised: true });
  const client = new pg.Client(db.connectAs("countinghouse_app"));
  await client.connect();
  try {
    expect((await client.query("select from user_preferences")).rowCount).toBe(0);
    await client.query("begin");
    await client.query("select set_config('app.user_id', $1, true)", [ann.id]);
    expect((await client.query("select user_id from user_preferences")).rows).toEqual([{ user_id: ann.id }]);
    expect((await client.query("update user_preferences set parts = '{}' where user_id = $1", [ben.id])).rowCount).toBe(0);
    const other = await someone();
    await expect(client.query("insert into user_preferences (user_id) values ($1)", [other.id])).rejects.toThrow(/row-level security/);
  } finally {
    await client.end();
  }
});
