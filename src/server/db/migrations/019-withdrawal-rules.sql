-- What a withdrawal is judged by: who its payee is, what its merchant can still bear, and whether the paying account may still pay.
-- facts_of, post_legs and transaction_move start from their definitions in 005.

-- A recall into full hands leaves the item free; a second person hands a first approval back.
insert into transitions (kind, from_status, to_status, act) values
  ('withdrawal', 'approved', 'pending', 'recall'), ('withdrawal', 'process', 'pending', 'hand-back');

-- A payee's bank, however it is written.
create function payee_bank(bank text) returns text language sql immutable
  return lower(regexp_replace(bank, '\s', '', 'g'));

alter type transaction_facts add attribute wallet numeric;
alter type transaction_facts add attribute merchant_status text;

-- A payee is an account number at a bank. `held` and `wallet` are the merchant's balances.
create or replace function facts_of(t transactions) returns transaction_facts language plpgsql stable as $$
declare
  f transaction_facts;
begin
  select clock_timestamp(), m.code, m.name, m.callback_url, c.minor_digits, c.zone_minutes, m.status,
      (select jsonb_object_agg(u.id, u.name) from users u
        where u.id in (t.claimed_by, t.processed_by, t.approved_by, t.rejected_by, t.last_action_by, t.first_approved_by))
    into f.now, f.merchant_code, f.merchant_name, f.callback_url, f.minor_digits, f.zone_minutes, f.merchant_status, f.people
    from merchants m, currencies c
    where m.tenant_id = t.tenant_id and m.id = t.merchant_id and c.tenant_id = t.tenant_id and c.code = t.currency;
  if t.last_action_by is null then
    select e.actor into f.last_actor from transaction_events e
      where e.tenant_id = t.tenant_id and e.transaction_id = t.id and e.n = t.events;
  end if;
  if t.payment_account_id is not null then
    select p.code into f.account_code from payment_accounts p where p.tenant_id = t.tenant_id and p.id = t.payment_account_id;
  end if;
  if t.kind = 'withdrawal' and t.status in ('pending', 'process') then
    -- "offset 0": always by the payee's index, however rare a status or amount looks to the planner
    select jsonb_build_object('count', count(*), 'txn_no', max(o.txn_no)) into f.same_payee from (
      select w.txn_no, w.amount, w.id, w.status, w.bank from transactions w
      where w.tenant_id = t.tenant_id and w.currency = t.currency and w.kind = 'withdrawal' and w.account_number = t.account_number
        and w.created_at between t.created_at - interval '24 hours' and t.created_at + interval '24 hours' offset 0) o
      where o.amount = t.amount and o.id <> t.id and o.status not in ('rejected', 'expired')
        and payee_bank(o.bank) = payee_bank(t.bank);
    f.payee_paid := exists (select from (
      select w.id, w.status, w.bank from transactions w
      where w.tenant_id = t.tenant_id and w.currency = t.currency and w.kind = 'withdrawal' and w.account_number = t.account_number offset 0) o
      where o.status in ('approved', 'completed') and o.id <> t.id and payee_bank(o.bank) = payee_bank(t.bank));
    select coalesce(sum(l.balance) filter (where l.kind = 'hold'), 0), coalesce(sum(l.balance) filter (where l.kind = 'wallet'), 0)
      into f.held, f.wallet from ledger_accounts l
      where l.tenant_id = t.tenant_id and l.kind in ('hold', 'wallet') and l.currency = t.currency and l.owner_id = t.merchant_id;
  end if;
  return f;
end $$;

-- Posts legs [{"account": uuid} or {"kind", "owner"}, each with "amount"] as ledger_post does, then brings the touched
-- payment accounts' `critical` up to date: below the threshold, until 5 % above it. `guard`: a payment account that pays must be
-- active (CH003) and may not fall below its hold and reserve (CH001). `take`: {"account", "kind", "day", "amount"} to count
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
    returning a.id, a.kind, a.side, a.last_seq, leg.amount, a.balance
  ), written as (
    insert into ledger_entries (tenant_id, account_id, seq, group_id, currency, side, amount, previous_balance, balance)
    select tenant, m.id, m.last_seq, posted, new_currency, m.side, m.amount, m.balance - m.amount, m.balance from moved m
  )
  select jsonb_agg(jsonb_build_object('id', m.id, 'kind', m.kind, 'amount', m.amount, 'previous', (m.balance - m.amount)::text, 'balance', m.balance::text))
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
    if guard and touched.amount < 0 and touched.balance < paying.hold_amount + paying.reserve_amount then
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

-- Counts `amount` against an account's day and month even above its limits: money that has arrived is not refused.
create function limit_count(account uuid, limited_kind text, day date, amount numeric) returns void language sql
begin atomic
  insert into limit_usage as u (tenant_id, payment_account_id, kind, period, starts, used)
    values (current_tenant(), account, limited_kind, 'day', day, amount),
      (current_tenant(), account, limited_kind, 'month', date_trunc('month', day)::date, amount)
    on conflict (tenant_id, payment_account_id, kind, period, starts) do update set used = u.used + excluded.used;
end;

-- Changes a locked transaction as m.set says and writes its event. m.limit: "take" counts the new final amount against the new
-- account's limits, "count" does so even above them, "release" takes the old one off the old account's.
create or replace function transaction_move(m jsonb) returns transactions language plpgsql as $$
declare
  o transactions;
  t transactions;
begin
  select * into strict o from transactions where tenant_id = current_tenant() and id = (m ->> 'id')::uuid for update;
  t := jsonb_populate_record(o, m -> 'set');
  if m ->> 'limit' = 'take' then
    if not limit_take(t.payment_account_id, t.kind, t.limit_day, t.final_amount) then
      raise exception 'the limit of payment account % is used up', t.payment_account_id using errcode = 'CH002';
    end if;
  elsif m ->> 'limit' = 'count' then
    perform limit_count(t.payment_account_id, t.kind, t.limit_day, t.final_amount);
  elsif m ->> 'limit' = 'release' then
    if o.limit_day is not null then
      perform limit_release(o.payment_account_id, o.kind, o.limit_day, o.final_amount);
    end if;
    t.limit_day := null;
  end if;
  update transactions set
      status = t.status, version = o.version + 1, events = o.events + 1, reference_no = t.reference_no,
      charges = t.charges, charges_type = t.charges_type, final_amount = t.final_amount, merchant_amount = t.merchant_amount,
      previous_balance = t.previous_balance, payment_account_id = t.payment_account_id, payment_date = t.payment_date,
      limit_day = t.limit_day, recalls = t.recalls, claimed_by = t.claimed_by, claimed_at = t.claimed_at, claim_until = t.claim_until,
      deferred_until = t.deferred_until, deferred_by = t.deferred_by, first_approved_by = t.first_approved_by,
      first_approved_at = t.first_approved_at, first_account_id = t.first_account_id, recallable_until = t.recallable_until,
      expires_at = t.expires_at, processed_at = t.processed_at, processed_by = t.processed_by, approved_at = t.approved_at,
      approved_by = t.approved_by, rejected_at = t.rejected_at, rejected_by = t.rejected_by, reject_reason = t.reject_reason,
      expired_at = t.expired_at, completed_at = t.completed_at, last_action_at = t.last_action_at, last_action_by = t.last_action_by
    where tenant_id = o.tenant_id and id = o.id
    returning * into t;
  perform transaction_event(t, o.status, m);
  return t;
end $$;
