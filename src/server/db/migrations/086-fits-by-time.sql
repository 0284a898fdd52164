-- When what fits a line may have begun and ended (bank_near): kept, because under row level security an index is asked only by comparisons
-- of columns; one with an interval added is made of each row after it is read, and an account has very many.
alter table bank_lines
  add column fits_until timestamptz not null generated always as ((time at time zone 'UTC' + interval '1 hour') at time zone 'UTC') stored,
  add column fits_since timestamptz not null generated always as ((time at time zone 'UTC' - interval '72 hours') at time zone 'UTC') stored;

-- The same of one amount: a deposit's time, and when a withdrawal was approved (bank_fits). Charges differ from nothing where the amounts
-- differ, which are numbers that may be compared before a row is known to be the tenant's.
drop index transactions_fitting, transactions_fitting_charged, transfers_source_fitting_charged;
create index transactions_fitting on transactions
  (tenant_id, payment_account_id, amount_key, (case kind when 'withdrawal' then approved_at else created_at end))
  where payment_account_id is not null and status <> 'rejected';
create index transactions_fitting_charged on transactions
  (tenant_id, payment_account_id, final_amount_key, (case kind when 'withdrawal' then approved_at else created_at end))
  where payment_account_id is not null and status <> 'rejected' and final_amount_key <> amount_key;
create index transfers_source_fitting_charged on transfers (tenant_id, source_id, final_amount_key, created_at)
  where source_id is not null and status <> 'rejected' and final_amount_key <> amount_key;
