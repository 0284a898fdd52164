import { Refusal } from "../../contract/problems.ts";

/** Fair access to the connections: each tenant holds at most its share, and among waiting tenants the one that holds the fewest is next. */
export interface Turns {
  /**
   * Runs `work` in a turn of the tenant. Refuses request.busy when too many of its calls wait already, or when this one has waited too
   * long.
   */
  run<T>(tenant: string, work: () => Promise<T>): Promise<T>;
  /** Sets how many turns a tenant may hold; turns above it stay until their work ends. */
  setShare(each: number): void;
}

interface TurnLimits {
  /** Number of turns in all. */
  readonly all: number;
  /** Turns one tenant may hold. */
  readonly each: number;
  /** Calls of one tenant that may wait. */
  readonly waiting: number;
  /** Ms a call waits at most. */
  readonly waitMs: number;
}

interface TenantQueue {
  held: number;
  readonly waiting: Set<() => void>;
}

export function createTurns({ all, each: atFirst, waiting: most, waitMs }: TurnLimits): Turns {
  /** Tenants that hold or wait for a turn, the one served last at the end. */
  const queues = new Map<string, TenantQueue>();
  let held = 0;
  let each = atFirst;

  function queueOf(tenant: string): TenantQueue {
    const known = queues.get(tenant);
    if (known) return known;
    const queue: TenantQueue = { held: 0, waiting: new Set() };
    queues.set(tenant, queue);
    return queue;
  }

  function grant(tenant: string, queue: TenantQueue): void {
    held++;
    queue.held++;
    queues.delete(tenant);
    queues.set(tenant, queue);
  }

  function next(): void {
    while (held < all) {
      let first: [string, TenantQueue] | undefined;
      for (const one of queues) {
        const [, { held: holds, waiting }] = one;
        if (waiting.size > 0 && holds < each && holds < (first?.[1].held ?? Infinity)) first = one;
      }
      if (!first) return;
      const [tenant, queue] = first;
      const [begin] = queue.waiting;
      if (!begin) return;
      queue.waiting.delete(begin);
      grant(tenant, queue);
      begin();
    }
  }

  function forgetIdle(tenant: string, queue: TenantQueue): void {
    if (queue.held === 0 && queue.waiting.size === 0) queues.delete(tenant);
  }

  function wait(tenant: string, queue: TenantQueue): Promise<void> {
    if (queue.waiting.size >= most) throw new Refusal("request.busy");
    return new Promise((begin, refuse) => {
      const called = () => {
        clearTimeout(timer);
        // after pending input, because otherwise the calls of one tenant would follow each other before others are read
        setImmediate(begin);
      };
      const timer = setTimeout(() => {
        queue.waiting.delete(called);
        forgetIdle(tenant, queue);
        refuse(new Refusal("request.busy"));
      }, waitMs);
      queue.waiting.add(called);
    });
  }

  return {
    async run(tenant, work) {
      const queue = queueOf(tenant);
      if (held < all && queue.held < each && queue.waiting.size === 0) grant(tenant, queue);
      else await wait(tenant, queue);
      try {
        return await work();
      } finally {
        held--;
        queue.held--;
        forgetIdle(tenant, queue);
        next();
      }
    },
    setShare(now) {
      each = now;
      next();
    },
  };
}

/** The share of a process's connections one tenant may hold: a few connections keep a database of some cores busy. */
export const defaultTenantShare = 0.25;

/** The connections of a pool that take turns; the others read who calls, before the tenant is known. */
const turnsIn = (size: number): number => Math.max(1, size - Math.ceil(size / 8));

/**
 * How many turns of a pool of `size` one tenant may hold when `processes` share the database, because the tenant must leave the database's
 * cores to others whichever process it calls.
 */
export const shareOf = (size: number, share: number, processes: number): number =>
  Math.min(turnsIn(size), Math.max(processes === 1 ? 2 : 1, Math.floor((size * share) / processes)));

/** The turns of a pool of `size`; one tenant may hold `share` of them while no other process is known. */
export function turnsOf(size: number, share: number, waitMs: number): Turns {
  return createTurns({ all: turnsIn(size), each: shareOf(size, share, 1), waiting: size * 16, waitMs });
}
