import { sql } from "kysely";
import { sha256 } from "./auth/tokens.ts";
import type { Database } from "./db/scope.ts";
import type { Logger } from "./log.ts";

const minuteMs = 60_000;
/** Ms between updates of the counts shared with other processes. */
const shareMs = 1_000;
/** A process shares a count once it exceeds this part of its limit, so that ordinary traffic costs no statement. */
const sharedAbove = 0.05;

interface Count {
  most: number;
  /** Requests not yet added to the row. */
  added: number;
  /** The row's value when last written: the counts of all processes. */
  shared: number;
}

export interface RequestRates {
  /** Counts one request under each key; false when one of them exceeds its limit of the current minute. */
  count(limits: Readonly<Record<string, number>>): boolean;
  /** How many requests of `most` a key has left in the current minute, as far as this process knows. */
  left(key: string, most: number): number;
  /** Seconds until the counts start again. */
  secondsLeft(): number;
  /** Adds the local counts to the rows, and reads those of the other processes. */
  share(): Promise<void>;
  stop(): void;
}

/**
 * Counts requests per minute and key over all processes: counted locally, and each second high counts are added up in rows, so that a
 * request costs no statement.
 */
export function createRequestRates(database: Database, log: Logger, now: () => number = Date.now): RequestRates {
  let minute = 0;
  let counts = new Map<string, Count>();
  let sharing = false;

  function currentCounts(): Map<string, Count> {
    const current = Math.floor(now() / minuteMs);
    if (current !== minute) {
      minute = current;
      counts = new Map();
    }
    return counts;
  }

  async function share(): Promise<void> {
    const mine = currentCounts();
    const due = [...mine].filter(([, { added, most }]) => added > most * sharedAbove);
    if (sharing || due.length === 0) return;
    sharing = true;
    const rowKey = (key: string) => sha256(`requests:${minute}:${key}`).toString("base64url");
    const sent = new Map(due.map(([key, count]) => [rowKey(key), { count, added: count.added }]));
    try {
      // in one order, because two processes would deadlock otherwise
      const { rows } = await sql<{ key: string; count: number }>`
        insert into throttles as t (key, count, resets_at)
        select key, added, now() + interval '2 minutes' from unnest(${[...sent.keys()]}::text[], ${[...sent.values()].map(({ added }) => added)}::int[]) u(key, added)
        order by key
        on conflict (key) do update set count = t.count + excluded.count
        returning key, count`.execute(database.open);
      for (const { key, count } of rows) {
        const one = sent.get(key);
        if (!one) continue;
        one.count.added -= one.added;
        one.count.shared = count;
      }
    } catch (error) {
      log.debug({ err: error }, "request counts not shared; the next second carries them");
    } finally {
      sharing = false;
    }
  }

  const timer = setInterval(() => void share(), shareMs).unref();
  return {
    count(limits) {
      const mine = currentCounts();
      let isWithin = true;
      for (const [key, most] of Object.entries(limits)) {
        const count = mine.get(key) ?? { most, added: 0, shared: 0 };
        mine.set(key, count);
        count.added += 1;
        if (count.shared + count.added > most) isWithin = false;
      }
      return isWithin;
    },
    left(key, most) {
      const { added = 0, shared = 0 } = currentCounts().get(key) ?? {};
      return Math.max(0, most - added - shared);
    },
    secondsLeft: () => Math.ceil((minuteMs - (now() % minuteMs)) / 1000),
    share,
    stop: () => clearInterval(timer),
  };
}
