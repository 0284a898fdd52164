import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import type { CallbackStatus, MerchantCallback } from "../../contract/merchant-callbacks.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import { findRecords } from "../records/record-list.ts";

export type Scope = Pick<StaffCall, "tenant" | "currency">;

export interface CallbackRow {
  readonly id: string;
  readonly created_at: Date;
  readonly event: string | null;
  readonly status: CallbackStatus;
  readonly merchant_id: string;
  readonly merchant_code: string;
  readonly merchant_name: string;
  readonly transaction_id: string;
  readonly transaction_kind: "deposit" | "withdrawal";
  readonly txn_no: string;
  readonly merchant_txn_no: string | null;
  readonly attempts: number;
  readonly last_at: Date | null;
  readonly last_status: number | null;
  readonly last_error: string | null;
  readonly next_attempt_at: Date | null;
  readonly delivered_at: Date | null;
  readonly asked: boolean;
  readonly url: string | null;
}

/** Whether callback o has been tried in vain, and no merchant has ever taken it. */
export const isInVain = sql`o.delivered_at is null and (o.state = 'failed' or o.state = 'pending' and o.attempts > 0)`;

/** The type within a callback's body, which is text of ours or of the database's own JSON. */
const eventOf = sql`substring(o.body from '^\\s*\\{\\s*"type"\\s*:\\s*"([a-z.-]+)"')`;

/** The last attempt a of callback o. */
export const lastAttempt = sql`left join callback_attempts a on a.tenant_id = o.tenant_id and a.outbox_id = o.id and a.n = o.attempts`;

/** Callbacks of the currency's merchants that meet a condition on callback o. */
export const callbacksOf = (
  { tenant, currency }: Scope,
  condition: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`select o.id, o.id as uuid, o.created_at,
    ${eventOf} as event, case when ${isInVain} and o.state = 'pending' then 'failing' when o.state = 'pending' then 'waiting' else o.state end as status,
    o.merchant_id, m.code as merchant_code, m.name as merchant_name, o.transaction_id, x.kind as transaction_kind, x.txn_no, x.merchant_txn_no,
    o.attempts, a.at as last_at, a.status as last_status, a.error as last_error,
    case when o.state = 'pending' then o.next_attempt_at end as next_attempt_at, o.delivered_at, o.requested_by is not null as asked,
    case when o.state = 'pending' or o.attempts = 0 then m.callback_url else o.url end as url
  from outbox o
  join merchants m on m.tenant_id = o.tenant_id and m.id = o.merchant_id and m.currency = ${currency}
  left join transactions x on x.tenant_id = o.tenant_id and x.id = o.transaction_id
  ${lastAttempt}
  where o.tenant_id = ${tenant} ${condition}`;

export const findCallbacks = (db: Scoped, scope: Scope, ids: readonly string[]): Promise<CallbackRow[]> =>
  findRecords(db, callbacksOf(scope, sql``), ids);

const instantOrNull = (at: Date | null): string | null => at?.toISOString() ?? null;

export const callbackView = (row: CallbackRow): MerchantCallback => ({
  uuid: row.id,
  version: row.attempts + 1,
  created_at: row.created_at.toISOString(),
  event: row.event ?? "",
  status: row.status,
  merchant_uuid: row.merchant_id,
  merchant_code: row.merchant_code,
  merchant_name: row.merchant_name,
  transaction: { uuid: row.transaction_id, kind: row.transaction_kind },
  txn_no: row.txn_no,
  merchant_txn_no: row.merchant_txn_no,
  attempts: row.attempts,
  last_at: instantOrNull(row.last_at),
  last_status: row.last_status,
  last_error: row.last_error,
  next_attempt_at: instantOrNull(row.next_attempt_at),
  delivered_at: instantOrNull(row.delivered_at),
  asked: row.asked,
});
