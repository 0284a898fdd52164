-- Files of whole lists, which jobs write: what of which list was asked for by whom, and the parts of each file in the store.

create table exports (
  tenant_id uuid not null references tenants,
  -- the job that writes it
  id uuid not null,
  user_id uuid not null references users,
  screen text not null,
  -- null: a list of the tenant's
  currency text,
  -- query, columns, filters, zone and language as they were asked for
  request jsonb not null,
  -- the file: null until it is whole
  name text,
  rows bigint,
  bytes bigint,
  -- the moment of which its rows are
  as_of timestamptz,
  -- whose parts are its own: each attempt writes a file of its own
  file uuid,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, id) references jobs (tenant_id, id),
  foreign key (tenant_id, currency) references currencies (tenant_id, code),
  constraint file_whole check ((name is null) = (rows is null) and (name is null) = (bytes is null) and (name is null) = (as_of is null)
    and (name is null) = (file is null))
);
create index exports_of_user on exports (tenant_id, user_id, created_at);
create index exports_expiry on exports (expires_at);
call isolate('exports', 'select, insert, update, delete');
call let_worker_read('exports');
call fix_columns('exports', 'tenant_id, id, user_id, screen, currency, request, created_at');

create table export_parts (
  tenant_id uuid not null,
  export_id uuid not null,
  file uuid not null,
  n integer not null,
  -- the part's name in the store
  stored_as uuid not null,
  bytes integer not null check (bytes > 0),
  primary key (tenant_id, export_id, file, n),
  foreign key (tenant_id, export_id) references exports (tenant_id, id)
);
call isolate('export_parts', 'select, insert, delete');
