-- Long work that a person has started and watches: how far it is and how it ended. When it runs, and where, is the queue's matter (schema
-- pgboss, which src/server/jobs/install.ts makes); a row here and its entry there are written in one transaction.

create table jobs (
  tenant_id uuid not null references tenants,
  id uuid not null default uuidv7(),
  kind text not null,
  -- its entry in the queue; another one after a server that stopped has handed it back
  queued_as uuid not null,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed', 'cancelled')),
  -- how often it was begun; an attempt that was taken over by a later one can write nothing more
  attempt integer not null default 0,
  done bigint not null default 0,
  -- null: not known
  total bigint,
  -- why it failed, as a code
  failure text,
  started_by uuid references users,
  created_at timestamptz not null default now(),
  began_at timestamptz,
  ended_at timestamptz,
  primary key (tenant_id, id),
  check ((ended_at is not null) = (state in ('done', 'failed', 'cancelled'))),
  check ((failure is not null) = (state = 'failed'))
);
create index jobs_open on jobs (kind) where state in ('waiting', 'running');
create index jobs_ended on jobs (tenant_id, ended_at) where ended_at is not null;
call isolate('jobs', 'select, insert, update, delete');
call let_worker_read('jobs');
