-- Counting of a day that is not over. Each of the three looks at what came in a currency since it was last called, and answers whether it left
-- something for the next call. A part is locked before what it lacks is read, so that of two processes the second sees what the first counted.

-- Payment accounts with at least `fewest` entries to be counted: of `owners` of them, at most `most` entries each.
create or replace function count_account_days(tenant uuid, in_currency text, zone integer, of_day date, fewest integer, most integer, owners integer)
returns boolean language plpgsql as $$
declare
  begins timestamptz := day_start(of_day, zone);
  ends timestamptz := day_start(of_day + 1, zone);
  is_short boolean;
begin
  -- from the day's first entry on: one that is not seen yet has a higher number than all that are
  insert into account_day_parts as p (tenant_id, payment_account_id, currency, day, starts, upto)
    select tenant, a.owner_id, in_currency, of_day, begins, f.first - 1
    from (select a.id, a.owner_id from ledger_accounts a
      where a.tenant_id = tenant and a.currency = in_currency and a.kind = 'payment-account' and not exists (select from account_day_parts k
        where k.tenant_id = tenant and k.payment_account_id = a.owner_id and k.day = of_day and k.starts = begins) offset 0) a
    cross join lateral (select min(e.seq) as first, count(*) as entries from ledger_entries e
      where e.tenant_id = tenant and e.account_id = a.id and e.created_at >= begins) f
    where f.entries >= fewest order by a.owner_id
    on conflict (tenant_id, payment_account_id, day) do update
      set starts = excluded.starts, upto = excluded.upto, deposits_n = 0, deposits = 0, withdrawals_n = 0, withdrawals = 0, transfers_in = 0,
        transfers_out = 0, settlements = 0, charges = 0, adjustments = 0
      where p.starts <> excluded.starts;
  perform 1 from account_day_parts p where p.tenant_id = tenant and p.currency = in_currency and p.day = of_day
    order by p.payment_account_id for update;
  with due as materialized (
    select p.payment_account_id, a.id, p.upto, least(a.last_seq, p.upto + most) as reach, a.last_seq
    from account_day_parts p
    join ledger_accounts a on a.tenant_id = tenant and a.kind = 'payment-account' and a.currency = in_currency and a.owner_id = p.payment_account_id
    where p.tenant_id = tenant and p.currency = in_currency and p.day = of_day and p.starts = begins and a.last_seq >= p.upto + fewest
    order by a.last_seq - p.upto desc limit owners
  ), moved as materialized (
    select d.payment_account_id, d.reach, d.last_seq, m.* from due d
    cross join lateral account_moves(tenant, d.id, d.upto, d.reach, begins, ends) m
  ), counted as (
    update account_day_parts p set upto = m.reach, deposits_n = p.deposits_n + m.deposits_n, deposits = p.deposits + m.deposits,
      withdrawals_n = p.withdrawals_n + m.withdrawals_n, withdrawals = p.withdrawals + m.withdrawals,
      transfers_in = p.transfers_in + m.transfers_in, transfers_out = p.transfers_out + m.transfers_out,
      settlements = p.settlements + m.settlements, charges = p.charges + m.charges, adjustments = p.adjustments + m.adjustments
    from moved m where p.tenant_id = tenant and p.payment_account_id = m.payment_account_id and p.day = of_day
    returning m.last_seq - m.reach as missing
  ) select count(*) = owners or coalesce(max(missing), 0) >= fewest into is_short from counted;
  return is_short;
end $$;

-- The same of merchants, by their wallets and holds.
create or replace function count_merchant_days(tenant uuid, in_currency text, zone integer, of_day date, fewest integer, most integer, owners integer)
returns boolean language plpgsql as $$
declare
  begins timestamptz := day_start(of_day, zone);
  ends timestamptz := day_start(of_day + 1, zone);
  is_short boolean;
begin
  insert into merchant_day_parts as p (tenant_id, merchant_id, currency, day, starts, upto, hold_upto)
    select tenant, w.owner_id, in_currency, of_day, begins, coalesce(f.first - 1, w.last_seq), coalesce(o.first - 1, w.held_seq)
    from (select w.id, w.owner_id, w.last_seq, h.id as hold, coalesce(h.last_seq, 0) as held_seq from ledger_accounts w
      left join ledger_accounts h on h.tenant_id = tenant and h.currency = in_currency and h.kind = 'hold' and h.owner_id = w.owner_id
      where w.tenant_id = tenant and w.currency = in_currency and w.kind = 'wallet' and not exists (select from merchant_day_parts k
        where k.tenant_id = tenant and k.merchant_id = w.owner_id and k.day = of_day and k.starts = begins) offset 0) w
    cross join lateral (select min(e.seq) as first, count(*) as entries from ledger_entries e
      where e.tenant_id = tenant and e.account_id = w.id and e.created_at >= begins) f
    cross join lateral (select min(e.seq) as first, count(*) as entries from ledger_entries e
      where e.tenant_id = tenant and e.account_id = w.hold and e.created_at >= begins) o
    where f.entries + o.entries >= fewest order by w.owner_id
    on conflict (tenant_id, merchant_id, day) do update
      set starts = excluded.starts, upto = excluded.upto, hold_upto = excluded.hold_upto, deposits_n = 0, deposits = 0, deposits_net = 0,
        withdrawals_n = 0, withdrawals = 0, withdrawals_fee = 0, settlements = 0, adjustments = 0, fees = 0
      where p.starts <> excluded.starts;
  perform 1 from merchant_day_parts p where p.tenant_id = tenant and p.currency = in_currency and p.day = of_day
    order by p.merchant_id for update;
  with due as materialized (
    select p.merchant_id, w.id as wallet, p.upto, least(w.last_seq, p.upto + most) as reach, h.id as hold, p.hold_upto,
      least(coalesce(h.last_seq, p.hold_upto), p.hold_upto + most) as hold_reach,
      w.last_seq - p.upto + coalesce(h.last_seq, p.hold_upto) - p.hold_upto as missing
    from merchant_day_parts p
    join ledger_accounts w on w.tenant_id = tenant and w.kind = 'wallet' and w.currency = in_currency and w.owner_id = p.merchant_id
    left join ledger_accounts h on h.tenant_id = tenant and h.kind = 'hold' and h.currency = in_currency and h.owner_id = p.merchant_id
    where p.tenant_id = tenant and p.currency = in_currency and p.day = of_day and p.starts = begins
      and w.last_seq - p.upto + coalesce(h.last_seq, p.hold_upto) - p.hold_upto >= fewest
    order by missing desc limit owners
  ), moved as materialized (
    select d.merchant_id, d.reach, d.hold_reach, d.missing - (d.reach - d.upto) - (d.hold_reach - d.hold_upto) as left_over, m.* from due d
    cross join lateral merchant_moves(tenant, d.wallet, d.upto, d.reach, d.hold, d.hold_upto, d.hold_reach, begins, ends) m
  ), counted as (
    update merchant_day_parts p set upto = m.reach, hold_upto = m.hold_reach, deposits_n = p.deposits_n + m.deposits_n,
      deposits = p.deposits + m.deposits, deposits_net = p.deposits_net + m.deposits_net, withdrawals_n = p.withdrawals_n + m.withdrawals_n,
      withdrawals = p.withdrawals + m.withdrawals, withdrawals_fee = p.withdrawals_fee + m.withdrawals_fee,
      settlements = p.settlements + m.settlements, adjustments = p.adjustments + m.adjustments, fees = p.fees + m.fees
    from moved m where p.tenant_id = tenant and p.merchant_id = m.merchant_id and p.day = of_day
    returning m.left_over as missing
  ) select count(*) = owners or coalesce(max(missing), 0) >= fewest into is_short from counted;
  return is_short;
end $$;

-- A snapshot in which all that has a lower number was committed, and nothing else.
create or replace function snapshot_before(xact xid8) returns pg_snapshot language sql immutable
  return (xact::text || ':' || xact::text || ':')::pg_snapshot;

-- What was decided, of merchants: about `most` decisions.
create or replace function count_decided_days(tenant uuid, in_currency text, zone integer, of_day date, most integer)
returns boolean language plpgsql as $$
declare
  begins timestamptz := day_start(of_day, zone);
  ends timestamptz := day_start(of_day + 1, zone);
  was pg_snapshot;
  far xid8;
  is_short boolean;
begin
  delete from decided_day_parts p where p.tenant_id = tenant and p.currency = in_currency and p.day = of_day
    and (p.starts <> begins or pg_snapshot_xmax(p.upto) > pg_snapshot_xmax(pg_current_snapshot()));
  if not exists (select from decided_day_parts p where p.tenant_id = tenant and p.currency = in_currency and p.day = of_day) then
    -- the day on which decisions began to say their transaction is not counted: they are older than its migration
    if exists (select from transaction_events v where v.tenant_id = tenant and v.at >= begins and v.xact is null) then return false; end if;
    -- what is not seen yet is of a transaction that runs now, or of a later one
    insert into decided_day_parts (tenant_id, currency, day, starts, upto)
      select tenant, in_currency, of_day, begins, snapshot_before(least(min(v.xact), pg_snapshot_xmin(pg_current_snapshot())))
      from transaction_events v where v.tenant_id = tenant and v.at >= begins
      on conflict do nothing;
  end if;
  select p.upto into was from decided_day_parts p
    where p.tenant_id = tenant and p.currency = in_currency and p.day = of_day and p.starts = begins for update;
  if not found then return false; end if;
  select v.xact into far from transaction_events v
    where v.tenant_id = tenant and v.xact >= pg_snapshot_xmin(was) and not pg_visible_in_snapshot(v.xact, was)
      and v.from_status <> v.to_status and (v.to_status in ('approved', 'rejected', 'expired') or v.act = 'recall')
    order by v.xact offset most limit 1;
  with cut as materialized (
    -- short of what is committed now, where that is much; but never short of what was looked at
    select s.is_short, case when s.is_short then snapshot_before(far) else pg_current_snapshot() end as upto
    from (select coalesce(far > pg_snapshot_xmax(was) and far < pg_snapshot_xmin(pg_current_snapshot()), false) as is_short) s
  ), fresh as materialized (
    select v.* from cut cross join lateral decided_within(tenant, in_currency, was, cut.upto, begins, ends) v
  ), counted as (
    insert into merchant_decided_parts (tenant_id, merchant_id, currency, day, approved, failed, seconds, times)
      select tenant, s.merchant_id, in_currency, of_day, s.approved + coalesce(k.approved, 0), s.failed + coalesce(k.failed, 0), h.seconds, h.times
      from (select f.merchant_id, sum(f.approved)::integer as approved, sum(f.failed)::integer as failed from fresh f group by f.merchant_id) s
      left join merchant_decided_parts k on k.tenant_id = tenant and k.merchant_id = s.merchant_id and k.day = of_day
      cross join lateral (select coalesce(array_agg(t.seconds order by t.seconds), '{}') as seconds,
          coalesce(array_agg(t.times order by t.seconds), '{}') as times
        from (select u.seconds, sum(u.times)::integer as times from (
            select f.seconds, 1 as times from fresh f where f.merchant_id = s.merchant_id and f.seconds is not null
            union all select o.seconds, o.times from unnest(k.seconds, k.times) o (seconds, times)) u
          group by u.seconds) t) h
      on conflict (tenant_id, merchant_id, day) do update
        set approved = excluded.approved, failed = excluded.failed, seconds = excluded.seconds, times = excluded.times
  )
  update decided_day_parts p set upto = cut.upto from cut
    where p.tenant_id = tenant and p.currency = in_currency and p.day = of_day
      and (cut.is_short or exists (select from transaction_events v
        where v.tenant_id = tenant and v.xact >= pg_snapshot_xmin(was) and not pg_visible_in_snapshot(v.xact, was)
          and v.from_status <> v.to_status and (v.to_status in ('approved', 'rejected', 'expired') or v.act = 'recall')))
    returning cut.is_short into is_short;
  return coalesce(is_short, false);
end $$;
