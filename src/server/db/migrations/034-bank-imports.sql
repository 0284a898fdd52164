-- Bank files on their way in: what was uploaded, how it is read, each of its rows until it is a bank line, and the layouts of each bank.

create table bank_imports (
  tenant_id uuid not null references tenants,
  id uuid not null default uuidv7(),
  currency text not null,
  payment_account_id uuid not null,
  source text not null check (source in ('file', 'paste')),
  file_name text,
  state text not null default 'staged' check (state in ('staged', 'running', 'done', 'cancelled', 'failed')),
  -- how the file is read, and what only a person can tell of that
  layout jsonb not null,
  questions text[] not null default '{}',
  remembered boolean not null default false,
  -- the headers by which the bank's layout is known again
  headers text,
  sheets jsonb not null default '[]',
  head jsonb not null default '[]',
  -- its rows: lines that were read, rows that cannot be, rows that are none
  lines integer not null default 0,
  unreadable integer not null default 0,
  passed integer not null default 0,
  -- how far the import is: the last row that was added, and what became of those before it
  at_seq integer not null default 0,
  done integer not null default 0,
  added integer not null default 0,
  known integer not null default 0,
  -- slices that failed since the last one that did not
  failures smallint not null default 0,
  by_user uuid not null,
  by_name text not null,
  version integer not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  started_at timestamptz,
  finished_at timestamptz,
  -- when the file and its rows are removed, unless it runs
  expires_at timestamptz not null default now() + interval '1 day',
  primary key (tenant_id, id),
  foreign key (tenant_id, currency) references currencies (tenant_id, code),
  foreign key (tenant_id, payment_account_id) references payment_accounts (tenant_id, id),
  constraint progress check (done = added + known and done <= lines)
);
create index bank_imports_running on bank_imports (started_at) where state = 'running';
create index bank_imports_newest on bank_imports (tenant_id, currency, created_at);
call isolate('bank_imports', 'select, insert, update, delete');
call let_worker_read('bank_imports');
call fix_columns('bank_imports', 'tenant_id, id, currency, payment_account_id, source, file_name, by_user, by_name, created_at');

create table bank_import_files (
  tenant_id uuid not null,
  import_id uuid not null,
  content bytea not null,
  primary key (tenant_id, import_id),
  foreign key (tenant_id, import_id) references bank_imports (tenant_id, id) on delete cascade
);
-- bank files are packed or read once
alter table bank_import_files alter column content set storage external;
call isolate('bank_import_files', 'select, insert, delete');

create table bank_import_lines (
  tenant_id uuid not null,
  import_id uuid not null,
  -- its place from the oldest, and its line in the file
  seq integer not null,
  n integer not null,
  state text not null check (state in ('read', 'unreadable', 'passed')),
  line jsonb,
  -- what makes the line known, as in bank_lines
  digest bytea,
  twin integer,
  why text,
  "values" jsonb,
  text text,
  primary key (tenant_id, import_id, seq),
  foreign key (tenant_id, import_id) references bank_imports (tenant_id, id) on delete cascade,
  constraint line_whole check ((state = 'read') = (line is not null and digest is not null and twin is not null))
);
create unique index bank_import_lines_n on bank_import_lines (tenant_id, import_id, n);
call isolate('bank_import_lines', 'select, insert, delete');

-- How a bank's files were read before, by their headers.
create table bank_column_mappings (
  tenant_id uuid not null references tenants,
  bank text not null,
  -- sha256 of the headers
  headers_digest bytea not null,
  headers text not null,
  layout jsonb not null,
  by_user uuid not null,
  updated_at timestamptz not null default now(),
  primary key (tenant_id, bank, headers_digest)
);
call isolate('bank_column_mappings', 'select, insert, update, delete');
