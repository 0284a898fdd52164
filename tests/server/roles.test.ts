import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfig } from "../../src/server/config.ts";
import { inTenant, openDatabase } from "../../src/server/db/scope.ts";
import type { Database } from "../../src/server/db/scope.ts";
import { startServer } from "../../src/server/start.ts";
import { freePort } from "../support/free-port.ts";
import { ownCluster } from "../support/own-cluster.ts";
import { findPgBouncer, pgBouncer } from "../support/pgbouncer.ts";
import type { OwnCluster } from "../support/own-cluster.ts";

// PostgreSQL as an operator has it: a plain role owns the database and may create roles, and is no superuser.
let cluster: OwnCluster;
let dataDir: string;
const tenants = [randomUUID(), randomUUID()] as const;
const url = (more = "") => `${cluster.url("house", "secret", "house")}${more}`;

const environment = (DATABASE_URL: string) => ({
  DATABASE_URL,
  MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
  DATA_DIR: dataDir,
  PORT: "0",
  LOG_LEVEL: "silent",
});

const start = async (DATABASE_URL: string) =>
  startServer(readConfig(environment(DATABASE_URL)), { print: () => undefined, withConsole: false });

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "countinghouse-roles-"));
  cluster = await ownCluster();
  await cluster.asSuperuser(["create role house login createrole password 'secret'", "create database house owner house"]);
});

afterAll(async () => {
  await cluster.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

test("a role that owns the database with CREATEROLE and is no superuser is enough to start, again and again", async () => {
  for (let times = 0; times < 2; times++) {
    const server = await start(url());
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    await server.stop();
  }
  const owner = new pg.Client(url());
  await owner.connect();
  for (const [n, id] of tenants.entries()) {
    await owner.query("insert into tenants (id, code, name) values ($1, $2, $2)", [id, `T${n}`]);
    await owner.query("insert into currencies (tenant_id, code, name, country) values ($1, 'MYR', 'MYR', 'Malaysia')", [id]);
  }
  await owner.end();
});

/** Who asks, within which limits, and how many tenants' currencies are seen: 2 are there. */
interface Standing {
  role: string;
  limit: string;
  seen: number;
}
const standing = `select current_user::text as role, current_setting('statement_timeout') as limit,
  (select count(*)::integer from currencies) as seen`;

/** By every way the server asks: alone, with and without parameters, in a transaction of its own, in a tenant's. */
async function everyWay({ open, pool }: Database): Promise<Standing[]> {
  const client = await pool.connect();
  const own = async () => {
    await client.query("begin");
    const { rows } = await client.query<Standing>(standing);
    await client.query("commit");
    return rows;
  };
  try {
    return [
      await own(),
      (await pool.query<Standing>(standing)).rows,
      (await pool.query<Standing>(`${standing} where $1 = $1`, [1])).rows,
      (await sql<Standing>`${sql.raw(standing)}`.execute(open)).rows,
      await open.transaction().execute(async (db) => (await sql<Standing>`${sql.raw(standing)}`.execute(db)).rows),
    ].flat();
  } finally {
    client.release();
  }
}

const inOne = (database: Database) =>
  inTenant(database, tenants[0], async (db) => (await sql<Standing>`${sql.raw(standing)}`.execute(db)).rows[0]);

describe.each([
  ["as it is", ""],
  ["with the owner's role among its start-up options", "?options=-c%20role%3Dhouse"],
  ["with the limits taken off by its start-up options", "?options=-c%20statement_timeout%3D0%20-c%20lock_timeout%3D0"],
])("an address %s", (_, query) => {
  test("no statement runs as the owner, without limits, or over all tenants", async () => {
    const database = openDatabase(() => ({ connectionString: url(query) }), 2);
    try {
      for (const one of await everyWay(database)) expect(one).toEqual({ role: "countinghouse_app", limit: "15s", seen: 0 });
      expect(await inOne(database)).toEqual({ role: "countinghouse_app", limit: "15s", seen: 1 });
      const looking = await sql<Standing>`${sql.raw(standing)}`.execute(database.worker);
      expect(looking.rows).toEqual([{ role: "countinghouse_worker", limit: "15s", seen: 2 }]);
    } finally {
      await database.close();
    }
  });
});

test("a statement that fails alone leaves the connection as it was", async () => {
  const database = openDatabase(() => ({ connectionString: url() }), 2);
  try {
    for (const wrong of ["select 1 / 0", "select from nothing_of_this_name", "insert into ledger_entries values (null)"]) {
      for (let times = 0; times < 3; times++) await expect(database.pool.query(wrong)).rejects.toThrow();
      for (let times = 0; times < 3; times++) await expect(database.pool.query(`${wrong} -- $1`, [])).rejects.toThrow();
    }
    for (const one of await everyWay(database)) expect(one).toMatchObject({ role: "countinghouse_app", seen: 0 });
  } finally {
    await database.close();
  }
});

describe("a failed start says why", () => {
  test.each([
    [
      "has BYPASSRLS",
      "alter role countinghouse_app bypassrls",
      "alter role countinghouse_app nobypassrls",
      /countinghouse_app has BYPASSRLS/,
    ],
    [
      "is a superuser",
      "alter role countinghouse_worker superuser",
      "alter role countinghouse_worker nosuperuser",
      /_worker is a superuser/,
    ],
    [
      "is kept from the owner by another role",
      "revoke countinghouse_app from house cascade",
      "grant countinghouse_app to house with admin true, set true, inherit false",
      /let that role, or a superuser, run: grant countinghouse_app to house with set true, inherit false/,
    ],
  ])("where the server's role %s", async (_, spoil, mend, sentence) => {
    await cluster.asSuperuser([spoil]);
    try {
      await expect(start(url())).rejects.toThrow(sentence);
    } finally {
      await cluster.asSuperuser([mend]);
    }
    await (await start(url())).stop();
  });

  test("where nobody answers at the address", async () => {
    await expect(start(`postgresql://house:secret@127.0.0.1:${await freePort()}/house`)).rejects.toThrow(
      /no connection to the database: .*ECONNREFUSED/,
    );
    await expect(start(cluster.url("house", "wrong", "house"))).rejects.toThrow(/no connection to the database: .*password/);
  });

  test("where something accepts the connection and never answers", async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((listening) => silent.listen(0, "127.0.0.1", listening));
    const address = silent.address();
    if (address === null || typeof address === "string") throw new Error("a port was expected");
    await expect(start(`postgresql://house:secret@127.0.0.1:${address.port}/house`)).rejects.toThrow(
      /no connection to the database: timeout/,
    );
    silent.close();
  });
});

const program = findPgBouncer();

/** Runs `work` with the address of a pooler before the database. */
async function behind<T>(program: string, mode: "session" | "transaction", work: (address: string) => Promise<T>): Promise<T> {
  const pooled = await pgBouncer(program, mode, { port: cluster.port, database: "house", user: "house", password: "secret" });
  try {
    return await work(`postgresql://house:secret@127.0.0.1:${pooled.port}/house`);
  } finally {
    await pooled.stop();
  }
}

const asMust = { role: "countinghouse_app", limit: "15s" };

async function bySession(address: string) {
  const server = await start(address);
  try {
    const { status } = await fetch(`${server.url}/readyz`);
    return { ready: status, everyWay: await everyWay(server.deps.database), inOne: await inOne(server.deps.database) };
  } finally {
    await server.stop();
  }
}

async function byTransaction(address: string) {
  const refusal = await start(address).then(() => "none", String);
  const database = openDatabase(() => ({ connectionString: address }), 4);
  try {
    const asked = Array.from({ length: 40 }, async () => (await database.pool.query<Standing>(standing)).rows[0]);
    const scoped = Array.from({ length: 40 }, async () => inOne(database));
    const seen = await Promise.all([...asked, ...scoped].map((one) => one.catch(() => undefined)));
    const wrong = seen.filter((one) => one && (one.role !== asMust.role || one.limit !== asMust.limit || one.seen > 1));
    return { isRefusedByName: refusal.includes("PgBouncer: pool_mode = session"), wrong };
  } finally {
    await database.close();
  }
}

/** What is said of poolers; where none can be had, that what they would drop is not taken in the first place. */
const claims: [claim: string, look: () => unknown, found: unknown][] =
  program === null
    ? [
        [
          "no PgBouncer can be had here: an address with start-up options is refused by name",
          async () => start(url("?options=-c%20role%3Dhouse")).catch(String),
          expect.stringContaining("DATABASE_URL: no options="),
        ],
      ]
    : [
        [
          "behind PgBouncer by the session, which drops start-up options, every statement is asked as it must be",
          () => behind(program, "session", bySession),
          { ready: 200, everyWay: Array.from({ length: 5 }, () => ({ ...asMust, seen: 0 })), inOne: { ...asMust, seen: 1 } },
        ],
        [
          "behind PgBouncer by the transaction the start is refused by name, and what is asked all the same is asked as the role or not at all",
          () => behind(program, "transaction", byTransaction),
          { isRefusedByName: true, wrong: [] },
        ],
      ];
test.each(claims)("%s", async (_, look, found) => {
  expect(await look()).toEqual(found);
});
