-- What has been counted of a day that is not over: a reading adds what came since, so that it costs the same at ten entries a day as at a
-- million. An entry's number is taken under its account's lock, so that all up to a number are known once that one is; functions/reports.sql
-- reads the parts and functions/open-days.sql brings them on.

create table account_day_parts (
  tenant_id uuid not null references tenants,
  payment_account_id uuid not null,
  currency text not null,
  day date not null,
  -- where the day began in the currency's zone as it was then: a part of another zone's day is none
  starts timestamptz not null,
  -- the number of the last entry that was looked at
  upto bigint not null,
  deposits_n integer not null default 0,
  deposits numeric(20, 4) not null default 0,
  withdrawals_n integer not null default 0,
  withdrawals numeric(20, 4) not null default 0,
  transfers_in numeric(20, 4) not null default 0,
  transfers_out numeric(20, 4) not null default 0,
  settlements numeric(20, 4) not null default 0,
  charges numeric(20, 4) not null default 0,
  adjustments numeric(20, 4) not null default 0,
  primary key (tenant_id, payment_account_id, day),
  foreign key (tenant_id, payment_account_id) references payment_accounts (tenant_id, id) on delete cascade
);
create index account_day_parts_day on account_day_parts (tenant_id, currency, day);
call isolate('account_day_parts', 'select, insert, update, delete');

create table merchant_day_parts (
  tenant_id uuid not null references tenants,
  merchant_id uuid not null,
  currency text not null,
  day date not null,
  starts timestamptz not null,
  -- of the wallet and of the hold, both of one moment
  upto bigint not null,
  hold_upto bigint not null,
  deposits_n integer not null default 0,
  deposits numeric(20, 4) not null default 0,
  deposits_net numeric(20, 4) not null default 0,
  withdrawals_n integer not null default 0,
  withdrawals numeric(20, 4) not null default 0,
  withdrawals_fee numeric(20, 4) not null default 0,
  settlements numeric(20, 4) not null default 0,
  adjustments numeric(20, 4) not null default 0,
  fees numeric(20, 4) not null default 0,
  primary key (tenant_id, merchant_id, day),
  foreign key (tenant_id, merchant_id) references merchants (tenant_id, id) on delete cascade
);
create index merchant_day_parts_day on merchant_day_parts (tenant_id, currency, day);
call isolate('merchant_day_parts', 'select, insert, update, delete');

-- Decisions have no number of their own: they are counted up to a snapshot, which says of every transaction of the database whether it had
-- been committed.
alter table transaction_events add column xact xid8;
alter table transaction_events alter column xact set default pg_current_xact_id();
create index transaction_events_decided on transaction_events (tenant_id, xact)
  where from_status <> to_status and (to_status in ('approved', 'rejected', 'expired') or act = 'recall');

create table decided_day_parts (
  tenant_id uuid not null references tenants,
  currency text not null,
  day date not null,
  starts timestamptz not null,
  -- all decisions committed in it were looked at
  upto pg_snapshot not null,
  primary key (tenant_id, currency, day),
  foreign key (tenant_id, currency) references currencies (tenant_id, code) on delete cascade
);
call isolate('decided_day_parts', 'select, insert, update, delete');

create table merchant_decided_parts (
  tenant_id uuid not null references tenants,
  merchant_id uuid not null,
  currency text not null,
  day date not null,
  approved integer not null,
  failed integer not null,
  -- whole seconds from request to approval, and how many took each
  seconds integer[] not null,
  times integer[] not null check (cardinality(times) = cardinality(seconds)),
  primary key (tenant_id, merchant_id, day),
  foreign key (tenant_id, merchant_id) references merchants (tenant_id, id) on delete cascade,
  foreign key (tenant_id, currency, day) references decided_day_parts (tenant_id, currency, day) on delete cascade
);
create index merchant_decided_parts_day on merchant_decided_parts (tenant_id, currency, day);
call isolate('merchant_decided_parts', 'select, insert, update, delete');
