-- Callbacks take turns by endpoint: what is known of each merchant's, and a newer decision's callback in place of an older one's.

-- Kept for every process: how much an endpoint takes at once, and whether it is left alone for a while.
create table callback_endpoints (
  tenant_id uuid not null,
  merchant_id uuid not null,
  -- attempts that failed since one was taken
  failures integer not null default 0,
  -- callbacks sent to it at once, at most
  room smallint not null default 2 check (room > 0),
  -- until then only what a person asked for is sent; afterwards one callback probes
  paused_until timestamptz,
  turn_at timestamptz not null default now(),
  primary key (tenant_id, merchant_id),
  foreign key (tenant_id, merchant_id) references merchants (tenant_id, id) on delete cascade
);
call isolate('callback_endpoints', 'select, insert, update, delete');
call let_worker_read('callback_endpoints');

-- By endpoint, so that those with something due are found without reading what waits for the others.
create index outbox_waiting on outbox (tenant_id, merchant_id, next_attempt_at) where state = 'pending' and next_attempt_at is not null;
create index outbox_asked on outbox (tenant_id, merchant_id) where requested_by is not null;
create index outbox_leased on outbox (tenant_id, merchant_id) where leased_until is not null;
create index outbox_failed on outbox (tenant_id, merchant_id) where state = 'failed';
drop index outbox_due;

alter table outbox drop constraint outbox_state_check;
alter table outbox add constraint outbox_state_check check (state in ('pending', 'delivered', 'failed', 'cancelled', 'superseded'));

-- What was not delivered when a newer decision was made is not sent any more: the newer one would wait for it.
create function supersede_callbacks() returns trigger language plpgsql as $$
begin
  update outbox o set next_attempt_at = null, requested_by = null,
      state = case when o.delivered_at is null then 'superseded' else 'delivered' end
    where o.tenant_id = new.tenant_id and o.transaction_id = new.transaction_id and o.event_n < new.event_n
      and o.state in ('pending', 'failed');
  return null;
end $$;
create trigger supersede after insert on outbox for each row execute function supersede_callbacks();

update outbox o set next_attempt_at = null, requested_by = null,
    state = case when o.delivered_at is null then 'superseded' else 'delivered' end
  where o.state in ('pending', 'failed')
    and exists (select from outbox n where n.tenant_id = o.tenant_id and n.transaction_id = o.transaction_id and n.event_n > o.event_n);
