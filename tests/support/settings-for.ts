import { databaseUrl } from "./database-url.ts";
import type { TestDatabase } from "./database.ts";

/** The master key of the tests' dependencies (factories.ts), as a server in a process of its own is given it. */
const masterKey = Buffer.alloc(32, 7).toString("base64");

/** The settings of a server that works on a test database. */
export const settingsFor = (db: TestDatabase): Record<string, string> => ({
  DATABASE_URL: databaseUrl(db.connectAs("app")),
  MASTER_KEY: masterKey,
});
