-- What rate limits count: a transaction from the moment it is created for as long as it is open, then by the time it was approved. So no
-- more than a limit allows is ever approved within its window, however long anything waited before. Each reader is told what is enough to
-- decide by, and reads no further: a window may hold more than any limit asks about.

-- One customer's transactions that a member-scope limit counts: approved within the window, newest first, then open, oldest first;
-- until there are `enough_count` and they come to `enough_amount` in each of the two. minutes_ago is null while it is open.
create or replace function member_uses(wanted_kind text, wanted_merchant uuid, wanted_member text, window_minutes integer, enough_count integer,
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
create or replace function account_used(account uuid, wanted_kind text, window_minutes integer, enough_count integer, enough_amount numeric,
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

-- What is enough to decide by: once the count is reached, no sum matters.
create or replace function rate_enough(max_count integer, turnover numeric) returns table (enough_count integer, enough_amount numeric)
language sql immutable as $$
  select coalesce(max_count, 0), case when max_count is null then turnover else 0 end
$$;

-- An account's rate-limit group, and what the account has used of its trailing window.
create or replace function rate_of(a payment_accounts, wanted_kind text) returns jsonb language plpgsql stable as $$
declare
  g rate_limit_groups;
  used_count integer := 0;
  used_amount numeric := 0;
begin
  select * into g from rate_limit_groups r where r.tenant_id = a.tenant_id and r.id = a.rate_limit_group_id;
  if g.account_max_count is not null or g.account_turnover is not null then
    select u.used_count, u.used_amount into used_count, used_amount from rate_enough(g.account_max_count, g.account_turnover) e,
      account_used(a.id, wanted_kind, g.account_window_minutes, e.enough_count, e.enough_amount) u;
  end if;
  return jsonb_build_object('account_window_minutes', g.account_window_minutes, 'account_max_count', g.account_max_count,
    'account_turnover', g.account_turnover::text, 'account_max_amount', g.account_max_amount::text,
    'member_window_minutes', g.member_window_minutes, 'member_max_count', g.member_max_count,
    'member_turnover', g.member_turnover::text, 'member_max_amount', g.member_max_amount::text,
    'used_count', used_count, 'used_amount', used_amount::text);
end $$;

-- Whether an account's rate limits have room for a deposit; counted behind the locks of deposit_create.
create or replace function deposit_within_rates(account uuid, d transactions) returns boolean language plpgsql stable as $$
declare
  g rate_limit_groups;
  used_count integer;
  used_amount numeric;
begin
  select r.* into g from payment_accounts a join rate_limit_groups r on r.tenant_id = a.tenant_id and r.id = a.rate_limit_group_id
    where a.tenant_id = current_tenant() and a.id = account;
  if not found then return true; end if;
  if d.amount > g.account_max_amount or d.amount > g.member_max_amount then return false; end if;
  if g.account_max_count is not null or g.account_turnover is not null then
    select u.used_count, u.used_amount into used_count, used_amount from rate_enough(g.account_max_count, g.account_turnover) e,
      account_used(account, 'deposit', g.account_window_minutes, e.enough_count, e.enough_amount) u;
    if used_count + 1 > g.account_max_count or used_amount + d.amount > g.account_turnover then return false; end if;
  end if;
  if g.member_max_count is not null or g.member_turnover is not null then
    select count(*), coalesce(sum(u.amount), 0) into used_count, used_amount from rate_enough(g.member_max_count, g.member_turnover) e,
      member_uses('deposit', d.merchant_id, d.member, g.member_window_minutes, e.enough_count, e.enough_amount) u;
    if used_count + 1 > g.member_max_count or used_amount + d.amount > g.member_turnover then return false; end if;
  end if;
  return true;
end $$;
