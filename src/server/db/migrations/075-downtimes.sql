-- When game providers, what merchants have there, and single games cannot be used.

create table downtimes (
  tenant_id uuid not null references tenants,
  id uuid not null default uuidv7(),
  currency text not null,
  -- exactly one: what is down, and all beneath it
  master_account_id uuid,
  merchant_provider_id uuid,
  provider_game_id uuid,
  reason text not null,
  -- the first window; those that repeat last as long
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  weekly boolean not null default false,
  -- windows that begin then or later are not held; null: without end
  repeats_until timestamptz,
  -- the provider's own, where repetitions keep their time of day; null: the currency's, which knows no summer time
  zone text,
  -- the window that lasted then ended then
  cut_at timestamptz,
  -- when people are told next that it is near, has begun or has ended, and what they were told last
  tell_at timestamptz,
  told text check (told in ('announced', 'active', 'over')),
  by_user uuid not null references users,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, currency) references currencies (tenant_id, code),
  foreign key (tenant_id, master_account_id, currency) references master_accounts (tenant_id, id, currency) on delete cascade,
  foreign key (tenant_id, merchant_provider_id, currency) references merchant_providers (tenant_id, id, currency) on delete cascade,
  foreign key (tenant_id, provider_game_id) references provider_games (tenant_id, id) on delete cascade,
  check (num_nonnulls(master_account_id, merchant_provider_id, provider_game_id) = 1),
  check (starts_at < ends_at),
  check (not weekly or ends_at - starts_at <= interval '6 days'),
  check (weekly or repeats_until is null)
);
create index downtimes_currency on downtimes (tenant_id, currency);
create index downtimes_account on downtimes (tenant_id, master_account_id) where master_account_id is not null;
create index downtimes_provider on downtimes (tenant_id, merchant_provider_id) where merchant_provider_id is not null;
create index downtimes_game on downtimes (tenant_id, provider_game_id) where provider_game_id is not null;
create index downtimes_tell on downtimes (tell_at) where tell_at is not null;
call isolate('downtimes', 'select, insert, update, delete');
call fix_columns('downtimes', 'tenant_id, id, currency, master_account_id, merchant_provider_id, provider_game_id, by_user, created_at');
call let_worker_read('downtimes');

-- asked while the account was down: a failure counts for nothing
alter table master_account_checks add column in_downtime boolean not null default false;
