import { Refusal } from "../../contract/problems.ts";

/**
 * Turns at the connections, so that no tenant keeps the others from theirs: each holds at most its share, and of those who wait the
 * tenant that holds the fewest is next.
 */
export interface Turns {
  /** Does `work` in a turn of the tenant. Refuses request.busy when too many of its own wait already, or when it has waited too long. */
  take<T>(tenant: string, work: () => Promise<T>): Promise<T>;
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

export function createTurns({ all, each, waiting: most, waitMs }: TurnLimits): Turns {
  /** Tenants that hold or wait for a turn; whoever was served last stands last. */
  const lines = new Map<string, Line>();
  let held = 0;

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
        begin();
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
  };
}

/** Of a process's connections, how many one tenant may hold at a time: few are enough to keep a database of some cores busy. */
export const defaultTenantShare = 0.25;

/**
 * The turns of a pool of `size`, of which one tenant may hold `share`. A few connections take no turns: who asks is read before it is
 * known for which tenant.
 */
export function turnsOf(size: number, share: number, waitMs: number): Turns {
  const all = Math.max(1, size - Math.ceil(size / 8));
  const each = Math.min(all, Math.max(2, Math.floor(size * share)));
  return createTurns({ all, each, waiting: size * 16, waitMs });
}
