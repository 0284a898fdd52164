-- Reserves one account for a deposit until the transaction ends: true. null: another transaction has it just now and `patient` is
-- false. false: it cannot take the deposit any more; its lock is then let go, so that nobody waits for one account holding another.
create or replace function deposit_reserve(account uuid, d transactions, patient boolean) returns boolean language plpgsql as $$
declare
  key bigint := hashtextextended('deposit account ' || account, 0);
begin
  if patient then
    perform pg_advisory_xact_lock(key);
  elsif not pg_try_advisory_xact_lock(key) then
    return null;
  end if;
  if deposit_within_rates(account, d) and limit_take(account, 'deposit', d.limit_day, d.final_amount) then
    -- looked at once its counters are locked, as its suspension locks them: a deposit comes before one or not at all
    if exists (select from payment_accounts a where a.tenant_id = current_tenant() and a.id = account and a.status = 'active') then
      return true;
    end if;
  end if;
  raise exception using errcode = 'CH003';
exception when sqlstate 'CH003' then
  return false; -- what the block locked and wrote is rolled back
end $$;

-- Inserts a deposit on one of `accounts`, which are equally good but for what they have `used` today: on the least used that nobody
-- else is just reserving; where all are being reserved it waits for one of them, rather for one that is little used. Answers no row
-- when none of them can take it any more.
create or replace function deposit_create(m jsonb, accounts uuid[], used numeric[]) returns setof transactions language plpgsql as $$
declare
  d transactions := jsonb_populate_record(null::transactions, m -> 'set');
  remaining uuid[] := accounts;
  busy uuid[];
  chosen uuid;
  reserved boolean;
begin
  -- one customer's deposits are counted one after the other, whichever accounts they go to
  if exists (select from payment_accounts a join rate_limit_groups g on g.tenant_id = a.tenant_id and g.id = a.rate_limit_group_id
    where a.tenant_id = current_tenant() and a.id = any(accounts) and g.member_window_minutes is not null)
  then
    perform pg_advisory_xact_lock(hashtextextended('deposit member ' || d.merchant_id || ' ' || d.member, 0));
  end if;
  loop
    busy := '{}';
    foreach chosen in array remaining loop
      reserved := deposit_reserve(chosen, d, false);
      exit when reserved;
      if reserved is null then busy := busy || chosen; end if;
    end loop;
    exit when reserved;
    if busy = '{}' then return; end if;
    -- each in inverse proportion to its use
    select a.id into chosen from unnest(accounts, used) a (id, used) where a.id = any(busy) order by -ln(1 - random()) * (1 + a.used) limit 1;
    reserved := deposit_reserve(chosen, d, true);
    exit when reserved;
    remaining := array_remove(busy, chosen);
  end loop;
  update payment_accounts a set last_used_at = clock_timestamp() where a.tenant_id = current_tenant() and a.id = chosen
    and (a.last_used_at is null or a.last_used_at < clock_timestamp() - interval '1 minute');
  return next transaction_create(jsonb_set(jsonb_set(m, '{set,payment_account_id}', to_jsonb(chosen)), '{after,payment_account_id}', to_jsonb(chosen)));
end $$;

-- Keeps what a deposit was asked for: what arrived may be another amount.
create or replace function refuse_other_amounts() returns trigger language plpgsql as $$
begin
  if (coalesce(new.asked_amount, new.amount), coalesce(new.asked_fee, new.fee))
    is distinct from (coalesce(old.asked_amount, old.amount), coalesce(old.asked_fee, old.fee))
  then
    raise exception 'what transaction % was asked for never changes: amount, fee', old.id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

-- Only the product's own writes are held to it: an owner may mend.
create or replace trigger asked_fixed before update of amount, fee, asked_amount, asked_fee on transactions
  for each row when (current_user = 'countinghouse_app') execute function refuse_other_amounts();
