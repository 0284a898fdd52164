import { sql } from "kysely";
import type pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Database, Scoped } from "../../../src/server/db/scope.ts";
import { inSnapshot, inTenant, openDatabase } from "../../../src/server/db/scope.ts";
import { atCommit } from "../../../src/server/db/transaction.ts";
import { testDatabase } from "../../support/database.ts";
import { makeTenant } from "../../support/factories.ts";

const db = testDatabase();
let tenant: string;
let database: Database;
/** Answers of PostgreSQL that it is ready for the next message, since the connection was first used. */
let trips: number;

beforeEach(async () => {
  ({ id: tenant } = await makeTenant(db));
  database = openDatabase(db.connectAs, 1);
  const client = await database.pool.connect();
  const { connection } = client as unknown as { connection: NodeJS.EventEmitter }; // the driver's own
  connection.on("readyForQuery", () => trips++);
  client.release();
  trips = 0;
});
afterEach(() => database.close());

interface Standing {
  readonly role: string;
  readonly tenant: string;
  readonly isolation: string;
  readonly read_only: string;
  readonly planning: string;
  readonly limit: string;
}
const standing = sql<Standing>`select current_user::text as role, current_tenant()::text as tenant, current_setting('transaction_isolation') as isolation,
  current_setting('transaction_read_only') as read_only, current_setting('plan_cache_mode') as planning,
  current_setting('statement_timeout') as limit`;
const standingOf = async (scoped: Scoped) => (await standing.execute(scoped)).rows[0];

describe("a transaction begins with its first statement", () => {
  test.each([
    ["write", {}, "read committed", "off", "auto"],
    ["snapshot", { snapshot: "snapshot" }, "repeatable read", "on", "auto"],
    ["report", { snapshot: "report" }, "repeatable read", "on", "force_custom_plan"],
  ] as const)("%s: in one message, as the role, in its tenant and mode", async (_, options, isolation, readOnly, planning) => {
    const expected = { role: "countinghouse_app", tenant, isolation, read_only: readOnly, planning, limit: "15s" };
    for (let times = 0; times < 3; times++) {
      const before = trips;
      // oxlint-disable-next-line no-await-in-loop -- one after the other, because the second finds it prepared
      expect(await inTenant(database, tenant, standingOf, options)).toEqual(expected);
      expect(trips - before).toBe(2);
    }
    expect(await inTenant(database, tenant, async (scoped) => [await standingOf(scoped), await standingOf(scoped)], options)).toEqual([
      expected,
      expected,
    ]);
  });

  test("and so does a snapshot for minutes, within limits of its own", async () => {
    const seen = await inSnapshot(database, tenant, async (frozen) => inTenant(frozen, tenant, standingOf));
    expect(seen).toMatchObject({ role: "countinghouse_app", tenant, isolation: "repeatable read", limit: "2min" });
  });

  test("several commands at once are begun before they are sent", async () => {
    const seen = await inTenant(database, tenant, async (scoped) => {
      await sql`savepoint here; set local work_mem = '64kB'`.execute(scoped);
      return standingOf(scoped);
    });
    expect(seen).toMatchObject({ role: "countinghouse_app", tenant, limit: "15s" });
  });
});

test("a transaction without statements is not sent", async () => {
  expect(await inTenant(database, tenant, async () => "nothing asked")).toBe("nothing asked");
  await expect(
    inTenant(database, tenant, async () => {
      throw new Error("before any statement");
    }),
  ).rejects.toThrow("before any statement");
  expect(trips).toBe(0);
  expect((await standing.execute(database.open)).rows[0]).toMatchObject({
    role: "countinghouse_app",
    tenant: null,
    isolation: "read committed",
  });
});

describe("nothing runs outside of a transaction that could not begin", () => {
  const names = () =>
    db.owner.query<{ name: string }>("select name from tenants where id = $1", [tenant]).then(({ rows }) => rows[0]?.name);

  test.each([
    ["one statement", sql`update tenants set name = 'changed' where id = current_tenant()`],
    ["several commands", sql`savepoint here; update tenants set name = 'changed'`],
  ])("%s", async (_, change) => {
    const name = await names();
    const client = (await database.pool.connect()) as pg.PoolClient;
    try {
      await client.query("begin", [tenant, "as nobody plans"]);
      await expect(client.query(change.compile(database.open).sql)).rejects.toThrow();
      await client.query("rollback");
      expect(await names()).toBe(name);
      await client.query("begin", [tenant, "auto"]);
      expect((await client.query<{ tenant: string }>("select current_tenant() as tenant")).rows).toEqual([{ tenant }]);
      await client.query("rollback");
    } finally {
      client.release();
    }
  });

  test("what is sent with the commit", async () => {
    const name = await names();
    const client = (await database.pool.connect()) as pg.PoolClient;
    const failed: unknown[] = [];
    const closing = {
      text: "update tenants set name = $1",
      values: ["changed"],
      answered: () => undefined,
      failed: (error: Error) => failed.push(error),
    };
    try {
      await client.query("begin", [tenant, "as nobody plans"]);
      await expect(client.query("commit", [closing])).rejects.toThrow("could not begin");
      expect(failed).toHaveLength(1);
      expect(await names()).toBe(name);
      await client.query("rollback");
    } finally {
      client.release();
    }
  });
});

test("work that goes on after a statement has failed is not said to be committed", async () => {
  const work = inTenant(database, tenant, async (scoped) => {
    await sql`update tenants set name = 'changed' where id = current_tenant()`.execute(scoped);
    await sql`select 1 / 0`.execute(scoped).catch(() => undefined);
    return "done";
  });
  await expect(work).rejects.toThrow("nothing was committed");
  expect((await db.owner.query("select from tenants where name = 'changed'")).rowCount).toBe(0);
});

describe("statements sent with the commit", () => {
  const named = (name: string) => sql`update tenants set name = ${name} where id = current_tenant() returning name`;
  const name = () => db.owner.query<{ name: string }>("select name from tenants where id = $1", [tenant]).then(({ rows }) => rows[0]?.name);
  const failing = sql`select ${1}::integer / 0`;

  test("are answered in their order and committed with it, in its message", async () => {
    for (let times = 0; times < 3; times++) {
      const told: unknown[] = [];
      const before = trips;
      // oxlint-disable-next-line no-await-in-loop -- one after the other, because the second finds them prepared
      await inTenant(database, tenant, async (scoped) => {
        await standing.execute(scoped);
        atCommit(scoped, { statement: named(`first ${times}`), answered: (rows) => told.push(rows) });
        atCommit(scoped, { statement: sql`select ${7}::integer as seven`, answered: (rows) => told.push(rows) });
      });
      expect(told).toEqual([[{ name: `first ${times}` }], [{ seven: 7 }]]);
      expect(trips - before).toBe(2);
      expect(await name()).toBe(`first ${times}`); // oxlint-disable-line no-await-in-loop -- as above
    }
  });

  test("are enough for a transaction", async () => {
    await inTenant(database, tenant, async (scoped) => atCommit(scoped, { statement: named("alone") }));
    expect(await name()).toBe("alone");
  });

  test.each([
    ["the first", [failing, named("after it")]],
    ["the last", [named("before it"), failing]],
  ])("commit nothing when %s fails, and throw what it is refused by", async (_, statements) => {
    const before = await name();
    for (let times = 0; times < 3; times++) {
      const told: unknown[] = [];
      const work = inTenant(database, tenant, async (scoped) => {
        await standing.execute(scoped);
        for (const [n, statement] of statements.entries()) {
          atCommit(scoped, {
            statement,
            answered: () => told.push(n),
            refused: (error) => (statement === failing ? new Error("refused by it", { cause: error }) : error),
          });
        }
      });
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await expect(work).rejects.toThrow("refused by it");
      expect(told).toEqual(statements[0] === failing ? [] : [0]);
      // the connection is as good as before
      expect(await inTenant(database, tenant, standingOf)).toMatchObject({ role: "countinghouse_app", tenant }); // oxlint-disable-line no-await-in-loop -- as above
    }
    expect(await name()).toBe(before);
  });

  test("commit nothing when a value cannot be written", async () => {
    const before = await name();
    const circular: Record<string, unknown> = {};
    circular["self"] = circular;
    const work = inTenant(database, tenant, async (scoped) => {
      await standing.execute(scoped);
      atCommit(scoped, { statement: named("before it") });
      atCommit(scoped, { statement: sql`select ${circular}::jsonb` });
    });
    await expect(work).rejects.toThrow(/circular/);
    expect(await name()).toBe(before);
    expect(await inTenant(database, tenant, standingOf)).toMatchObject({ role: "countinghouse_app", tenant });
  });

  test("and a failure of the commit itself is thrown", async () => {
    await db.owner
      .query(`create table checked_late (id integer primary key, next integer references checked_late (id) deferrable initially deferred);
      grant insert on checked_late to countinghouse_app`);
    const work = inTenant(database, tenant, async (scoped) =>
      atCommit(scoped, { statement: sql`insert into checked_late values (${1}, ${2})` }),
    );
    await expect(work).rejects.toThrow(/violates foreign key/);
    await db.owner.query("drop table checked_late");
    expect(await inTenant(database, tenant, standingOf)).toMatchObject({ role: "countinghouse_app", tenant });
  });
});
