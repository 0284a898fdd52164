-- A ledger account by what it is, made when there is none yet.
create or replace function ledger_account(wanted_kind text, wanted_currency text, wanted_owner uuid) returns uuid language plpgsql as $$
declare
  tenant uuid := current_tenant();
  found_id uuid;
begin
  for attempt in 1..2 loop
    if wanted_owner is null then
      select id into found_id from ledger_accounts
        where tenant_id = tenant and kind = wanted_kind and currency = wanted_currency and owner_id is null;
    else
      select id into found_id from ledger_accounts
        where tenant_id = tenant and kind = wanted_kind and currency = wanted_currency and owner_id = wanted_owner;
    end if;
    if found_id is not null then return found_id; end if;
    insert into ledger_accounts (tenant_id, kind, currency, owner_id) values (tenant, wanted_kind, wanted_currency, wanted_owner)
      on conflict do nothing returning id into found_id;
    if found_id is not null then return found_id; end if;
  end loop;
  raise exception 'ledger account % % was neither found nor made', wanted_kind, wanted_currency;
end $$;

-- Posts legs [{"account": uuid} or {"kind", "owner"}, each with "amount"] as one balanced group, its accounts locked in the
-- order of their ids and what comes to nothing left out; then brings the touched payment accounts' `critical` up to date: below the
-- threshold, until 5 % above it. `guard`: a payment account that pays must be
-- active (CH003) and may not fall below its hold, its reserve and what its pending transfers will take (CH001). `take`: {"account", "kind", "day", "amount"} to count
-- against a payment account's limits first (CH002).
-- Answers the group, each entry's balances, and the payment accounts whose state changed.
create or replace function post_legs(new_kind text, new_currency text, new_transaction uuid, new_by uuid, new_reason text, legs jsonb, guard boolean,
  take jsonb, out posted uuid, out entries jsonb, out flipped uuid[])
language plpgsql as $$
declare
  tenant uuid := current_tenant();
  resolved jsonb;
  touched record;
  paying payment_accounts;
begin
  if take is not null then
    if not limit_take((take ->> 'account')::uuid, take ->> 'kind', (take ->> 'day')::date, (take ->> 'amount')::numeric) then
      raise exception 'the limit of payment account % is used up', take ->> 'account' using errcode = 'CH002';
    end if;
  end if;
  -- one leg an account; what comes to nothing is left out
  select jsonb_agg(jsonb_build_object('account', n.account, 'amount', n.amount::text)) into resolved from (
    select coalesce((l ->> 'account')::uuid,
        case when l ->> 'owner' is null
          then (select a.id from ledger_accounts a
            where a.tenant_id = tenant and a.kind = l ->> 'kind' and a.currency = new_currency and a.owner_id is null)
          else (select a.id from ledger_accounts a
            where a.tenant_id = tenant and a.kind = l ->> 'kind' and a.currency = new_currency and a.owner_id = (l ->> 'owner')::uuid) end,
        ledger_account(l ->> 'kind', new_currency, (l ->> 'owner')::uuid)) as account,
      sum((l ->> 'amount')::numeric) as amount
    from jsonb_array_elements(legs) l where (l ->> 'amount')::numeric <> 0
    group by 1 having sum((l ->> 'amount')::numeric) <> 0) n;
  if resolved is null then return; end if;
  posted := uuidv7();
  perform 1 from ledger_accounts a
    where a.tenant_id = tenant and a.id in (select (l ->> 'account')::uuid from jsonb_array_elements(resolved) l)
    order by a.id for update;
  insert into ledger_groups (tenant_id, id, kind, currency, transaction_id, by_user, reason)
    values (tenant, posted, new_kind, new_currency, new_transaction, new_by, new_reason);
  -- all legs at once: what everybody posts to is locked no longer than it must
  with leg as (
    select (l ->> 'account')::uuid as account, (l ->> 'amount')::numeric as amount from jsonb_array_elements(resolved) l
  ), moved as (
    update ledger_accounts a set balance = a.balance + leg.amount, last_seq = a.last_seq + 1
    from leg where a.tenant_id = tenant and a.id = leg.account and a.currency = new_currency
    returning a.id, a.kind, a.owner_id, a.side, a.last_seq, leg.amount, a.balance
  ), written as (
    insert into ledger_entries (tenant_id, account_id, account_kind, rare_kind, seq, group_id, currency, side, amount, previous_balance, balance)
    select tenant, m.id, m.kind, rare_kind(m.kind, new_kind), m.last_seq, posted, new_currency, m.side, m.amount, m.balance - m.amount, m.balance from moved m
  )
  select jsonb_agg(jsonb_build_object('id', m.id, 'kind', m.kind, 'owner', m.owner_id, 'amount', m.amount, 'previous', (m.balance - m.amount)::text, 'balance', m.balance::text))
    into entries from moved m;
  if jsonb_array_length(resolved) <> coalesce(jsonb_array_length(entries), 0) then
    raise exception 'a leg of % names no ledger account in %', new_kind, new_currency using errcode = 'foreign_key_violation';
  end if;
  for touched in select (e ->> 'id')::uuid as id, (e ->> 'amount')::numeric as amount, (e ->> 'balance')::numeric as balance
    from jsonb_array_elements(entries) e where e ->> 'kind' = 'payment-account'
  loop
    -- locked, because its status, hold and reserve must still be these when the payment is committed
    select p.* into paying from payment_accounts p where p.tenant_id = tenant and p.ledger_account_id = touched.id for share;
    continue when not found;
    if guard and touched.amount < 0 and paying.status <> 'active' then
      raise exception 'payment account % is %', paying.id, paying.status using errcode = 'CH003';
    end if;
    if guard and touched.amount < 0
      and account_payable(tenant, paying.id, touched.balance, paying.hold_amount, paying.reserve_amount) < 0 then
      raise exception 'payment account % has not enough', paying.id using errcode = 'CH001';
    end if;
    if paying.critical <> (touched.balance < paying.threshold * case when paying.critical then 1.05 else 1 end) then
      update payment_accounts p
        set critical = not p.critical, critical_since = case when p.critical then null else clock_timestamp() end
        where p.tenant_id = tenant and p.id = paying.id;
      flipped := flipped || paying.id;
    end if;
  end loop;
end $$;

-- Posts one balanced group without guard or limit, for the owner and tests: legs = [{"account": uuid, "amount": "12.50"}, …], all of one
-- currency. Answers the group's id, or null when nothing moves.
create or replace function ledger_post(new_kind text, new_currency text, new_transaction uuid, new_by uuid, new_reason text, legs jsonb)
returns uuid language plpgsql as $$
begin
  return (select posted from post_legs(new_kind, new_currency, new_transaction, new_by, new_reason, legs, false, null));
end $$;

-- At the end of a transaction a group's entries, two at least, add up to nothing and have reached their accounts.
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

-- Each entry begins where the one before it ended. Its number is worked out first: a subtraction may fail, and row-level security has what
-- may fail wait until every entry of the account is read.
create or replace function ledger_entries_chain() returns trigger language plpgsql as $$
declare broken record;
begin
  with numbered as materialized (select fresh.*, fresh.seq - 1 as seq_before from fresh)
  select f.account_id, f.seq into broken from numbered f
    left join ledger_entries b on b.tenant_id = f.tenant_id and b.account_id = f.account_id and b.seq = f.seq_before
    where f.previous_balance <> coalesce(b.balance, 0) or (b.seq is null) <> (f.seq = 1) limit 1;
  if found then
    raise exception 'entry % of ledger account % does not follow the one before it', broken.seq, broken.account_id
      using errcode = 'check_violation';
  end if;
  return null;
end $$;

-- The kind of a posting where it moves a wallet or a payment account, but not with every decision; null: it is none of these. Its answers
-- are stored in ledger_entries.
create or replace function rare_kind(account_kind text, posting text) returns text language sql immutable as $$
  select case
    when account_kind not in ('wallet', 'payment-account') or posting = 'deposit'
      or posting in ('withdrawal.hold', 'withdrawal.release') and account_kind = 'wallet'
      or posting = 'withdrawal' and account_kind = 'payment-account' then null
    else posting end
$$;

-- Of an entry that does not say which kind of account it moves, as those of the release before.
create or replace function ledger_entry_kind() returns trigger language plpgsql as $$
begin
  select a.kind, rare_kind(a.kind, g.kind) into new.account_kind, new.rare_kind from ledger_accounts a, ledger_groups g
    where a.tenant_id = new.tenant_id and a.id = new.account_id and g.tenant_id = new.tenant_id and g.id = new.group_id;
  return new;
end $$;
-- Each entry is stamped with its kind as it is posted.
create or replace trigger kind before insert on ledger_entries for each row
  when (new.account_kind is null) execute function ledger_entry_kind();
