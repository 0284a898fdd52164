-- A statement reads the ledger by time: an entry's time is when it was posted, under its account's lock, because that of its transaction's
-- beginning may lie before the entry it follows.
alter table ledger_entries alter column created_at set default clock_timestamp();
create index ledger_entries_time on ledger_entries (tenant_id, account_id, created_at) include (amount);
