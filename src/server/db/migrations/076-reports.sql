-- Days of payment accounts and merchants, as the three reports show them. A day that is over is kept as one row, because a year of them must
-- open as fast as a week; functions/reports.sql computes the others from the ledger.

create table account_days (
  tenant_id uuid not null references tenants,
  payment_account_id uuid not null,
  currency text not null,
  -- of the currency's zone
  day date not null,
  starts timestamptz not null,
  opening numeric(20, 4) not null,
  -- how many, net of those taken back; amounts without what the bank took
  deposits_n integer not null,
  deposits numeric(20, 4) not null,
  withdrawals_n integer not null,
  withdrawals numeric(20, 4) not null,
  transfers_in numeric(20, 4) not null,
  transfers_out numeric(20, 4) not null,
  settlements numeric(20, 4) not null,
  charges numeric(20, 4) not null,
  -- all else, above zero where it raised the balance
  adjustments numeric(20, 4) not null,
  closing numeric(20, 4) not null,
  primary key (tenant_id, payment_account_id, day),
  foreign key (tenant_id, payment_account_id) references payment_accounts (tenant_id, id)
);
create index account_days_day on account_days (tenant_id, currency, day);
call isolate('account_days', 'select, insert');
call seal_table('account_days');

create table merchant_days (
  tenant_id uuid not null references tenants,
  merchant_id uuid not null,
  currency text not null,
  day date not null,
  starts timestamptz not null,
  -- of the wallet, and of what is held for open withdrawals and settlements
  opening numeric(20, 4) not null,
  held_before numeric(20, 4) not null,
  deposits_n integer not null,
  deposits numeric(20, 4) not null,
  -- what the wallet gained of them
  deposits_net numeric(20, 4) not null,
  withdrawals_n integer not null,
  withdrawals numeric(20, 4) not null,
  -- what they cost the merchant beyond their amount
  withdrawals_fee numeric(20, 4) not null,
  -- with what they cost
  settlements numeric(20, 4) not null,
  adjustments numeric(20, 4) not null,
  -- what the house earned of all of them
  fees numeric(20, 4) not null,
  held numeric(20, 4) not null,
  closing numeric(20, 4) not null,
  -- deposits and withdrawals approved, net of those recalled; rejected or expired
  approved integer not null,
  failed integer not null,
  -- from request to approval; null: none was approved
  median_seconds integer,
  p95_seconds integer,
  primary key (tenant_id, merchant_id, day),
  foreign key (tenant_id, merchant_id) references merchants (tenant_id, id)
);
create index merchant_days_day on merchant_days (tenant_id, currency, day);
call isolate('merchant_days', 'select, insert');
call seal_table('merchant_days');
