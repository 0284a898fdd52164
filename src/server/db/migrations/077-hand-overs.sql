-- What an operator leaves to whoever comes next: a note, and the shift as it was when it was handed over.
create table hand_overs (
  tenant_id uuid not null references tenants,
  id uuid not null default uuidv7(),
  by_user uuid not null references users,
  since timestamptz not null,
  note text not null check (length(note) <= 2000),
  -- what was decided, held and deferred, as contract/shifts.ts has it
  shift jsonb not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id)
);
create index hand_overs_by on hand_overs (tenant_id, by_user, created_at);
create index hand_overs_at on hand_overs (tenant_id, created_at);
call isolate('hand_overs', 'select, insert');
call seal_table('hand_overs');

create table hand_over_readers (
  tenant_id uuid not null references tenants,
  hand_over_id uuid not null,
  user_id uuid not null references users,
  at timestamptz not null default now(),
  primary key (tenant_id, hand_over_id, user_id),
  foreign key (tenant_id, hand_over_id) references hand_overs (tenant_id, id)
);
call isolate('hand_over_readers', 'select, insert');
