-- Currencies founded with two decimals get those of ISO 4217, unless an amount they have is finer: `npm run audit` tells of these.

with wanted (code, minor_digits) as (
  select unnest(string_to_array('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF', ' ')), 0
  union all select unnest(string_to_array('BHD IQD JOD KWD LYD OMR TND', ' ')), 3
  union all select unnest(string_to_array('CLF UYW', ' ')), 4
)
update currencies c set minor_digits = w.minor_digits
  from wanted w
  where w.code = c.code and c.minor_digits = 2
    and not exists (select from ledger_accounts a
      where a.tenant_id = c.tenant_id and a.currency = c.code and a.balance <> round(a.balance, w.minor_digits))
    and not exists (select from ledger_entries e
      where e.tenant_id = c.tenant_id and e.currency = c.code and e.amount <> round(e.amount, w.minor_digits))
    and not exists (select from transactions t,
        lateral (values (t.amount), (t.fee), (t.charges), (t.final_amount), (t.merchant_amount)) f (amount)
      where t.tenant_id = c.tenant_id and t.currency = c.code and f.amount <> round(f.amount, w.minor_digits))
    and not exists (select from payment_accounts p,
        lateral (values (p.hold_amount), (p.reserve_amount), (p.threshold), (p.deposit_minimum), (p.deposit_maximum),
          (p.withdrawal_minimum), (p.withdrawal_maximum), (p.deposit_daily_limit), (p.deposit_monthly_limit),
          (p.withdrawal_daily_limit), (p.withdrawal_monthly_limit), (case p.charges_type when 'fixed' then p.charges_value end)) f (amount)
      where p.tenant_id = c.tenant_id and p.currency = c.code and f.amount <> round(f.amount, w.minor_digits))
    and not exists (select from tenants n, jsonb_each_text(n.settings -> 'tiers' -> c.code) f
      where n.id = c.tenant_id and f.value::numeric <> round(f.value::numeric, w.minor_digits));
