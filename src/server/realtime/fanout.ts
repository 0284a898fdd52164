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
  /** Sends: any connection will do. */
  readonly pool: pg.Pool;
  /** How to make the connection of its own that listens. */
  readonly listen: () => pg.ClientConfig;
  readonly log: Logger;
  receive(message: string): void;
  /** Listening begins, or begins again: messages may have been missed before. */
  gap(): void;
}

interface Fanout {
  /** Resolves when listening for the first time. */
  readonly ready: Promise<void>;
  /** To every process on this database, this one too. Each message below `notificationLimit` bytes. */
  send(messages: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** Several server processes hear each other through the database they share. Reconnects for ever. */
export function createFanout(deps: FanoutDeps): Fanout {
  const closing = new AbortController();
  let client: pg.Client | undefined;
  let told = false;
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
      told = false;
      becameReady();
      while (!closing.signal.aborted && (await Promise.race([ended.then(() => false), heartbeat(fresh)])));
    } finally {
      client = undefined;
      await Promise.race([fresh.end().catch(() => undefined), delay(500)]);
    }
  }

  /** A connection that is cut without a word never ends by itself. */
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
        if (!told && !closing.signal.aborted) deps.log.warn({ err: error }, "realtime cannot listen on the database; trying on");
        told = true;
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
