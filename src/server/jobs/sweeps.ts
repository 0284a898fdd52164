import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Deps } from "../call.ts";
import { thinAnchors } from "../audit/anchors.ts";
import { anchorAudit, sealAudit } from "../audit/seal.ts";
import { answerRequests } from "../auth/reset.ts";
import { removeUnnamedFiles, tenantsWithUnnamedFiles } from "../files/unnamed-files.ts";
import { endHolds, endingHolds } from "../accounts/holds.ts";
import { judgeArrived, withTurns } from "../bank-lines/auto-match.ts";
import { runImports } from "../bank-lines/import-slices.ts";
import { removeOldExports, tenantsWithOldExports } from "../exports/removal.ts";
import { dueDowntimes, tellDowntimes } from "../game-provider/downtime-events.ts";
import { createMailer } from "../mail/mailer.ts";
import { createDispatcher } from "../outbox/dispatch.ts";
import type { DispatchOptions } from "../outbox/dispatch.ts";
import { expireDue, freeLapsedClaims } from "../payments/lapses.ts";
import { closeDays } from "../reports/close-days.ts";
import { countOpenDays } from "../reports/open-days.ts";
import { schedules } from "./all.ts";
import { failLost, tenantsWithLostJobs } from "./lost.ts";
import { roundRobin } from "./record.ts";
import { repeat } from "./repeat.ts";
import { removeOld } from "./retention.ts";
import { queueTurns } from "./schedule.ts";

export interface Sweeps {
  /** Waits for running sweeps, then seals and anchors the audit log once more. */
  stop(): Promise<void>;
}

interface SweepOptions extends DispatchOptions {
  /** The folder of the audit log's anchors, outside the database. */
  readonly anchorsFolder: string;
}

const batch = 100;
const lapsed = sql`select distinct tenant_id from transactions where claim_until <= now()`;
const expired = sql`select distinct tenant_id from transactions where status = 'pending' and expires_at <= now()`;

/** Runs `work` in batches for every tenant that has due rows; a row that fails is skipped until the next sweep. */
async function inDueTenants(deps: Deps, name: string, due: RawBuilder<unknown>, work: typeof expireDue): Promise<void> {
  const { rows } = await sql<{ tenant_id: string }>`${due}`.execute(deps.database.worker);
  const failed = new Set<string>();
  await roundRobin(
    deps,
    name,
    rows.map(({ tenant_id }) => tenant_id),
    async (tenant) => {
      const before = failed.size;
      const done = await work(deps, tenant, batch, failed);
      return done.length + failed.size - before < batch ? "done" : "more";
    },
  );
}

/**
 * Work without a request: callbacks, expiry, lapsed claims, sealing, cleaning. Each sweep finds due rows over all tenants and handles them
 * in the tenant's scope under locks or leases, so that several processes can run it at once.
 */
export function startSweeps(deps: Deps, { anchorsFolder, ...dispatching }: SweepOptions): Sweeps {
  const dispatcher = createDispatcher(deps, dispatching);
  const mailer = createMailer(deps);
  const anchored = new Map<string, string>();
  const anchor = () => anchorAudit(deps, anchorsFolder, anchored);
  const all = [
    repeat("callbacks", 300, () => dispatcher.round(), deps),
    repeat("lapsed claims", 1_000, () => inDueTenants(deps, "lapsed claims", lapsed, freeLapsedClaims), deps),
    repeat("expiry", 5_000, () => inDueTenants(deps, "expiry", expired, expireDue), deps),
    repeat("holds", 5_000, () => inDueTenants(deps, "holds", endingHolds, endHolds), deps),
    repeat("downtimes", 1_000, () => inDueTenants(deps, "downtimes", dueDowntimes, tellDowntimes), deps),
    repeat("bank lines", 1_000, () => inDueTenants(deps, "bank lines", withTurns, judgeArrived), deps),
    repeat("bank imports", 500, () => runImports(deps), deps),
    repeat("audit sealing", 250, () => sealAudit(deps), deps),
    repeat("audit anchors", 60_000, anchor, deps),
    repeat("old audit anchors", 3_600_000, () => thinAnchors(anchorsFolder), deps),
    repeat("forgotten passwords", 1_000, () => answerRequests(deps), deps),
    repeat("mail", 1_000, () => mailer.round(), deps),
    repeat("shares of the connections", 5_000, () => deps.database.shareTurns(), deps),
    repeat("files", 60_000, () => inDueTenants(deps, "files", tenantsWithUnnamedFiles, removeUnnamedFiles), deps),
    repeat("lost jobs", 10_000, () => inDueTenants(deps, "lost jobs", tenantsWithLostJobs, failLost), deps),
    ...schedules.map((schedule) => repeat(`turns of ${schedule.kind.name}`, 2_000, () => queueTurns(deps, schedule), deps)),
    repeat("counting of open days", 15_000, () => countOpenDays(deps), deps),
    repeat("closing of days", 60_000, () => closeDays(deps), deps),
    repeat("exports", 60_000, () => inDueTenants(deps, "exports", tenantsWithOldExports, removeOldExports), deps),
    repeat("cleaning", 60_000, () => removeOld(deps), deps),
  ];
  return {
    async stop() {
      mailer.stop();
      await Promise.all([...all.map((sweep) => sweep.stop()), dispatcher.stop()]);
      await sealAudit(deps);
      await anchor();
    },
  };
}
