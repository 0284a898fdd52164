-- Where a new tenant stands with its first steps. A tenant without a row began before there were any, or with demo data, and is not led.
create table first_steps (
  tenant_id uuid primary key references tenants,
  -- nobody has put them away
  open boolean not null default true,
  skipped text[] not null default '{}' check (skipped <@ array['currency', 'account', 'merchant', 'group', 'colleague']),
  updated_at timestamptz not null default now()
);
call isolate('first_steps', 'select, insert, update');
