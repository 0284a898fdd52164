-- The audit log: rows written in the transaction of the act, sealed into a hash chain per tenant a moment later.
-- Sealing apart keeps a tenant's acts from queueing behind one chain head.

create table audit_entries (
  tenant_id uuid not null references tenants,
  id uuid not null default uuidv7(),
  at timestamptz not null default clock_timestamp(),
  actor_kind text not null check (actor_kind in ('user', 'merchant', 'system')),
  actor_id uuid,
  actor_name text not null,
  act text not null,
  entity text not null,
  entity_id uuid,
  -- of a transaction: the event this row records
  event_n integer,
  before jsonb,
  after jsonb,
  reason text,
  ip text,
  request_id text,
  primary key (tenant_id, id)
);
create index audit_entries_entity on audit_entries (tenant_id, entity, entity_id, id);
call isolate('audit_entries', 'select, insert');
call seal_table('audit_entries');

-- Rows waiting to be chained.
create table audit_unsealed (
  tenant_id uuid not null,
  entry_id uuid not null,
  primary key (tenant_id, entry_id),
  foreign key (tenant_id, entry_id) references audit_entries (tenant_id, id)
);
call isolate('audit_unsealed', 'select, insert, delete');
call let_worker_read('audit_unsealed');

create function audit_await_seal() returns trigger language plpgsql as $$
begin
  insert into audit_unsealed (tenant_id, entry_id) values (new.tenant_id, new.id);
  return null;
end $$;
create trigger await_seal after insert on audit_entries for each row execute function audit_await_seal();

create table audit_chain (
  tenant_id uuid not null,
  seq bigint not null,
  entry_id uuid not null,
  previous bytea not null,
  hash bytea not null,
  primary key (tenant_id, seq),
  unique (tenant_id, entry_id),
  foreign key (tenant_id, entry_id) references audit_entries (tenant_id, id)
);
call isolate('audit_chain', 'select, insert');
call seal_table('audit_chain');

create table audit_heads (
  tenant_id uuid primary key references tenants,
  seq bigint not null default 0,
  hash bytea not null default '\x'
);
call isolate('audit_heads', 'select, insert, update');

-- The canonical bytes of an audit row.
create function audit_payload(e audit_entries) returns bytea language sql immutable
  return convert_to(jsonb_build_array(e.tenant_id, e.id, extract(epoch from e.at), e.actor_kind, e.actor_id, e.actor_name, e.act, e.entity,
    e.entity_id, e.event_n, e.before, e.after, e.reason, e.ip, e.request_id)::text, 'utf8');

-- Chains what waits, oldest first, at most `most` rows; answers how many.
create function audit_seal(most integer) returns integer language plpgsql as $$
declare
  tenant uuid := current_tenant();
  head audit_heads;
  entry audit_entries;
  next_hash bytea;
  done integer := 0;
begin
  insert into audit_heads (tenant_id) values (tenant) on conflict do nothing;
  select * into head from audit_heads where tenant_id = tenant for update;
  for entry in
    select e.* from audit_unsealed u join audit_entries e on e.tenant_id = u.tenant_id and e.id = u.entry_id
    where u.tenant_id = tenant order by u.entry_id limit most
  loop
    next_hash := sha256(head.hash || audit_payload(entry));
    insert into audit_chain (tenant_id, seq, entry_id, previous, hash) values (tenant, head.seq + 1, entry.id, head.hash, next_hash);
    delete from audit_unsealed where tenant_id = tenant and entry_id = entry.id;
    head.seq := head.seq + 1;
    head.hash := next_hash;
    done := done + 1;
  end loop;
  update audit_heads set seq = head.seq, hash = head.hash where tenant_id = tenant;
  return done;
end $$;
