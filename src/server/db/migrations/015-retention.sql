-- Sessions and what hangs on them are removed some time after their end, and what an idempotency key answered is kept packed.

grant delete on sessions to countinghouse_app;
create index sessions_expiry on sessions (expires_at);
create index refresh_tokens_age on refresh_tokens (issued_at);
create index seen_signatures_age on seen_signatures (at);

-- the answer's text, compressed; rows written before have it in `answer`
alter table idempotency_keys add column packed bytea;
