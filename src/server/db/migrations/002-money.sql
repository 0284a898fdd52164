-- The ledger: accounts, balanced groups of immutable entries, and the one function that posts.

create table ledger_accounts (
  tenant_id uuid not null references tenants,
  id uuid not null default uuidv7(),
  kind text not null check (kind in ('wallet', 'hold', 'payment-account', 'fee-income', 'bank-charges', 'adjustment', 'settlement', 'suspense')),
  currency text not null,
  -- the merchant or payment account it belongs to; null for the tenant's own
  owner_id uuid,
  -- 1 debit-normal (what the house has or spends), -1 credit-normal (what it owes or earns);
  -- amounts are natural: above zero raises the account's balance, and a group's sum of side × amount is zero
  side smallint not null generated always as (case when kind in ('payment-account', 'bank-charges', 'adjustment') then 1 else -1 end) stored,
  balance numeric(20, 4) not null default 0,
  last_seq bigint not null default 0,
  primary key (tenant_id, id),
  unique nulls not distinct (tenant_id, kind, currency, owner_id),
  foreign key (tenant_id, currency) references currencies (tenant_id, code),
  unique (tenant_id, id, currency),
  unique (tenant_id, id, currency, side),
  -- what a merchant holds is never overdrawn; the last wall behind every race
  constraint no_overdraft check (kind not in ('wallet', 'hold') or balance >= 0)
);
call isolate('ledger_accounts', 'select, insert');
grant update (balance, last_seq) on ledger_accounts to countinghouse_app;

create table ledger_groups (
  tenant_id uuid not null references tenants,
  id uuid not null default uuidv7(),
  -- entries join a group only in the transaction that opened it
  xact xid8 not null default pg_current_xact_id(),
  kind text not null,
  currency text not null,
  transaction_id uuid,
  -- null: the system
  by_user uuid,
  reason text,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, id, currency, xact)
);
create index ledger_groups_transaction on ledger_groups (tenant_id, transaction_id);
call isolate('ledger_groups', 'select');
grant insert (tenant_id, id, kind, currency, transaction_id, by_user, reason) on ledger_groups to countinghouse_app;
call seal_table('ledger_groups');

create table ledger_entries (
  tenant_id uuid not null,
  account_id uuid not null,
  seq bigint not null,
  group_id uuid not null,
  xact xid8 not null default pg_current_xact_id(),
  currency text not null,
  side smallint not null,
  amount numeric(20, 4) not null check (amount <> 0),
  previous_balance numeric(20, 4) not null,
  balance numeric(20, 4) not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, account_id, seq),
  foreign key (tenant_id, account_id, currency, side) references ledger_accounts (tenant_id, id, currency, side),
  foreign key (tenant_id, group_id, currency, xact) references ledger_groups (tenant_id, id, currency, xact),
  constraint chained check (balance = previous_balance + amount)
);
create index ledger_entries_group on ledger_entries (tenant_id, group_id);
call isolate('ledger_entries', 'select');
grant insert (tenant_id, account_id, seq, group_id, currency, side, amount, previous_balance, balance) on ledger_entries to countinghouse_app;
call seal_table('ledger_entries');

create function ledger_group_balances() returns trigger language plpgsql as $$
declare total numeric; legs integer;
begin
  select sum(side * amount), count(*) into total, legs from ledger_entries where tenant_id = new.tenant_id and group_id = new.id;
  if legs < 2 or total <> 0 then
    raise exception 'ledger group % has % legs summing to %', new.id, legs, total using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger balanced after insert on ledger_groups
  deferrable initially deferred for each row execute function ledger_group_balances();

create function ledger_account_follows() returns trigger language plpgsql as $$
begin
  if exists (
    select from ledger_accounts a
    left join ledger_entries e on e.tenant_id = a.tenant_id and e.account_id = a.id and e.seq = a.last_seq
    where a.tenant_id = new.tenant_id and a.id = new.id and a.last_seq > 0 and e.balance is distinct from a.balance
  ) then
    raise exception 'balance of ledger account % is not its last entry''s', new.id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger follows after update on ledger_accounts
  deferrable initially deferred for each row execute function ledger_account_follows();

-- Posts one balanced group: legs = [{"account": uuid, "amount": "12.50"}, …], all of one currency.
-- Locks the accounts in the order of their ids. Legs of zero are left out. Answers the group's id, or null when nothing moves.
create function ledger_post(new_kind text, new_currency text, new_transaction uuid, new_by uuid, new_reason text, legs jsonb)
returns uuid language plpgsql as $$
declare
  tenant uuid := current_tenant();
  new_group uuid := uuidv7();
  leg record;
  before numeric;
  seq_now bigint;
  side_now smallint;
  written integer := 0;
begin
  perform 1 from ledger_accounts a
    where a.tenant_id = tenant and a.id in (select (l ->> 'account')::uuid from jsonb_array_elements(legs) l)
    order by a.id for update;
  for leg in
    select (l ->> 'account')::uuid as account, sum((l ->> 'amount')::numeric) as amount
    from jsonb_array_elements(legs) l group by 1 having sum((l ->> 'amount')::numeric) <> 0 order by 1
  loop
    if written = 0 then
      insert into ledger_groups (tenant_id, id, kind, currency, transaction_id, by_user, reason)
        values (tenant, new_group, new_kind, new_currency, new_transaction, new_by, new_reason);
    end if;
    update ledger_accounts a set balance = a.balance + leg.amount, last_seq = a.last_seq + 1
      where a.tenant_id = tenant and a.id = leg.account and a.currency = new_currency
      returning a.balance - leg.amount, a.last_seq, a.side into before, seq_now, side_now;
    if not found then
      raise exception 'no ledger account % in %', leg.account, new_currency using errcode = 'foreign_key_violation';
    end if;
    insert into ledger_entries (tenant_id, account_id, seq, group_id, currency, side, amount, previous_balance, balance)
      values (tenant, leg.account, seq_now, new_group, new_currency, side_now, leg.amount, before, before + leg.amount);
    written := written + 1;
  end loop;
  return case when written > 0 then new_group end;
end $$;
