-- Watchers ask for the credit of a master account every so many minutes, and give the alarm where it is too low.

create table score_watchers (
  tenant_id uuid not null references tenants,
  id uuid not null default uuidv7(),
  currency text not null,
  master_account_id uuid not null,
  -- the alarm is given below it
  threshold numeric(20, 4) not null check (threshold >= 0),
  every_minutes integer not null check (every_minutes between 1 and 1440),
  -- in the console, and by mail to the tenant's owners
  notify boolean not null default true,
  mail boolean not null default false,
  is_paused boolean not null default false,
  -- the next turn; null: none; one that is paused lets its turn pass
  next_at timestamptz,
  last_checked_at timestamptz,
  last_notified_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, id, currency),
  foreign key (tenant_id, currency) references currencies (tenant_id, code),
  foreign key (tenant_id, master_account_id, currency) references master_accounts (tenant_id, id, currency) on delete cascade
);
create index score_watchers_currency on score_watchers (tenant_id, currency);
create index score_watchers_account on score_watchers (tenant_id, master_account_id);
create index score_watchers_due on score_watchers (next_at) where next_at is not null;
call isolate('score_watchers', 'select, insert, update, delete');
call fix_columns('score_watchers', 'tenant_id, id, currency, master_account_id, created_at');
call let_worker_read('score_watchers');
