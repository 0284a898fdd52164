-- A withdrawal's time in the work list: when it came, when it is to be looked at again, or since when it waits for a second person.
alter table transactions add column due_at timestamptz not null generated always as (greatest(created_at, deferred_until, first_approved_at)) stored;
create index transactions_due on transactions (tenant_id, currency, kind, status, due_at, id) where status in ('pending', 'process');

-- As in 022, and whoever has deferred it is named.
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
    select jsonb_build_object('count', count(*), 'txn_no', max(o.txn_no)) into f.same_payee from (
      select w.txn_no, w.amount, w.id, w.status, w.bank from transactions w
      where w.tenant_id = t.tenant_id and w.currency = t.currency and w.kind = 'withdrawal' and w.account_number = t.account_number
        and w.created_at between t.created_at - interval '24 hours' and t.created_at + interval '24 hours'
      order by w.created_at desc limit payee_rows()) o
      where o.amount = t.amount and o.id <> t.id and o.status not in ('rejected', 'expired')
        and payee_bank(o.bank) = payee_bank(t.bank);
    f.payee_paid := exists (select from (
      select w.id, w.status, w.bank from transactions w
      where w.tenant_id = t.tenant_id and w.currency = t.currency and w.kind = 'withdrawal' and w.account_number = t.account_number
      order by w.created_at desc limit payee_rows()) o
      where o.status in ('approved', 'completed') and o.id <> t.id and payee_bank(o.bank) = payee_bank(t.bank));
    select coalesce(sum(l.balance) filter (where l.kind = 'hold'), 0), coalesce(sum(l.balance) filter (where l.kind = 'wallet'), 0)
      into f.held, f.wallet from ledger_accounts l
      where l.tenant_id = t.tenant_id and l.kind in ('hold', 'wallet') and l.currency = t.currency and l.owner_id = t.merchant_id;
  end if;
  return f;
end $$;
