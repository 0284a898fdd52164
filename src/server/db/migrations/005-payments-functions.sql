-- What moves money and status, each in one call with its plans kept: fewer turns while rows are locked.
-- Raised to the server: CH001 the paying account has not enough, CH002 its limit is used up.

create unique index payment_accounts_ledger on payment_accounts (tenant_id, ledger_account_id);
-- Under row-level security an index serves only comparisons that are leakproof: those of bigint and text are, those of numeric, LIKE
-- and lower() are not. So lists sort and bound amounts by ten-thousandths, and names by their lower case in code point order.
alter table transactions
  add column amount_key bigint not null generated always as ((amount * 10000)::bigint) stored,
  add column name_key text collate "C" not null generated always as (lower(customer_name)) stored;
drop index transactions_amount;
create index transactions_amount on transactions (tenant_id, currency, kind, amount_key, id);
create index transactions_customer on transactions (tenant_id, currency, kind, name_key, id);
-- every list asks for one status at a time, which transactions_status has; each index costs every transition
drop index transactions_open;
create index transactions_bank on transactions (tenant_id, currency, bank, created_at, id) where kind = 'withdrawal';
-- what an account paid within a trailing window
create index transactions_paid on transactions (tenant_id, payment_account_id, approved_at) where kind = 'withdrawal' and approved_at is not null;
create index transaction_events_at on transaction_events (tenant_id, at);

-- who asked for the attempt that is due; the dispatcher copies it to the attempt and clears it
alter table outbox add column requested_by uuid;

-- The one way to post is post_legs, below; this is its plain form.
create or replace function ledger_post(new_kind text, new_currency text, new_transaction uuid, new_by uuid, new_reason text, legs jsonb)
returns uuid language plpgsql as $$
begin
  return (select posted from post_legs(new_kind, new_currency, new_transaction, new_by, new_reason, legs, false, null));
end $$;

-- The day in a currency's zone.
create function local_day(at timestamptz, zone_minutes integer) returns date language sql immutable
  return ((at at time zone 'UTC') + make_interval(mins => zone_minutes))::date;

-- The instant a currency's day begins.
create function day_start(day date, zone_minutes integer) returns timestamptz language sql immutable
  return ((day::timestamp - make_interval(mins => zone_minutes)) at time zone 'UTC');

-- A ledger account by what it is, made when there is none yet.
create function ledger_account(wanted_kind text, wanted_currency text, wanted_owner uuid) returns uuid language plpgsql as $$
declare
  tenant uuid := current_tenant();
  found_id uuid;
begin
  for attempt in 1..2 loop
    if wanted_owner is null then
      select id into found_id from ledger_accounts
        where tenant_id = tenant and kind = wanted_kind and currency = wanted_currency and owner_id is null;
    else
      select id into found_id from ledger_accounts
        where tenant_id = tenant and kind = wanted_kind and currency = wanted_currency and owner_id = wanted_owner;
    end if;
    if found_id is not null then return found_id; end if;
    insert into ledger_accounts (tenant_id, kind, currency, owner_id) values (tenant, wanted_kind, wanted_currency, wanted_owner)
      on conflict do nothing returning id into found_id;
    if found_id is not null then return found_id; end if;
  end loop;
  raise exception 'ledger account % % was neither found nor made', wanted_kind, wanted_currency;
end $$;

-- Posts legs [{"account": uuid} or {"kind", "owner"}, each with "amount"] as ledger_post does, then brings the touched
-- payment accounts' `critical` up to date: below the threshold, until 5 % above it. `guard`: no payment account may fall below
-- its hold and reserve. `take`: {"account", "kind", "day", "amount"} to count against a payment account's limits first.
-- Answers the group, each entry's balances, and the payment accounts whose state changed.
create function post_legs(new_kind text, new_currency text, new_transaction uuid, new_by uuid, new_reason text, legs jsonb, guard boolean,
  take jsonb, out posted uuid, out entries jsonb, out flipped uuid[])
language plpgsql as $$
declare
  tenant uuid := current_tenant();
  resolved jsonb;
  touched record;
  paying payment_accounts;
begin
  if take is not null then
    if not limit_take((take ->> 'account')::uuid, take ->> 'kind', (take ->> 'day')::date, (take ->> 'amount')::numeric) then
      raise exception 'the limit of payment account % is used up', take ->> 'account' using errcode = 'CH002';
    end if;
  end if;
  -- one leg an account; what comes to nothing is left out
  select jsonb_agg(jsonb_build_object('account', n.account, 'amount', n.amount::text)) into resolved from (
    select coalesce((l ->> 'account')::uuid,
        case when l ->> 'owner' is null
          then (select a.id from ledger_accounts a
            where a.tenant_id = tenant and a.kind = l ->> 'kind' and a.currency = new_currency and a.owner_id is null)
          else (select a.id from ledger_accounts a
            where a.tenant_id = tenant and a.kind = l ->> 'kind' and a.currency = new_currency and a.owner_id = (l ->> 'owner')::uuid) end,
        ledger_account(l ->> 'kind', new_currency, (l ->> 'owner')::uuid)) as account,
      sum((l ->> 'amount')::numeric) as amount
    from jsonb_array_elements(legs) l where (l ->> 'amount')::numeric <> 0
    group by 1 having sum((l ->> 'amount')::numeric) <> 0) n;
  if resolved is null then return; end if;
  posted := uuidv7();
  perform 1 from ledger_accounts a
    where a.tenant_id = tenant and a.id in (select (l ->> 'account')::uuid from jsonb_array_elements(resolved) l)
    order by a.id for update;
  insert into ledger_groups (tenant_id, id, kind, currency, transaction_id, by_user, reason)
    values (tenant, posted, new_kind, new_currency, new_transaction, new_by, new_reason);
  -- all legs at once: what everybody posts to is locked no longer than it must
  with leg as (
    select (l ->> 'account')::uuid as account, (l ->> 'amount')::numeric as amount from jsonb_array_elements(resolved) l
  ), moved as (
    update ledger_accounts a set balance = a.balance + leg.amount, last_seq = a.last_seq + 1
    from leg where a.tenant_id = tenant and a.id = leg.account and a.currency = new_currency
    returning a.id, a.kind, a.side, a.last_seq, leg.amount, a.balance
  ), written as (
    insert into ledger_entries (tenant_id, account_id, seq, group_id, currency, side, amount, previous_balance, balance)
    select tenant, m.id, m.last_seq, posted, new_currency, m.side, m.amount, m.balance - m.amount, m.balance from moved m
  )
  select jsonb_agg(jsonb_build_object('id', m.id, 'kind', m.kind, 'amount', m.amount, 'previous', (m.balance - m.amount)::text, 'balance', m.balance::text))
    into entries from moved m;
  if jsonb_array_length(resolved) <> coalesce(jsonb_array_length(entries), 0) then
    raise exception 'a leg of % names no ledger account in %', new_kind, new_currency using errcode = 'foreign_key_violation';
  end if;
  for touched in select (e ->> 'id')::uuid as id, (e ->> 'amount')::numeric as amount, (e ->> 'balance')::numeric as balance
    from jsonb_array_elements(entries) e where e ->> 'kind' = 'payment-account'
  loop
    select p.* into paying from payment_accounts p where p.tenant_id = tenant and p.ledger_account_id = touched.id;
    continue when not found;
    if guard and touched.amount < 0 and touched.balance < paying.hold_amount + paying.reserve_amount then
      raise exception 'payment account % has not enough', paying.id using errcode = 'CH001';
    end if;
    if paying.critical <> (touched.balance < paying.threshold * case when paying.critical then 1.05 else 1 end) then
      update payment_accounts p
        set critical = not p.critical, critical_since = case when p.critical then null else clock_timestamp() end
        where p.tenant_id = tenant and p.id = paying.id;
      flipped := flipped || paying.id;
    end if;
  end loop;
end $$;

-- Counts `amount` against an account's day and month, never over its limits; false, and nothing counted, when it would be.
create function limit_take(account uuid, limited_kind text, day date, amount numeric) returns boolean language plpgsql as $$
declare
  tenant uuid := current_tenant();
  day_cap numeric;
  month_cap numeric;
begin
  select case limited_kind when 'deposit' then deposit_daily_limit else withdrawal_daily_limit end,
      case limited_kind when 'deposit' then deposit_monthly_limit else withdrawal_monthly_limit end
    into strict day_cap, month_cap from payment_accounts where tenant_id = tenant and id = account;
  if amount > day_cap or amount > month_cap then return false; end if;
  insert into limit_usage as u (tenant_id, payment_account_id, kind, period, starts, used)
    values (tenant, account, limited_kind, 'day', day, amount)
    on conflict (tenant_id, payment_account_id, kind, period, starts) do update set used = u.used + excluded.used
      where day_cap is null or u.used + excluded.used <= day_cap;
  if not found then return false; end if;
  insert into limit_usage as u (tenant_id, payment_account_id, kind, period, starts, used)
    values (tenant, account, limited_kind, 'month', date_trunc('month', day)::date, amount)
    on conflict (tenant_id, payment_account_id, kind, period, starts) do update set used = u.used + excluded.used
      where month_cap is null or u.used + excluded.used <= month_cap;
  if found then return true; end if;
  update limit_usage u set used = u.used - amount
    where u.tenant_id = tenant and payment_account_id = account and kind = limited_kind and period = 'day' and starts = day;
  return false;
end $$;

create function limit_release(account uuid, limited_kind text, day date, amount numeric) returns void language plpgsql as $$
begin
  update limit_usage u set used = u.used - amount
    where tenant_id = current_tenant() and payment_account_id = account and kind = limited_kind and period = 'day' and starts = day;
  update limit_usage u set used = u.used - amount
    where tenant_id = current_tenant() and payment_account_id = account and kind = limited_kind and period = 'month'
      and starts = date_trunc('month', day)::date;
end $$;

-- Writes an event with what belongs to it: the decision and its callback, and the audit row.
create function transaction_event(t transactions, from_status text, m jsonb) returns void language plpgsql as $$
begin
  insert into transaction_events (tenant_id, transaction_id, n, kind, act, from_status, to_status, at, by_user, actor, reason)
    values (t.tenant_id, t.id, t.events, t.kind, m ->> 'act', from_status, t.status, t.last_action_at, t.last_action_by,
      m #>> '{actor,name}', m ->> 'reason');
  if m ? 'decision' then
    insert into decisions (tenant_id, transaction_id, round, outcome, event_n, by_user, at)
      values (t.tenant_id, t.id, t.recalls + 1, m ->> 'decision', t.events, t.last_action_by, t.last_action_at);
    insert into outbox (tenant_id, merchant_id, transaction_id, event_n, url, body, next_attempt_at, created_at)
      values (t.tenant_id, t.merchant_id, t.id, t.events, m #>> '{callback,url}', m #>> '{callback,body}',
        (m #>> '{callback,at}')::timestamptz, t.last_action_at);
  end if;
  insert into audit_entries (tenant_id, at, actor_kind, actor_id, actor_name, act, entity, entity_id, event_n, before, after, reason, ip, request_id)
    values (t.tenant_id, t.last_action_at, m #>> '{actor,kind}', (m #>> '{actor,id}')::uuid, m #>> '{actor,name}',
      t.kind || '.' || (m ->> 'act'), t.kind, t.id, t.events, m -> 'before', m -> 'after', m ->> 'reason',
      m #>> '{actor,ip}', m #>> '{actor,requestId}');
end $$;

-- Inserts a transaction with its first event.
create function transaction_create(m jsonb) returns transactions language plpgsql as $$
declare
  t transactions := jsonb_populate_record(null::transactions, m -> 'set');
begin
  insert into transactions (tenant_id, id, kind, txn_no, merchant_id, merchant_txn_no, reference_no, source, status, currency, method, member,
      customer_name, bank, account_number, holder, amount, fee, charges, charges_type, charges_borne_by, final_amount, merchant_amount,
      previous_balance, payment_account_id, limit_day, events, expires_at, created_at, last_action_at, last_action_by)
    values (current_tenant(), t.id, t.kind, t.txn_no, t.merchant_id, t.merchant_txn_no, t.reference_no, t.source, t.status, t.currency, t.method,
      t.member, t.customer_name, t.bank, t.account_number, t.holder, t.amount, t.fee, t.charges, t.charges_type, t.charges_borne_by,
      t.final_amount, t.merchant_amount, t.previous_balance, t.payment_account_id, t.limit_day, 1, t.expires_at, t.created_at, t.created_at,
      t.last_action_by)
    returning * into t;
  perform transaction_event(t, '', m);
  return t;
end $$;

-- Changes a locked transaction as m.set says and writes its event. m.limit: "take" counts the new final amount against the new
-- account's limits, "release" takes the old one off the old account's.
create function transaction_move(m jsonb) returns transactions language plpgsql as $$
declare
  o transactions;
  t transactions;
begin
  select * into strict o from transactions where tenant_id = current_tenant() and id = (m ->> 'id')::uuid for update;
  t := jsonb_populate_record(o, m -> 'set');
  if m ->> 'limit' = 'take' then
    if not limit_take(t.payment_account_id, t.kind, t.limit_day, t.final_amount) then
      raise exception 'the limit of payment account % is used up', t.payment_account_id using errcode = 'CH002';
    end if;
  elsif m ->> 'limit' = 'release' then
    if o.limit_day is not null then
      perform limit_release(o.payment_account_id, o.kind, o.limit_day, o.final_amount);
    end if;
    t.limit_day := null;
  end if;
  update transactions set
      status = t.status, version = o.version + 1, events = o.events + 1, reference_no = t.reference_no,
      charges = t.charges, charges_type = t.charges_type, final_amount = t.final_amount, merchant_amount = t.merchant_amount,
      previous_balance = t.previous_balance, payment_account_id = t.payment_account_id, payment_date = t.payment_date,
      limit_day = t.limit_day, recalls = t.recalls, claimed_by = t.claimed_by, claimed_at = t.claimed_at, claim_until = t.claim_until,
      deferred_until = t.deferred_until, deferred_by = t.deferred_by, first_approved_by = t.first_approved_by,
      first_approved_at = t.first_approved_at, first_account_id = t.first_account_id, recallable_until = t.recallable_until,
      expires_at = t.expires_at, processed_at = t.processed_at, processed_by = t.processed_by, approved_at = t.approved_at,
      approved_by = t.approved_by, rejected_at = t.rejected_at, rejected_by = t.rejected_by, reject_reason = t.reject_reason,
      expired_at = t.expired_at, completed_at = t.completed_at, last_action_at = t.last_action_at, last_action_by = t.last_action_by
    where tenant_id = o.tenant_id and id = o.id
    returning * into t;
  perform transaction_event(t, o.status, m);
  return t;
end $$;

-- What every answer about a transaction names beside its columns; of a withdrawal also what makes it suspect.
create type transaction_facts as (
  -- the clock after the row was locked
  now timestamptz,
  merchant_code text,
  merchant_name text,
  callback_url text,
  minor_digits integer,
  zone_minutes integer,
  -- id → name of every user the row names
  people jsonb,
  last_actor text,
  account_code text,
  -- others to the same payee of the same amount within 24 hours, and one of them
  same_payee jsonb,
  payee_paid boolean,
  held numeric
);

create function facts_of(t transactions) returns transaction_facts language plpgsql stable as $$
declare
  f transaction_facts;
begin
  select clock_timestamp(), m.code, m.name, m.callback_url, c.minor_digits, c.zone_minutes,
      (select jsonb_object_agg(u.id, u.name) from users u
        where u.id in (t.claimed_by, t.processed_by, t.approved_by, t.rejected_by, t.last_action_by, t.first_approved_by))
    into f.now, f.merchant_code, f.merchant_name, f.callback_url, f.minor_digits, f.zone_minutes, f.people
    from merchants m, currencies c
    where m.tenant_id = t.tenant_id and m.id = t.merchant_id and c.tenant_id = t.tenant_id and c.code = t.currency;
  if t.last_action_by is null then
    select e.actor into f.last_actor from transaction_events e
      where e.tenant_id = t.tenant_id and e.transaction_id = t.id and e.n = t.events;
  end if;
  if t.payment_account_id is not null then
    select p.code into f.account_code from payment_accounts p where p.tenant_id = t.tenant_id and p.id = t.payment_account_id;
  end if;
  if t.kind = 'withdrawal' and t.status in ('pending', 'process') then
    -- "offset 0": always by the payee's index, however rare a status or amount looks to the planner
    select jsonb_build_object('count', count(*), 'txn_no', max(o.txn_no)) into f.same_payee from (
      select w.txn_no, w.amount, w.id, w.status from transactions w
      where w.tenant_id = t.tenant_id and w.currency = t.currency and w.kind = 'withdrawal' and w.account_number = t.account_number
        and w.created_at between t.created_at - interval '24 hours' and t.created_at + interval '24 hours' offset 0) o
      where o.amount = t.amount and o.id <> t.id and o.status not in ('rejected', 'expired');
    f.payee_paid := exists (select from (
      select w.id, w.status from transactions w
      where w.tenant_id = t.tenant_id and w.currency = t.currency and w.kind = 'withdrawal' and w.account_number = t.account_number offset 0) o
      where o.status in ('approved', 'completed') and o.id <> t.id);
    select l.balance into f.held from ledger_accounts l
      where l.tenant_id = t.tenant_id and l.kind = 'hold' and l.currency = t.currency and l.owner_id = t.merchant_id;
  end if;
  return f;
end $$;

-- One transaction with its facts and the tenant's settings; locked when asked. The conditions left null do not count.
create function find_transaction(wanted uuid, wanted_kind text, wanted_currency text, wanted_merchant uuid, lock boolean)
returns table (t transactions, f transaction_facts, settings jsonb) language plpgsql as $$
begin
  if lock then
    select * into t from transactions r where r.tenant_id = current_tenant() and r.id = wanted for update;
  else
    select * into t from transactions r where r.tenant_id = current_tenant() and r.id = wanted;
  end if;
  if t.id is null or t.kind <> wanted_kind or t.currency <> wanted_currency or t.merchant_id <> wanted_merchant then return; end if;
  f := facts_of(t);
  select s.settings into settings from tenants s where s.id = t.tenant_id;
  return next;
end $$;

-- Every payment account of a currency, or those of a merchant's payment groups, with what its limits of one kind are and are used by.
create function weigh_accounts(wanted_currency text, wanted_kind text, zone_minutes integer, wanted_merchant uuid)
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
      case when a.rate_limit_group_id is not null then rate_of(a, wanted_kind) end
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

-- An account's rate-limit group, and what the account has used of its trailing window. A withdrawal counts from its approval on,
-- a deposit from the moment the account was shown. statement_timestamp(), for a volatile clock would keep the index from being used.
create function rate_of(a payment_accounts, wanted_kind text) returns jsonb language plpgsql stable as $$
declare
  g rate_limit_groups;
  used_count bigint;
  used_amount numeric;
begin
  select * into g from rate_limit_groups r where r.tenant_id = a.tenant_id and r.id = a.rate_limit_group_id;
  if wanted_kind = 'withdrawal' then
    select count(*), coalesce(sum(u.amount), 0) into used_count, used_amount from transactions u
      where u.tenant_id = a.tenant_id and u.payment_account_id = a.id and u.kind = 'withdrawal' and u.status in ('approved', 'completed')
        and u.approved_at > statement_timestamp() - make_interval(mins => g.account_window_minutes);
  else
    select count(*), coalesce(sum(u.amount), 0) into used_count, used_amount from transactions u
      where u.tenant_id = a.tenant_id and u.payment_account_id = a.id and u.kind = 'deposit' and u.status not in ('rejected', 'expired')
        and u.created_at > statement_timestamp() - make_interval(mins => g.account_window_minutes);
  end if;
  return jsonb_build_object('account_window_minutes', g.account_window_minutes, 'account_max_count', g.account_max_count,
    'account_turnover', g.account_turnover::text, 'account_max_amount', g.account_max_amount::text,
    'member_window_minutes', g.member_window_minutes, 'member_max_count', g.member_max_count,
    'member_turnover', g.member_turnover::text, 'member_max_amount', g.member_max_amount::text,
    'used_count', used_count, 'used_amount', used_amount::text);
end $$;
