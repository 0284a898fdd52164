-- Identity, tenancy, sessions, settings; roles and the row-level security every later table follows.
-- Runs as the owner. The server works as countinghouse_app, its sweeps look for due work as countinghouse_worker.

do $$
begin
  if not exists (select from pg_roles where rolname = 'countinghouse_app') then
    create role countinghouse_app login nobypassrls;
  end if;
  if not exists (select from pg_roles where rolname = 'countinghouse_worker') then
    create role countinghouse_worker login nobypassrls;
  end if;
exception when duplicate_object or unique_violation then null; -- another database of this cluster was faster
end $$;

grant usage on schema public to countinghouse_app, countinghouse_worker;

-- '' after a transaction-local setting ended, hence nullif
create function current_tenant() returns uuid language sql stable
  return nullif(current_setting('app.tenant_id', true), '')::uuid;

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% of % is refused: its rows are immutable', tg_op, tg_table_name using errcode = 'restrict_violation';
end $$;

-- Forces row-level security on a table and opens it to the app for the tenant of the transaction.
create procedure isolate(target regclass, privileges text) language plpgsql as $$
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format('create policy tenant on %s to countinghouse_app using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())', target);
  -- the owner migrates, seeds and audits; it is never what requests run as
  execute format('create policy owner on %s to %I using (true) with check (true)', target, current_user);
  execute format('grant %s on %s to countinghouse_app', privileges, target);
end $$;

-- Lets sweeps see which rows are due, over all tenants; the work itself runs in the tenant's own scope.
create procedure let_worker_read(target regclass) language plpgsql as $$
begin
  execute format('create policy worker on %s for select to countinghouse_worker using (true)', target);
  execute format('grant select on %s to countinghouse_worker', target);
end $$;

-- Makes a table insert-only for everybody.
create procedure seal_table(target regclass) language plpgsql as $$
begin
  execute format('create trigger immutable before update or delete on %s for each row execute function refuse_change()', target);
  execute format('create trigger immutable_all before truncate on %s for each statement execute function refuse_change()', target);
end $$;

-- The registry of tenants is no tenant's data; what a user may learn of it goes through memberships.
create table tenants (
  id uuid primary key default uuidv7(),
  code text not null unique check (code ~ '^[A-Z0-9]{2,6}$'),
  name text not null,
  status text not null default 'active' check (status in ('active', 'suspended')),
  colour text not null default '#5f6b7c',
  settings jsonb not null default '{}',
  version integer not null default 1,
  created_at timestamptz not null default now()
);
grant select, update on tenants to countinghouse_app;
grant select on tenants to countinghouse_worker;

create table currencies (
  tenant_id uuid not null references tenants,
  code text not null check (code ~ '^[A-Z]{3}$'),
  name text not null,
  minor_digits smallint not null default 2 check (minor_digits between 0 and 4),
  country text not null,
  -- an offset is an interval, never a zone name
  zone text not null default '+08:00',
  zone_minutes integer not null default 480,
  position smallint not null default 0,
  primary key (tenant_id, code)
);
call isolate('currencies', 'select, insert, update');
call let_worker_read('currencies');

create table users (
  id uuid primary key default uuidv7(),
  email text not null,
  name text not null,
  password_hash text,
  status text not null default 'active' check (status in ('active', 'suspended')),
  force_reset_password boolean not null default false,
  last_login_at timestamptz,
  last_login_ip text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index users_email on users (lower(email));
grant select, insert, update on users to countinghouse_app;

create table memberships (
  tenant_id uuid not null references tenants,
  user_id uuid not null references users,
  status text not null default 'active' check (status in ('active', 'inactive', 'suspended')),
  permissions text[] not null default '{}',
  version integer not null default 1,
  created_at timestamptz not null default now(),
  primary key (tenant_id, user_id)
);
create index memberships_user on memberships (user_id);
call isolate('memberships', 'select, insert, update, delete');
-- the list of one's own tenants is read before a tenant is chosen
create policy own on memberships for select to countinghouse_app
  using (user_id = nullif(current_setting('app.user_id', true), '')::uuid);

create table user_groups (
  tenant_id uuid not null references tenants,
  id uuid not null default uuidv7(),
  code text not null,
  name text not null,
  permissions text[] not null default '{}',
  version integer not null default 1,
  primary key (tenant_id, id),
  unique (tenant_id, code)
);
call isolate('user_groups', 'select, insert, update, delete');

create table membership_groups (
  tenant_id uuid not null,
  user_id uuid not null,
  group_id uuid not null,
  primary key (tenant_id, user_id, group_id),
  foreign key (tenant_id, user_id) references memberships (tenant_id, user_id) on delete cascade,
  foreign key (tenant_id, group_id) references user_groups (tenant_id, id)
);
call isolate('membership_groups', 'select, insert, delete');

-- One row a sign-in: the family of its refresh tokens.
create table sessions (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users,
  -- sha256 of the HttpOnly cookie the tokens are bound to; null for clients that are no browser
  binding bytea,
  started_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz,
  ended_why text,
  ip text,
  agent text
);
create index sessions_user on sessions (user_id) where ended_at is null;
grant select, insert, update on sessions to countinghouse_app;

create table refresh_tokens (
  hash bytea primary key,
  session_id uuid not null references sessions,
  issued_at timestamptz not null default now(),
  used_at timestamptz
);
create index refresh_tokens_session on refresh_tokens (session_id);
grant select, insert, update, delete on refresh_tokens to countinghouse_app;

-- Counts tries per key ("login:ip:…"); rows, so that all processes see them.
create unlogged table throttles (
  key text primary key,
  count integer not null,
  resets_at timestamptz not null
);
grant select, insert, update, delete on throttles to countinghouse_app;

-- Whose a realtime socket is, so that any process can filter what it is sent.
create unlogged table realtime_sockets (
  socket_id text primary key,
  user_id uuid not null,
  tenant_id uuid not null,
  session_id uuid not null,
  at timestamptz not null default now()
);
grant select, insert, update, delete on realtime_sockets to countinghouse_app;

-- Who the caller is in a tenant, as of now; sets the scope of the running transaction.
-- One row when session, user, tenant and membership are alive, none otherwise.
create function authority(wanted_session uuid, wanted_tenant uuid)
returns table (user_id uuid, name text, binding bytea, force_reset_password boolean, groups text[], permissions text[],
  currencies jsonb)
language plpgsql as $$
begin
  perform set_config('app.tenant_id', coalesce(wanted_tenant::text, ''), true);
  return query
    select u.id, u.name, s.binding, u.force_reset_password,
      coalesce((select array_agg(g.code) from membership_groups mg join user_groups g on g.tenant_id = mg.tenant_id and g.id = mg.group_id
        where mg.tenant_id = m.tenant_id and mg.user_id = u.id), '{}'),
      coalesce((select array_agg(distinct p) from (
        select unnest(m.permissions) p
        union all
        select unnest(g.permissions) from membership_groups mg join user_groups g on g.tenant_id = mg.tenant_id and g.id = mg.group_id
        where mg.tenant_id = m.tenant_id and mg.user_id = u.id) held), '{}'),
      coalesce((select jsonb_object_agg(c.code, jsonb_build_object('minorDigits', c.minor_digits, 'zoneMinutes', c.zone_minutes))
        from currencies c where c.tenant_id = m.tenant_id), '{}')
    from sessions s
    join users u on u.id = s.user_id and u.status = 'active'
    join tenants t on t.id = wanted_tenant and t.status = 'active'
    join memberships m on m.tenant_id = t.id and m.user_id = u.id and m.status = 'active'
    where s.id = wanted_session and s.ended_at is null and s.expires_at > now();
end $$;
