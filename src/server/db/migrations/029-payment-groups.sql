-- Payment groups become records that people keep; an account's groups are found from its side, too.
alter table payment_groups
  add column created_at timestamptz not null default now(),
  add column updated_at timestamptz not null default now();
create index payment_group_accounts_account on payment_group_accounts (tenant_id, payment_account_id);
