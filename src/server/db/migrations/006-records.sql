-- Merchants and payment accounts as records that are listed, edited and deleted; what the one search reads.

-- Beginnings of names and codes, compared in code point order (see 005 on what an index may serve under row-level security).
alter table merchants add column name_key text collate "C" not null generated always as (lower(name)) stored;
create index merchants_name on merchants (tenant_id, currency, name_key, id);
create index merchants_code on merchants (tenant_id, currency, code collate "C");
alter table payment_accounts add column holder_key text collate "C" not null generated always as (lower(holder)) stored;
create index payment_accounts_holder on payment_accounts (tenant_id, currency, holder_key, id);
create index payment_accounts_code on payment_accounts (tenant_id, currency, code collate "C");
create index payment_accounts_number on payment_accounts (tenant_id, currency, account_number collate "C");
-- each of the new ones begins with its columns
drop index payment_accounts_currency;

-- A transaction by the last characters of its number. A stored column: right() is not leakproof, so an index on it would not be used.
alter table transactions add column txn_tail text not null generated always as (right(txn_no, 6)) stored;
create index transactions_tail on transactions (tenant_id, currency, txn_tail);
create index transactions_reference on transactions (tenant_id, currency, reference_no) where reference_no is not null;

-- the counters of an account that nothing names any more go with it
grant delete on limit_usage to countinghouse_app;

-- As in 005, but the caps are read once the counters are locked: a limit lowered meanwhile (which locks them first) counts.
create or replace function limit_take(account uuid, limited_kind text, day date, amount numeric) returns boolean language plpgsql as $$
declare
  tenant uuid := current_tenant();
  day_used numeric;
  month_used numeric;
  day_cap numeric;
  month_cap numeric;
begin
  insert into limit_usage as u (tenant_id, payment_account_id, kind, period, starts, used)
    values (tenant, account, limited_kind, 'day', day, amount)
    on conflict (tenant_id, payment_account_id, kind, period, starts) do update set used = u.used + excluded.used
    returning u.used into day_used;
  insert into limit_usage as u (tenant_id, payment_account_id, kind, period, starts, used)
    values (tenant, account, limited_kind, 'month', date_trunc('month', day)::date, amount)
    on conflict (tenant_id, payment_account_id, kind, period, starts) do update set used = u.used + excluded.used
    returning u.used into month_used;
  select case limited_kind when 'deposit' then deposit_daily_limit else withdrawal_daily_limit end,
      case limited_kind when 'deposit' then deposit_monthly_limit else withdrawal_monthly_limit end
    into strict day_cap, month_cap from payment_accounts where tenant_id = tenant and id = account;
  if day_used > day_cap or month_used > month_cap then
    perform limit_release(account, limited_kind, day, amount);
    return false;
  end if;
  return true;
end $$;
