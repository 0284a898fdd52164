import { sql } from "kysely";
import type { MerchantDetail } from "../../contract/merchants.ts";
import { screens } from "../../contract/screens.ts";
import { record, systemActor } from "../audit/record.ts";
import type { Deps } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import { mailOwners, recordLink } from "../mail/owners.ts";
import type { Endpoint } from "./endpoints.ts";

type Health = MerchantDetail["endpoint"];
type Of = Pick<Endpoint, "tenant_id" | "merchant_id">;

/** How a merchant's address takes callbacks, and when the next one goes there. */
export async function endpointOf(db: Scoped, tenant: string, merchant: { id: string; callback_url: string | null }): Promise<Health> {
  const { rows } = await sql<{
    failures: number;
    failing_since: Date | null;
    disabled_at: Date | null;
    next_attempt_at: Date | null;
    waiting: number;
    failed: number;
  }>`select coalesce(e.failures, 0) as failures, e.failing_since, e.disabled_at,
      greatest(w.next_attempt_at, e.paused_until) as next_attempt_at, w.waiting, f.failed
    from (select min(next_attempt_at) as next_attempt_at, count(*)::integer as waiting from outbox
        where tenant_id = ${tenant} and merchant_id = ${merchant.id} and state = 'pending' and next_attempt_at is not null) w,
      (select count(*)::integer as failed from outbox where tenant_id = ${tenant} and merchant_id = ${merchant.id} and state = 'failed') f
    left join callback_endpoints e on e.tenant_id = ${tenant} and e.merchant_id = ${merchant.id}`.execute(db);
  const [found] = rows;
  if (!found) throw new Error("an aggregate answers a row");
  const { waiting, failed, failures, failing_since, disabled_at } = found;
  const isFailing = failures > 0;
  const next = waiting === 0 || disabled_at !== null ? null : found.next_attempt_at;
  return {
    state: merchant.callback_url === null ? "none" : disabled_at !== null ? "disabled" : isFailing ? "failing" : "working",
    failing_since: isFailing ? (failing_since?.toISOString() ?? null) : null,
    disabled_at: disabled_at?.toISOString() ?? null,
    next_attempt_at: next?.toISOString() ?? null,
    waiting,
    failed,
  };
}

/** Sends callbacks there again; answers whether the endpoint was disabled. What it is known to take at once stays. */
export async function enableEndpoint(db: Scoped, { tenant_id, merchant_id }: Of): Promise<boolean> {
  const { numAffectedRows } =
    await sql`update callback_endpoints set failures = 0, failing_since = null, disabled_at = null, paused_until = null
    where tenant_id = ${tenant_id} and merchant_id = ${merchant_id} and disabled_at is not null`.execute(db);
  return numAffectedRows === 1n;
}

/** Audits that an endpoint was disabled, and mails it to the tenant's owners. */
export async function tellDisabled(db: Scoped, deps: Deps, { tenant_id, merchant_id }: Of): Promise<void> {
  await record(db, tenant_id, systemActor, { act: "merchant.disable-callbacks", entity: "merchant", entityId: merchant_id });
  const { rows } = await sql<{ name: string; currency: string }>`select name, currency from merchants
    where tenant_id = ${tenant_id} and id = ${merchant_id}`.execute(db);
  const { name, currency } = rows[0] ?? { name: "", currency: "" };
  const link = recordLink(deps, screens.merchants.path, { record: merchant_id, tenant: tenant_id, currency });
  await mailOwners(db, deps, tenant_id, "mail.endpoint", { merchant: name, link });
}
