-- Statements read the ledger of all wallets, or of all payment accounts, newest first: an entry says which kind of account it moves, and its
-- posting's kind where that is not one of those that move such an account with every decision, because a statement of these begins with them.

alter table ledger_entries add column account_kind text, add column rare_kind text;
grant insert (account_kind, rare_kind) on ledger_entries to countinghouse_app;
alter table ledger_entries disable trigger immutable;
-- as rare_kind() has it
update ledger_entries e set account_kind = a.kind, rare_kind = case
    when a.kind not in ('wallet', 'payment-account') or g.kind = 'deposit'
      or g.kind in ('withdrawal.hold', 'withdrawal.release') and a.kind = 'wallet'
      or g.kind = 'withdrawal' and a.kind = 'payment-account' then null
    else g.kind end
  from ledger_accounts a, ledger_groups g
  where a.tenant_id = e.tenant_id and a.id = e.account_id and g.tenant_id = e.tenant_id and g.id = e.group_id;
alter table ledger_entries enable trigger immutable;
alter table ledger_entries alter column account_kind set not null;

create index ledger_entries_statement on ledger_entries (tenant_id, currency, account_kind, created_at, seq, account_id)
  where account_kind in ('wallet', 'payment-account');
create index ledger_entries_rare on ledger_entries (tenant_id, currency, account_kind, rare_kind, created_at, seq, account_id)
  where rare_kind is not null;
-- of one account, whose entries of one moment stand in their own order
create index ledger_entries_account on ledger_entries (tenant_id, account_id, created_at, seq) include (amount);
drop index ledger_entries_time;
create index transactions_manual on transactions (tenant_id, currency) where source = 'manual';
create index transfers_amount on transfers (tenant_id, currency, amount_key);
