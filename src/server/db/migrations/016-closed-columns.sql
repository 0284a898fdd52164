-- What the app's role may write itself, and what only the functions may: a balance never comes from nowhere, the audit chain is
-- written by its sealing alone, and what a transaction is about stays what it was.

-- An account begins empty, whoever opens it.
revoke insert on ledger_accounts from countinghouse_app;
grant insert (tenant_id, id, kind, currency, owner_id) on ledger_accounts to countinghouse_app;

-- At the end of a transaction an account says what its last entry says, and that one is the last: with none it is empty.
create or replace function ledger_account_follows() returns trigger language plpgsql as $$
declare a ledger_accounts; last ledger_entries;
begin
  select * into a from ledger_accounts where tenant_id = new.tenant_id and id = new.id;
  if not found then return null; end if;
  select * into last from ledger_entries where tenant_id = a.tenant_id and account_id = a.id order by seq desc limit 1;
  if a.balance <> coalesce(last.balance, 0) or a.last_seq <> coalesce(last.seq, 0) then
    raise exception 'balance of ledger account % is not its last entry''s', a.id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger begins_empty after insert on ledger_accounts
  deferrable initially deferred for each row when (new.balance <> 0 or new.last_seq <> 0) execute function ledger_account_follows();

-- Each entry begins where the one before it ended.
create function ledger_entries_chain() returns trigger language plpgsql as $$
declare broken record;
begin
  select f.account_id, f.seq into broken from fresh f
    left join ledger_entries b on b.tenant_id = f.tenant_id and b.account_id = f.account_id and b.seq = f.seq - 1
    where f.previous_balance <> coalesce(b.balance, 0) or (b.seq is null) <> (f.seq = 1) limit 1;
  if found then
    raise exception 'entry % of ledger account % does not follow the one before it', broken.seq, broken.account_id
      using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger chains after insert on ledger_entries referencing new table as fresh
  for each statement execute function ledger_entries_chain();

-- Besides adding up to nothing, a group's entries have reached their accounts.
create or replace function ledger_group_balances() returns trigger language plpgsql as $$
declare total numeric; legs integer; ahead integer;
begin
  select sum(e.side * e.amount), count(*), count(*) filter (where a.last_seq < e.seq) into total, legs, ahead
    from ledger_entries e join ledger_accounts a on a.tenant_id = e.tenant_id and a.id = e.account_id
    where e.tenant_id = new.tenant_id and e.group_id = new.id;
  if legs < 2 or total <> 0 then
    raise exception 'ledger group % has % legs summing to %', new.id, legs, total using errcode = 'check_violation';
  end if;
  if ahead > 0 then
    raise exception 'ledger group % has entries its accounts know nothing of', new.id using errcode = 'check_violation';
  end if;
  return null;
end $$;

-- Sealing alone writes the chain: the app adds audit rows, and asks for them to be sealed in its own tenant.
alter function audit_seal(integer) security definer set search_path = public, pg_temp;
alter function audit_await_seal() security definer set search_path = public, pg_temp;
revoke insert on audit_chain from countinghouse_app;
revoke insert, update on audit_heads from countinghouse_app;
revoke insert, delete on audit_unsealed from countinghouse_app;

-- Columns the app's role writes once; the owner, who migrates and seeds, may mend them.
create function refuse_rewriting() returns trigger language plpgsql as $$
begin
  raise exception 'what % is about never changes: %', tg_table_name, tg_argv[0] using errcode = 'restrict_violation';
end $$;
create procedure fix_columns(target regclass, columns text) language plpgsql as $$
begin
  execute format('create trigger fixed before update of %s on %s for each row when (current_user = ''countinghouse_app'')
    execute function refuse_rewriting(%L)', columns, target, columns);
end $$;
call fix_columns('transactions', 'tenant_id, id, kind, txn_no, merchant_id, merchant_txn_no, source, currency, method, member, customer_name,
  bank, account_number, holder, amount, fee, charges_borne_by, created_at');
call fix_columns('payment_accounts', 'tenant_id, id, currency, ledger_account_id, created_at');
call fix_columns('merchants', 'tenant_id, id, currency, created_at');
call fix_columns('outbox', 'tenant_id, id, merchant_id, transaction_id, event_n, created_at');
call fix_columns('limit_usage', 'tenant_id, payment_account_id, kind, period, starts');
