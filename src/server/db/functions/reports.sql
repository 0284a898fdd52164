-- Which figure of a payment account's day an entry belongs to, by its rare kind. What is neither named here nor moved with every decision is an
-- adjustment, so that a kind a later release posts is shown and not lost.
create or replace function account_figure(rare text, amount numeric) returns text language sql immutable as $$
  select case
    when rare is null then case when amount > 0 then 'deposits' else 'withdrawals' end
    when rare = 'deposit.recall' then 'deposits'
    when rare = 'withdrawal.recall' then 'withdrawals'
    when rare in ('settlement', 'settlement.recall') then 'settlements'
    when rare in ('transfer', 'manual-transfer', 'clearing') then case when amount > 0 then 'transfers_in' else 'transfers_out' end
    when rare in ('transfer.recall', 'manual-transfer.recall', 'clearing.recall') then case when amount < 0 then 'transfers_in' else 'transfers_out' end
    else 'adjustments'
  end
$$;

-- What of an entry's amount of a payment account was paid: the rest are charges of the bank, which are taken where money leaves. `asked` is what
-- was to be paid, null where nothing says so.
create or replace function paid_of(figure text, amount numeric, asked numeric) returns numeric language sql immutable as $$
  select case when figure in ('withdrawals', 'transfers_out', 'settlements') then sign(amount) * coalesce(asked, abs(amount)) else amount end
$$;

-- The figure an entry of a payment account belongs to, and what of its amount was paid. What was to be paid never changes, unlike charges, which
-- may be others when a payment is approved again.
create or replace function account_paid(tenant uuid, posting uuid, rare text, amount numeric)
returns table (figure text, paid numeric) language sql stable as $$
  select f.figure, paid_of(f.figure, amount, (select coalesce(x.amount, y.amount) from ledger_groups g
      left join transactions x on x.tenant_id = tenant and x.id = g.transaction_id
      left join transfers y on y.tenant_id = tenant and y.id = g.transaction_id
      where g.tenant_id = tenant and g.id = posting))
  from (select account_figure(rare, amount) as figure) f
$$;

-- Which figure of a merchant's day a posting belongs to; null: it moves nothing but between wallet and hold.
create or replace function merchant_figure(posting text) returns text language sql immutable as $$
  select case
    when posting in ('deposit', 'deposit.recall') then 'deposits'
    when posting in ('withdrawal', 'withdrawal.recall') then 'withdrawals'
    when posting in ('settlement', 'settlement.recall') then 'settlements'
    when posting in ('withdrawal.hold', 'withdrawal.release', 'settlement.hold', 'settlement.release') then null
    else 'adjustments'
  end
$$;

-- The balance of a ledger account at a moment: that of its last entry before it.
create or replace function balance_before(tenant uuid, account uuid, at timestamptz) returns numeric language sql stable as $$
  select coalesce((select e.balance from ledger_entries e
    where e.tenant_id = tenant and e.account_id = account and e.created_at < at order by e.created_at desc, e.seq desc limit 1), 0)
$$;

-- Entries of a ledger account within a stretch of time: those numbered above `after` up to `upto` (null: without end), or where `after` is null
-- all of them. `offset 0` keeps each on its own index, because either may be thousands of times longer than the other, and a
-- bound at both ends is expected to leave few.
create or replace function entries_within(tenant uuid, account uuid, after bigint, upto bigint, begins timestamptz, ends timestamptz)
returns setof ledger_entries language sql stable as $$
  select e.* from (select * from ledger_entries n
      where after is not null and n.tenant_id = tenant and n.account_id = account and n.seq > after and n.seq <= coalesce(upto, 9223372036854775807) offset 0) e
    where e.created_at >= begins and e.created_at < ends
  union all
  select t.* from (select * from ledger_entries n
    where after is null and n.tenant_id = tenant and n.account_id = account and n.created_at >= begins and n.created_at < ends
    order by n.created_at, n.seq offset 0) t
$$;

-- What these entries come to in the figures of a payment account's day.
create or replace function account_moves(tenant uuid, account uuid, after bigint, upto bigint, begins timestamptz, ends timestamptz)
returns table (deposits_n integer, deposits numeric, withdrawals_n integer, withdrawals numeric, transfers_in numeric, transfers_out numeric,
  settlements numeric, charges numeric, adjustments numeric) language sql stable rows 1 as $$
  select (count(*) filter (where figure = 'deposits') - 2 * count(*) filter (where figure = 'deposits' and taken_back))::integer,
    coalesce(sum(paid) filter (where figure = 'deposits'), 0),
    (count(*) filter (where figure = 'withdrawals') - 2 * count(*) filter (where figure = 'withdrawals' and taken_back))::integer,
    coalesce(-sum(paid) filter (where figure = 'withdrawals'), 0),
    coalesce(sum(paid) filter (where figure = 'transfers_in'), 0),
    coalesce(-sum(paid) filter (where figure = 'transfers_out'), 0),
    coalesce(-sum(paid) filter (where figure = 'settlements'), 0),
    coalesce(sum(paid - amount), 0),
    coalesce(sum(paid) filter (where figure = 'adjustments'), 0)
  from (select p.figure, p.paid, e.amount, e.rare_kind like '%.recall' as taken_back
    from entries_within(tenant, account, after, upto, begins, ends) e
    cross join lateral account_paid(tenant, e.group_id, e.rare_kind, e.amount) p
    offset 0) m
$$;

-- What these entries come to in the figures of a merchant's day. A posting that moves wallet and hold counts with its entry of the wallet, so
-- that each may be read up to a number of its own.
create or replace function merchant_moves(tenant uuid, wallet uuid, after bigint, upto bigint, hold uuid, hold_after bigint, hold_upto bigint,
  begins timestamptz, ends timestamptz)
returns table (deposits_n integer, deposits numeric, deposits_net numeric, withdrawals_n integer, withdrawals numeric, withdrawals_fee numeric,
  settlements numeric, adjustments numeric, fees numeric) language sql stable rows 1 as $$
  select coalesce(sum(times) filter (where figure = 'deposits'), 0)::integer, coalesce(sum(paid) filter (where figure = 'deposits'), 0),
    coalesce(sum(moved) filter (where figure = 'deposits'), 0),
    coalesce(sum(times) filter (where figure = 'withdrawals'), 0)::integer, coalesce(-sum(paid) filter (where figure = 'withdrawals'), 0),
    coalesce(sum(paid - moved) filter (where figure = 'withdrawals'), 0),
    coalesce(-sum(moved) filter (where figure = 'settlements'), 0), coalesce(sum(moved) filter (where figure = 'adjustments'), 0),
    coalesce(sum(fee), 0)
  from (select g.figure, g.times, x.moved, x.paid, x.fee
    from (select e.group_id, e.account_id from entries_within(tenant, wallet, after, upto, begins, ends) e
      union all select e.group_id, e.account_id from entries_within(tenant, hold, hold_after, hold_upto, begins, ends) e) e
    cross join lateral (select merchant_figure(g.kind) as figure, case when g.kind like '%.recall' then -1 else 1 end as times
      from ledger_groups g where g.tenant_id = tenant and g.id = e.group_id offset 0) g
    -- what it moved of wallet and hold, what was paid into or out of a payment account, and what the house earned
    cross join lateral (select sum(n.amount) filter (where n.account_id in (wallet, hold)) as moved, sum(a.paid) as paid,
        sum(n.amount) filter (where n.account_kind = 'fee-income') as fee, bool_or(n.account_id = wallet) as moves_wallet
      from ledger_entries n
      left join lateral account_paid(tenant, n.group_id, n.rare_kind, n.amount) a on n.account_kind = 'payment-account'
      where g.figure is not null and n.tenant_id = tenant and n.group_id = e.group_id) x
    where g.figure is not null and (e.account_id = wallet or not x.moves_wallet) offset 0) m
$$;

-- What was decided of transactions in a currency within a stretch of time: approved, net of recalls; rejected or expired; and the whole seconds
-- from request to approval. Those that `after` does not show yet and `upto` does (null: whatever there is), or where `after` is null all of them.
create or replace function decided_within(tenant uuid, in_currency text, after pg_snapshot, upto pg_snapshot, begins timestamptz, ends timestamptz)
returns table (merchant_id uuid, approved integer, failed integer, seconds integer) language sql stable as $$
  select t.merchant_id, case when v.act = 'recall' then -1 when v.to_status = 'approved' then 1 else 0 end,
    case when v.to_status in ('rejected', 'expired') then 1 else 0 end,
    case when v.to_status = 'approved' then round(extract(epoch from v.at - t.created_at))::integer end
  from (select v.* from (select v.transaction_id, v.act, v.to_status, v.at from transaction_events v
        where after is not null and v.tenant_id = tenant and v.xact >= pg_snapshot_xmin(after)
          and v.xact < coalesce(pg_snapshot_xmax(upto), '18446744073709551615')
          and v.from_status <> v.to_status and (v.to_status in ('approved', 'rejected', 'expired') or v.act = 'recall')
          and not pg_visible_in_snapshot(v.xact, after) and (upto is null or pg_visible_in_snapshot(v.xact, upto)) offset 0) v
      where v.at >= begins and v.at < ends
    union all
    select v.transaction_id, v.act, v.to_status, v.at from transaction_events v
      where after is null and v.tenant_id = tenant and v.at >= begins and v.at < ends and v.from_status <> v.to_status
        and (v.to_status in ('approved', 'rejected', 'expired') or v.act = 'recall')) v
  cross join lateral (select t.merchant_id, t.created_at from transactions t
    where t.tenant_id = tenant and t.id = v.transaction_id and t.currency = in_currency offset 0) t
$$;

-- Days of payment accounts from the ledger: of each from `since` on (null: from the day after the last one kept, else from its first entry) to
-- `upto`, also those in which nothing moved. Opening and closing are balances and the movements sums, each read for itself, so that they can
-- be held against each other. With `since` null what is counted already of a day is not read again; with a day all is read, so that the two can
-- be held against each other as well. With a setting of its own, because a connection then plans it once and not at each reading.
create or replace function account_days_of(tenant uuid, in_currency text, zone integer, since date, upto date, owners uuid[])
returns setof account_days language sql stable set plan_cache_mode = force_generic_plan as $$
  with head as (
    select a.id, a.owner_id, case when since is null then coalesce(k.day + 1, f.day) else greatest(since, f.day) end as begins
    from ledger_accounts a
    left join lateral (select max(d.day) as day from account_days d
      where since is null and d.tenant_id = tenant and d.payment_account_id = a.owner_id) k on true
    left join lateral (select local_day(min(e.created_at), zone) as day from ledger_entries e where e.tenant_id = tenant and e.account_id = a.id) f on true
    where a.tenant_id = tenant and a.currency = in_currency and a.kind = 'payment-account' and f.day is not null
      and (owners is null or a.owner_id = any(owners))
  )
  select tenant, h.owner_id, in_currency, s.day, s.begins, balance_before(tenant, h.id, s.begins),
    coalesce(p.deposits_n, 0) + m.deposits_n, coalesce(p.deposits, 0) + m.deposits,
    coalesce(p.withdrawals_n, 0) + m.withdrawals_n, coalesce(p.withdrawals, 0) + m.withdrawals,
    coalesce(p.transfers_in, 0) + m.transfers_in, coalesce(p.transfers_out, 0) + m.transfers_out,
    coalesce(p.settlements, 0) + m.settlements, coalesce(p.charges, 0) + m.charges, coalesce(p.adjustments, 0) + m.adjustments,
    balance_before(tenant, h.id, s.ends)
  from head h
  cross join lateral (select d::date as day, day_start(d::date, zone) as begins, day_start(d::date + 1, zone) as ends
    from generate_series(h.begins::timestamp, upto::timestamp, interval '1 day') d offset 0) s
  left join account_day_parts p on since is null and p.tenant_id = tenant and p.payment_account_id = h.owner_id and p.day = s.day
    and p.starts = s.begins
  cross join lateral account_moves(tenant, h.id, p.upto, null, s.begins, s.ends) m
$$;

-- The same of merchants: `opening` and `closing` of the wallet, `held` of the hold. What moves between the two is no figure of its own.
create or replace function merchant_days_of(tenant uuid, in_currency text, zone integer, since date, upto date, owners uuid[])
returns setof merchant_days language sql stable set plan_cache_mode = force_generic_plan as $$
  with head as materialized (
    select w.owner_id, w.id as wallet, o.id as hold, case when since is null then coalesce(k.day + 1, f.day) else greatest(since, f.day) end as begins
    from ledger_accounts w
    left join ledger_accounts o on o.tenant_id = tenant and o.currency = in_currency and o.kind = 'hold' and o.owner_id = w.owner_id
    left join lateral (select max(d.day) as day from merchant_days d
      where since is null and d.tenant_id = tenant and d.merchant_id = w.owner_id) k on true
    left join lateral (select local_day(min(e.created_at), zone) as day from ledger_entries e where e.tenant_id = tenant and e.account_id = w.id) f on true
    where w.tenant_id = tenant and w.currency = in_currency and w.kind = 'wallet' and f.day is not null
      and (owners is null or w.owner_id = any(owners))
  ), span as materialized (
    -- a part that names more transactions than the database has had is of another database
    select d::date as day, day_start(d::date, zone) as begins, day_start(d::date + 1, zone) as ends, p.upto
    from generate_series((select min(begins) from head)::timestamp, upto::timestamp, interval '1 day') d
    left join decided_day_parts p on since is null and p.tenant_id = tenant and p.currency = in_currency and p.day = d::date
      and p.starts = day_start(d::date, zone) and pg_snapshot_xmax(p.upto) <= pg_snapshot_xmax(pg_current_snapshot())
  ), fresh as materialized (
    select s.day, v.* from span s cross join lateral decided_within(tenant, in_currency, s.upto, null, s.begins, s.ends) v
    where owners is null or v.merchant_id = any(owners)
  ), counted as materialized (
    select s.day, p.merchant_id, p.approved, p.failed, p.seconds, p.times from span s
    join merchant_decided_parts p on s.upto is not null and p.tenant_id = tenant and p.currency = in_currency and p.day = s.day
    where owners is null or p.merchant_id = any(owners)
  ), ended as (
    select merchant_id, day, sum(approved)::integer as approved, sum(failed)::integer as failed
    from (select merchant_id, day, approved, failed from fresh union all select merchant_id, day, approved, failed from counted) e
    group by merchant_id, day
  ), timed as (
    -- how many of a day were approved within this many seconds, and how many at all
    select merchant_id, day, seconds, sum(sum(times)) over (partition by merchant_id, day order by seconds) as reached,
      sum(sum(times)) over (partition by merchant_id, day) as whole
    from (select merchant_id, day, seconds, 1 as times from fresh where seconds is not null
      union all select c.merchant_id, c.day, u.seconds, u.times from counted c cross join lateral unnest(c.seconds, c.times) u (seconds, times)) t
    group by merchant_id, day, seconds
  ), usual as (
    -- as percentile_disc has them
    select merchant_id, day, min(seconds) filter (where reached >= ceil(0.5::float8 * whole::float8)::numeric) as median,
      min(seconds) filter (where reached >= ceil(0.95::float8 * whole::float8)::numeric) as p95
    from timed group by merchant_id, day
  )
  select tenant, h.owner_id, in_currency, s.day, s.begins, balance_before(tenant, h.wallet, s.begins), balance_before(tenant, h.hold, s.begins),
    coalesce(p.deposits_n, 0) + m.deposits_n, coalesce(p.deposits, 0) + m.deposits, coalesce(p.deposits_net, 0) + m.deposits_net,
    coalesce(p.withdrawals_n, 0) + m.withdrawals_n, coalesce(p.withdrawals, 0) + m.withdrawals,
    coalesce(p.withdrawals_fee, 0) + m.withdrawals_fee, coalesce(p.settlements, 0) + m.settlements,
    coalesce(p.adjustments, 0) + m.adjustments, coalesce(p.fees, 0) + m.fees,
    balance_before(tenant, h.hold, s.ends), balance_before(tenant, h.wallet, s.ends),
    coalesce(n.approved, 0), coalesce(n.failed, 0), u.median, u.p95
  from head h
  join span s on s.day >= h.begins
  left join merchant_day_parts p on since is null and p.tenant_id = tenant and p.merchant_id = h.owner_id and p.day = s.day and p.starts = s.begins
  cross join lateral merchant_moves(tenant, h.wallet, p.upto, null, h.hold, p.hold_upto, null, s.begins, s.ends) m
  left join ended n on n.merchant_id = h.owner_id and n.day = s.day
  left join usual u on u.merchant_id = h.owner_id and u.day = s.day
$$;
