-- Every payment account of a currency, or those of a merchant's payment groups, with what its limits of one kind are and are used by.
-- The trailing windows are counted only of those that can take a transaction of this kind at all.
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
      u.daily_limit, u.monthly_limit, u.daily_used, u.monthly_used,
      case when a.rate_limit_group_id is not null and a.status = 'active' and a.purpose in ('both', wanted_kind) then rate_of(a, wanted_kind) end
    from payment_accounts a
    join ledger_accounts l on l.tenant_id = a.tenant_id and l.id = a.ledger_account_id
    cross join limits_of(a.tenant_id, a.id, wanted_kind, today, a.deposit_daily_limit, a.deposit_monthly_limit, a.withdrawal_daily_limit,
      a.withdrawal_monthly_limit) u
    where a.tenant_id = tenant and a.currency = wanted_currency
      and (wanted_merchant is null or exists (select from payment_group_merchants gm
        join payment_group_accounts ga on ga.tenant_id = gm.tenant_id and ga.group_id = gm.group_id
        where gm.tenant_id = tenant and gm.merchant_id = wanted_merchant and ga.payment_account_id = a.id));
end $$;

-- What pending transfers and settlements will take of a payment account; nothing else may pay it out meanwhile.
create or replace function account_pending_out(tenant uuid, account uuid) returns numeric language sql stable as $$
  select coalesce(sum(t.final_amount), 0) from transfers t where t.tenant_id = tenant and t.source_id = account and t.status = 'pending'
$$;

-- What a payment account of this balance may pay: less the operator's hold, the standing reserve and what pending transfers will take.
create or replace function account_payable(tenant uuid, account uuid, balance numeric, hold numeric, reserve numeric) returns numeric
language sql stable as $$
  select balance - hold - reserve - account_pending_out(tenant, account)
$$;
