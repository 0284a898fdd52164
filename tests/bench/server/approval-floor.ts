import pg from "pg";
import type { TestDatabase } from "../../support/database.ts";
import { percentile } from "./caller.ts";

/**
 * Writes what one approval over HTTP has written, for another withdrawal: keys, entries and balances, limit use, transaction, event,
 * decision, callback and audit row, copied from the sample's. It checks nothing but what the tables themselves hold.
 */
const approveLike = `create function bench_approve_like(sample uuid, wanted uuid, paying uuid, request text, of_group uuid, of_outbox uuid,
  of_audit uuid) returns void language plpgsql as $$
declare
  tenant uuid := current_tenant();
  s transactions;
  t transactions;
  posting uuid := uuidv7();
begin
  select * into strict s from transactions where tenant_id = tenant and id = sample;
  insert into idempotency_keys (tenant_id, actor, key, fingerprint, status, packed, transaction_id, event_n)
    select tenant, k.actor, case when k.key = request then wanted::text else wanted || ':' || wanted end, k.fingerprint, k.status, k.packed,
      case when k.transaction_id is not null then wanted end, k.event_n
    from idempotency_keys k
    where k.tenant_id = tenant and k.actor = s.last_action_by and k.key in (request, request || ':' || sample);
  select * into strict t from transactions where tenant_id = tenant and id = wanted for update;
  insert into limit_usage as u (tenant_id, payment_account_id, kind, period, starts, used)
    values (tenant, paying, s.kind, 'day', s.limit_day, s.final_amount),
      (tenant, paying, s.kind, 'month', date_trunc('month', s.limit_day)::date, s.final_amount)
    on conflict (tenant_id, payment_account_id, kind, period, starts) do update set used = u.used + excluded.used;
  update transactions set status = s.status, version = s.version, events = s.events, charges = s.charges, charges_type = s.charges_type,
      final_amount = s.final_amount, merchant_amount = s.merchant_amount, previous_balance = s.previous_balance, payment_account_id = paying,
      payment_date = s.payment_date, limit_day = s.limit_day, claimed_by = null, claimed_at = null, claim_until = null,
      recallable_until = s.recallable_until, processed_at = s.processed_at, processed_by = s.processed_by, approved_at = now(),
      approved_by = s.approved_by, last_action_at = now(), last_action_by = s.last_action_by
    where tenant_id = tenant and id = wanted;
  insert into transaction_events (tenant_id, transaction_id, n, kind, act, from_status, to_status, by_user, actor, reason)
    select tenant, wanted, e.n, e.kind, e.act, e.from_status, e.to_status, e.by_user, e.actor, e.reason
    from transaction_events e where e.tenant_id = tenant and e.transaction_id = sample and e.n = s.events;
  insert into decisions (tenant_id, transaction_id, round, outcome, event_n, by_user)
    select tenant, wanted, d.round, d.outcome, d.event_n, d.by_user from decisions d where d.tenant_id = tenant and d.transaction_id = sample;
  insert into outbox (tenant_id, merchant_id, transaction_id, event_n, url, body, next_attempt_at)
    select tenant, t.merchant_id, wanted, o.event_n, o.url, o.body, o.next_attempt_at from outbox o
    where o.tenant_id = tenant and o.id = of_outbox;
  insert into audit_entries (tenant_id, actor_kind, actor_id, actor_name, act, entity, entity_id, event_n, before, after, reason, ip, request_id)
    select tenant, a.actor_kind, a.actor_id, a.actor_name, a.act, a.entity, wanted, a.event_n, a.before, a.after, a.reason, a.ip, a.request_id
    from audit_entries a where a.tenant_id = tenant and a.id = of_audit;
  -- last, so that what everybody posts to is locked no longer than it must be
  perform 1 from ledger_accounts a
    where a.tenant_id = tenant and a.currency = t.currency
      and (a.owner_id is null or a.owner_id = t.merchant_id or a.owner_id = paying)
      and a.kind in (select e.account_kind from ledger_entries e where e.tenant_id = tenant and e.group_id = of_group)
    order by a.id for update;
  insert into ledger_groups (tenant_id, id, kind, currency, transaction_id, by_user, reason)
    select tenant, posting, g.kind, g.currency, wanted, g.by_user, g.reason from ledger_groups g
    where g.tenant_id = tenant and g.id = of_group;
  with leg as (
    select a.id as account, e.rare_kind, e.amount from ledger_entries e
    join ledger_accounts o on o.tenant_id = tenant and o.id = e.account_id
    join ledger_accounts a on a.tenant_id = tenant and a.kind = o.kind and a.currency = o.currency
      and a.owner_id is not distinct from case when o.kind = 'payment-account' then paying when o.owner_id is null then null else t.merchant_id end
    where e.tenant_id = tenant and e.group_id = of_group
  ), moved as (
    update ledger_accounts a set balance = a.balance + leg.amount, last_seq = a.last_seq + 1
    from leg where a.tenant_id = tenant and a.id = leg.account returning a.*, leg.amount, leg.rare_kind
  )
  insert into ledger_entries (tenant_id, account_id, account_kind, rare_kind, seq, group_id, currency, side, amount, previous_balance, balance)
    select tenant, m.id, m.kind, m.rare_kind, m.last_seq, posting, m.currency, m.side, m.amount, m.balance - m.amount, m.balance from moved m;
end $$`;

/** Tables an approval writes, and the column that names its transaction. */
const written = [
  ["idempotency_keys", "transaction_id = $1"],
  ["ledger_groups", "transaction_id = $1"],
  ["ledger_entries", "group_id in (select id from ledger_groups where transaction_id = $1)"],
  ["transaction_events", "transaction_id = $1"],
  ["decisions", "transaction_id = $1"],
  ["outbox", "transaction_id = $1"],
  ["audit_entries", "entity_id = $1"],
] as const;

export async function makeFloor(db: TestDatabase): Promise<void> {
  await db.owner.query(approveLike);
  await db.owner.query("grant execute on function bench_approve_like to countinghouse_app");
}

export interface FloorAsked {
  readonly tenant: string;
  /** An approved withdrawal, whose rows are copied. */
  readonly sample: string;
  /** Withdrawals claimed as the sample was before it was approved. */
  readonly uuids: readonly string[];
  /** Payment accounts, which pay in turns. */
  readonly accounts: readonly string[];
  readonly connections: number;
}

/**
 * Approvals a second as one prepared call of one function writes them over as many connections as the callers over HTTP have; each call is a
 * transaction with its fsync. Throws when it writes other rows than the sample has.
 */
export async function benchApprovalFloor(
  db: TestDatabase,
  { tenant, sample, uuids, accounts, connections }: FloorAsked,
): Promise<{ readonly perSecond: number; readonly p50: number; readonly p99: number }> {
  // found once, so that the floor reads each by its key
  const { rows: found } = await db.owner.query<{ request: string; posted: string; outbox: string; audit: string }>(
    `select (select split_part(key, ':', 1) from idempotency_keys where tenant_id = $1 and transaction_id = $2) as request,
       (select id from ledger_groups where tenant_id = $1 and transaction_id = $2 order by created_at desc limit 1) as posted,
       (select id from outbox where tenant_id = $1 and transaction_id = $2 order by event_n desc limit 1) as outbox,
       (select id from audit_entries where tenant_id = $1 and entity_id = $2 order by event_n desc limit 1) as audit`,
    [tenant, sample],
  );
  const [own] = found;
  if (!own) throw new Error("the sample was approved");
  const clients = await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new pg.Client(db.connectAs("countinghouse_app"));
      await client.connect();
      await client.query(`set app.tenant_id = '${tenant}'`);
      return client;
    }),
  );
  try {
    const left = [...uuids];
    const times: number[] = [];
    const approveAll = async (client: pg.Client, n: number) => {
      for (let uuid = left.pop(), turn = n; uuid !== undefined; uuid = left.pop(), turn += connections) {
        const began = performance.now();
        const values = [sample, uuid, accounts[turn % accounts.length], own.request, own.posted, own.outbox, own.audit];
        await client.query({ name: "floor", text: "select bench_approve_like($1, $2, $3, $4, $5, $6, $7)", values });
        times.push(performance.now() - began);
      }
    };
    const began = performance.now();
    await Promise.all(clients.map(approveAll));
    const seconds = (performance.now() - began) / 1_000;
    const one = uuids[0] ?? "";
    for (const [table, where] of written) {
      const count = async (uuid: string) =>
        (await db.owner.query<{ n: string }>(`select count(*) as n from ${table} where tenant_id = $2 and ${where}`, [uuid, tenant]))
          .rows[0]?.n;
      const [ours, floors] = [await count(sample), await count(one)];
      if (ours !== floors) throw new Error(`an approval writes ${ours} rows of ${table}, its floor ${floors}`);
    }
    return { perSecond: times.length / seconds, p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}
