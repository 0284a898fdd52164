import pg from "pg";
import { afterAll, afterEach, beforeAll } from "vitest";
import { migrate } from "../../src/server/db/migrate.ts";
import { openDatabase } from "../../src/server/db/scope.ts";
import type { Replica } from "../../src/server/db/replica.ts";
import type { TestDatabase } from "./database.ts";
import { expectInvariants } from "./database.ts";
import { notedLog } from "./instead.ts";
import { ownCluster } from "./own-cluster.ts";
import type { OwnCluster, OwnReplica } from "./own-cluster.ts";

/** A migrated, empty database of a primary of its own, with a streaming replica the server reads from. */
export interface Replicated extends TestDatabase {
  readonly primary: OwnCluster;
  readonly standby: OwnReplica;
  /** The server's side of the replica. */
  readonly replica: Replica;
  /** Connection strings of the superuser, whom the servers sign in as: of the primary, and of the replica. */
  readonly urls: { readonly primary: string; readonly replica: string };
  /** Another server process's connections. */
  sibling(): TestDatabase["database"];
}

const name = "countinghouse";

/** For the tests of one file; every invariant is checked after each of them. Read its members inside tests and hooks only. */
export function replicatedDatabase(): Replicated {
  let primary: Awaited<ReturnType<typeof ownCluster>>;
  let standby: OwnReplica;
  let opened: TestDatabase;
  let urls: Replicated["urls"];
  const siblings: TestDatabase["database"][] = [];
  const connect = () =>
    openDatabase(() => ({ connectionString: urls.primary }), 8, undefined, undefined, {
      connectAs: () => ({ connectionString: urls.replica }),
      log: notedLog(),
    });

  beforeAll(async () => {
    primary = await ownCluster();
    await primary.asSuperuser([`create database ${name}`]);
    standby = await primary.replicate();
    urls = { primary: primary.superuserUrl(name), replica: standby.superuserUrl(name) };
    const owner = new pg.Pool({ connectionString: urls.primary, max: 4 });
    owner.on("error", () => undefined);
    const client = await owner.connect();
    await migrate(client).finally(() => client.release());
    opened = { owner, database: connect(), connectAs: () => ({ connectionString: urls.primary }) };
  });
  afterEach(() => expectInvariants(opened));
  afterAll(async () => {
    await Promise.all([opened.database, ...siblings].map((one) => one.close()));
    await opened.owner.end();
    await standby.remove();
    await primary.stop();
  });

  return {
    get database() {
      return opened.database;
    },
    get owner() {
      return opened.owner;
    },
    get connectAs() {
      return opened.connectAs;
    },
    get primary() {
      return primary;
    },
    get standby() {
      return standby;
    },
    get replica() {
      const { replica } = opened.database;
      if (!replica) throw new Error("it is opened with one");
      return replica;
    },
    get urls() {
      return urls;
    },
    sibling() {
      const one = connect();
      siblings.push(one);
      return one;
    },
  };
}
