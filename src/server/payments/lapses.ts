import { systemActor } from "../audit/record.ts";
import type { Deps } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import { inTenant } from "../db/scope.ts";
import { skipFailure } from "../jobs/record.ts";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { TransactionKind } from "../db/tables/kinds.ts";
import { findTransaction, findWithdrawal } from "./transaction-rows.ts";
import type { KnownTransaction } from "./transaction-rows.ts";
import { inTenantAnnouncing } from "./touched.ts";
import { transition, unclaimed } from "./transition.ts";
import { waitingStatus } from "./decision-kind.ts";
import { isAtBank, releaseHold } from "./withdrawal-kind.ts";

/**
 * Expires transactions that were `pending` for too long, but none that the bank may be paying: a withdrawal's hold returns, a deposit's limits are released, and the merchant
 * gets a callback. Several processes can run it at once. Answers the expired ones, at most `limit`; failures are skipped and added to
 * `failed`, whose rows are not tried.
 */
export async function expireDue(deps: Deps, tenant: string, limit: number, failed = new Set<string>()): Promise<string[]> {
  const condition = sql`status = 'pending' and expires_at <= statement_timestamp()
    and not (kind = 'withdrawal' and (payout_file_id is not null or reference_no is not null)) and id <> all(${[...failed]}::uuid[])
    order by expires_at limit ${limit}`;
  return sweep(deps, "expiry", tenant, condition, failed, async (db, { id, kind }) => {
    if (kind === "withdrawal") {
      const found = await findWithdrawal(db, { tenant, uuid: id }, "lock");
      if (!found || !isDue(found.row) || isAtBank(found.row)) return false;
      await expire(db, found.row);
      await releaseHold(db, found.row, null);
      return true;
    }
    const row = await findTransaction(db, { tenant, uuid: id, kind }, "lock");
    if (!row || !isDue(row)) return false;
    await expire(db, row);
    return true;
  });
}

const isDue = (row: KnownTransaction): boolean => row.status === "pending" && row.expires_at !== null && row.expires_at <= row.now;

const expire = (db: Scoped, row: KnownTransaction) =>
  transition(db, row, systemActor, {
    act: "expire",
    to: "expired",
    set: { expired_at: row.now },
    decision: "expired",
    ...(row.kind === "deposit" && { limit: "release" as const }),
  });

/** Frees transactions whose lease has lapsed. Answers them, at most `limit`; `failed` as above. */
export async function freeLapsedClaims(deps: Deps, tenant: string, limit: number, failed = new Set<string>()): Promise<string[]> {
  const condition = sql`claim_until <= statement_timestamp() and id <> all(${[...failed]}::uuid[]) order by claim_until limit ${limit}`;
  return sweep(deps, "lapsed claims", tenant, condition, failed, async (db, { id, kind }) => {
    const row = await findTransaction(db, { tenant, uuid: id, kind }, "lock");
    if (!row || row.claim_until === null || row.claim_until > row.now) return false;
    await transition(db, row, systemActor, { act: "lapse", to: waitingStatus[kind], set: unclaimed });
    return true;
  });
}

interface Due {
  readonly id: string;
  readonly kind: TransactionKind;
}

async function findDue(deps: Deps, tenant: string, condition: RawBuilder<unknown>): Promise<Due[]> {
  return inTenant(deps.database, tenant, async (db) => {
    return (await sql<Due>`select id, kind from transactions where tenant_id = ${tenant} and ${condition}`.execute(db)).rows;
  });
}

/** Runs `work` on each due row in its own transaction; rows another process has handled meanwhile are left out. */
async function sweep(
  deps: Deps,
  name: string,
  tenant: string,
  condition: RawBuilder<unknown>,
  failed: Set<string>,
  work: (db: Scoped, one: Due) => Promise<boolean>,
): Promise<string[]> {
  const done: Due[] = [];
  for (const one of await findDue(deps, tenant, condition)) {
    const moved = await skipFailure(deps, name, { tenant, transaction: one.id }, () =>
      inTenantAnnouncing(deps, tenant, (db) => work(db, one)),
    );
    if (moved) done.push(one);
    if (moved === undefined) failed.add(one.id);
  }
  for (const [event, kind] of [
    ["withdraw", "withdrawal"],
    ["deposit", "deposit"],
  ] as const) {
    const uuids = done.filter((one) => one.kind === kind).map(({ id }) => id);
    if (uuids.length > 0) deps.publisher.changed(tenant, event, uuids);
  }
  return done.map(({ id }) => id);
}

/**
 * approved → completed, in the transaction that stores a callback's 2xx, and only for the callback of the current approval; a rejection's
 * or expiry's callback changes nothing. Answers the row if it changed; the caller publishes it.
 */
export async function completeAfterCallback(
  db: Scoped,
  { tenant, transactionId, eventN }: { tenant: string; transactionId: string; eventN: number },
): Promise<KnownTransaction | null> {
  const kind = await db
    .selectFrom("transactions")
    .select("kind")
    .where("tenant_id", "=", tenant)
    .where("id", "=", transactionId)
    .executeTakeFirst();
  if (!kind) return null;
  const row = await findTransaction(db, { tenant, uuid: transactionId, kind: kind.kind }, "lock");
  if (!row || row.status !== "approved" || row.events !== eventN) return null;
  return transition(db, row, systemActor, {
    act: "complete",
    to: "completed",
    set: { completed_at: row.now, recallable_until: null },
  });
}
