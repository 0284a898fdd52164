-- What was not delivered when a newer decision was made is not sent any more: the newer one would wait for it.
create or replace function supersede_callbacks() returns trigger language plpgsql as $$
begin
  update outbox o set next_attempt_at = null, requested_by = null,
      state = case when o.delivered_at is null then 'superseded' else 'delivered' end
    where o.tenant_id = new.tenant_id and o.transaction_id = new.transaction_id and o.event_n < new.event_n
      and o.state in ('pending', 'failed');
  return null;
end $$;
