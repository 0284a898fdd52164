import type pg from "pg";
import { setTimeout as delay } from "node:timers/promises";

/** How far the primary has written its log to disk, which is as far as a replica can be; and which cluster it is, as text. */
export interface Position {
  readonly lsn: string;
  readonly cluster: string;
  /** Whether a commit is answered when it is on disk. */
  readonly is_flushed: boolean;
}

/**
 * Calls `ask` for all callers who came before it was called: what is asked after a read began is as good for that read as an answer of its
 * own, and the primary is asked by one connection at a time.
 */
export function shared<T>(ask: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | null = null;
  return () =>
    (next ??= running.then(() => {
      next = null;
      const asked = ask();
      running = asked.catch(() => undefined);
      return asked;
    }));
}

/** Where the primary is. */
export async function positionOf(primary: pg.Pool): Promise<Position> {
  const { rows } = await primary.query<Position>(
    `select pg_current_wal_flush_lsn()::text as lsn, system_identifier::text as cluster,
        current_setting('synchronous_commit') <> 'off' as is_flushed from pg_control_system()`,
  );
  const [position] = rows;
  if (!position) throw new Error("the database does not tell its position");
  return position;
}

interface Progress {
  readonly cluster: string;
  readonly is_replica: boolean;
  /** null: it has replayed nothing yet. */
  readonly is_there: boolean | null;
}

/**
 * Whether the replica replays the log up to the position within so many ms. PostgreSQL 18 has no way to wait for that, so it is asked again
 * and again; by statements of their own, because the snapshot of one is older than what it answers. Throws when it is no replica of the
 * position's cluster.
 */
export async function reaches(client: pg.PoolClient, { lsn, cluster }: Position, withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs;
  for (let pause = 1; ; pause = Math.min(pause * 2, 16)) {
    const { rows } = await client.query<Progress>(
      `select system_identifier::text as cluster, pg_is_in_recovery() as is_replica, pg_last_wal_replay_lsn() >= $1::pg_lsn as is_there
        from pg_control_system()`,
      [lsn],
    );
    const [progress] = rows;
    if (progress?.cluster !== cluster) throw new Error("it is no replica of DATABASE_URL, but another cluster");
    if (!progress.is_replica) throw new Error("it is no replica: it takes writes itself");
    if (progress.is_there) return true;
    const left = until - performance.now();
    if (left <= 0) return false;
    await delay(Math.min(pause, left));
  }
}
