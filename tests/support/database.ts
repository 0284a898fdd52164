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
   * For concurrent tests: locks and connections are waited for as long as a slow machine needs, not only the few seconds after which the
   * product asks users to try again.
   */
  readonly patient?: true;
  /** For tests that break one on purpose; a number: they are looked at after every so many tests and the last, because these are thousands. */
  readonly invariants?: false | number;
}

const patience: Limits = { lock_timeout: 60_000, statement_timeout: 60_000, idle_in_transaction_session_timeout: 60_000 };

/** Queries all invariants at once, as a prepared statement, because it runs after every test. */
const everyInvariant: pg.QueryConfig = {
  name: "every-invariant",
  text: invariants
    .map(({ name, sql }) => `(select '${name.replaceAll("'", "''")}' as invariant, to_jsonb(broken) as row from (${sql}) broken limit 100)`)
    .join("\nunion all\n"),
};

/** A database to be closed by its opener, which removes it. */
export interface OpenedDatabase extends TestDatabase {
  close(): Promise<void>;
}

/** A migrated, empty database, copied from the run's template. */
export async function openTestDatabase(options: TestDatabaseOptions = {}): Promise<OpenedDatabase> {
  const cluster = inject("cluster");
  const name = `test_${randomBytes(6).toString("hex")}`;
  await timed("database", () =>
    asSuperuser(cluster, (client) => client.query(`create database ${name} template ${template} strategy file_copy`)),
  );
  const reach = (role: string): pg.ClientConfig => ({ ...cluster, database: name, user: role });
  const connectAs = (role: string): pg.ClientConfig => ({ ...reach(role), ...(options.patient && { connectionTimeoutMillis: 60_000 }) });
  const database = openDatabase(connectAs, options.pool ?? 16, options.patient && patience);
  const owner = new pg.Pool({ ...reach("app"), max: 4 });
  owner.on("error", () => undefined);
  return {
    connectAs,
    database,
    owner,
    close: () =>
      timed("database", async () => {
        await Promise.all([database.close(), owner.end()]);
        await asSuperuser(cluster, (client) => client.query(`drop database ${name} with (force)`));
      }),
  };
}

/** Throws with what breaks an invariant of the whole database; `since`: the tests any of which may have broken it. */
export async function expectInvariants({ owner }: TestDatabase, since: readonly string[] = []): Promise<void> {
  const { rows } = await timed("invariants", () => owner.query(everyInvariant));
  expect(rows, ["invariants", ...since].join("\n  since ")).toEqual([]);
}

/**
 * A migrated, empty database for the tests of one file; every invariant is checked after each of them. Read its members inside tests
 * and hooks only.
 */
export function testDatabase(options: TestDatabaseOptions = {}): TestDatabase {
  let opened: OpenedDatabase | undefined;
  const { invariants: every = 1 } = options;
  const unchecked: string[] = [];
  const there = () => {
    if (!opened) throw new Error("the database is open inside tests and hooks only");
    return opened;
  };
  beforeAll(async () => {
    opened = await openTestDatabase(options);
  });
  afterEach(async ({ task }) => {
    if (opened && every !== false && unchecked.push(task.name) >= every) await expectInvariants(opened, unchecked.splice(0));
  });
  afterAll(async () => {
    try {
      if (opened && unchecked.length > 0) await expectInvariants(opened, unchecked);
    } finally {
      await opened?.close();
    }
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

async function asSuperuser(cluster: pg.ClientConfig, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client(cluster);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
