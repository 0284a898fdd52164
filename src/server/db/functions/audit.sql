-- Each new audit row waits to be sealed. Runs as the owner, because the app's role may not write what waits.
create or replace function audit_await_seal() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into audit_unsealed (tenant_id, entry_id) values (new.tenant_id, new.id);
  return null;
end $$;

-- The canonical bytes of an audit row. They never change, because the hashes of every chain there is were made of them; demo/audit-chain.ts
-- writes the same.
create or replace function audit_payload(e audit_entries) returns bytea language sql immutable
  return convert_to(jsonb_build_array(e.tenant_id, e.id, extract(epoch from e.at), e.actor_kind, e.actor_id, e.actor_name, e.act, e.entity,
    e.entity_id, e.event_n, e.before, e.after, e.reason, e.ip, e.request_id)::text, 'utf8');

-- Chains what waits in the tenant of the transaction, oldest first, at most `most` rows; answers how many. Runs as the owner, because
-- sealing alone writes the chain.
create or replace function audit_seal(most integer) returns integer language plpgsql security definer set search_path = public, pg_temp as $$
declare
  tenant uuid := current_tenant();
  head audit_heads;
  entry audit_entries;
  ids uuid[] := '{}';
  -- one more than ids: of the head, and of each entry
  hashes bytea[];
  done integer;
begin
  insert into audit_heads (tenant_id) values (tenant) on conflict do nothing;
  select * into head from audit_heads where tenant_id = tenant for update;
  hashes := array[head.hash];
  -- each by its key (offset 0), because a join may read the whole log to find the few that wait
  for entry in
    select e.* from (select u.entry_id from audit_unsealed u where u.tenant_id = tenant order by u.entry_id limit most) u
    cross join lateral (select r.* from audit_entries r where r.tenant_id = tenant and r.id = u.entry_id offset 0) e order by e.id
  loop
    ids := ids || entry.id;
    hashes := hashes || sha256(hashes[cardinality(hashes)] || audit_payload(entry));
  end loop;
  done := cardinality(ids);
  if done = 0 then return 0; end if;
  insert into audit_chain (tenant_id, seq, entry_id, previous, hash)
    select tenant, head.seq + n, ids[n], hashes[n], hashes[n + 1] from generate_series(1, done) n;
  delete from audit_unsealed where tenant_id = tenant and entry_id = any(ids);
  update audit_heads set seq = head.seq + done, hash = hashes[done + 1] where tenant_id = tenant;
  return done;
end $$;
