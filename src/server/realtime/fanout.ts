import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { clientOf, requestLimits } from "../db/role-client.ts";
import type { Logger } from "../log.ts";

const topic = "countinghouse_realtime";
/** PostgreSQL refuses a notification of 8000 bytes. */
export const notificationLimit = 7900;
const heartbeatMs = 10_000;
const Listener = clientOf("countinghouse_app", requestLimits);

interface FanoutDeps {
  /** For sending, on any connection. */
  readonly pool: pg.Pool;
  /** How to open the separate connection that listens. */
  readonly listen: () => pg.ClientConfig;
  readonly log: Logger;
  receive(message: string): void;
  /** Called when listening begins or resumes, because messages before it may have been missed. */
  gap(): void;
}

interface Fanout {
  /** Resolves when it listens for the first time. */
  readonly ready: Promise<void>;
  /** Sends to every process on this database, this one included. Each message must be below `notificationLimit` bytes. */
  send(messages: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** Sends messages between the server processes through their database. Reconnects forever. */
export function createFanout(deps: FanoutDeps): Fanout {
  const closing = new AbortController();
  let client: pg.Client | undefined;
  let warned = false;
  let becameReady: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => (becameReady = resolve));

  async function listenOnce(): Promise<void> {
    const fresh = new Listener({
      connectionTimeoutMillis: 5000,
      keepAlive: true,
      ...deps.listen(),
      application_name: "countinghouse-realtime",
    });
    const ended = new Promise<void>((resolve) => fresh.once("end", resolve));
    fresh.on("error", () => undefined); // 'end' follows
    fresh.on("notification", ({ channel, payload }) => {
      if (channel === topic && payload !== undefined) deps.receive(payload);
    });
    try {
      await fresh.connect();
      await fresh.prove();
      await fresh.query(`listen ${topic}`);
      client = fresh;
      deps.gap();
      warned = false;
      becameReady();
      while (!closing.signal.aborted && (await Promise.race([ended.then(() => false), heartbeat(fresh)])));
    } finally {
      client = undefined;
      await Promise.race([fresh.end().catch(() => undefined), delay(500)]);
    }
  }

  /** Resolves to whether the connection still answers, because one cut silently never ends by itself. */
  async function heartbeat(on: pg.Client): Promise<boolean> {
    try {
      await delay(heartbeatMs, undefined, { signal: closing.signal, ref: false });
      return await Promise.race([on.query("select 1").then(() => true), delay(5000, false, { ref: false })]);
    } catch {
      return false;
    }
  }

  async function listenForEver(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        await listenOnce();
      } catch (error) {
        if (!warned && !closing.signal.aborted) deps.log.warn({ err: error }, "realtime cannot listen on the database; trying on");
        warned = true;
      }
      await delay(200, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }
  const running = listenForEver();

  return {
    ready,
    async send(messages) {
      await deps.pool.query(`select pg_notify('${topic}', message) from unnest($1::text[]) message`, [messages]);
    },
    async close() {
      closing.abort();
      await client?.end().catch(() => undefined);
      await running;
    },
  };
}
