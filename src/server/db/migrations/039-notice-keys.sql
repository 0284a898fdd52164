-- With its key a forwarder signs the bank notices of one payment account; its secrets are sealed as merchants' are.
alter table payment_accounts
  add column notice_key text,
  add column notice_secret bytea,
  add column previous_notice_secret bytea,
  add column previous_notice_secret_until timestamptz,
  add constraint notice_key_whole check ((notice_key is null) = (notice_secret is null)
    and (previous_notice_secret is null) = (previous_notice_secret_until is null)
    and (notice_key is not null or previous_notice_secret is null));
create unique index payment_accounts_notice_key on payment_accounts (tenant_id, notice_key) where notice_key is not null;
