-- The house's accounts at game providers, how each provider is asked for the credit left, and what it answered.

create table master_accounts (
  tenant_id uuid not null references tenants,
  id uuid not null default uuidv7(),
  currency text not null,
  code text not null,
  name text not null,
  -- the account above this one, as the provider calls it
  upline text,
  -- intent; the states normal and critical are derived
  status text not null default 'active' check (status in ('active', 'suspend')),
  -- critical below it, clear again 5 % above it
  threshold numeric(20, 4) not null default 0 check (threshold >= 0),
  critical boolean not null default false,
  critical_since timestamptz,
  enable_notification boolean not null default true,
  last_notified_at timestamptz,
  require_proxy boolean not null default false,
  -- how the provider is asked, with {{names}} of the credentials where these are filled in
  check_url text not null,
  check_method text not null default 'GET' check (check_method in ('GET', 'POST')),
  -- [{name, value}]
  check_headers jsonb not null default '[]',
  check_body text,
  timeout_seconds integer not null default 15 check (timeout_seconds between 1 and 60),
  proxy_url text,
  -- how its answer is read, by JSON pointers
  balance_pointer text not null,
  credit_pointer text,
  currency_pointer text,
  success_pointer text,
  success_value text,
  -- JSON, AES-256-GCM, bound to the row; null: none
  credentials bytea,
  -- what the last check that succeeded has read; null: none has
  balance numeric(20, 4),
  has_credit boolean,
  last_checked_at timestamptz,
  -- checks in a row that failed, and why the last of them did; an error from the third on
  misses integer not null default 0 check (misses >= 0),
  failure text,
  is_error boolean generated always as (misses >= 3) stored,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, id, currency),
  foreign key (tenant_id, currency) references currencies (tenant_id, code),
  check ((misses = 0) = (failure is null)),
  check (critical = (critical_since is not null)),
  check (proxy_url is not null or not require_proxy)
);
create unique index master_accounts_code on master_accounts (tenant_id, code);
create index master_accounts_currency on master_accounts (tenant_id, currency);
call isolate('master_accounts', 'select, insert, update, delete');
call fix_columns('master_accounts', 'tenant_id, id, currency, code, created_at');

-- Each check of a master account, however it was asked for.
create table master_account_checks (
  tenant_id uuid not null,
  id uuid not null default uuidv7(),
  master_account_id uuid not null,
  -- when the provider was asked
  at timestamptz not null,
  milliseconds integer not null check (milliseconds >= 0),
  -- null: no answer
  http_status integer,
  -- null: the balance was read; else a code, and what it is about
  failure text,
  about text,
  balance numeric(20, 4),
  has_credit boolean,
  -- the beginning of the answer, secrets masked
  answer text,
  -- the job it was part of, which asks each account once
  job_id uuid,
  -- null: nobody asked, its turn came
  by_user uuid references users,
  primary key (tenant_id, id),
  foreign key (tenant_id, master_account_id) references master_accounts (tenant_id, id) on delete cascade,
  check ((failure is null) = (balance is not null))
);
create index master_account_checks_at on master_account_checks (tenant_id, master_account_id, at desc);
create unique index master_account_checks_job on master_account_checks (tenant_id, job_id, master_account_id) where job_id is not null;
create index master_account_checks_old on master_account_checks (at);
call isolate('master_account_checks', 'select, insert, delete');
call let_worker_read('master_account_checks');
