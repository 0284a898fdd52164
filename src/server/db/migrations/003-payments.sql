-- Merchants, payment accounts and groups, rate limits, deposits and withdrawals with their history, limits and outbox.

create table rate_limit_groups (
  tenant_id uuid not null references tenants,
  id uuid not null default uuidv7(),
  name text not null,
  -- account scope: all deposits (withdrawals) of one account; member scope: one customer of one merchant
  account_window_minutes integer check (account_window_minutes > 0),
  account_max_count integer check (account_max_count > 0),
  account_turnover numeric(20, 4) check (account_turnover > 0),
  account_max_amount numeric(20, 4) check (account_max_amount > 0),
  member_window_minutes integer check (member_window_minutes > 0),
  member_max_count integer check (member_max_count > 0),
  member_turnover numeric(20, 4) check (member_turnover > 0),
  member_max_amount numeric(20, 4) check (member_max_amount > 0),
  version integer not null default 1,
  primary key (tenant_id, id),
  unique (tenant_id, name),
  -- "Window required when limits set"
  check (account_window_minutes is not null or (account_max_count is null and account_turnover is null and account_max_amount is null)),
  check (member_window_minutes is not null or (member_max_count is null and member_turnover is null and member_max_amount is null))
);
call isolate('rate_limit_groups', 'select, insert, update, delete');

create table merchants (
  tenant_id uuid not null references tenants,
  id uuid not null default uuidv7(),
  code text not null,
  name text not null,
  currency text not null,
  status text not null default 'active' check (status in ('active', 'inactive', 'suspended')),
  deposit_rate numeric(9, 4) not null default 0 check (deposit_rate between 0 and 100),
  withdrawal_rate numeric(9, 4) not null default 0 check (withdrawal_rate between 0 and 100),
  settlement_rate numeric(9, 4) not null default 0 check (settlement_rate between 0 and 100),
  charges_borne_by text not null default 'house' check (charges_borne_by in ('merchant', 'house')),
  website_url text,
  backoffice_url text,
  callback_url text,
  whitelist_ips text[] not null default '{}',
  -- "<tenant code>_<random>": the key names its tenant, so that it is looked up in the tenant's scope
  api_key text not null,
  -- AES-256-GCM, bound to the row
  secret bytea not null,
  previous_secret bytea,
  previous_secret_until timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, code),
  unique (tenant_id, api_key),
  foreign key (tenant_id, currency) references currencies (tenant_id, code)
);
call isolate('merchants', 'select, insert, update, delete');

create table payment_accounts (
  tenant_id uuid not null references tenants,
  id uuid not null default uuidv7(),
  code text not null,
  bank text not null,
  account_number text not null,
  holder text not null,
  currency text not null,
  type text not null default 'normal' check (type in ('normal', 'atm', 'backup')),
  purpose text not null default 'both' check (purpose in ('deposit', 'withdrawal', 'both')),
  method text not null default 'bank_transfer' check (method in ('bank_transfer', 'e_wallet', 'qr')),
  -- intent; `overuse` and the states normal | critical are derived
  status text not null default 'active' check (status in ('active', 'inactive', 'suspend')),
  hold_amount numeric(20, 4) not null default 0 check (hold_amount >= 0),
  hold_reason text,
  reserve_amount numeric(20, 4) not null default 0 check (reserve_amount >= 0),
  -- critical below it, clear again 5 % above it
  threshold numeric(20, 4) not null default 0 check (threshold >= 0),
  critical boolean not null default false,
  critical_since timestamptz,
  deposit_minimum numeric(20, 4), deposit_maximum numeric(20, 4),
  withdrawal_minimum numeric(20, 4), withdrawal_maximum numeric(20, 4),
  deposit_daily_limit numeric(20, 4), deposit_monthly_limit numeric(20, 4),
  withdrawal_daily_limit numeric(20, 4), withdrawal_monthly_limit numeric(20, 4),
  charges_type text not null default 'fixed' check (charges_type in ('fixed', 'percent')),
  charges_value numeric(20, 4) not null default 0 check (charges_value >= 0),
  rate_limit_group_id uuid,
  ledger_account_id uuid not null,
  last_used_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, code),
  unique (tenant_id, bank, account_number),
  foreign key (tenant_id, currency) references currencies (tenant_id, code),
  foreign key (tenant_id, rate_limit_group_id) references rate_limit_groups (tenant_id, id),
  foreign key (tenant_id, ledger_account_id, currency) references ledger_accounts (tenant_id, id, currency)
);
create index payment_accounts_currency on payment_accounts (tenant_id, currency);
call isolate('payment_accounts', 'select, insert, update, delete');

create table payment_groups (
  tenant_id uuid not null references tenants,
  id uuid not null default uuidv7(),
  name text not null,
  currency text not null,
  version integer not null default 1,
  primary key (tenant_id, id),
  unique (tenant_id, name),
  foreign key (tenant_id, currency) references currencies (tenant_id, code)
);
call isolate('payment_groups', 'select, insert, update, delete');

create table payment_group_accounts (
  tenant_id uuid not null,
  group_id uuid not null,
  payment_account_id uuid not null,
  primary key (tenant_id, group_id, payment_account_id),
  foreign key (tenant_id, group_id) references payment_groups (tenant_id, id) on delete cascade,
  foreign key (tenant_id, payment_account_id) references payment_accounts (tenant_id, id) on delete cascade
);
call isolate('payment_group_accounts', 'select, insert, delete');

create table payment_group_merchants (
  tenant_id uuid not null,
  group_id uuid not null,
  merchant_id uuid not null,
  primary key (tenant_id, merchant_id, group_id),
  foreign key (tenant_id, group_id) references payment_groups (tenant_id, id) on delete cascade,
  foreign key (tenant_id, merchant_id) references merchants (tenant_id, id) on delete cascade
);
call isolate('payment_group_merchants', 'select, insert, delete');

create sequence transaction_numbers;
grant usage on sequence transaction_numbers to countinghouse_app;

create table transactions (
  tenant_id uuid not null references tenants,
  id uuid not null default uuidv7(),
  kind text not null check (kind in ('deposit', 'withdrawal')),
  txn_no text not null,
  merchant_id uuid not null,
  merchant_txn_no text,
  reference_no text,
  source text not null default 'api' check (source in ('api', 'manual')),
  status text not null check (status in ('pending', 'process', 'approved', 'rejected', 'completed', 'expired')),
  version integer not null default 1,
  currency text not null,
  method text not null,
  member text not null,
  customer_name text not null,
  -- whom a withdrawal pays
  bank text,
  account_number text,
  holder text,
  amount numeric(20, 4) not null check (amount > 0),
  fee numeric(20, 4) not null default 0 check (fee >= 0),
  charges numeric(20, 4) not null default 0 check (charges >= 0),
  charges_type text not null default 'fixed' check (charges_type in ('fixed', 'percent')),
  charges_borne_by text not null default 'house' check (charges_borne_by in ('merchant', 'house')),
  -- what the payment account gains (deposit) or loses (withdrawal)
  final_amount numeric(20, 4) not null,
  -- what the wallet gains (deposit) or was debited (withdrawal: amount + fee + charges borne by the merchant)
  merchant_amount numeric(20, 4) not null,
  -- of the wallet, before the posting that concerns it
  previous_balance numeric(20, 4),
  payment_account_id uuid,
  payment_date timestamptz,
  -- the day (of the currency's zone) whose limits this counts against; null while it counts against none
  limit_day date,
  -- events so far, and how often an approval was recalled
  events integer not null default 0,
  recalls integer not null default 0,
  claimed_by uuid,
  claimed_at timestamptz,
  claim_until timestamptz,
  deferred_until timestamptz,
  deferred_by uuid,
  first_approved_by uuid,
  first_approved_at timestamptz,
  first_account_id uuid,
  recallable_until timestamptz,
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  processed_at timestamptz,
  processed_by uuid,
  approved_at timestamptz,
  approved_by uuid,
  rejected_at timestamptz,
  rejected_by uuid,
  reject_reason text,
  expired_at timestamptz,
  completed_at timestamptz,
  last_action_at timestamptz not null default now(),
  last_action_by uuid,
  remark text,
  receipt_id uuid,
  primary key (tenant_id, id),
  unique (tenant_id, txn_no),
  unique (tenant_id, merchant_id, kind, merchant_txn_no),
  foreign key (tenant_id, merchant_id) references merchants (tenant_id, id),
  foreign key (tenant_id, payment_account_id) references payment_accounts (tenant_id, id),
  foreign key (tenant_id, currency) references currencies (tenant_id, code),
  constraint amounts_add_up check (
    case kind
      when 'deposit' then final_amount = amount - charges
        and merchant_amount = amount - fee - case charges_borne_by when 'merchant' then charges else 0 end
      else final_amount = amount + charges
        and merchant_amount = amount + fee + case charges_borne_by when 'merchant' then charges else 0 end
    end),
  constraint claim_whole check ((claimed_by is null) = (claim_until is null)),
  constraint claimed_in_process check (claimed_by is null or (kind = 'withdrawal' and status = 'process')),
  constraint payee_named check (kind <> 'withdrawal' or (bank is not null and account_number is not null and holder is not null))
);
-- every offered list: by currency and kind, newest or oldest, by amount; the id breaks ties
create index transactions_created on transactions (tenant_id, currency, kind, created_at, id);
create index transactions_amount on transactions (tenant_id, currency, kind, amount, id);
create index transactions_status on transactions (tenant_id, currency, kind, status, created_at, id);
create index transactions_open on transactions (tenant_id, currency, kind, created_at, id) where status in ('pending', 'process');
create index transactions_claims on transactions (tenant_id, claimed_by, created_at) where claimed_by is not null;
create index transactions_lapse on transactions (claim_until) where claim_until is not null;
create index transactions_expiry on transactions (expires_at) where status = 'pending' and expires_at is not null;
create index transactions_merchant on transactions (tenant_id, merchant_id, created_at, id);
create index transactions_member on transactions (tenant_id, merchant_id, member, created_at);
create index transactions_payee on transactions (tenant_id, currency, account_number, created_at) where kind = 'withdrawal';
create index transactions_paying on transactions (tenant_id, payment_account_id, kind, created_at) where payment_account_id is not null;
create index transactions_decided on transactions (tenant_id, currency, kind, last_action_at) where status in ('approved', 'rejected', 'completed', 'expired');
call isolate('transactions', 'select, insert, update');
call let_worker_read('transactions');

-- What may follow what (domain.md 4); '' = creation.
create table transitions (
  kind text not null,
  from_status text not null,
  to_status text not null,
  act text not null,
  primary key (kind, act, from_status, to_status)
);
insert into transitions (kind, from_status, to_status, act) values
  ('deposit', '', 'pending', 'create'), ('deposit', 'pending', 'process', 'process'), ('deposit', 'process', 'approved', 'approve'),
  ('deposit', 'approved', 'completed', 'complete'), ('deposit', 'pending', 'expired', 'expire'), ('deposit', 'pending', 'rejected', 'reject'),
  ('deposit', 'process', 'rejected', 'reject'), ('deposit', 'expired', 'process', 'reopen'),
  ('withdrawal', '', 'pending', 'create'), ('withdrawal', 'pending', 'process', 'claim'), ('withdrawal', 'process', 'process', 'claim'),
  ('withdrawal', 'process', 'process', 'take-over'), ('withdrawal', 'process', 'pending', 'release'), ('withdrawal', 'process', 'pending', 'lapse'),
  ('withdrawal', 'process', 'process', 'first-approve'), ('withdrawal', 'process', 'approved', 'approve'),
  ('withdrawal', 'process', 'approved', 'second-approve'), ('withdrawal', 'approved', 'process', 'recall'),
  ('withdrawal', 'approved', 'completed', 'complete'), ('withdrawal', 'pending', 'rejected', 'reject'),
  ('withdrawal', 'process', 'rejected', 'reject'), ('withdrawal', 'pending', 'expired', 'expire');
grant select on transitions to countinghouse_app;

create table transaction_events (
  tenant_id uuid not null,
  transaction_id uuid not null,
  n integer not null,
  kind text not null,
  act text not null,
  from_status text not null,
  to_status text not null,
  at timestamptz not null default now(),
  -- null: the system or the merchant, as `actor` says
  by_user uuid,
  actor text not null,
  reason text,
  primary key (tenant_id, transaction_id, n),
  foreign key (tenant_id, transaction_id) references transactions (tenant_id, id),
  foreign key (kind, act, from_status, to_status) references transitions (kind, act, from_status, to_status)
);
create index transaction_events_by on transaction_events (tenant_id, by_user, at);
call isolate('transaction_events', 'select, insert');
call seal_table('transaction_events');

-- One decision a transaction and round; a recall opens the next round.
create table decisions (
  tenant_id uuid not null,
  transaction_id uuid not null,
  round integer not null,
  outcome text not null check (outcome in ('approved', 'rejected', 'expired')),
  event_n integer not null,
  by_user uuid,
  at timestamptz not null default now(),
  primary key (tenant_id, transaction_id, round),
  foreign key (tenant_id, transaction_id, event_n) references transaction_events (tenant_id, transaction_id, n)
);
call isolate('decisions', 'select, insert');
call seal_table('decisions');

-- What a payment account's daily and monthly limits are used by; `starts` is the day, or the first of the month, in the currency's zone.
create table limit_usage (
  tenant_id uuid not null,
  payment_account_id uuid not null,
  kind text not null check (kind in ('deposit', 'withdrawal')),
  period text not null check (period in ('day', 'month')),
  starts date not null,
  used numeric(20, 4) not null default 0 check (used >= 0),
  primary key (tenant_id, payment_account_id, kind, period, starts),
  foreign key (tenant_id, payment_account_id) references payment_accounts (tenant_id, id)
);
call isolate('limit_usage', 'select, insert, update');

-- Callbacks to merchants (domain.md 5). `state` held: inside the recall window.
create table outbox (
  tenant_id uuid not null,
  id uuid not null default uuidv7(),
  merchant_id uuid not null,
  transaction_id uuid not null,
  event_n integer not null,
  url text,
  -- the exact bytes every attempt signs
  body text not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed', 'cancelled')),
  attempts integer not null default 0,
  next_attempt_at timestamptz,
  leased_until timestamptz,
  created_at timestamptz not null default now(),
  delivered_at timestamptz,
  primary key (tenant_id, id),
  unique (tenant_id, transaction_id, event_n),
  foreign key (tenant_id, merchant_id) references merchants (tenant_id, id),
  foreign key (tenant_id, transaction_id, event_n) references transaction_events (tenant_id, transaction_id, n)
);
create index outbox_due on outbox (next_attempt_at) where state = 'pending';
call isolate('outbox', 'select, insert, update');
call let_worker_read('outbox');

create table callback_attempts (
  tenant_id uuid not null,
  outbox_id uuid not null,
  n integer not null,
  at timestamptz not null default now(),
  -- null: no answer
  status integer,
  milliseconds integer not null,
  -- first 2 kB
  answer text,
  error text,
  by_user uuid,
  primary key (tenant_id, outbox_id, n),
  foreign key (tenant_id, outbox_id) references outbox (tenant_id, id)
);
call isolate('callback_attempts', 'select, insert');
call seal_table('callback_attempts');

-- One row an intent: the first answer, given again to every repetition. `actor` is a user or a merchant.
create table idempotency_keys (
  tenant_id uuid not null references tenants,
  actor uuid not null,
  key text not null,
  fingerprint bytea not null,
  -- null until the transaction that inserted it is about to commit
  status integer,
  answer jsonb,
  transaction_id uuid,
  event_n integer,
  created_at timestamptz not null default now(),
  primary key (tenant_id, actor, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);
call isolate('idempotency_keys', 'select, insert, update, delete');

-- Signatures seen, until they are stale by their timestamp anyway.
create unlogged table seen_signatures (
  tenant_id uuid not null,
  signature bytea not null,
  at timestamptz not null default now(),
  primary key (tenant_id, signature)
);
call isolate('seen_signatures', 'select, insert, delete');
