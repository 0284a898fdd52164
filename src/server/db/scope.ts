import { Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import { setTimeout as delay } from "node:timers/promises";
import { PreparedClient, prepareAnew } from "./prepared-client.ts";
import type { Tables } from "./tables.ts";

pg.types.setTypeParser(pg.types.builtins.INT8, (text) => text);
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);

/** A connection inside a transaction that sees one tenant only. */
export type Scoped = Kysely<Tables>;

export interface Database {
  /** Outside any tenant: sees identity, sessions, throttles and the registry of tenants. */
  readonly open: Kysely<Tables>;
  /** Sees which rows are due, over all tenants; may change nothing. */
  readonly worker: Kysely<Tables>;
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

/** How to reach the database: the embedded one over its socket, or DATABASE_URL. */
export type ConnectAs = (role: "countinghouse_app" | "countinghouse_worker") => pg.ClientConfig;

const limits = "-c lock_timeout=2000 -c statement_timeout=15000 -c idle_in_transaction_session_timeout=10000";

export function openDatabase(connectAs: ConnectAs, size = 16): Database {
  const open = (role: "countinghouse_app" | "countinghouse_worker", max: number) => {
    const config = connectAs(role);
    const pool = new pg.Pool({
      connectionTimeoutMillis: 5_000,
      ...config,
      Client: PreparedClient,
      max,
      // of two settings of one name the later counts: who says how to connect may ask for more patience
      options: [limits, config.options].filter(Boolean).join(" "),
    });
    // an idle connection lost with its server is replaced by the next query
    pool.on("error", () => undefined);
    // one lost between two statements of a transaction fails the next of them; without a listener it would end the process
    pool.on("connect", (client) => client.on("error", () => undefined));
    return pool;
  };
  const pool = open("countinghouse_app", size);
  const workerPool = open("countinghouse_worker", 2);
  const app = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const worker = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: workerPool }) });
  return {
    open: app,
    worker,
    pool,
    async close() {
      await Promise.all([app.destroy(), worker.destroy()]);
    },
  };
}

interface ScopeOptions {
  /** One snapshot over all reads, nothing written: exports and reports. */
  readonly snapshot?: true;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Runs `work` in one transaction that sees only `tenant`. Serialization failures, deadlocks and plans a migration made invalid are
 * run again, at most three times, so `work` must do nothing but database work. What it throws rolls everything back.
 */
export async function inTenant<T>(
  database: Database,
  tenant: string,
  work: (db: Scoped) => Promise<T>,
  options: ScopeOptions = {},
): Promise<T> {
  if (!uuid.test(tenant)) throw new Error("a tenant's id is a uuid");
  const begin = `begin${options.snapshot ? " isolation level repeatable read read only" : ""}; set local app.tenant_id = '${tenant}'`;
  for (let attempt = 0; ; attempt++) {
    try {
      return await database.open.connection().execute(async (db) => {
        await sql.raw(begin).execute(db);
        try {
          const result = await work(db);
          await sql`commit`.execute(db);
          return result;
        } catch (error) {
          await sql`rollback`.execute(db).catch(() => undefined); // the connection may be what failed
          throw error;
        }
      });
    } catch (error) {
      if (attempt === 3 || !isRetryable(error)) throw error;
      await delay(5 + Math.random() * 20 * 2 ** attempt);
    }
  }
}

function isRetryable(error: unknown): boolean {
  const state = sqlState(error) ?? "";
  if (state === "0A000") prepareAnew();
  return ["40001", "40P01", "0A000"].includes(state);
}

/** The SQLSTATE of a database error. */
export function sqlState(error: unknown): string | null {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
}

/** The constraint a database error names. */
export function violated(error: unknown): string | null {
  return error instanceof Error && "constraint" in error && typeof error.constraint === "string" ? error.constraint : null;
}
