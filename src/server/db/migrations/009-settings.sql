-- Settings are changed by requests: the app may change its transaction's own tenant only. Which tenants there are, it may read as before.
alter table tenants enable row level security;
alter table tenants force row level security;
do $$
begin
  execute format('create policy owner on tenants to %I using (true) with check (true)', current_user);
end $$;
create policy registry on tenants for select to countinghouse_app, countinghouse_worker using (true);
create policy own on tenants for update to countinghouse_app using (id = current_tenant()) with check (id = current_tenant());
