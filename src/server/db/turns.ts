import { Refusal } from "../../contract/problems.ts";

/**
 * Turns at the connections, so that no tenant keeps the others from theirs: each holds at most its share, and of those who wait the
 * tenant that holds the fewest is next.
 */
export interface Turns {
  /** Does `work` in a turn of the tenant. Refuses request.busy when too many of its own wait already, or when it has waited too long. */
  take<T>(tenant: string, work: () => Promise<T>): Promise<T>;
  /** From now on one tenant may hold `each`; whoever holds more keeps them until their work ends. */
  allow(each: number): void;
}

interface TurnLimits {
  /** Turns there are. */
  readonly all: number;
  /** Turns one tenant may hold. */
  readonly each: number;
  /** How many may wait for a turn of one tenant. */
  readonly waiting: number;
  /** How long one waits. */
  readonly waitMs: number;
}

interface Line {
  held: number;
  readonly waiting: Set<() => void>;
}

export function createTurns({ all, each: atFirst, waiting: most, waitMs }: TurnLimits): Turns {
  /** Tenants that hold or wait for a turn; whoever was served last stands last. */
  const lines = new Map<string, Line>();
  let held = 0;
  let each = atFirst;

  function lineOf(tenant: string): Line {
    const known = lines.get(tenant);
    if (known) return known;
    const line: Line = { held: 0, waiting: new Set() };
    lines.set(tenant, line);
    return line;
  }

  function give(tenant: string, line: Line): void {
    held++;
    line.held++;
    lines.delete(tenant);
    lines.set(tenant, line);
  }

  function next(): void {
    while (held < all) {
      let first: [string, Line] | undefined;
      for (const one of lines) {
        const [, { held: holds, waiting }] = one;
        if (waiting.size > 0 && holds < each && holds < (first?.[1].held ?? Infinity)) first = one;
      }
      if (!first) return;
      const [tenant, line] = first;
      const [begin] = line.waiting;
      if (!begin) return;
      line.waiting.delete(begin);
      give(tenant, line);
      begin();
    }
  }

  function forgetIdle(tenant: string, line: Line): void {
    if (line.held === 0 && line.waiting.size === 0) lines.delete(tenant);
  }

  function wait(tenant: string, line: Line): Promise<void> {
    if (line.waiting.size >= most) throw new Refusal("request.busy");
    return new Promise((begin, refuse) => {
      const called = () => {
        clearTimeout(timer);
        // what has come in meanwhile is read first, or the many of one tenant would follow each other without a look at the others
        setImmediate(begin);
      };
      const timer = setTimeout(() => {
        line.waiting.delete(called);
        forgetIdle(tenant, line);
        refuse(new Refusal("request.busy"));
      }, waitMs);
      line.waiting.add(called);
    });
  }

  return {
    async take(tenant, work) {
      const line = lineOf(tenant);
      if (held < all && line.held < each && line.waiting.size === 0) give(tenant, line);
      else await wait(tenant, line);
      try {
        return await work();
      } finally {
        held--;
        line.held--;
        forgetIdle(tenant, line);
        next();
      }
    },
    allow(now) {
      each = now;
      next();
    },
  };
}

/** Of a process's connections, how many one tenant may hold at a time: few are enough to keep a database of some cores busy. */
export const defaultTenantShare = 0.25;

/** Of the connections of a pool of `size`, those that take turns: who asks is read at the others, before it is known for which tenant. */
const turnsIn = (size: number): number => Math.max(1, size - Math.ceil(size / 8));

/**
 * How many turns of a pool of `size` one tenant may hold, where so many processes with such a pool share a database: it is the
 * database's cores that a tenant must leave to the others, whatever process it asks.
 */
export const shareOf = (size: number, share: number, processes: number): number =>
  Math.min(turnsIn(size), Math.max(processes === 1 ? 2 : 1, Math.floor((size * share) / processes)));

/** The turns of a pool of `size`, of which one tenant may hold `share` while no other process is known. */
export function turnsOf(size: number, share: number, waitMs: number): Turns {
  return createTurns({ all: turnsIn(size), each: shareOf(size, share, 1), waiting: size * 16, waitMs });
}
