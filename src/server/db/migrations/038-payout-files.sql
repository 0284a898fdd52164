-- How the bulk file of a bank is written, the files made so, and which withdrawals stand in which.

create table payout_templates (
  tenant_id uuid not null references tenants,
  id uuid not null default uuidv7(),
  name text not null,
  bank text not null,
  -- [{field, title, value}], in their order in the file
  columns jsonb not null,
  head boolean not null,
  delimiter text not null check (delimiter in ('comma', 'semicolon', 'tab', 'pipe')),
  quotes text not null check (quotes in ('needed', 'always', 'never')),
  decimal_mark text not null check (decimal_mark in ('point', 'comma')),
  date_format text not null,
  encoding text not null check (encoding in ('utf-8', 'utf-8-mark', 'utf-16le', 'windows-1252', 'gb18030')),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create unique index payout_templates_name on payout_templates (tenant_id, lower(name));
call isolate('payout_templates', 'select, insert, update, delete');

create table payout_files (
  tenant_id uuid not null references tenants,
  id uuid not null,
  currency text not null,
  name text not null check (name <> ''),
  -- the template's name, because a template may be changed or deleted afterwards
  template text not null,
  type text not null,
  bytes bytea not null,
  rows integer not null check (rows > 0),
  amount numeric(20, 4) not null,
  by_user uuid not null,
  actor text not null,
  at timestamptz not null,
  primary key (tenant_id, id),
  constraint payout_files_currency foreign key (tenant_id, currency) references currencies (tenant_id, code)
);
call isolate('payout_files', 'select, insert');

create table payout_file_rows (
  tenant_id uuid not null,
  file_id uuid not null,
  transaction_id uuid not null,
  primary key (tenant_id, file_id, transaction_id),
  constraint payout_file_rows_file foreign key (tenant_id, file_id) references payout_files (tenant_id, id),
  constraint payout_file_rows_transaction foreign key (tenant_id, transaction_id) references transactions (tenant_id, id)
);
create index payout_file_rows_of on payout_file_rows (tenant_id, transaction_id);
call isolate('payout_file_rows', 'select, insert');

-- the newest file a withdrawal stands in
alter table transactions
  add column payout_file_id uuid,
  add constraint transactions_payout_file foreign key (tenant_id, payout_file_id) references payout_files (tenant_id, id);
