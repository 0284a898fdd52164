import type { Deps } from "../call.ts";

/** The results of one sweep of this process. */
interface Swept {
  /** Failed rounds, rows and tenants since the start. */
  readonly failures: number;
  /** When its last round ended. */
  readonly endedAt: Date | null;
}

/** The results of this process's sweeps by name, for /metrics. */
export interface SweepRecord {
  ended(name: string): void;
  failed(name: string): void;
  all(): ReadonlyMap<string, Swept>;
}

export function createSweepRecord(): SweepRecord {
  const sweeps = new Map<string, Swept>();
  const note = (name: string, change: (was: Swept) => Partial<Swept>) => {
    const was = sweeps.get(name) ?? { failures: 0, endedAt: null };
    sweeps.set(name, { ...was, ...change(was) });
  };
  return {
    ended: (name) => note(name, () => ({ endedAt: new Date() })),
    failed: (name) => note(name, ({ failures }) => ({ failures: failures + 1 })),
    all: () => sweeps,
  };
}

/** Runs `work` on one of many items; an error is logged and counted and `undefined` answered, so that the other items go on. */
export async function skipFailure<T>(
  { log, sweeps }: Pick<Deps, "log" | "sweeps">,
  name: string,
  of: object,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    sweeps.failed(name);
    log.error({ err: error, job: name, ...of }, "skipped; the next sweep tries it again");
    return undefined;
  }
}

/** Runs `work` for each tenant in turn, and again for those with more to do; a tenant that fails is skipped until the next sweep. */
export async function roundRobin(
  deps: Pick<Deps, "log" | "sweeps">,
  name: string,
  tenants: readonly string[],
  work: (tenant: string) => Promise<"more" | "done">,
): Promise<void> {
  for (let waiting = tenants; waiting.length > 0;) {
    const left: string[] = [];
    for (const tenant of waiting) {
      if ((await skipFailure(deps, name, { tenant }, () => work(tenant))) === "more") left.push(tenant);
    }
    waiting = left;
  }
}
