import type { TestDatabase } from "./database.ts";

/** The master key of the tests' houses (factories.ts), as a server in a process of its own is given it. */
const masterKey = Buffer.alloc(32, 7).toString("base64");

/** The settings of a server that works on a test database. */
export function settingsFor(db: TestDatabase): Record<string, string> {
  const connection = db.connectAs("app");
  const url = new URL(`postgresql://app@localhost/${connection.database}`);
  url.searchParams.set("host", connection.host ?? "");
  if (connection.port) url.searchParams.set("port", String(connection.port));
  return { DATABASE_URL: url.href, MASTER_KEY: masterKey };
}
