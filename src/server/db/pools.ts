import type { Socket } from "node:net";
import pg from "pg";
import { clientOf } from "./role-client.ts";
import type { Limits, Role } from "./role-client.ts";

/** How to reach the database: the embedded one over its socket, or DATABASE_URL. Whichever account signs in, the role is set afterwards. */
export type ConnectAs = (role: Role) => pg.ClientConfig;

/** Connections that run as `role` within `limits`, each proven before its first use; `name` is what the database calls them. */
export function openPool(connectAs: ConnectAs, name: string, role: Role, max: number, limits: Limits): pg.Pool {
  const Client = clientOf(role, limits);
  const pool = new pg.Pool({
    connectionTimeoutMillis: 5_000,
    ...connectAs(role),
    application_name: name,
    Client,
    max,
    verify(client, done) {
      const fresh: unknown = client; // the pool made it, of the class above
      if (!(fresh instanceof Client)) return done(new Error("not a connection of ours"));
      fresh.prove().then(() => done(), done);
    },
  });
  // an idle connection that is lost is replaced at the next query
  pool.on("error", () => undefined);
  // a connection lost within a transaction fails its next statement; without a listener it would end the process
  pool.on("connect", (client) => {
    client.on("error", () => undefined);
    const silent = Object.assign(new Error("the database does not answer"), { code: "ETIMEDOUT" });
    socketOf(client).on("timeout", () => socketOf(client).destroy(silent));
  });
  pool.on("acquire", (client) => answerWithin(client, silenceOf(limits)));
  pool.on("release", (_, client) => socketOf(client).setTimeout(0));
  return pool;
}

/**
 * Ms of silence beyond the longest statement after which the database counts as hung: no time-out of its own ends a query then, and the
 * driver's would leave the connection to the next caller.
 */
const silenceMs = 2_000;
export const silenceOf = ({ statement_timeout }: Limits): number => statement_timeout + silenceMs;

const socketOf = (client: pg.PoolClient): Socket => client.connection.stream as Socket; // always a socket for a database connection

/** Ms of silence after which a connection in use counts as lost, until it is given back: shorter than its statements may take. */
export function answerWithin(client: pg.PoolClient, ms: number): void {
  socketOf(client).setTimeout(ms);
}
