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

-- The figure an entry of a payment account belongs to, and what of its amount was paid: the rest are charges of the bank, which are taken where
-- money leaves. What was to be paid never changes, unlike charges, which may be others when a payment is approved again.
create or replace function account_paid(tenant uuid, posting uuid, rare text, amount numeric)
returns table (figure text, paid numeric) language sql stable as $$
  select f.figure, case when f.figure in ('withdrawals', 'transfers_out', 'settlements') then sign(amount) * coalesce(
      (select coalesce(x.amount, y.amount) from ledger_groups g
        left join transactions x on x.tenant_id = tenant and x.id = g.transaction_id
        left join transfers y on y.tenant_id = tenant and y.id = g.transaction_id
        where g.tenant_id = tenant and g.id = posting), abs(amount))
    else amount end
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

-- Days of payment accounts from the ledger: of each from `since` on (null: from the day after the last one kept, else from its first entry) to
-- `upto`, also those in which nothing moved. Opening and closing are balances and the movements sums, each read for itself, so that they can
-- be held against each other.
create or replace function account_days_of(tenant uuid, in_currency text, zone integer, since date, upto date, owners uuid[])
returns setof account_days language sql stable as $$
  with head as (
    select a.id, a.owner_id, case when since is null then coalesce(k.day + 1, f.day) else greatest(since, f.day) end as begins
    from ledger_accounts a
    left join lateral (select max(d.day) as day from account_days d
      where since is null and d.tenant_id = tenant and d.payment_account_id = a.owner_id) k on true
    left join lateral (select local_day(min(e.created_at), zone) as day from ledger_entries e where e.tenant_id = tenant and e.account_id = a.id) f on true
    where a.tenant_id = tenant and a.currency = in_currency and a.kind = 'payment-account' and f.day is not null
      and (owners is null or a.owner_id = any(owners))
  ), entry as (
    select h.id, local_day(e.created_at, zone) as day, p.figure, e.rare_kind like '%.recall' as taken_back, e.amount, p.paid
    from head h join ledger_entries e on e.tenant_id = tenant and e.account_id = h.id
      and e.created_at >= day_start(h.begins, zone) and e.created_at < day_start(upto + 1, zone)
    cross join lateral account_paid(tenant, e.group_id, e.rare_kind, e.amount) p
  ), moved as (
    select id, day,
      count(*) filter (where figure = 'deposits') - 2 * count(*) filter (where figure = 'deposits' and taken_back) as deposits_n,
      count(*) filter (where figure = 'withdrawals') - 2 * count(*) filter (where figure = 'withdrawals' and taken_back) as withdrawals_n,
      sum(paid) filter (where figure = 'deposits') as deposits,
      -sum(paid) filter (where figure = 'withdrawals') as withdrawals,
      sum(paid) filter (where figure = 'transfers_in') as transfers_in,
      -sum(paid) filter (where figure = 'transfers_out') as transfers_out,
      -sum(paid) filter (where figure = 'settlements') as settlements,
      sum(paid) filter (where figure = 'adjustments') as adjustments,
      sum(paid - amount) as charges
    from entry group by id, day
  )
  select tenant, h.owner_id, in_currency, s::date, day_start(s::date, zone), balance_before(tenant, h.id, day_start(s::date, zone)),
    coalesce(m.deposits_n, 0)::integer, coalesce(m.deposits, 0), coalesce(m.withdrawals_n, 0)::integer, coalesce(m.withdrawals, 0),
    coalesce(m.transfers_in, 0), coalesce(m.transfers_out, 0), coalesce(m.settlements, 0), coalesce(m.charges, 0), coalesce(m.adjustments, 0),
    balance_before(tenant, h.id, day_start(s::date + 1, zone))
  from head h
  cross join lateral generate_series(h.begins::timestamp, upto::timestamp, interval '1 day') s
  left join moved m on m.id = h.id and m.day = s::date
$$;

-- The same of merchants: `opening` and `closing` of the wallet, `held` of the hold. What moves between the two is no figure of its own.
create or replace function merchant_days_of(tenant uuid, in_currency text, zone integer, since date, upto date, owners uuid[])
returns setof merchant_days language sql stable as $$
  with head as (
    select w.owner_id, w.id as wallet, o.id as hold, case when since is null then coalesce(k.day + 1, f.day) else greatest(since, f.day) end as begins
    from ledger_accounts w
    left join ledger_accounts o on o.tenant_id = tenant and o.currency = in_currency and o.kind = 'hold' and o.owner_id = w.owner_id
    left join lateral (select max(d.day) as day from merchant_days d
      where since is null and d.tenant_id = tenant and d.merchant_id = w.owner_id) k on true
    left join lateral (select local_day(min(e.created_at), zone) as day from ledger_entries e where e.tenant_id = tenant and e.account_id = w.id) f on true
    where w.tenant_id = tenant and w.currency = in_currency and w.kind = 'wallet' and f.day is not null
      and (owners is null or w.owner_id = any(owners))
  ), posting as (
    select h.owner_id, e.group_id, local_day(min(e.created_at), zone) as day, sum(e.amount) as moved
    from head h cross join lateral (values (h.wallet), (h.hold)) own (id)
    join ledger_entries e on e.tenant_id = tenant and e.account_id = own.id
      and e.created_at >= day_start(h.begins, zone) and e.created_at < day_start(upto + 1, zone)
    group by h.owner_id, e.group_id
  ), figured as (
    select p.owner_id, p.day, p.moved, merchant_figure(g.kind) as figure, case when g.kind like '%.recall' then -1 else 1 end as times, x.paid, x.fee
    from posting p
    join ledger_groups g on g.tenant_id = tenant and g.id = p.group_id and merchant_figure(g.kind) is not null
    -- what was paid into or out of a payment account
    left join lateral (select sum(a.paid) as paid, sum(e.amount) filter (where e.account_kind = 'fee-income') as fee
      from ledger_entries e
      left join lateral account_paid(tenant, e.group_id, e.rare_kind, e.amount) a on e.account_kind = 'payment-account'
      where e.tenant_id = tenant and e.group_id = p.group_id) x on true
  ), moved as (
    select owner_id, day,
      sum(times) filter (where figure = 'deposits') as deposits_n, sum(paid) filter (where figure = 'deposits') as deposits,
      sum(moved) filter (where figure = 'deposits') as deposits_net,
      sum(times) filter (where figure = 'withdrawals') as withdrawals_n, -sum(paid) filter (where figure = 'withdrawals') as withdrawals,
      sum(paid - moved) filter (where figure = 'withdrawals') as withdrawals_fee,
      -sum(moved) filter (where figure = 'settlements') as settlements, sum(moved) filter (where figure = 'adjustments') as adjustments,
      sum(fee) as fees
    from figured group by owner_id, day
  ), ended as (
    select t.merchant_id, local_day(v.at, zone) as day,
      count(*) filter (where v.to_status = 'approved') - count(*) filter (where v.act = 'recall') as approved,
      count(*) filter (where v.to_status in ('rejected', 'expired')) as failed,
      percentile_disc(0.5) within group (order by extract(epoch from v.at - t.created_at)) filter (where v.to_status = 'approved') as median,
      percentile_disc(0.95) within group (order by extract(epoch from v.at - t.created_at)) filter (where v.to_status = 'approved') as p95
    from transaction_events v
    join transactions t on t.tenant_id = tenant and t.id = v.transaction_id and t.currency = in_currency
    join head h on h.owner_id = t.merchant_id
    where v.tenant_id = tenant and v.at >= (select day_start(min(begins), zone) from head) and v.at < day_start(upto + 1, zone)
      and v.from_status <> v.to_status and (v.to_status in ('approved', 'rejected', 'expired') or v.act = 'recall')
    group by 1, 2
  )
  select tenant, h.owner_id, in_currency, s::date, day_start(s::date, zone), balance_before(tenant, h.wallet, day_start(s::date, zone)),
    balance_before(tenant, h.hold, day_start(s::date, zone)),
    coalesce(m.deposits_n, 0)::integer, coalesce(m.deposits, 0), coalesce(m.deposits_net, 0), coalesce(m.withdrawals_n, 0)::integer,
    coalesce(m.withdrawals, 0), coalesce(m.withdrawals_fee, 0), coalesce(m.settlements, 0), coalesce(m.adjustments, 0), coalesce(m.fees, 0),
    balance_before(tenant, h.hold, day_start(s::date + 1, zone)), balance_before(tenant, h.wallet, day_start(s::date + 1, zone)),
    coalesce(n.approved, 0)::integer, coalesce(n.failed, 0)::integer, round(n.median)::integer, round(n.p95)::integer
  from head h
  cross join lateral generate_series(h.begins::timestamp, upto::timestamp, interval '1 day') s
  left join moved m on m.owner_id = h.owner_id and m.day = s::date
  left join ended n on n.merchant_id = h.owner_id and n.day = s::date
$$;
