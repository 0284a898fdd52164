import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Deps } from "../call.ts";
import { thinAnchors } from "../audit/anchors.ts";
import { anchorAudit, sealAudit } from "../audit/seal.ts";
import { answerRequests } from "../auth/reset.ts";
import { createMailer } from "../mail/mailer.ts";
import { createDispatcher } from "../outbox/dispatch.ts";
import type { DispatchOptions } from "../outbox/dispatch.ts";
import { expireDue, freeLapsedClaims } from "../payments/lapses.ts";
import { inTurns } from "./record.ts";
import { repeat } from "./repeat.ts";
import { removeOld } from "./retention.ts";

export interface Sweeps {
  /** Finishes what runs, seals and anchors the audit log once more. */
  stop(): Promise<void>;
}

interface SweepOptions extends DispatchOptions {
  /** Where the audit log's heads are kept outside the database. */
  readonly anchorsFolder: string;
}

const batch = 100;
const lapsed = sql`select distinct tenant_id from transactions where claim_until <= now()`;
const expired = sql`select distinct tenant_id from transactions where status = 'pending' and expires_at <= now()`;

/** Does the work of every tenant that has some due, in turns of a batch; a row that fails is passed by until the next sweep. */
async function inDueTenants(deps: Deps, name: string, due: RawBuilder<unknown>, work: typeof expireDue): Promise<void> {
  const { rows } = await sql<{ tenant_id: string }>`${due}`.execute(deps.database.worker);
  const failed = new Set<string>();
  await inTurns(
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
 * The work nobody asks for: callbacks, expiry, lapsed claims, sealing, cleaning. Each finds what is due over all tenants and does it
 * in the tenant's own scope under locks or leases, so any number of processes may run them side by side.
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
    repeat("audit sealing", 250, () => sealAudit(deps), deps),
    repeat("audit anchors", 60_000, anchor, deps),
    repeat("old audit anchors", 3_600_000, () => thinAnchors(anchorsFolder), deps),
    repeat("forgotten passwords", 1_000, () => answerRequests(deps), deps),
    repeat("mail", 1_000, () => mailer.round(), deps),
    repeat("shares of the connections", 5_000, () => deps.database.shareTurns(), deps),
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
