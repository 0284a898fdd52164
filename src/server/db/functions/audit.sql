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
