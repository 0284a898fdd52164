import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import type { MerchantCallback } from "../../contract/merchant-callbacks.ts";
import { mostResent } from "../../contract/merchant-callbacks.ts";
import { Refusal } from "../../contract/problems.ts";
import type { RowRef } from "../../contract/wire.ts";
import { actorOf, record, recordMany } from "../audit/record.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import type { Effect } from "../idempotency.ts";
import { sendCallback } from "../payments/callbacks.ts";
import type { CalledBack } from "../payments/callbacks.ts";
import { callbackView, findCallbacks, isInVain, lastAttempt } from "./callback-rows.ts";

type Kind = "deposit" | "withdrawal";
const rights = {
  deposit: "pas.transaction.deposits.send-callback",
  withdrawal: "pas.transaction.withdrawals.send-callback",
} as const satisfies Record<Kind, string>;

/** The kinds of transactions whose callbacks the caller may send again. */
const kindsOf = ({ caller }: StaffCall): Kind[] => (Object.keys(rights) as Kind[]).filter((kind) => caller.permissions.has(rights[kind])); // Object.keys widens

/** Sends one callback again: only the latest of its transaction, because an older one would tell what is no longer so. */
export async function resendOne(db: Scoped, call: StaffCall, { uuid }: RowRef): Promise<Effect<MerchantCallback>> {
  const { tenant, currency } = call;
  // the transaction is locked before its callback, as everywhere
  const { rows } = await sql<CalledBack & { readonly is_last: boolean; readonly state: string }>`select x.tenant_id, x.id, x.kind, x.status,
      x.recallable_until, clock_timestamp() as now, m.callback_url, o.state,
      not exists (select from outbox n where n.tenant_id = o.tenant_id and n.transaction_id = o.transaction_id and n.event_n > o.event_n) as is_last
    from outbox o join transactions x on x.tenant_id = o.tenant_id and x.id = o.transaction_id
    join merchants m on m.tenant_id = o.tenant_id and m.id = o.merchant_id and m.currency = ${currency}
    where o.tenant_id = ${tenant} and o.id = ${uuid} for update of x`.execute(db);
  const [row] = rows;
  if (!row) throw new Refusal("not-found");
  if (!kindsOf(call).includes(row.kind)) throw new Refusal("permission.missing", { permission: rights[row.kind] });
  if (!row.is_last || row.state === "superseded" || row.state === "cancelled") throw new Refusal("callback.replaced");
  if (row.callback_url === null) throw new Refusal("callback.no-address");
  await sendCallback(db, row, actorOf(call));
  const [now] = await findCallbacks(db, call, [uuid]);
  if (!now) throw new Refusal("not-found");
  return { answer: callbackView(now) };
}

/** Those tried in vain since a moment. */
export interface Failed {
  readonly since: string;
  readonly merchant_code?: string | undefined;
}

/** The merchant that is meant, of this currency; null: all of them. */
async function merchantOf(db: Scoped, { tenant, currency }: StaffCall, { merchant_code: code }: Failed): Promise<string | null> {
  if (code === undefined) return null;
  const { rows } = await sql<{ id: string }>`select id from merchants where tenant_id = ${tenant} and currency = ${currency}
    and lower(code) = lower(${code}::text)`.execute(db);
  if (!rows[0]) throw new Refusal("not-found");
  return rows[0].id;
}

/** From all callbacks o meant, with merchant m, endpoint e and last attempt a. One on its way is not: its answer will tell. */
const failedOf = (call: StaffCall, since: string, merchant: string | null): RawBuilder<unknown> => sql`from outbox o
  join merchants m on m.tenant_id = o.tenant_id and m.id = o.merchant_id and m.currency = ${call.currency}
  join transactions x on x.tenant_id = o.tenant_id and x.id = o.transaction_id and x.kind = any(${kindsOf(call)}::text[])
  left join callback_endpoints e on e.tenant_id = o.tenant_id and e.merchant_id = o.merchant_id
  ${lastAttempt}
  where o.tenant_id = ${call.tenant} and o.state <> 'delivered' and ${isInVain} and o.requested_by is null
    and (o.leased_until is null or o.leased_until < now()) and coalesce(a.at, o.created_at) >= ${since}::timestamptz
    ${merchant === null ? sql`` : sql`and o.merchant_id = ${merchant}`}`;

interface Count {
  readonly count: number;
  readonly merchants: number;
  readonly disabled: number;
  readonly unaddressed: number;
}

export async function countFailed(db: Scoped, call: StaffCall, failed: Failed): Promise<Count> {
  const merchant = await merchantOf(db, call, failed);
  const { rows } = await sql<Count>`select count(*) filter (where m.callback_url is not null)::integer as count,
      count(distinct m.id) filter (where m.callback_url is not null)::integer as merchants,
      count(*) filter (where m.callback_url is not null and e.disabled_at is not null)::integer as disabled,
      count(*) filter (where m.callback_url is null)::integer as unaddressed
    ${failedOf(call, failed.since, merchant)}`.execute(db);
  return rows[0] ?? { count: 0, merchants: 0, disabled: 0, unaddressed: 0 };
}

/** Makes the oldest of them due now, `most` of them. Each is sent in its merchant's turn, as all are. */
export async function resendFailed(
  db: Scoped,
  call: StaffCall,
  failed: Failed,
  most: number = mostResent,
): Promise<{ readonly answer: { readonly sent: number; readonly left: number }; readonly ids: string[] }> {
  const { tenant } = call;
  const { since } = failed;
  const merchant = await merchantOf(db, call, failed);
  const actor = actorOf(call);
  const { rows } = await sql<{ id: string; transaction_id: string; kind: Kind }>`
    with meant as (select o.id, x.kind ${failedOf(call, since, merchant)} and m.callback_url is not null
      order by o.id limit ${most} for update of o skip locked)
    update outbox o set state = 'pending', next_attempt_at = clock_timestamp(), requested_by = ${actor.id}
    from meant where o.tenant_id = ${tenant} and o.id = meant.id
    returning o.id, o.transaction_id, meant.kind`.execute(db);
  await recordMany(
    db,
    tenant,
    actor,
    rows.map(({ id, kind, transaction_id }) => ({
      act: `${kind}.send-callback`,
      entity: kind,
      entityId: transaction_id,
      after: { callback: id },
    })),
  );
  await record(db, tenant, actor, {
    act: "merchant.resend-callbacks",
    entity: "merchant",
    entityId: merchant,
    after: { since, sent: rows.length },
  });
  return { answer: { sent: rows.length, left: (await countFailed(db, call, failed)).count }, ids: rows.map(({ id }) => id) };
}
