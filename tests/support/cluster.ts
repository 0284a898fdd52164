import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import type { ConnectionTo } from "../../src/server/db/embedded.ts";
import { migrate } from "../../src/server/db/migrate.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The superuser's way into the run's cluster. */
    cluster: ConnectionTo;
  }
}

// loaded by Node itself: vite's module runner, which global setups go through, has no import.meta.resolve
const { startEmbeddedPostgres } = createRequire(import.meta.url)(
  "../../src/server/db/embedded.ts",
) as typeof import("../../src/server/db/embedded.ts");

export const template = "countinghouse_template";

/** One throwaway PostgreSQL a run, with a migrated database the tests' databases are copied from. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dir = mkdtempSync(join(tmpdir(), "countinghouse-tests-"));
  chmodSync(dir, 0o755); // PostgreSQL may run under another account
  const postgres = await startEmbeddedPostgres({ dir, throwaway: true });
  const stop = async () => {
    await postgres.stop();
    rmSync(postgres.socketDir, { recursive: true, force: true });
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    const owner = new pg.Client(postgres.connection());
    await owner.connect();
    await owner.query(`create database ${template}`);
    await owner.end();
    const client = new pg.Client(postgres.connection(template));
    await client.connect();
    await migrate(client);
    await client.end();
  } catch (error) {
    await stop();
    throw error;
  }
  project.provide("cluster", postgres.connection());
  return stop;
}
