import pg from "pg";
import { beforeAll, expect, test } from "vitest";
import { testDatabase } from "../../support/database.ts";
import { routeNames } from "../../support/http.ts";
import { fixtures, makeSite } from "./fixtures.ts";
import type { Site } from "./fixtures.ts";

// The second line of defence: row-level security, should a query omit its tenant.
const db = testDatabase();
let here: Site;
let there: Site;
let tables: string[];

beforeAll(async () => {
  here = await makeSite(db, "Tan Wei Ming");
  there = await makeSite(db, "ZQCANARY");
  for (const site of [here, there]) for (const name of routeNames) await fixtures[name].make(site, site.owner);
  const { rows } = await db.owner.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
     where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and c.relname <> 'realtime_sockets' order by 1`,
  );
  tables = rows.map(({ name }) => name);
});

async function as<T>(role: string, tenant: string | null, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(db.connectAs(role));
  await client.connect();
  try {
    await client.query("begin");
    if (tenant !== null) await client.query("select set_config('app.tenant_id', $1, true)", [tenant]);
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Rows a statement affected; none when the role may not run it at all. */
async function met(client: pg.Client, sql: string, values: unknown[] = []): Promise<number> {
  await client.query("savepoint one");
  try {
    return (await client.query(sql, values)).rowCount ?? 0;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && error.code === "42501")) throw error; // not granted
    await client.query("rollback to savepoint one");
    return 0;
  }
}

test("every table of a tenant has forced row-level security", async () => {
  const { rows } = await db.owner.query<{ name: string }>(
    "select oid::regclass::text as name from pg_class where relrowsecurity and relforcerowsecurity and oid::regclass::text = any($1) order by 1",
    [tables],
  );
  expect(rows.map(({ name }) => name)).toEqual(tables);
  expect(tables.length).toBeGreaterThan(20);
});

test("with one tenant set, no statement reads, changes or deletes another's rows", async () => {
  await as("countinghouse_app", here.office.tenant.id, async (client) => {
    const other = [there.office.tenant.id];
    let own = 0;
    for (const table of tables) {
      own += await met(client, `select from ${table}`);
      for (const act of [`select from ${table}`, `update ${table} set tenant_id = tenant_id`, `delete from ${table}`]) {
        expect([act, await met(client, `${act} where tenant_id = $1`, other)]).toEqual([act, 0]);
      }
    }
    expect(own, "its own rows are there").toBeGreaterThan(100);
  });
});

test("no row is written into another tenant", async () => {
  await as("countinghouse_app", here.office.tenant.id, async (client) => {
    const insert = client.query("insert into seen_signatures (tenant_id, signature) values ($1, 'x')", [there.office.tenant.id]);
    await expect(insert).rejects.toThrow(/row-level security/);
  });
});

test.each([null, ""])("with no tenant set (%j), there are no rows", async (tenant) => {
  await as("countinghouse_app", tenant, async (client) => {
    for (const table of tables) expect([table, await met(client, `select from ${table}`)]).toEqual([table, 0]);
  });
});

test("the worker, who sees what is due everywhere, changes nothing anywhere", async () => {
  await as("countinghouse_worker", null, async (client) => {
    for (const table of tables) {
      for (const act of [`update ${table} set tenant_id = tenant_id`, `delete from ${table}`]) {
        expect([act, await met(client, act)]).toEqual([act, 0]);
      }
    }
  });
});
