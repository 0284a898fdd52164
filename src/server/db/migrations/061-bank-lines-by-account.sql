-- An account's newest bank lines, and the last that came, are found by the account alone: beside an index that begins like the key of a
-- line, tables not analysed yet had each line of a file looked for among all of its account.
drop index bank_lines_account_created;
create index bank_lines_account_created on bank_lines (payment_account_id, created_at);
create index bank_lines_account on bank_lines (payment_account_id, time, id);
