-- A merchant's set-up names the house's account whose credit its games draw on, of the same currency.

alter table merchant_providers
  add foreign key (tenant_id, master_account_id, currency) references master_accounts (tenant_id, id, currency);
