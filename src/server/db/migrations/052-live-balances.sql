-- What uses an account now, found from its side: what a first approver chose it for, and the newest line its bank told.
create index transactions_first_account on transactions (tenant_id, first_account_id)
  where first_account_id is not null and status in ('pending', 'process');
create index bank_lines_account_created on bank_lines (tenant_id, payment_account_id, created_at);
