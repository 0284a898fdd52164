-- A payee's bank, however it is written.
create or replace function payee_bank(bank text) returns text language sql immutable
  return lower(regexp_replace(bank, '\s', '', 'g'));

-- How many of a payee's withdrawals, the newest, are looked at when one is judged: they are read while a row is locked. A payment before
-- them is not seen, which asks for more care and never for less.
create or replace function payee_rows() returns integer language sql immutable return 1000;

-- Other withdrawals to the payee of one, who is an account number at a bank, created between two instants: of the payee's newest, which
-- are read by the payee's index, whatever the planner thinks of a status or an amount. Its arguments are values, not a row, because a
-- list has the planner put it in place of the call, where each field of a row would be taken out of it again and again.
create or replace function payee_others(tenant uuid, in_currency text, number text, at_bank text, self uuid, since timestamptz, until timestamptz)
returns table (id uuid, txn_no text, status text, amount numeric, created_at timestamptz) language sql stable as $$
  select o.id, o.txn_no, o.status, o.amount, o.created_at
  from (select w.id, w.txn_no, w.status, w.amount, w.created_at, w.bank from transactions w
    where w.tenant_id = tenant and w.currency = in_currency and w.kind = 'withdrawal' and w.account_number = number
      and w.created_at between since and until
    order by w.created_at desc limit payee_rows()) o
  where o.id <> self and payee_bank(o.bank) = payee_bank(at_bank)
$$;

-- What makes an open withdrawal suspect, for one row and for each of a page: the others to the same payee of the same amount within 24
-- hours, with the number of one of them, and whether the payee was paid before. All null once it is decided.
create or replace function payee_facts(tenant uuid, in_currency text, number text, at_bank text, self uuid, asked numeric, at timestamptz,
  status text)
returns table (same_payee jsonb, payee_paid boolean) language sql stable as $$
  select
    case when status in ('pending', 'process') then (select jsonb_build_object('count', count(*), 'txn_no', max(o.txn_no))
      from payee_others(tenant, in_currency, number, at_bank, self, at - interval '24 hours', at + interval '24 hours') o
      where o.amount = asked and o.status not in ('rejected', 'expired')) end,
    case when status in ('pending', 'process') then exists (select
      from payee_others(tenant, in_currency, number, at_bank, self, '-infinity', 'infinity') o
      where o.status in ('approved', 'completed')) end
$$;

-- What makes an open deposit suspect, and what proves it: the customer's others of the same amount within 24 hours that were paid, the
-- others with its reference, each with the number of one, and the bank line it is matched to. All null once it is decided.
create or replace function payer_facts(tenant uuid, in_currency text, of_merchant uuid, of_member text, self uuid, arrived numeric,
  at timestamptz, reference text, status text)
returns table (same_payer jsonb, reference_used jsonb, line jsonb) language sql stable as $$
  select
    case when status in ('pending', 'process') then (select jsonb_build_object('count', count(*), 'txn_no', max(o.txn_no))
      from (select d.id, d.txn_no, d.kind, d.status, d.amount from transactions d
        where d.tenant_id = tenant and d.merchant_id = of_merchant and d.member = of_member
          and d.created_at between at - interval '24 hours' and at + interval '24 hours'
        order by d.created_at desc limit payee_rows()) o
      where o.id <> self and o.kind = 'deposit' and o.amount = arrived and o.status in ('process', 'approved', 'completed')) end,
    case when status in ('pending', 'process') and reference is not null then
      (select jsonb_build_object('count', count(*), 'txn_no', max(o.txn_no))
        from (select d.id, d.txn_no, d.kind, d.status from transactions d
          where d.tenant_id = tenant and d.currency = in_currency and d.reference_no = reference limit payee_rows()) o
        where o.id <> self and o.kind = 'deposit' and o.status not in ('rejected', 'expired')) end,
    case when status in ('pending', 'process') then
      (select jsonb_build_object('amount', m.amount::text, 'counterparty', l.counterparty)
        from bank_matches m join bank_lines l on l.tenant_id = m.tenant_id and l.id = m.line_id
        where m.tenant_id = tenant and m.transaction_id = self and m.undone_at is null) end
$$;

-- What every answer about a transaction names beside its columns; of an open withdrawal also the facts of its payee and the merchant's
-- balances, of an open deposit those of its payer and its proof.
create or replace function facts_of(t transactions) returns transaction_facts language plpgsql stable as $$
declare
  f transaction_facts;
begin
  select clock_timestamp(), m.code, m.name, m.callback_url, c.minor_digits, c.zone_minutes, m.status,
      (select jsonb_object_agg(u.id, u.name) from users u
        where u.id in (t.claimed_by, t.processed_by, t.approved_by, t.rejected_by, t.last_action_by, t.first_approved_by,
          t.deferred_by))
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
    select p.same_payee, p.payee_paid into f.same_payee, f.payee_paid
      from payee_facts(t.tenant_id, t.currency, t.account_number, t.bank, t.id, t.amount, t.created_at, t.status) p;
    select coalesce(sum(l.balance) filter (where l.kind = 'hold'), 0), coalesce(sum(l.balance) filter (where l.kind = 'wallet'), 0)
      into f.held, f.wallet from ledger_accounts l
      where l.tenant_id = t.tenant_id and l.kind in ('hold', 'wallet') and l.currency = t.currency and l.owner_id = t.merchant_id;
  elsif t.kind = 'deposit' and t.status in ('pending', 'process') then
    select p.same_payer, p.reference_used, p.line into f.same_payer, f.reference_used, f.line
      from payer_facts(t.tenant_id, t.currency, t.merchant_id, t.member, t.id, t.amount, t.created_at, t.reference_no, t.status) p;
  end if;
  return f;
end $$;

-- One transaction with its facts and the tenant's settings; locked when asked. The conditions left null do not count.
create or replace function find_transaction(wanted uuid, wanted_kind text, wanted_currency text, wanted_merchant uuid, lock boolean)
returns table (t transactions, f transaction_facts, settings jsonb) language plpgsql as $$
begin
  if lock then
    select * into t from transactions r where r.tenant_id = current_tenant() and r.id = wanted for update;
  else
    select * into t from transactions r where r.tenant_id = current_tenant() and r.id = wanted;
  end if;
  if t.id is null or t.kind <> wanted_kind or t.currency <> wanted_currency or t.merchant_id <> wanted_merchant then return; end if;
  f := facts_of(t);
  select s.settings into settings from tenants s where s.id = t.tenant_id;
  return next;
end $$;
