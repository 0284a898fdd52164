import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import type { ProblemCode } from "../contract/problems.ts";
import { Refusal } from "../contract/problems.ts";
import type { ForwarderCall, MerchantCall, StaffCall } from "./call.ts";
import { sqlState } from "./db/errors.ts";
import { inTenant } from "./db/scope.ts";
import type { Scoped } from "./db/scope.ts";
import type { Last } from "./db/transaction.ts";
import { atCommit } from "./db/transaction.ts";
import { inTenantAnnouncing } from "./payments/touched.ts";

type AnyCall = StaffCall | MerchantCall | ForwarderCall;

/** The answer of an act, and the event that proves it. */
export interface Effect<T> {
  readonly answer: T;
  readonly transactionId?: string;
  readonly eventN?: number;
  /** Sent with the commit. */
  readonly last?: Last;
}

type Stored =
  | { readonly answer: unknown }
  | { readonly refusal: { readonly code: ProblemCode; readonly detail?: Record<string, unknown> } };

interface KeyRow {
  key: string;
  same: boolean;
  status: number | null;
  packed: Buffer | null;
  /** The outcome as stored before outcomes were packed. */
  answer: Stored | null;
}

const pack = (stored: Stored): Buffer => brotliCompressSync(JSON.stringify(stored), packing);
const packing = { params: { [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT, [constants.BROTLI_PARAM_QUALITY]: 5 } };
const unpack = (packed: Buffer): Stored => JSON.parse(brotliDecompressSync(packed).toString("utf8")) as Stored; // by pack

/**
 * Runs `work` once per Idempotency-Key: the key's row is inserted first in the same transaction, so that a concurrent request with the same
 * key waits and gets the stored answer. Refusals by rules (409, 422) are stored too; any other error rolls back and the request can be
 * repeated. Without a key `work` simply runs. `suffix` names the row of a bulk act: each row has its own transaction and outcome under the
 * request's key. Throws request.idempotency-mismatch for a key of another request, request.in-progress when the other request takes over 2
 * s.
 */
export async function once<T>(call: AnyCall, suffix: string | null, work: (db: Scoped) => Promise<Effect<T>>): Promise<T> {
  const { deps, tenant, idempotencyKey } = call;
  if (idempotencyKey === null) {
    return inTenantAnnouncing(deps, tenant, async (db) => {
      const { answer, last } = await work(db);
      if (last) atCommit(db, last);
      return answer;
    });
  }
  const key = suffix === null ? idempotencyKey : `${idempotencyKey}:${suffix}`;
  const stored = await inTenantAnnouncing(deps, tenant, async (db) => {
    const first = await insertKey(db, call, key);
    if (first) return first;
    const { answer, transactionId, eventN, last } = await work(db);
    const packed = pack({ answer });
    atCommit(db, { statement: outcomeOf(call, key, packed, transactionId, eventN) });
    if (last) atCommit(db, last);
    return unpack(packed);
  }).catch((error: unknown) => {
    if (!(error instanceof Refusal) || !isOutcome(error)) throw error;
    const { code, status, detail } = error;
    const packed = pack({ refusal: { code, ...(detail && { detail }) } });
    // another request with the same key may have run since the rollback; then its outcome counts
    return inTenant(deps.database, tenant, async (db) => (await insertKey(db, call, key, { status, packed })) ?? unpack(packed));
  });
  if ("refusal" in stored) throw new Refusal(stored.refusal.code, stored.refusal.detail);
  return stored.answer as T; // stored by the same route
}

/**
 * Whether this very request was carried out before, for acts that first verify what they make void. Throws request.idempotency-mismatch for
 * a key of another request.
 */
export async function wasDone({ deps, tenant, caller, idempotencyKey, fingerprint }: StaffCall): Promise<boolean> {
  if (idempotencyKey === null) return false;
  const { rows } = await inTenant(deps.database, tenant, (db) =>
    sql<{ same: boolean; status: number | null }>`select fingerprint = ${fingerprint} as same, status from idempotency_keys
      where tenant_id = ${tenant} and actor = ${caller.id} and key = ${idempotencyKey}`.execute(db),
  );
  if (rows.some(({ same }) => !same)) throw new Refusal("request.idempotency-mismatch");
  return rows.some(({ status }) => status === 200);
}

function isOutcome({ code, status }: Refusal): boolean {
  return (status === 409 || status === 422) && code !== "request.in-progress" && code !== "request.idempotency-mismatch";
}

/** Inserts the key, with its outcome if known; answers the stored outcome when the key exists. */
async function insertKey(
  db: Scoped,
  { tenant, caller, idempotencyKey, fingerprint }: AnyCall,
  key: string,
  outcome: { readonly status: number; readonly packed: Buffer } | null = null,
): Promise<Stored | null> {
  // the request's own key is inserted too, so that no other request can use it
  const keys = key === idempotencyKey ? [key] : [idempotencyKey, key];
  const inserted = await sql<{ key: string }>`insert into idempotency_keys (tenant_id, actor, key, fingerprint, status, packed)
      select ${tenant}, ${caller.id}, k, ${fingerprint}, case when k = ${key} then ${outcome?.status ?? null}::integer else 200 end,
        case when k = ${key} then ${outcome?.packed ?? null}::bytea end
      from unnest(${keys}::text[]) k
      on conflict do nothing returning key`
    .execute(db)
    .catch((error: unknown) => {
      throw sqlState(error) === "55P03" ? new Refusal("request.in-progress") : error;
    });
  if (inserted.rows.length === keys.length) return null;
  const { rows } = await sql<KeyRow>`select key, fingerprint = ${fingerprint} as same, status, packed, answer from idempotency_keys
    where tenant_id = ${tenant} and actor = ${caller.id} and key = any(${keys}::text[])`.execute(db);
  if (rows.some(({ same }) => !same)) throw new Refusal("request.idempotency-mismatch");
  if (inserted.rows.some((row) => row.key === key)) return null;
  const first = rows.find((row) => row.key === key);
  if (first?.packed) return unpack(first.packed);
  if (!first?.answer) throw new Refusal("request.in-progress");
  return first.answer;
}

/** Stores the outcome of a request that was carried out. */
const outcomeOf = (
  { tenant, caller }: AnyCall,
  key: string,
  packed: Buffer,
  transactionId: string | null = null,
  eventN: number | null = null,
): RawBuilder<unknown> => sql`update idempotency_keys
  set status = 200, packed = ${packed}, transaction_id = ${transactionId}, event_n = ${eventN}
  where tenant_id = ${tenant} and actor = ${caller.id} and key = ${key}`;
