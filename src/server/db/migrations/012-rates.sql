-- What rate limits count: a transaction from the moment it is created for as long as it is open, then by the time it was approved.
-- So no more than a limit allows is ever approved within its window, however long anything waited before. Each reader is told what is
-- enough to decide by, and reads no further: a window may hold more than any limit asks about.

create index transactions_member_open on transactions (tenant_id, merchant_id, member, kind, created_at, id) where status in ('pending', 'process');
create index transactions_member_approved on transactions (tenant_id, merchant_id, member, kind, approved_at) where approved_at is not null;
create index transactions_account_open on transactions (tenant_id, payment_account_id, kind) where status in ('pending', 'process');
drop index transactions_paid;
create index transactions_account_approved on transactions (tenant_id, payment_account_id, kind, approved_at) where approved_at is not null;

-- One customer's transactions that a member-scope limit counts: approved within the window, newest first, then open, oldest first;
-- until there are `enough_count` and they come to `enough_amount` in each of the two. minutes_ago is null while it is open.
create function member_uses(wanted_kind text, wanted_merchant uuid, wanted_member text, window_minutes integer, enough_count integer,
  enough_amount numeric)
returns table (id uuid, amount numeric, created_at timestamptz, minutes_ago double precision) language plpgsql stable as $$
#variable_conflict use_column
declare
  tenant uuid := current_tenant();
  n integer := 0;
  total numeric := 0;
begin
  for id, amount, created_at, minutes_ago in
    select t.id, t.amount, t.created_at, extract(epoch from statement_timestamp() - t.approved_at)::float8 / 60 from transactions t
      where t.tenant_id = tenant and t.merchant_id = wanted_merchant and t.member = wanted_member and t.kind = wanted_kind
        and t.approved_at > statement_timestamp() - make_interval(mins => window_minutes)
      order by t.approved_at desc
  loop
    return next;
    n := n + 1;
    total := total + amount;
    exit when n >= enough_count and total >= enough_amount;
  end loop;
  n := 0;
  total := 0;
  for id, amount, created_at, minutes_ago in
    select t.id, t.amount, t.created_at, null::float8 from transactions t
      where t.tenant_id = tenant and t.merchant_id = wanted_merchant and t.member = wanted_member and t.kind = wanted_kind
        and t.status in ('pending', 'process')
      order by t.created_at, t.id
  loop
    return next;
    n := n + 1;
    total := total + amount;
    exit when n >= enough_count and total >= enough_amount;
  end loop;
end $$;

-- What a payment account has used of its trailing window, as far as it takes to know whether there is room. A withdrawal has no
-- account before it is approved; a deposit counts from the moment the account was shown.
create function account_used(account uuid, wanted_kind text, window_minutes integer, enough_count integer, enough_amount numeric,
  out used_count integer, out used_amount numeric)
language plpgsql stable as $$
declare
  tenant uuid := current_tenant();
  one numeric;
begin
  used_count := 0;
  used_amount := 0;
  for one in
    select u.amount from transactions u where u.tenant_id = tenant and u.payment_account_id = account and u.kind = wanted_kind
      and u.status in ('pending', 'process')
    union all
    select u.amount from transactions u where u.tenant_id = tenant and u.payment_account_id = account and u.kind = wanted_kind
      and u.approved_at > statement_timestamp() - make_interval(mins => window_minutes)
  loop
    used_count := used_count + 1;
    used_amount := used_amount + one;
    exit when used_count >= enough_count and used_amount >= enough_amount;
  end loop;
end $$;

-- An account's rate-limit group, and what the account has used of its trailing window.
create or replace function rate_of(a payment_accounts, wanted_kind text) returns jsonb language plpgsql stable as $$
declare
  g rate_limit_groups;
  used_count integer := 0;
  used_amount numeric := 0;
begin
  select * into g from rate_limit_groups r where r.tenant_id = a.tenant_id and r.id = a.rate_limit_group_id;
  if g.account_max_count is not null or g.account_turnover is not null then
    -- once the count is reached, no sum matters
    select u.used_count, u.used_amount into used_count, used_amount from account_used(a.id, wanted_kind, g.account_window_minutes, coalesce(g.account_max_count, 0),
      case when g.account_max_count is null then g.account_turnover else 0 end) u;
  end if;
  return jsonb_build_object('account_window_minutes', g.account_window_minutes, 'account_max_count', g.account_max_count,
    'account_turnover', g.account_turnover::text, 'account_max_amount', g.account_max_amount::text,
    'member_window_minutes', g.member_window_minutes, 'member_max_count', g.member_max_count,
    'member_turnover', g.member_turnover::text, 'member_max_amount', g.member_max_amount::text,
    'used_count', used_count, 'used_amount', used_amount::text);
end $$;

-- As before, but what cannot take a transaction of this kind at all is not counted.
create or replace function weigh_accounts(wanted_currency text, wanted_kind text, zone_minutes integer, wanted_merchant uuid)
returns table (id uuid, code text, bank text, account_number text, holder text, type text, purpose text, method text, status text,
  hold_amount numeric, reserve_amount numeric, charges_type text, charges_value numeric, ledger_account_id uuid, balance numeric,
  minimum numeric, maximum numeric, daily_limit numeric, monthly_limit numeric, daily_used numeric, monthly_used numeric, rate jsonb)
language plpgsql stable as $$
#variable_conflict use_column
declare
  tenant uuid := current_tenant();
  today date := local_day(clock_timestamp(), zone_minutes);
  pays boolean := wanted_kind = 'withdrawal';
begin
  return query
    select a.id, a.code, a.bank, a.account_number, a.holder, a.type, a.purpose, a.method, a.status, a.hold_amount, a.reserve_amount,
      a.charges_type, a.charges_value, a.ledger_account_id, l.balance,
      case when pays then a.withdrawal_minimum else a.deposit_minimum end, case when pays then a.withdrawal_maximum else a.deposit_maximum end,
      case when pays then a.withdrawal_daily_limit else a.deposit_daily_limit end,
      case when pays then a.withdrawal_monthly_limit else a.deposit_monthly_limit end,
      coalesce(d.used, 0), coalesce(m.used, 0),
      case when a.rate_limit_group_id is not null and a.status = 'active' and a.purpose in ('both', wanted_kind) then rate_of(a, wanted_kind) end
    from payment_accounts a
    join ledger_accounts l on l.tenant_id = a.tenant_id and l.id = a.ledger_account_id
    left join limit_usage d on d.tenant_id = a.tenant_id and d.payment_account_id = a.id and d.kind = wanted_kind and d.period = 'day'
      and d.starts = today
    left join limit_usage m on m.tenant_id = a.tenant_id and m.payment_account_id = a.id and m.kind = wanted_kind and m.period = 'month'
      and m.starts = date_trunc('month', today)::date
    where a.tenant_id = tenant and a.currency = wanted_currency
      and (wanted_merchant is null or exists (select from payment_group_merchants gm
        join payment_group_accounts ga on ga.tenant_id = gm.tenant_id and ga.group_id = gm.group_id
        where gm.tenant_id = tenant and gm.merchant_id = wanted_merchant and ga.payment_account_id = a.id));
end $$;
