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

-- An account's rate-limit group, and what the account has used of its trailing window; null while the group is turned off.
create or replace function rate_of(a payment_accounts, wanted_kind text) returns jsonb language plpgsql stable as $$
declare
  g rate_limit_groups;
  used_count integer := 0;
  used_amount numeric := 0;
begin
  select * into g from rate_limit_groups r where r.tenant_id = a.tenant_id and r.id = a.rate_limit_group_id and r.status = 'active';
  if not found then return null; end if;
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
    where a.tenant_id = current_tenant() and a.id = account and r.status = 'active';
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

-- The limits of an account's group that another transaction of this amount would break now, and from when each would let it through if
-- nothing else came: null where time alone gives nothing back, because the amount itself is too large or what is open uses it up.
create or replace function rate_stops(account uuid, wanted_kind text, wanted_merchant uuid, wanted_member text, wanted_amount numeric)
returns table (scope text, rule text, maximum numeric, minutes integer, frees_at timestamptz) language plpgsql stable as $$
#variable_conflict use_column
declare
  tenant uuid := current_tenant();
  g rate_limit_groups;
  max_count integer;
  turnover numeric;
  max_amount numeric;
  uses refcursor;
  n integer;
  total numeric;
  one_amount numeric;
  one_at timestamptz;
  count_frees timestamptz;
  turnover_frees timestamptz;
  counted boolean;
  turned boolean;
begin
  select r.* into g from payment_accounts a join rate_limit_groups r on r.tenant_id = a.tenant_id and r.id = a.rate_limit_group_id
    where a.tenant_id = tenant and a.id = account and r.status = 'active';
  if not found then return; end if;
  for scope, minutes, max_count, turnover, max_amount in values
    ('account', g.account_window_minutes, g.account_max_count, g.account_turnover, g.account_max_amount),
    ('member', g.member_window_minutes, g.member_max_count, g.member_turnover, g.member_max_amount)
  loop
    frees_at := null;
    if wanted_amount > max_amount then
      rule := 'max_amount';
      maximum := max_amount;
      return next;
    end if;
    continue when max_count is null and turnover is null;
    if scope = 'account' then
      select count(*), coalesce(sum(t.amount), 0) into n, total from transactions t
        where t.tenant_id = tenant and t.payment_account_id = account and t.kind = wanted_kind and t.status in ('pending', 'process');
      open uses for select t.amount, t.approved_at from transactions t
        where t.tenant_id = tenant and t.payment_account_id = account and t.kind = wanted_kind
          and t.approved_at > statement_timestamp() - make_interval(mins => minutes) order by t.approved_at desc;
    else
      select count(*), coalesce(sum(t.amount), 0) into n, total from transactions t
        where t.tenant_id = tenant and t.merchant_id = wanted_merchant and t.member = wanted_member and t.kind = wanted_kind
          and t.status in ('pending', 'process');
      open uses for select t.amount, t.approved_at from transactions t
        where t.tenant_id = tenant and t.merchant_id = wanted_merchant and t.member = wanted_member and t.kind = wanted_kind
          and t.approved_at > statement_timestamp() - make_interval(mins => minutes) order by t.approved_at desc;
    end if;
    -- of what was approved the newest stays in the window longest: the first use there is no room for must leave, and those before it
    counted := n >= max_count;
    turned := total + wanted_amount > turnover;
    count_frees := null;
    turnover_frees := null;
    loop
      exit when counted is not false and turned is not false;
      fetch uses into one_amount, one_at;
      exit when not found;
      n := n + 1;
      total := total + one_amount;
      if counted = false and n >= max_count then
        counted := true;
        count_frees := one_at + make_interval(mins => minutes);
      end if;
      if turned = false and total + wanted_amount > turnover then
        turned := true;
        turnover_frees := one_at + make_interval(mins => minutes);
      end if;
    end loop;
    close uses;
    if counted then
      rule := 'max_count';
      maximum := max_count;
      frees_at := count_frees;
      return next;
    end if;
    if turned then
      rule := 'turnover';
      maximum := turnover;
      frees_at := turnover_frees;
      return next;
    end if;
  end loop;
end $$;

-- What counts of an account's trailing window: its open transactions of one kind, and those approved within it.
create or replace function account_window(account uuid, wanted_kind text, window_minutes integer)
returns table (merchant_id uuid, member text, amount numeric, approved_at timestamptz, at timestamptz) language sql stable as $$
  select o.merchant_id, o.member, o.amount, null::timestamptz, o.created_at from transactions o
    where o.tenant_id = current_tenant() and o.payment_account_id = account and o.kind = wanted_kind and o.status in ('pending', 'process')
  union all
  select p.merchant_id, p.member, p.amount, p.approved_at, p.approved_at from transactions p
    where p.tenant_id = current_tenant() and p.payment_account_id = account and p.kind = wanted_kind
      and p.approved_at > statement_timestamp() - make_interval(mins => window_minutes)
$$;

-- The same of one customer of a merchant, on whatever accounts.
create or replace function member_window(wanted_merchant uuid, wanted_member text, wanted_kind text, window_minutes integer)
returns table (amount numeric, approved_at timestamptz, at timestamptz) language sql stable as $$
  select o.amount, null::timestamptz, o.created_at from transactions o
    where o.tenant_id = current_tenant() and o.merchant_id = wanted_merchant and o.member = wanted_member and o.kind = wanted_kind
      and o.status in ('pending', 'process')
  union all
  select p.amount, p.approved_at, p.approved_at from transactions p
    where p.tenant_id = current_tenant() and p.merchant_id = wanted_merchant and p.member = wanted_member and p.kind = wanted_kind
      and p.approved_at > statement_timestamp() - make_interval(mins => window_minutes)
$$;

-- What each of these accounts has used of a trailing window by each kind of transactions, whatever limits there are; the latest first.
create or replace function rate_account_usage(accounts uuid[], window_minutes integer)
returns table (account_id uuid, kind text, used_count integer, open_count integer, used_amount numeric, oldest_at timestamptz, last_at timestamptz)
language sql stable as $$
  select a.id, k.kind, u.n, u.open_n, u.amount, u.oldest_at, u.last_at
  from unnest(accounts) a (id) cross join (values ('deposit'), ('withdrawal')) k (kind)
  cross join lateral (
    select count(*)::integer as n, count(*) filter (where w.approved_at is null)::integer as open_n, sum(w.amount) as amount,
      min(w.approved_at) as oldest_at, max(w.at) as last_at
    from account_window(a.id, k.kind, window_minutes) w) u
  where u.n > 0 order by u.last_at desc, a.id, k.kind
$$;

-- The customers who used these accounts within a trailing window, the latest first, and what each has used of it by each kind of
-- transactions, on these accounts or others.
create or replace function rate_member_usage(accounts uuid[], window_minutes integer, most integer)
returns table (merchant_id uuid, member text, kind text, used_count integer, open_count integer, used_amount numeric, oldest_at timestamptz,
  last_at timestamptz)
language sql stable as $$
  with recent as (
    select w.merchant_id, w.member, k.kind, max(w.at) as at
    from unnest(accounts) a (id) cross join (values ('deposit'), ('withdrawal')) k (kind)
    cross join lateral account_window(a.id, k.kind, window_minutes) w
    group by 1, 2, 3 order by 4 desc, 1, 2, 3 limit most
  )
  select r.merchant_id, r.member, r.kind, u.n, u.open_n, u.amount, u.oldest_at, u.last_at
  from recent r
  cross join lateral (
    select count(*)::integer as n, count(*) filter (where w.approved_at is null)::integer as open_n, sum(w.amount) as amount,
      min(w.approved_at) as oldest_at, max(w.at) as last_at
    from member_window(r.merchant_id, r.member, r.kind, window_minutes) w) u
  order by r.at desc, r.merchant_id, r.member, r.kind
$$;
