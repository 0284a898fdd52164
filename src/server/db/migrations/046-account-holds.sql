-- A payment account's hold may end by itself: `hold_until` is when.

alter table payment_accounts
  add column hold_until timestamptz,
  add constraint hold_ends check (hold_until is null or hold_amount > 0);
create index payment_accounts_hold_ends on payment_accounts (hold_until) where hold_until is not null;
-- the sweep that ends holds learns which tenants have one due, and nothing else of their accounts
create policy worker on payment_accounts for select to countinghouse_worker using (true);
grant select (tenant_id, hold_until) on payment_accounts to countinghouse_worker;
