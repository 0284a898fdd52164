-- What banks say moved: their lines, what each is matched to, the payers' accounts that matches taught, and the rules that set lines aside.

create table bank_lines (
  tenant_id uuid not null references tenants,
  id uuid not null default uuidv7(),
  currency text not null,
  payment_account_id uuid not null,
  -- when the bank booked it
  time timestamptz not null,
  direction text not null check (direction in ('credit', 'debit')),
  amount numeric(20, 4) not null check (amount > 0),
  -- an index finds it: bigint operators are leakproof, numeric ones are not, so the row-level security policy would be evaluated first
  amount_key bigint not null generated always as ((amount * 10000)::bigint) stored,
  reference text,
  counterparty text,
  counterparty_account text,
  description text not null default '',
  -- the bank's running balance after the line
  balance numeric(20, 4),
  status text not null default 'unmatched' check (status in ('unmatched', 'matched', 'ignored')),
  ignored_as text check (ignored_as in ('fee', 'own-transfer', 'settlement', 'other')),
  ignore_reason text,
  source text not null check (source in ('file', 'paste', 'hand', 'call')),
  import_id uuid,
  file_name text,
  -- sha256 of what makes two lines the same, and the ordinal among equal lines of one statement
  digest bytea not null,
  twin integer not null default 1 check (twin >= 1),
  by_user uuid,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  -- the same line of the same statement is added once, however often it is imported
  constraint bank_lines_known unique (tenant_id, payment_account_id, digest, twin),
  foreign key (tenant_id, currency) references currencies (tenant_id, code),
  foreign key (tenant_id, payment_account_id) references payment_accounts (tenant_id, id),
  constraint ignored_whole check ((status = 'ignored') = (ignored_as is not null))
);
create index bank_lines_time on bank_lines (tenant_id, currency, time, id);
create index bank_lines_status on bank_lines (tenant_id, currency, status, time, id);
create index bank_lines_created on bank_lines (tenant_id, currency, created_at, id);
create index bank_lines_amount on bank_lines (tenant_id, currency, amount, id);
create index bank_lines_fitting on bank_lines (tenant_id, payment_account_id, amount_key, time) where status = 'unmatched';
create index bank_lines_balance on bank_lines (tenant_id, payment_account_id, time) where balance is not null;
create index bank_lines_import on bank_lines (tenant_id, import_id) where import_id is not null;
call isolate('bank_lines', 'select, insert');
grant update (status, ignored_as, ignore_reason, version, updated_at) on bank_lines to countinghouse_app;

-- One row a transaction a line is matched to; what was undone stays, with its reason.
create table bank_matches (
  tenant_id uuid not null,
  id uuid not null default uuidv7(),
  line_id uuid not null,
  -- its place among the transactions of the line
  n smallint not null check (n between 1 and 4),
  transaction_id uuid not null,
  amount numeric(20, 4) not null check (amount > 0),
  score_amount smallint not null check (score_amount between 0 and 35),
  score_reference smallint not null check (score_reference between 0 and 30),
  score_name smallint not null check (score_name between 0 and 20),
  score_time smallint not null check (score_time between 0 and 15),
  -- nobody's act but the matcher's
  automatic boolean not null,
  by_user uuid,
  made_at timestamptz not null default clock_timestamp(),
  undone_at timestamptz,
  undone_by uuid,
  undone_reason text,
  primary key (tenant_id, id),
  foreign key (tenant_id, line_id) references bank_lines (tenant_id, id),
  foreign key (tenant_id, transaction_id) references transactions (tenant_id, id)
);
-- a line has one set, a transaction one line; the last wall behind every race
create unique index bank_matches_line on bank_matches (tenant_id, line_id, n) where undone_at is null;
create unique index bank_matches_transaction on bank_matches (tenant_id, transaction_id) where undone_at is null;
create index bank_matches_history on bank_matches (tenant_id, line_id);
create index bank_matches_of_transaction on bank_matches (tenant_id, transaction_id);
call isolate('bank_matches', 'select, insert');
grant update (undone_at, undone_by, undone_reason) on bank_matches to countinghouse_app;

-- Lines the automatic matcher has yet to look at: new ones, and those a new deposit may belong to. A line may have several turns, so that
-- nobody who adds one waits for the matcher.
create table bank_line_turns (
  tenant_id uuid not null,
  id uuid not null default uuidv7(),
  line_id uuid not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, line_id) references bank_lines (tenant_id, id)
);
call isolate('bank_line_turns', 'select, insert, update, delete');
call let_worker_read('bank_line_turns');

-- From which accounts a merchant's customer pays.
create table bank_payers (
  tenant_id uuid not null references tenants,
  id uuid not null default uuidv7(),
  currency text not null,
  -- without blanks and hyphens
  account text not null check (account <> ''),
  name text not null,
  merchant_id uuid not null,
  member text not null,
  status text not null default 'active' check (status in ('active', 'revoked')),
  -- how many matches that stand say so
  times integer not null default 1 check (times >= 0),
  last_at timestamptz not null default now(),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, currency, account, merchant_id, member),
  foreign key (tenant_id, currency) references currencies (tenant_id, code),
  foreign key (tenant_id, merchant_id) references merchants (tenant_id, id)
);
create index bank_payers_last on bank_payers (tenant_id, currency, last_at, id);
call isolate('bank_payers', 'select, insert');
grant update (name, status, times, last_at, version, updated_at) on bank_payers to countinghouse_app;

-- A currency's text rules, in order; saved whole.
create table bank_rules (
  tenant_id uuid not null,
  currency text not null,
  rules jsonb not null,
  version integer not null default 1,
  by_user uuid,
  updated_at timestamptz not null default now(),
  primary key (tenant_id, currency),
  foreign key (tenant_id, currency) references currencies (tenant_id, code)
);
call isolate('bank_rules', 'select, insert, update');

-- What a line of one account and amount may belong to.
alter table transactions add column final_amount_key bigint not null generated always as ((final_amount * 10000)::bigint) stored;
create index transactions_fitting on transactions (tenant_id, payment_account_id, amount_key, created_at)
  where payment_account_id is not null and status <> 'rejected';
create index transactions_fitting_charged on transactions (tenant_id, payment_account_id, final_amount_key, created_at)
  where payment_account_id is not null and status <> 'rejected' and charges > 0;
