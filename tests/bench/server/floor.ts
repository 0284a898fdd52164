import pg from "pg";
import type { TestDatabase } from "../../support/database.ts";
import { percentile } from "./caller.ts";

export interface FloorFigures {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

export interface FloorAsked {
  readonly tenant: string;
  /** The call of the function that writes the rows of one act: "select f($1, $2)". */
  readonly text: string;
  /** Its values for each act; every act is written once. */
  readonly acts: readonly (readonly unknown[])[];
  readonly connections: number;
  /** Without triggers and foreign keys: what they cost. */
  readonly unguarded?: true;
}

/** Calls by which each connection has its plans and caches before it is measured. */
const warmCalls = 4;

/**
 * Acts a second as one prepared call of one function writes their rows over as many connections as the callers over HTTP have; each call is
 * a transaction with its fsync, as the server's role, under row-level security.
 */
export async function benchFloor(db: TestDatabase, { tenant, text, acts, connections, unguarded }: FloorAsked): Promise<FloorFigures> {
  const left = [...acts];
  const clients = await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new pg.Client(db.connectAs("app"));
      await client.connect();
      if (unguarded) await client.query("set session_replication_role = replica");
      await client.query(`set role countinghouse_app; set app.tenant_id = '${tenant}'; set plan_cache_mode = force_generic_plan`);
      return client;
    }),
  );
  try {
    const times: number[] = [];
    const next = async (client: pg.Client) => {
      const values = left.pop();
      if (!values) return false;
      const began = performance.now();
      await client.query({ name: "floor", text, values: [...values] });
      times.push(performance.now() - began);
      return true;
    };
    const callTimes = async (client: pg.Client, most: number) => {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      for (let n = 0; n < most && (await next(client)); n++);
    };
    await Promise.all(clients.map((client) => callTimes(client, warmCalls)));
    times.length = 0;
    const began = performance.now();
    await Promise.all(clients.map((client) => callTimes(client, Infinity)));
    const seconds = (performance.now() - began) / 1_000;
    return { perSecond: times.length / seconds, p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}
