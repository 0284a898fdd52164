-- Invitations to a tenant, sessions shut out of one tenant alone, and when memberships and user groups were changed.

-- pending: invited, and not accepted yet
alter table memberships drop constraint memberships_status_check;
alter table memberships
  add constraint memberships_status_check check (status in ('pending', 'active', 'inactive', 'suspended')),
  add column updated_at timestamptz not null default now();

alter table user_groups
  add column created_at timestamptz not null default now(),
  add column updated_at timestamptz not null default now();

-- One row a mailed link; the newest of a person alone is open.
create table invitations (
  tenant_id uuid not null references tenants,
  id uuid not null default uuidv7(),
  user_id uuid not null references users,
  -- sha256 of the link's token
  hash bytea not null,
  by_user uuid not null references users,
  -- this tenant made the user, and so knows their name before they accept
  is_new boolean not null,
  made_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz,
  ended_why text check (ended_why in ('accepted', 'withdrawn', 'replaced')),
  primary key (tenant_id, id),
  unique (tenant_id, hash),
  check ((ended_at is null) = (ended_why is null))
);
create unique index invitations_open on invitations (tenant_id, user_id) where ended_at is null;
create index invitations_user on invitations (tenant_id, user_id, made_at);
call isolate('invitations', 'select, insert, update, delete');

-- Sessions an administrator ended for their tenant, of people who are also members of another, where they live on.
create table session_exits (
  tenant_id uuid not null references tenants,
  session_id uuid not null references sessions on delete cascade,
  user_id uuid not null references users,
  by_user uuid not null references users,
  at timestamptz not null default now(),
  primary key (tenant_id, session_id)
);
create index session_exits_session on session_exits (session_id);
call isolate('session_exits', 'select, insert');
-- as with memberships, the list of one's own tenants is read before a tenant is chosen
create policy own on session_exits for select to countinghouse_app
  using (user_id = nullif(current_setting('app.user_id', true), '')::uuid);

alter table sessions drop constraint sessions_ended_why_check;
alter table sessions add constraint sessions_ended_why_check check (ended_why in
  ('signed-out', 'password-changed', 'password-reset', 'two-factor-reset', 'token-reused', 'suspended', 'removed'));

-- what somebody did last
create index audit_entries_actor on audit_entries (tenant_id, actor_id, id);
