-- What people set about their own console, and the views they save.

-- Of a user, whatever the tenant. Forced row-level security by user instead: the app sees the row of app.user_id alone.
create table user_preferences (
  user_id uuid primary key references users on delete cascade,
  -- part → value; a part never set is absent and has its default
  parts jsonb not null default '{}' check (jsonb_typeof(parts) = 'object'),
  updated_at timestamptz not null default now()
);
alter table user_preferences enable row level security;
alter table user_preferences force row level security;
create policy own on user_preferences to countinghouse_app
  using (user_id = nullif(current_setting('app.user_id', true), '')::uuid)
  with check (user_id = nullif(current_setting('app.user_id', true), '')::uuid);
create policy owner on user_preferences to current_user using (true) with check (true);
grant select, insert, update on user_preferences to countinghouse_app;

create table saved_views (
  tenant_id uuid not null references tenants,
  id uuid not null default uuidv7(),
  -- null: its maker is no more; what was shared stays
  owner_id uuid references users on delete set null,
  screen text not null,
  name text not null,
  shared boolean not null,
  state jsonb not null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, id, screen)
);
create index saved_views_owner on saved_views (tenant_id, owner_id, screen);
create index saved_views_shared on saved_views (tenant_id, screen) where shared;
call isolate('saved_views', 'select, insert, update, delete');

-- Where a view stands for one user: a shared view is on another digit for each.
create table view_places (
  tenant_id uuid not null,
  user_id uuid not null references users on delete cascade,
  view_id uuid not null,
  screen text not null,
  digit smallint check (digit between 1 and 9),
  is_default boolean not null default false,
  primary key (tenant_id, user_id, view_id),
  unique (tenant_id, user_id, screen, digit),
  foreign key (tenant_id, view_id, screen) references saved_views (tenant_id, id, screen) on delete cascade
);
create unique index view_places_default on view_places (tenant_id, user_id, screen) where is_default;
create index view_places_view on view_places (tenant_id, view_id);
call isolate('view_places', 'select, insert, update, delete');
