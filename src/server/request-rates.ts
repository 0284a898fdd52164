import { sql } from "kysely";
import { sha256 } from "./auth/tokens.ts";
import type { Database } from "./db/scope.ts";
import type { Logger } from "./log.ts";

const minuteMs = 60_000;
/** How far behind the other processes' counts may be. */
const shareMs = 1_000;
/** Of its limit: what a process has counted beyond this is shared. Ordinary work stays below, and costs no statement at all. */
const quiet = 0.05;

interface Count {
  most: number;
  /** Not yet in the row. */
  added: number;
  /** In the row when it was last written: the counts of every process. */
  shared: number;
}

export interface RequestRates {
  /** Counts one request under each key; false when one of them has had more than its share of the present minute. */
  count(limits: Readonly<Record<string, number>>): boolean;
  /** Until the counts begin anew. */
  secondsLeft(): number;
  /** Adds what was counted here to the rows, and reads what the others counted. */
  share(): Promise<void>;
  stop(): void;
}

/** Requests of the present minute by key, over all processes: counted here, and each second the busy ones are added up in rows, so that no request costs a statement. */
export function createRequestRates(database: Database, log: Logger, now: () => number = Date.now): RequestRates {
  let minute = 0;
  let counts = new Map<string, Count>();
  let sharing = false;

  function present(): Map<string, Count> {
    const current = Math.floor(now() / minuteMs);
    if (current !== minute) {
      minute = current;
      counts = new Map();
    }
    return counts;
  }

  async function share(): Promise<void> {
    const mine = present();
    const due = [...mine].filter(([, { added, most }]) => added > most * quiet);
    if (sharing || due.length === 0) return;
    sharing = true;
    const rowKey = (key: string) => sha256(`requests:${minute}:${key}`).toString("base64url");
    const sent = new Map(due.map(([key, count]) => [rowKey(key), { count, added: count.added }]));
    try {
      // in one order, so that two processes cannot wait for each other
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
      const mine = present();
      let isWithin = true;
      for (const [key, most] of Object.entries(limits)) {
        const count = mine.get(key) ?? { most, added: 0, shared: 0 };
        mine.set(key, count);
        count.added += 1;
        if (count.shared + count.added > most) isWithin = false;
      }
      return isWithin;
    },
    secondsLeft: () => Math.ceil((minuteMs - (now() % minuteMs)) / 1000),
    share,
    stop: () => clearInterval(timer),
  };
}
