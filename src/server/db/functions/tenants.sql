-- The tenant of the transaction, which every policy compares with; null where none is set. The setting is '' after a transaction-local one
-- ended, hence nullif.
create or replace function current_tenant() returns uuid language sql stable
  return nullif(current_setting('app.tenant_id', true), '')::uuid;

-- Adds {"code", "name", "minor_digits", "country", "zone", "zone_minutes"} after a tenant's other currencies, with its audit row by
-- {"kind", "id", "name", "ip", "request_id"}; false, and nothing written, where the tenant has it.
create or replace function add_currency(tenant uuid, added jsonb, actor jsonb) returns boolean language plpgsql as $$
begin
  insert into currencies (tenant_id, code, name, minor_digits, country, zone, zone_minutes, position)
    select tenant, a.code, a.name, a.minor_digits, a.country, a.zone, a.zone_minutes,
      (select coalesce(max(c.position) + 1, 0) from currencies c where c.tenant_id = tenant)
    from jsonb_populate_record(null::currencies, added) a
    on conflict (tenant_id, code) do nothing;
  if not found then return false; end if;
  insert into audit_entries (tenant_id, actor_kind, actor_id, actor_name, act, entity, entity_id, after, ip, request_id)
    values (tenant, actor ->> 'kind', (actor ->> 'id')::uuid, actor ->> 'name', 'tenant-setting.add-currency', 'tenant-setting', tenant,
      jsonb_build_object('currency', added - 'zone_minutes'), actor ->> 'ip', actor ->> 'request_id');
  return true;
end $$;
