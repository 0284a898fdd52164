-- Deposits as decisions: claimed while in process, approved in tiers, recalled, and credited with what really arrived.

insert into transitions (kind, from_status, to_status, act) values
  ('deposit', '', 'process', 'create'), ('deposit', 'process', 'process', 'claim'), ('deposit', 'process', 'process', 'take-over'),
  ('deposit', 'process', 'process', 'release'), ('deposit', 'process', 'process', 'lapse'), ('deposit', 'process', 'process', 'first-approve'),
  ('deposit', 'process', 'approved', 'second-approve'), ('deposit', 'process', 'process', 'hand-back'),
  ('deposit', 'approved', 'process', 'recall');

alter table transactions
  -- what a deposit was asked for and its fee, where another amount arrived, and why that one is right; null where `amount` was asked
  add column asked_amount numeric(20, 4),
  add column asked_fee numeric(20, 4),
  add column amount_reason text,
  add constraint asked_whole check ((asked_amount is null) = (asked_fee is null) and (asked_amount is null) = (amount_reason is null)
    and (asked_amount is null or (kind = 'deposit' and asked_amount > 0 and asked_amount <> amount))),
  drop constraint claimed_in_process,
  add constraint claimed_in_process check (claimed_by is null or status = 'process');

-- What was asked never changes (functions/deposits.sql); what arrived may be another amount.
drop trigger fixed on transactions;
call fix_columns('transactions', 'tenant_id, id, kind, txn_no, merchant_id, merchant_txn_no, source, currency, method, member, customer_name,
  bank, account_number, holder, charges_borne_by, created_at');

-- Facts that make a deposit suspicious, and the bank line that proves it.
alter type transaction_facts add attribute same_payer jsonb;
alter type transaction_facts add attribute reference_used jsonb;
alter type transaction_facts add attribute line jsonb;
