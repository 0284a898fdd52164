-- What a merchant is set up with at a game provider, and the games of each such set-up.

create table merchant_providers (
  tenant_id uuid not null references tenants,
  id uuid not null default uuidv7(),
  currency text not null,
  merchant_id uuid not null,
  -- the house's account at the provider, whose credit its games draw on; null: not said
  master_account_id uuid,
  name text not null,
  name_key text collate "C" not null generated always as (lower(name)) stored,
  status text not null default 'active' check (status in ('active', 'inactive')),
  -- played for money; else a test set-up
  is_prod boolean not null default false,
  platform_type text not null default 'web' check (platform_type in ('web', 'mobile', 'app')),
  -- percent of what is played that the provider's side takes
  pt numeric(7, 4) not null default 0 check (pt between 0 and 100),
  website_url text,
  backoffice_url text,
  callback_url text,
  deep_link text,
  download_url text,
  whitelist_ips text[] not null default '{}',
  -- JSON, AES-256-GCM, bound to the row; null: none
  api_credential bytea,
  account_credentials bytea,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, id, currency),
  foreign key (tenant_id, currency) references currencies (tenant_id, code),
  foreign key (tenant_id, merchant_id) references merchants (tenant_id, id)
);
-- the same provider may be set up once in production and once in test
create unique index merchant_providers_name on merchant_providers (tenant_id, merchant_id, is_prod, name_key);
create index merchant_providers_master on merchant_providers (tenant_id, master_account_id) where master_account_id is not null;
call isolate('merchant_providers', 'select, insert, update, delete');
call fix_columns('merchant_providers', 'tenant_id, id, currency, merchant_id, created_at');
