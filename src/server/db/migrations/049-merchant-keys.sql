-- A merchant's key is ended once it is no longer used, and an endpoint that fails for days is left alone: both are told with the merchant.

alter table merchants
  -- last request signed with each, to the minute
  add column secret_used_at timestamptz,
  add column previous_secret_used_at timestamptz;

alter table callback_endpoints
  -- the first of the attempts that have failed since one was taken
  add column failing_since timestamptz,
  -- since then nothing is sent but what a person asks for
  add column disabled_at timestamptz;
update callback_endpoints set failing_since = now() where failures > 0;
