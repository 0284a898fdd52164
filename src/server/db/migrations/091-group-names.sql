-- A payment group's name is its currency's own: a group of another one, which nobody sees beside it, does not keep it.
alter table payment_groups
  drop constraint payment_groups_tenant_id_name_key,
  add constraint payment_groups_name unique (tenant_id, currency, name);
