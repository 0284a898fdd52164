-- Writes an event with what belongs to it: the decision and its callback, and the audit row.
create or replace function transaction_event(t transactions, from_status text, m jsonb) returns void language plpgsql as $$
begin
  insert into transaction_events (tenant_id, transaction_id, n, kind, act, from_status, to_status, at, by_user, actor, reason)
    values (t.tenant_id, t.id, t.events, t.kind, m ->> 'act', from_status, t.status, t.last_action_at, t.last_action_by,
      m #>> '{actor,name}', m ->> 'reason');
  if m ? 'decision' then
    insert into decisions (tenant_id, transaction_id, round, outcome, event_n, by_user, at)
      values (t.tenant_id, t.id, t.recalls + 1, m ->> 'decision', t.events, t.last_action_by, t.last_action_at);
    insert into outbox (tenant_id, merchant_id, transaction_id, event_n, url, body, next_attempt_at, created_at)
      values (t.tenant_id, t.merchant_id, t.id, t.events, m #>> '{callback,url}', m #>> '{callback,body}',
        (m #>> '{callback,at}')::timestamptz, t.last_action_at);
  end if;
  insert into audit_entries (tenant_id, at, actor_kind, actor_id, actor_name, act, entity, entity_id, event_n, before, after, reason, ip, request_id)
    values (t.tenant_id, t.last_action_at, m #>> '{actor,kind}', (m #>> '{actor,id}')::uuid, m #>> '{actor,name}',
      t.kind || '.' || (m ->> 'act'), t.kind, t.id, t.events, m -> 'before', m -> 'after', m ->> 'reason',
      m #>> '{actor,ip}', m #>> '{actor,requestId}');
end $$;

-- Inserts a transaction with its first event.
create or replace function transaction_create(m jsonb) returns transactions language plpgsql as $$
declare
  t transactions := jsonb_populate_record(null::transactions, m -> 'set');
begin
  insert into transactions (tenant_id, id, kind, txn_no, merchant_id, merchant_txn_no, reference_no, source, status, currency, method, member,
      customer_name, bank, account_number, holder, amount, fee, charges, charges_type, charges_borne_by, final_amount, merchant_amount,
      previous_balance, payment_account_id, payment_date, limit_day, events, expires_at, created_at, processed_at, processed_by, remark,
      last_action_at, last_action_by)
    values (current_tenant(), t.id, t.kind, t.txn_no, t.merchant_id, t.merchant_txn_no, t.reference_no, t.source, t.status, t.currency, t.method,
      t.member, t.customer_name, t.bank, t.account_number, t.holder, t.amount, t.fee, t.charges, t.charges_type, t.charges_borne_by,
      t.final_amount, t.merchant_amount, t.previous_balance, t.payment_account_id, t.payment_date, t.limit_day, 1, t.expires_at, t.created_at,
      t.processed_at, t.processed_by, t.remark, t.created_at, t.last_action_by)
    returning * into t;
  perform transaction_event(t, '', m);
  return t;
end $$;

-- Changes a locked transaction as m.set says and writes its event. m.limit: "take" counts the new final amount against the new
-- account's limits, "count" does so even above them, "release" takes the old one off the old account's, "recount" replaces the old one by
-- the new, even above them.
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
  elsif m ->> 'limit' = 'recount' then
    perform limit_release(o.payment_account_id, o.kind, o.limit_day, o.final_amount);
    perform limit_count(t.payment_account_id, t.kind, t.limit_day, t.final_amount);
  elsif m ->> 'limit' = 'release' then
    if o.limit_day is not null then
      perform limit_release(o.payment_account_id, o.kind, o.limit_day, o.final_amount);
    end if;
    t.limit_day := null;
  end if;
  update transactions set
      status = t.status, version = o.version + 1, events = o.events + 1, reference_no = t.reference_no,
      amount = t.amount, fee = t.fee, asked_amount = t.asked_amount, asked_fee = t.asked_fee, amount_reason = t.amount_reason,
      charges = t.charges, charges_type = t.charges_type, final_amount = t.final_amount, merchant_amount = t.merchant_amount,
      previous_balance = t.previous_balance, payment_account_id = t.payment_account_id, payment_date = t.payment_date,
      limit_day = t.limit_day, recalls = t.recalls, claimed_by = t.claimed_by, claimed_at = t.claimed_at, claim_until = t.claim_until,
      deferred_until = t.deferred_until, deferred_by = t.deferred_by, deferred_reason = t.deferred_reason, first_approved_by = t.first_approved_by,
      first_approved_at = t.first_approved_at, first_account_id = t.first_account_id, recallable_until = t.recallable_until,
      expires_at = t.expires_at, processed_at = t.processed_at, processed_by = t.processed_by, approved_at = t.approved_at,
      approved_by = t.approved_by, rejected_at = t.rejected_at, rejected_by = t.rejected_by, reject_reason = t.reject_reason,
      expired_at = t.expired_at, completed_at = t.completed_at, last_action_at = t.last_action_at, last_action_by = t.last_action_by
    where tenant_id = o.tenant_id and id = o.id
    returning * into t;
  perform transaction_event(t, o.status, m);
  if is_matchable(t.kind, t.status) and (not is_matchable(o.kind, o.status)
      or (t.payment_account_id, t.amount, t.final_amount) is distinct from (o.payment_account_id, o.amount, o.final_amount)) then
    perform note_turns_of(t);
  end if;
  return t;
end $$;
