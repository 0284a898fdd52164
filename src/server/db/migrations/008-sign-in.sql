-- Proof of who one is, two-factor, forgotten passwords, mail. None of it is a tenant's but the mails.

-- When the user of a session last proved who they are: by signing in, or since.
alter table sessions add column proved_at timestamptz not null default now();

create table two_factor (
  user_id uuid primary key references users on delete cascade,
  -- sealed; null: two-factor is off
  secret bytea,
  -- sealed; shown to be set up, until its first code is confirmed
  pending bytea,
  pending_until timestamptz,
  check ((pending is null) = (pending_until is null))
);
grant select, insert, update, delete on two_factor to countinghouse_app;

-- A code's 30-second step is taken once: this key decides, whoever asks at the same time.
create table two_factor_steps (
  user_id uuid not null references users on delete cascade,
  step bigint not null,
  primary key (user_id, step)
);
grant select, insert, delete on two_factor_steps to countinghouse_app;

create table recovery_codes (
  user_id uuid not null references users on delete cascade,
  -- sha256 of 120 random bits
  hash bytea not null,
  used_at timestamptz,
  primary key (user_id, hash)
);
grant select, insert, update, delete on recovery_codes to countinghouse_app;

-- Sign-ins whose password was right and whose code is awaited.
create table sign_in_challenges (
  hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index sign_in_challenges_expiry on sign_in_challenges (expires_at);
grant select, insert, update, delete on sign_in_challenges to countinghouse_app;

-- Who forgot a password, known or not: the asking does the same work for both, and a job looks later.
create table password_requests (
  id uuid primary key default uuidv7(),
  email text not null,
  language text not null
);
grant select, insert, delete, update on password_requests to countinghouse_app;

create table password_resets (
  hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index password_resets_user on password_resets (user_id);
create index password_resets_expiry on password_resets (expires_at);
grant select, insert, update, delete on password_resets to countinghouse_app;

create table mails (
  tenant_id uuid not null references tenants,
  id uuid not null default uuidv7(),
  recipient text not null,
  subject text not null,
  -- sealed, since it holds links that open accounts; null once sent or given up
  body bytea,
  language text not null,
  -- the addressee belongs to other tenants, too
  shared boolean not null,
  -- kept: there was no SMTP server to send it by
  state text not null check (state in ('waiting', 'sent', 'failed', 'kept')),
  attempts integer not null default 0,
  next_attempt_at timestamptz,
  leased_until timestamptz,
  error text,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create index mails_kept on mails (tenant_id, created_at desc, id desc) where state = 'kept';
create index mails_due on mails (next_attempt_at) where state = 'waiting';
create index mails_age on mails (created_at);
call isolate('mails', 'select, insert, update, delete');
call let_worker_read('mails');

-- As `authority`, which the release before this one still calls while this one starts beside it: with how long ago the session's user
-- proved who they are, and what they must set up before anything else.
create function standing(wanted_session uuid, wanted_tenant uuid)
returns table (user_id uuid, name text, binding bytea, groups text[], permissions text[], currencies jsonb, proved_seconds float8,
  must_change boolean, must_set_up boolean)
language plpgsql as $$
begin
  perform set_config('app.tenant_id', coalesce(wanted_tenant::text, ''), true);
  return query
    select u.id, u.name, s.binding,
      coalesce((select array_agg(g.code) from membership_groups mg join user_groups g on g.tenant_id = mg.tenant_id and g.id = mg.group_id
        where mg.tenant_id = m.tenant_id and mg.user_id = u.id), '{}'),
      coalesce((select array_agg(distinct p) from (
        select unnest(m.permissions) p
        union all
        select unnest(g.permissions) from membership_groups mg join user_groups g on g.tenant_id = mg.tenant_id and g.id = mg.group_id
        where mg.tenant_id = m.tenant_id and mg.user_id = u.id) held), '{}'),
      coalesce((select jsonb_object_agg(c.code, jsonb_build_object('minorDigits', c.minor_digits, 'zoneMinutes', c.zone_minutes))
        from currencies c where c.tenant_id = m.tenant_id), '{}'),
      extract(epoch from clock_timestamp() - s.proved_at)::float8,
      u.force_reset_password,
      coalesce((t.settings ->> 'require_two_factor')::boolean, false)
        and not exists (select from two_factor f where f.user_id = u.id and f.secret is not null)
    from sessions s
    join users u on u.id = s.user_id and u.status = 'active'
    join tenants t on t.id = wanted_tenant and t.status = 'active'
    join memberships m on m.tenant_id = t.id and m.user_id = u.id and m.status = 'active'
    where s.id = wanted_session and s.ended_at is null and s.expires_at > now();
end $$;
