-- Whether a tenant has an active owner, or no group of owners at all.
create or replace function has_owner(tenant uuid) returns boolean language sql stable as $$
  select not exists (select from user_groups where tenant_id = tenant and code = 'owner')
    or exists (select from user_groups g
      join membership_groups mg on mg.tenant_id = g.tenant_id and mg.group_id = g.id
      join memberships m on m.tenant_id = mg.tenant_id and m.user_id = mg.user_id and m.status = 'active'
      join users u on u.id = m.user_id and u.status = 'active'
      where g.tenant_id = tenant and g.code = 'owner');
$$;

-- Refuses a change that leaves its tenant without an active owner. It locks the tenant first, so that of two such changes at once the
-- second one sees the first.
create or replace function keep_owner() returns trigger language plpgsql as $$
begin
  perform from tenants where id = old.tenant_id for no key update;
  if not has_owner(old.tenant_id) then
    raise exception 'tenant % would lose its last active owner', old.tenant_id using errcode = 'restrict_violation', constraint = 'keeps_owner';
  end if;
  return null;
end $$;

-- a membership that no longer is an active one
create or replace trigger keeps_owner after update of status on memberships for each row
  when (old.status = 'active' and new.status <> 'active') execute function keep_owner();
-- one that is removed
create or replace trigger keeps_owner_removed after delete on memberships for each row
  when (old.status = 'active') execute function keep_owner();
-- somebody who leaves a group
create or replace trigger keeps_owner after delete on membership_groups for each row execute function keep_owner();
