import type { TestDatabase } from "../../support/database.ts";
import type { FloorFigures } from "./floor.ts";
import { benchFloor } from "./floor.ts";

/**
 * Writes what one act on a transaction over HTTP has written, for another: keys, transaction, event, audit rows and, where the act writes them,
 * decision, callback, match with its bank line and payer, limit use, entries and balances. Every value is given; it reads nothing and checks
 * nothing but what the tables hold.
 */
const actGiven = `create function bench_act(is_new boolean, k idempotency_keys[], t transactions, e transaction_events, d decisions, o outbox,
  a audit_entries[], m bank_matches, y bank_payers, u limit_usage[], g ledger_groups, accounts uuid[], amounts numeric[]) returns void language plpgsql as $$
begin
  insert into idempotency_keys (tenant_id, actor, key, fingerprint, status, packed, transaction_id, event_n)
    select k.tenant_id, k.actor, k.key, k.fingerprint, k.status, k.packed, k.transaction_id, k.event_n from unnest(k) k;
  if is_new then
    insert into transactions (tenant_id, id, kind, txn_no, merchant_id, merchant_txn_no, reference_no, source, status, currency, method, member,
        customer_name, bank, account_number, holder, amount, fee, charges, charges_type, charges_borne_by, final_amount, merchant_amount,
        previous_balance, payment_account_id, payment_date, limit_day, events, expires_at, created_at, processed_at, processed_by, remark,
        last_action_at, last_action_by)
      values (t.tenant_id, t.id, t.kind, t.txn_no, t.merchant_id, t.merchant_txn_no, t.reference_no, t.source, t.status, t.currency, t.method,
        t.member, t.customer_name, t.bank, t.account_number, t.holder, t.amount, t.fee, t.charges, t.charges_type, t.charges_borne_by,
        t.final_amount, t.merchant_amount, t.previous_balance, t.payment_account_id, t.payment_date, t.limit_day, 1, t.expires_at, now(),
        t.processed_at, t.processed_by, t.remark, now(), t.last_action_by);
  else
    update transactions w set status = t.status, version = t.version, events = t.events, charges = t.charges, charges_type = t.charges_type,
        final_amount = t.final_amount, merchant_amount = t.merchant_amount, previous_balance = t.previous_balance,
        payment_account_id = t.payment_account_id, payment_date = t.payment_date, limit_day = t.limit_day, claimed_by = t.claimed_by,
        claimed_at = t.claimed_at, claim_until = t.claim_until, recallable_until = t.recallable_until, approved_at = t.approved_at,
        approved_by = t.approved_by, last_action_at = now(), last_action_by = t.last_action_by
      where w.tenant_id = t.tenant_id and w.id = t.id;
  end if;
  insert into transaction_events (tenant_id, transaction_id, n, kind, act, from_status, to_status, by_user, actor, reason)
    values (e.tenant_id, e.transaction_id, e.n, e.kind, e.act, e.from_status, e.to_status, e.by_user, e.actor, e.reason);
  if d.tenant_id is not null then
    insert into decisions (tenant_id, transaction_id, round, outcome, event_n, by_user)
      values (d.tenant_id, d.transaction_id, d.round, d.outcome, d.event_n, d.by_user);
    insert into outbox (tenant_id, merchant_id, transaction_id, event_n, url, body, next_attempt_at)
      values (o.tenant_id, o.merchant_id, o.transaction_id, o.event_n, o.url, o.body, o.next_attempt_at);
  end if;
  insert into audit_entries (tenant_id, actor_kind, actor_id, actor_name, act, entity, entity_id, event_n, before, after, reason, ip, request_id)
    select a.tenant_id, a.actor_kind, a.actor_id, a.actor_name, a.act, a.entity, a.entity_id, a.event_n, a.before, a.after, a.reason, a.ip,
      a.request_id from unnest(a) a;
  if m.tenant_id is not null then
    insert into bank_matches (tenant_id, line_id, n, transaction_id, amount, score_amount, score_reference, score_name, score_time, automatic,
        by_user)
      values (m.tenant_id, m.line_id, m.n, m.transaction_id, m.amount, m.score_amount, m.score_reference, m.score_name, m.score_time,
        m.automatic, m.by_user);
    update bank_lines l set status = 'matched', version = l.version + 1, updated_at = clock_timestamp()
      where l.tenant_id = m.tenant_id and l.id = m.line_id;
    insert into bank_payers as c (tenant_id, currency, account, name, merchant_id, member, last_at)
      values (y.tenant_id, y.currency, y.account, y.name, y.merchant_id, y.member, y.last_at)
      on conflict (tenant_id, currency, account, merchant_id, member) do update
        set times = c.times + 1, last_at = excluded.last_at, version = c.version + 1, updated_at = clock_timestamp();
  end if;
  -- last, so that what many post to is locked no longer than it must be
  insert into limit_usage as c (tenant_id, payment_account_id, kind, period, starts, used)
    select u.tenant_id, u.payment_account_id, u.kind, u.period, u.starts, u.used from unnest(u) u
    on conflict (tenant_id, payment_account_id, kind, period, starts) do update set used = c.used + excluded.used;
  if g.tenant_id is null then return; end if;
  insert into ledger_groups (tenant_id, id, kind, currency, transaction_id, by_user, reason)
    values (g.tenant_id, g.id, g.kind, g.currency, g.transaction_id, g.by_user, g.reason);
  perform 1 from ledger_accounts l where l.tenant_id = g.tenant_id and l.id = any(accounts) order by l.id for update;
  with moved as (
    update ledger_accounts l set balance = l.balance + leg.amount, last_seq = l.last_seq + 1
    from unnest(accounts, amounts) leg (account, amount) where l.tenant_id = g.tenant_id and l.id = leg.account
    returning l.id, l.kind, l.side, l.last_seq, leg.amount, l.balance
  )
  insert into ledger_entries (tenant_id, account_id, account_kind, seq, group_id, currency, side, amount, previous_balance, balance)
    select g.tenant_id, v.id, v.kind, v.last_seq, g.id, g.currency, v.side, v.amount, v.balance - v.amount, v.balance from moved v;
end $$`;

/**
 * The values of such calls: the rows of the sample's last act ($2) as they would be for the transactions $3, paid in turns from or to $4 where
 * that names any. $5: the kind of the act's postings. $6: the transactions are created by it. $7: the lines they are matched to, by an act
 * that matches.
 */
const valuesLike = `with s as (select * from transactions where tenant_id = $1 and id = $2),
  posted as (select g.* from ledger_groups g where g.tenant_id = $1 and g.transaction_id = $2 and g.kind = $5),
  matched as (select m.*, l.counterparty_account from bank_matches m
    join bank_lines l on l.tenant_id = $1 and l.id = m.line_id where m.tenant_id = $1 and m.transaction_id = $2),
  p as (select w.n, w.id, ($7::uuid[])[w.n] as line, t.final_amount, t.merchant_amount, coalesce(t.merchant_id, s.merchant_id) as merchant_id,
      coalesce(($4::uuid[])[1 + w.n % nullif(cardinality($4::uuid[]), 0)], s.payment_account_id) as account
    from s, unnest($3::uuid[]) with ordinality w (id, n) left join transactions t on t.tenant_id = $1 and t.id = w.id),
  own_keys as materialized (select k.* from idempotency_keys k, idempotency_keys done where done.tenant_id = $1
    and (done.transaction_id = $2 or split_part(done.key, ':', 2) in (select line_id::text from matched))
    and k.tenant_id = $1 and k.actor = done.actor and k.key in (done.key, split_part(done.key, ':', 1))),
  audited as materialized (select a.* from s, audit_entries done, audit_entries a where done.tenant_id = $1 and done.entity_id = $2
    and done.event_n = s.events and a.tenant_id = $1 and a.request_id = done.request_id),
  legs as (select p.n, array_agg(a.id order by a.id) as accounts, array_agg(e.amount::text order by a.id) as amounts
    from p, posted g
    join ledger_entries e on e.tenant_id = $1 and e.group_id = g.id
    join ledger_accounts o on o.tenant_id = $1 and o.id = e.account_id
    join ledger_accounts a on a.tenant_id = $1 and a.kind = o.kind and a.currency = o.currency
    where a.owner_id is not distinct from case when o.kind = 'payment-account' then p.account when o.owner_id is not null then p.merchant_id end
    group by p.n)
  select (select array_agg(jsonb_populate_record(k, jsonb_build_object('key', case when k.key like '%:%' then p.id || ':' || p.id
      else p.id::text end, 'transaction_id', case when k.transaction_id is not null then p.id end))) from own_keys k)::text as k,
    jsonb_populate_record(s::transactions, jsonb_build_object('id', p.id, 'payment_account_id', p.account)
      || case when $6 then jsonb_build_object('txn_no', left(s.txn_no, 1) || right(p.id::text, 17), 'merchant_txn_no', p.id)
        when $5 is null then jsonb_build_object('final_amount', p.final_amount, 'merchant_amount', p.merchant_amount) else '{}' end)::text as t,
    (select jsonb_populate_record(e, of_it) from transaction_events e where e.tenant_id = $1 and e.transaction_id = $2 and e.n = s.events)::text as e,
    (select jsonb_populate_record(d, of_it) from decisions d where d.tenant_id = $1 and d.transaction_id = $2)::text as d,
    (select jsonb_populate_record(o, of_it || jsonb_build_object('merchant_id', p.merchant_id, 'next_attempt_at', now() + interval '1 hour'))
      from outbox o
      where o.tenant_id = $1 and o.transaction_id = $2)::text as o,
    (select array_agg(jsonb_populate_record(a, jsonb_build_object('request_id', p.id) || case a.entity_id
        when $2 then jsonb_build_object('entity_id', p.id) when (select line_id from matched) then jsonb_build_object('entity_id', p.line)
        else '{}' end))
      from audited a)::text as a,
    (select jsonb_populate_record(null::bank_matches, to_jsonb(m) || of_it || jsonb_build_object('line_id', p.line)) from matched m)::text as m,
    (select jsonb_populate_record(y, jsonb_build_object('account', l.counterparty_account)) from matched m
      join bank_payers y on y.tenant_id = $1 and y.account = m.counterparty_account and y.member = s.member
      join bank_lines l on l.tenant_id = $1 and l.id = p.line)::text as y,
    (select array_agg(jsonb_populate_record(null::limit_usage, jsonb_build_object('tenant_id', $1, 'payment_account_id', p.account,
      'kind', s.kind, 'period', q, 'starts', date_trunc(q, s.limit_day)::date, 'used', s.final_amount))) from unnest(array['day', 'month']) q
      where s.limit_day is not null)::text as u,
    (select jsonb_populate_record(posted::ledger_groups, of_it || jsonb_build_object('id', uuidv7())) from posted)::text as g,
    legs.accounts, legs.amounts
  from s, p left join legs on legs.n = p.n, lateral (select jsonb_build_object('transaction_id', p.id) as of_it) it`;

/** Tables such acts write, and the column that names the transaction. */
const written = [
  ["idempotency_keys", "transaction_id = $1"],
  ["ledger_groups", "transaction_id = $1"],
  ["ledger_entries", "group_id in (select id from ledger_groups where transaction_id = $1)"],
  ["transaction_events", "transaction_id = $1"],
  ["decisions", "transaction_id = $1"],
  ["outbox", "transaction_id = $1"],
  ["bank_matches", "transaction_id = $1"],
  ["audit_entries", "entity_id = $1"],
] as const;

export async function makeActFloor(db: TestDatabase): Promise<void> {
  await db.owner.query(actGiven);
  await db.owner.query("grant execute on function bench_act to countinghouse_app");
}

export interface ActFloorAsked {
  readonly tenant: string;
  /** A transaction on which the act was the last; its rows are written again. */
  readonly sample: string;
  /** Transactions that stand as the sample stood before, of its amount where the act posts; or how many the act creates. */
  readonly targets: readonly string[] | number;
  /** For an act that matches: a free bank line for each target. */
  readonly lines?: readonly string[];
  /** Payment accounts that pay in turns; left out: the sample's. */
  readonly accounts?: readonly string[];
  /** The kind of the act's postings; left out: it posts nothing. */
  readonly posts?: string;
  readonly connections: number;
  /** Without triggers and foreign keys: what they cost. */
  readonly unguarded?: true;
}

/** Acts a second as one function writes their rows. Throws when it writes other numbers of rows than the sample has. */
export async function benchActFloor(
  db: TestDatabase,
  { tenant, sample, targets, lines = [], accounts = [], posts, ...how }: ActFloorAsked,
): Promise<FloorFigures> {
  const creates = typeof targets === "number";
  const uuids = creates
    ? (await db.owner.query<{ id: string }>("select uuidv7() as id from generate_series(1, $1)", [targets])).rows.map(({ id }) => id)
    : targets;
  const { rows } = await db.owner.query<Record<string, unknown>>(valuesLike, [
    tenant,
    sample,
    uuids,
    accounts,
    posts ?? null,
    creates,
    lines,
  ]);
  if (rows.length !== uuids.length) throw new Error(`values for ${rows.length} of ${uuids.length} acts`);
  const acts = rows.map(({ k, t, e, d, o, a, m, y, u, g, accounts: moved, amounts }) => [
    creates,
    k,
    t,
    e,
    d,
    o,
    a,
    m,
    y,
    u,
    g,
    moved,
    amounts,
  ]);
  const text = "select bench_act($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)";
  const figures = await benchFloor(db, { tenant, text, acts, ...how });
  const [one = ""] = uuids;
  for (const [table, where] of written) {
    const count = async (uuid: string) =>
      (await db.owner.query<{ n: string }>(`select count(*) as n from ${table} where tenant_id = $2 and ${where}`, [uuid, tenant])).rows[0]
        ?.n;
    const [ours, floors] = [await count(sample), await count(one)];
    if (ours !== floors) throw new Error(`an act writes ${ours} rows of ${table}, its floor ${floors}`);
  }
  return figures;
}
