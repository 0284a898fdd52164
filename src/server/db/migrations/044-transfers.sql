-- Money the house moves itself: between its payment accounts, onto and off merchants' wallets, and out of them to merchants' banks.

create table transfers (
  tenant_id uuid not null references tenants,
  id uuid not null default uuidv7(),
  kind text not null check (kind in ('transfer', 'manual-transfer', 'clearing', 'adjustment', 'settlement')),
  txn_no text not null,
  -- its last characters, as people read it out
  txn_tail text not null generated always as (right(txn_no, 6)) stored,
  -- pending: nothing of it is posted, but what it moves is reserved · completed: the bank's lines prove every side of it
  status text not null check (status in ('pending', 'approved', 'rejected', 'completed')),
  currency text not null,
  -- the payment account that pays, and the one that receives
  source_id uuid,
  target_id uuid,
  -- whose wallet an adjustment moves, and a settlement pays out of
  merchant_id uuid,
  direction text check (direction in ('credit', 'debit')),
  -- whom a settlement pays; none of them where it is a cash-out, which has a reference instead
  bank text,
  account_number text,
  holder text,
  amount numeric(20, 4) not null check (amount > 0),
  amount_key bigint not null generated always as ((amount * 10000)::bigint) stored,
  fee numeric(20, 4) not null default 0 check (fee >= 0),
  charges numeric(20, 4) not null default 0 check (charges >= 0),
  charges_type text not null default 'fixed' check (charges_type in ('fixed', 'percent')),
  charges_borne_by text not null default 'house' check (charges_borne_by in ('merchant', 'house')),
  -- what the paying account loses
  final_amount numeric(20, 4) not null,
  final_amount_key bigint not null generated always as ((final_amount * 10000)::bigint) stored,
  -- what a settlement costs the wallet
  merchant_amount numeric(20, 4),
  -- 3: it is posted once two people have approved it
  tier smallint not null check (tier between 1 and 3),
  reference_no text,
  reason text,
  remark text,
  payment_date timestamptz,
  -- of the wallet, or else of the paying account, before the posting
  previous_balance numeric(20, 4),
  -- the day (of the currency's zone) whose limits this counts against; null while it counts against none
  limit_day date,
  recalls integer not null default 0,
  -- whoever made it, until a second person has handed it back
  first_approved_by uuid,
  first_approved_at timestamptz,
  recallable_until timestamptz,
  -- its approval was the bank's lines, and nobody's act
  approved_by_lines boolean not null default false,
  created_at timestamptz not null default now(),
  created_by uuid not null,
  approved_at timestamptz,
  approved_by uuid,
  rejected_at timestamptz,
  rejected_by uuid,
  reject_reason text,
  completed_at timestamptz,
  last_action_at timestamptz not null default now(),
  last_action_by uuid,
  last_actor text not null,
  receipt_id uuid,
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, txn_no),
  foreign key (tenant_id, currency) references currencies (tenant_id, code),
  foreign key (tenant_id, source_id) references payment_accounts (tenant_id, id),
  foreign key (tenant_id, target_id) references payment_accounts (tenant_id, id),
  foreign key (tenant_id, merchant_id) references merchants (tenant_id, id),
  constraint two_accounts check (source_id <> target_id),
  constraint sides_of_kind check (case kind
    when 'adjustment' then source_id is null and target_id is null and merchant_id is not null and direction is not null and reason is not null
    when 'settlement' then target_id is null and merchant_id is not null and direction is null
      and (source_id is null) = (bank is null and account_number is null and holder is null)
      and (source_id is not null or reference_no is not null)
    when 'clearing' then source_id is not null and merchant_id is null and direction is null
    else source_id is not null and target_id is not null and merchant_id is null and direction is null end),
  constraint amounts_add_up check (final_amount = amount + charges
    and (merchant_amount is not null) = (kind = 'settlement')
    and (kind = 'settlement' or (fee = 0 and charges_borne_by = 'house'))
    and (source_id is not null or charges = 0)
    and merchant_amount is not distinct from case when kind = 'settlement'
      then amount + fee + case charges_borne_by when 'merchant' then charges else 0 end end),
  constraint decided_whole check ((status in ('approved', 'completed')) = (approved_at is not null)
    and (status = 'rejected') = (rejected_at is not null and reject_reason is not null)
    and (status = 'completed') = (completed_at is not null))
);
create index transfers_created on transfers (tenant_id, currency, created_at, id);
create index transfers_status on transfers (tenant_id, currency, status, created_at, id);
-- what pending ones reserve of an account, and what is open on it
create index transfers_leaving on transfers (tenant_id, source_id) where status = 'pending' and source_id is not null;
create index transfers_arriving on transfers (tenant_id, target_id) where status = 'pending' and target_id is not null;
create index transfers_source on transfers (tenant_id, source_id, created_at) where source_id is not null;
create index transfers_target on transfers (tenant_id, target_id, created_at) where target_id is not null;
create index transfers_merchant on transfers (tenant_id, merchant_id, created_at) where merchant_id is not null;
create index transfers_tail on transfers (tenant_id, currency, txn_tail);
create index transfers_reference on transfers (tenant_id, currency, reference_no) where reference_no is not null;
call isolate('transfers', 'select, insert, update');
call fix_columns('transfers', 'tenant_id, id, kind, txn_no, currency, source_id, target_id, merchant_id, direction, bank, account_number,
  holder, amount, fee, charges, charges_type, charges_borne_by, final_amount, merchant_amount, tier, created_at, created_by');
