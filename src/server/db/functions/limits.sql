-- Counts `amount` against an account's day and month even above its limits: money that has arrived is not refused.
create or replace function limit_count(account uuid, limited_kind text, day date, amount numeric) returns void language sql
begin atomic
  insert into limit_usage as u (tenant_id, payment_account_id, kind, period, starts, used)
    values (current_tenant(), account, limited_kind, 'day', day, amount),
      (current_tenant(), account, limited_kind, 'month', date_trunc('month', day)::date, amount)
    on conflict (tenant_id, payment_account_id, kind, period, starts) do update set used = u.used + excluded.used;
end;

-- Takes `amount` off an account's day and month, where it was counted.
create or replace function limit_release(account uuid, limited_kind text, day date, amount numeric) returns void language plpgsql as $$
begin
  update limit_usage u set used = u.used - amount
    where tenant_id = current_tenant() and payment_account_id = account and kind = limited_kind and period = 'day' and starts = day;
  update limit_usage u set used = u.used - amount
    where tenant_id = current_tenant() and payment_account_id = account and kind = limited_kind and period = 'month'
      and starts = date_trunc('month', day)::date;
end $$;

-- An account's limits of one kind, and how much of each is used on a day and in its month. The account is given by its values, not as a
-- row, because each field of a row would be taken out of it again.
create or replace function limits_of(tenant uuid, account uuid, limited_kind text, day date, deposit_daily numeric, deposit_monthly numeric,
  withdrawal_daily numeric, withdrawal_monthly numeric)
returns table (daily_limit numeric, monthly_limit numeric, daily_used numeric, monthly_used numeric) language sql stable as $$
  select case limited_kind when 'deposit' then deposit_daily else withdrawal_daily end,
    case limited_kind when 'deposit' then deposit_monthly else withdrawal_monthly end, coalesce(d.used, 0), coalesce(m.used, 0)
  from (select) one
  left join limit_usage d on d.tenant_id = tenant and d.payment_account_id = account and d.kind = limited_kind and d.period = 'day'
    and d.starts = day
  left join limit_usage m on m.tenant_id = tenant and m.payment_account_id = account and m.kind = limited_kind and m.period = 'month'
    and m.starts = date_trunc('month', day)::date
$$;

-- Counts `amount` against an account's day and month, never over its limits; false, and nothing counted, when it would be. The limits are
-- read once the counters are locked, so that one lowered meanwhile, which locks them first, counts.
create or replace function limit_take(account uuid, limited_kind text, day date, amount numeric) returns boolean language plpgsql as $$
declare
  over boolean;
begin
  perform limit_count(account, limited_kind, day, amount);
  select coalesce(l.daily_used > l.daily_limit, false) or coalesce(l.monthly_used > l.monthly_limit, false)
    into strict over from payment_accounts a,
      limits_of(a.tenant_id, a.id, limited_kind, day, a.deposit_daily_limit, a.deposit_monthly_limit, a.withdrawal_daily_limit,
        a.withdrawal_monthly_limit) l
    where a.tenant_id = current_tenant() and a.id = account;
  if over then perform limit_release(account, limited_kind, day, amount); end if;
  return not over;
end $$;
