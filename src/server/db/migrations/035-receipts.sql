-- Receipts of transactions: what is known of each file; and, where the database is the store of files, their bytes.

create table receipts (
  tenant_id uuid not null,
  -- the file's name in the store
  id uuid not null,
  transaction_id uuid not null,
  currency text not null,
  type text not null check (type in ('image/png', 'image/jpeg', 'image/webp', 'application/pdf')),
  size integer not null check (size > 0),
  -- sha256 of the file as it was sent
  hash bytea not null check (length(hash) = 32),
  name text not null check (name <> ''),
  -- null: the merchant, as `actor` says
  by_user uuid,
  actor text not null,
  added_at timestamptz not null default now(),
  removed_at timestamptz,
  removed_by uuid,
  removed_reason text,
  -- when the file of a removed receipt was deleted
  cleared_at timestamptz,
  primary key (tenant_id, id),
  constraint receipts_transaction foreign key (tenant_id, transaction_id) references transactions (tenant_id, id),
  constraint receipts_currency foreign key (tenant_id, currency) references currencies (tenant_id, code),
  constraint removal_whole check ((removed_at is null) = (removed_reason is null) and (removed_at is null) = (removed_by is null)),
  constraint cleared_when_removed check (cleared_at is null or removed_at is not null)
);
-- one file is a receipt of a transaction once
create unique index receipts_hash on receipts (tenant_id, transaction_id, hash) where removed_at is null;
create index receipts_removed on receipts (removed_at) where removed_at is not null and cleared_at is null;
call isolate('receipts', 'select, insert, update');
call let_worker_read('receipts');
call fix_columns('receipts', 'tenant_id, id, transaction_id, currency, type, size, hash, name, by_user, actor, added_at');

-- the newest receipt that was not removed
alter table transactions add constraint transactions_receipt foreign key (tenant_id, receipt_id) references receipts (tenant_id, id);

-- Files that are put into the store before the row that names them; what stays here is an orphan.
create table file_uploads (
  tenant_id uuid not null references tenants,
  id uuid not null,
  begun_at timestamptz not null default now(),
  -- a sweep deletes the file, so no row may name it any more
  is_given_up boolean not null default false,
  primary key (tenant_id, id)
);
create index file_uploads_age on file_uploads (begun_at);
call isolate('file_uploads', 'select, insert, update, delete');
call let_worker_read('file_uploads');

-- Files, where the database is their store.
create table stored_files (
  tenant_id uuid not null references tenants,
  id uuid not null,
  bytes bytea not null,
  primary key (tenant_id, id)
);
-- pictures are packed already
alter table stored_files alter column bytes set storage external;
call isolate('stored_files', 'select, insert, delete');
