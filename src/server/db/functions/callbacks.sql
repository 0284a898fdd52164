-- What was not delivered when a newer decision was made is not sent any more: the newer one would wait for it.
create or replace function supersede_callbacks() returns trigger language plpgsql as $$
begin
  update outbox o set next_attempt_at = null, requested_by = null,
      state = case when o.delivered_at is null then 'superseded' else 'delivered' end
    where o.tenant_id = new.tenant_id and o.transaction_id = new.transaction_id and o.event_n < new.event_n
      and o.state in ('pending', 'failed');
  return null;
end $$;

-- What a merchant is told of a rejection: the code its tenant has set for the reason, of its own cancellation the reason itself.
create or replace function tell_reason() returns trigger language plpgsql as $$
begin
  new.told_reason := case when new.reject_reason is null then null when new.rejected_by is null then new.reject_reason
    else coalesce((select r ->> 'told' from tenants t, jsonb_array_elements(t.settings -> 'reject_reasons') r
      where t.id = new.tenant_id and r ->> 'code' = new.reject_reason limit 1), 'declined') end;
  return new;
end $$;
-- Before the callback of the same decision is written, which reads it.
create or replace trigger tell_reason before update of reject_reason on transactions for each row
  when (new.reject_reason is distinct from old.reject_reason) execute function tell_reason();

-- A callback tells a rejection's reason as the transaction does, whoever composed the body; its other parts keep their order.
create or replace function tell_callback() returns trigger language plpgsql as $$
declare
  told text := coalesce((select t.told_reason from transactions t where t.tenant_id = new.tenant_id and t.id = new.transaction_id), 'declined');
  data json;
begin
  select json_object_agg(key, case key when 'reject_reason' then to_json(told) else value end) into data from json_each(new.body::json -> 'data');
  select json_object_agg(key, case key when 'data' then data else value end)::text into new.body from json_each(new.body::json);
  return new;
end $$;
-- Only rejections have a reason.
create or replace trigger tell_callback before insert on outbox for each row
  when (new.body like '%"reject_reason":"%') execute function tell_callback();

-- Until when every change of this database is visible: before the beginning of each transaction that may still write. One that has written
-- nothing for a minute only reads. In whole milliseconds, as the times of changes are written: cut to them, a change may seem older than the
-- transaction that writes it.
create or replace function settled_until() returns timestamptz language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp as $$
declare
  at timestamptz := clock_timestamp();
begin
  return date_trunc('milliseconds', least(at, (select min(a.xact_start) from pg_stat_activity a
    where a.datname = current_database() and a.pid <> pg_backend_pid() and a.backend_type = 'client backend'
      and (a.backend_xid is not null or a.xact_start > at - interval '1 minute'))));
end $$;
