import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import pg from "pg";
import { openDatabase } from "../../src/server/db/scope.ts";
import { secretBox } from "../../src/server/secrets/secrets.ts";
import type { TestDatabase } from "./database.ts";
import { makeDeps } from "./factories.ts";
import type { Served } from "./http.ts";
import type { ServerProcess } from "./processes.ts";

/** A server in a process of its own, for tests that seed its database and call it over HTTP. */
export interface Outside {
  readonly db: TestDatabase;
  readonly served: Served;
  /** Another process beside it, on the same database. */
  at(sibling: Pick<ServerProcess, "url">): Served;
  close(): Promise<void>;
}

export async function outsideOf(server: ServerProcess): Promise<Outside> {
  const connectionString = await server.connectionString();
  const connectAs = (role: string): pg.ClientConfig => ({ connectionString: connectionString.replace(/user=\w+/, `user=${role}`) });
  const owner = new pg.Pool({ ...connectAs("app"), max: 4 });
  owner.on("error", () => undefined); // a test may end PostgreSQL
  const db: TestDatabase = { database: openDatabase(connectAs, 8), owner, connectAs };
  const masterKey = Buffer.from(readFileSync(join(server.dataDir, "master.key"), "utf8"), "base64");
  const deps = { ...makeDeps(db), secrets: secretBox(masterKey) };
  const at = ({ url }: Pick<ServerProcess, "url">): Served => ({
    url,
    deps,
    published: [],
    get app(): FastifyInstance {
      throw new Error("it runs in a process of its own");
    },
  });
  return {
    db,
    served: at(server),
    at,
    async close() {
      await Promise.all([db.database.close(), owner.end()]);
    },
  };
}
