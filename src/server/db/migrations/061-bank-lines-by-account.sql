-- The newest line of an account is found by the account alone: beside an index that begins like the key of a line, tables not analysed yet
-- had each line of a file looked for among all of its account.
drop index bank_lines_account_created;
drop index bank_lines_account;
drop index bank_lines_arrived;
create index bank_lines_account_created on bank_lines (payment_account_id, created_at);
create index bank_lines_account on bank_lines (payment_account_id, time, id);
