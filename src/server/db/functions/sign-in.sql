-- `standing` took its place with migration 008, and no release calls it any more.
drop function if exists authority(uuid, uuid);

-- What a session may do in a tenant, which becomes the transaction's: its user, their groups, permissions and currencies, how long ago
-- they proved who they are, and what they must set up before anything else. No row where any of them has ended or is suspended, or where the
-- session was ended for this tenant.
create or replace function standing(wanted_session uuid, wanted_tenant uuid)
returns table (user_id uuid, name text, binding bytea, groups text[], permissions text[], currencies jsonb, proved_seconds float8,
  must_change boolean, must_set_up boolean)
language plpgsql as $$
begin
  perform set_config('app.tenant_id', coalesce(wanted_tenant::text, ''), true);
  return query
    select u.id, u.name, s.binding,
      coalesce((select array_agg(g.code) from membership_groups mg join user_groups g on g.tenant_id = mg.tenant_id and g.id = mg.group_id
        where mg.tenant_id = m.tenant_id and mg.user_id = u.id), '{}'),
      coalesce((select array_agg(distinct p) from (
        select unnest(m.permissions) p
        union all
        select unnest(g.permissions) from membership_groups mg join user_groups g on g.tenant_id = mg.tenant_id and g.id = mg.group_id
        where mg.tenant_id = m.tenant_id and mg.user_id = u.id) held), '{}'),
      coalesce((select jsonb_object_agg(c.code, jsonb_build_object('minorDigits', c.minor_digits, 'zoneMinutes', c.zone_minutes))
        from currencies c where c.tenant_id = m.tenant_id), '{}'),
      extract(epoch from clock_timestamp() - s.proved_at)::float8,
      u.force_reset_password,
      coalesce((t.settings ->> 'require_two_factor')::boolean, false)
        and not exists (select from two_factor f where f.user_id = u.id and f.secret is not null)
    from sessions s
    join users u on u.id = s.user_id and u.status = 'active'
    join tenants t on t.id = wanted_tenant and t.status = 'active'
    join memberships m on m.tenant_id = t.id and m.user_id = u.id and m.status = 'active'
    where s.id = wanted_session and s.ended_at is null and s.expires_at > now()
      and not exists (select from session_exits e where e.tenant_id = t.id and e.session_id = s.id);
end $$;
