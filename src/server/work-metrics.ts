import { sql } from "kysely";
import { Gauge } from "prom-client";
import type { Registry } from "prom-client";
import type { Deps } from "./call.ts";

interface Waiting {
  readonly due: number;
  readonly due_age: number;
  readonly failed: number;
  readonly unsealed: number;
  readonly unsealed_age: number;
}

/** Gauges of the work waiting in the database, equal in every process, and of this process's sweeps. */
export function measureWork(registry: Registry, { database, sweeps, log }: Pick<Deps, "database" | "sweeps" | "log">): void {
  const registers = [registry];
  let reading: Promise<Waiting | null> | undefined;
  /**
   * One query for all gauges of a scrape. If it fails these gauges are left out, and the others are still answered, because they matter
   * most while the database is down.
   */
  const read = () =>
    (reading ??= readWaiting(database)
      .catch((error: unknown) => {
        log.warn({ err: error }, "metrics of what waits could not be read");
        return null;
      })
      .finally(() => (reading = undefined)));
  for (const [name, part, help] of [
    ["callbacks_due", "due", "Callbacks whose next attempt is due, of all tenants, but for disabled endpoints"],
    ["callbacks_due_age_seconds", "due_age", "How long the oldest of them has been due; 0 without"],
    ["callbacks_failed", "failed", "Callbacks given up after their last attempt"],
    ["audit_unsealed", "unsealed", "Audit rows not chained yet"],
    ["audit_unsealed_age_seconds", "unsealed_age", "Age of the oldest of them; 0 without"],
  ] as const) {
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const waiting = await read();
        if (waiting) this.set(waiting[part]);
        else this.remove();
      },
    });
  }
  new Gauge({
    name: "sweep_last_success_timestamp_seconds",
    help: "When the last round of each sweep of this process ended",
    labelNames: ["sweep"],
    registers,
    collect() {
      for (const [sweep, { endedAt }] of sweeps.all()) if (endedAt) this.set({ sweep }, endedAt.getTime() / 1000);
    },
  });
  new Gauge({
    name: "sweep_failures",
    help: "Rounds, tenants and rows of each sweep of this process that failed and were skipped, since its start",
    labelNames: ["sweep"],
    registers,
    collect() {
      for (const [sweep, { failures }] of sweeps.all()) this.set({ sweep }, failures);
    },
  });
}

async function readWaiting({ worker }: Deps["database"]): Promise<Waiting> {
  const { rows } = await sql<Waiting>`select d.due, d.due_age, f.failed, u.unsealed, u.unsealed_age
    from (select count(*)::integer as due, coalesce(extract(epoch from now() - min(next_attempt_at)), 0)::float8 as due_age
        from outbox o where state = 'pending' and next_attempt_at <= now() and not exists (select from callback_endpoints e
          where e.tenant_id = o.tenant_id and e.merchant_id = o.merchant_id and e.disabled_at is not null)) d,
      (select count(*)::integer as failed from outbox where state = 'failed') f,
      (select count(*)::integer as unsealed,
          greatest(coalesce(extract(epoch from now() - min(uuid_extract_timestamp(entry_id))), 0), 0)::float8 as unsealed_age
        from audit_unsealed) u`.execute(worker);
  const [waiting] = rows;
  if (!waiting) throw new Error("an aggregate answers a row");
  return waiting;
}
