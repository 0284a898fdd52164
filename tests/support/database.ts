import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, inject } from "vitest";
import { invariants } from "../../src/server/db/invariants.ts";
import type { Database } from "../../src/server/db/scope.ts";
import type { Limits } from "../../src/server/db/role-client.ts";
import { openDatabase } from "../../src/server/db/scope.ts";
import { template } from "./cluster.ts";
import { timed } from "./times.ts";

export interface TestDatabase {
  /** As the server sees it. */
  readonly database: Database;
  /** The superuser: seeds, and looks at everything. */
  readonly owner: pg.Pool;
  /** How to reach it, by role. */
  readonly connectAs: (role: string) => pg.ClientConfig;
}

export interface TestDatabaseOptions {
  readonly pool?: number;
  /**
   * For many at once: locks and connections are waited for as long as a slow machine takes. The product's few seconds are for people,
   * who are then told to try again.
   */
  readonly patient?: true;
  /** For tests that break one on purpose. */
  readonly invariants?: false;
}

const patience: Limits = { lock_timeout: 60_000, statement_timeout: 60_000, idle_in_transaction_session_timeout: 60_000 };

/** What breaks any invariant, asked for at once and planned once a connection: it is asked after every test. */
const everyInvariant: pg.QueryConfig = {
  name: "every-invariant",
  text: invariants
    .map(({ name, sql }) => `(select '${name.replaceAll("'", "''")}' as invariant, to_jsonb(broken) as row from (${sql}) broken limit 100)`)
    .join("\nunion all\n"),
};

/**
 * A migrated, empty database for the tests of one file; every invariant is checked after each of them. Read its members inside tests
 * and hooks only.
 */
export function testDatabase(options: TestDatabaseOptions = {}): TestDatabase {
  let opened: (TestDatabase & { name: string }) | undefined;
  const there = () => {
    if (!opened) throw new Error("the database is open inside tests and hooks only");
    return opened;
  };
  beforeAll(async () => {
    const cluster = inject("cluster");
    const name = `test_${randomBytes(6).toString("hex")}`;
    await timed("database", () => asSuperuser((client) => client.query(`create database ${name} template ${template} strategy file_copy`)));
    const reach = (role: string): pg.ClientConfig => ({ ...cluster, database: name, user: role });
    const connectAs = (role: string): pg.ClientConfig => ({ ...reach(role), ...(options.patient && { connectionTimeoutMillis: 60_000 }) });
    opened = {
      name,
      connectAs,
      database: openDatabase(connectAs, options.pool ?? 16, options.patient && patience),
      owner: new pg.Pool({ ...reach("app"), max: 4 }),
    };
    opened.owner.on("error", () => undefined);
  });
  afterEach(async () => {
    if (!opened || options.invariants === false) return;
    const { owner } = opened;
    const { rows } = await timed("invariants", () => owner.query(everyInvariant));
    expect(rows, "invariants").toEqual([]);
  });
  afterAll(async () => {
    if (!opened) return;
    const { database, owner, name } = opened;
    await timed("database", async () => {
      await Promise.all([database.close(), owner.end()]);
      await asSuperuser((client) => client.query(`drop database ${name} with (force)`));
    });
  });
  return {
    get database() {
      return there().database;
    },
    get owner() {
      return there().owner;
    },
    get connectAs() {
      return there().connectAs;
    },
  };
}

async function asSuperuser(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client(inject("cluster"));
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
