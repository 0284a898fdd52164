-- An account's newest bank lines, and the last that came.
create index bank_lines_account on bank_lines (tenant_id, payment_account_id, time, id);
create index bank_lines_arrived on bank_lines (tenant_id, payment_account_id, created_at);
