-- The games of a merchant's set-up at a provider, and their pictures.

create table game_images (
  tenant_id uuid not null references tenants,
  -- of the file as it was given, so that one picture given twice is kept once
  hash bytea not null check (octet_length(hash) = 32),
  -- WebP, made anew from what was given and never the file itself
  small bytea not null,
  large bytea not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, hash)
);
call isolate('game_images', 'select, insert, delete');

create table provider_games (
  tenant_id uuid not null references tenants,
  id uuid not null default uuidv7(),
  currency text not null,
  merchant_provider_id uuid not null,
  -- as the provider calls it
  code text not null,
  name text not null,
  -- kept, because a policy lets no index be read by what it computes
  code_key text collate "C" not null generated always as (lower(code)) stored,
  name_key text collate "C" not null generated always as (lower(name)) stored,
  type text not null check (type in ('slot', 'live', 'table', 'fishing', 'arcade', 'crash', 'lottery', 'sports', 'poker', 'other')),
  status text not null default 'active' check (status in ('active', 'inactive')),
  image bytea,
  -- the address the picture was fetched from; null: it was given as a file, or there is none
  image_source text,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, merchant_provider_id, currency) references merchant_providers (tenant_id, id, currency),
  foreign key (tenant_id, image) references game_images (tenant_id, hash)
);
create unique index provider_games_code on provider_games (tenant_id, merchant_provider_id, code_key);
create index provider_games_image on provider_games (tenant_id, image) where image is not null;
call isolate('provider_games', 'select, insert, update, delete');
call fix_columns('provider_games', 'tenant_id, id, currency, merchant_provider_id, created_at');

-- Games on their way in: staged until somebody starts them, then written by a job. A row is gone a day after its last change.
create table game_imports (
  tenant_id uuid not null references tenants,
  id uuid not null default uuidv7(),
  currency text not null,
  merchant_provider_id uuid not null,
  by_user uuid not null references users,
  file_name text,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, merchant_provider_id, currency) references merchant_providers (tenant_id, id, currency) on delete cascade
);
call isolate('game_imports', 'select, insert, update, delete');
call let_worker_read('game_imports');

create table game_import_lines (
  tenant_id uuid not null,
  import_id uuid not null,
  -- its number in the file
  n integer not null,
  -- what was read of it: {code, name, type, image}
  line jsonb not null,
  code_key text collate "C" not null generated always as (lower(line ->> 'code')) stored,
  -- what a start would have made of it when it was staged; null: nothing, because it is wrong
  expected text check (expected in ('added', 'changed', 'same')),
  -- field and what is wrong with it, an English line of the contract; null: it can be written
  fault_field text,
  fault text,
  -- null: not written yet; what became of it
  outcome text check (outcome in ('added', 'changed', 'same')),
  -- why its picture could not be fetched, as a code and what was said; the game is written all the same
  image_fault text,
  primary key (tenant_id, import_id, n),
  foreign key (tenant_id, import_id) references game_imports (tenant_id, id) on delete cascade,
  check ((fault is null) = (fault_field is null)),
  check ((fault is null) = (expected is not null))
);
call isolate('game_import_lines', 'select, insert, update, delete');
