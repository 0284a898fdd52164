-- Bank lines are found by what they name, as transactions are (functions/search.sql).

alter table search_terms drop constraint search_terms_field_check,
  -- name: a turn of it, and transactions.name_key; payee: the last four characters, and transactions.account_number;
  -- counterparty, counterparty-account: the same of bank lines, and the column as it is written
  add constraint search_terms_field_check check (field in ('name', 'payee', 'counterparty', 'counterparty-account'));

-- As the names and numbers stand in the lines: an index range of theirs holds nobody else's, and its newest come first.
create index bank_lines_counterparty on bank_lines (tenant_id, currency, counterparty, time) where counterparty is not null;
create index bank_lines_counterparty_account on bank_lines (tenant_id, currency, counterparty_account, time) where counterparty_account is not null;
create index bank_lines_reference on bank_lines (tenant_id, currency, reference, time) where reference is not null;
