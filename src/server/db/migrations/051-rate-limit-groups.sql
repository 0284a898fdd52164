-- Rate-limit groups become records that people keep. Their amounts are of a currency, so a group belongs to one; and it can be turned
-- off without its accounts being let go.
alter table rate_limit_groups
  add column currency text,
  add column status text not null default 'active' check (status in ('active', 'inactive')),
  add column created_at timestamptz not null default now(),
  add column updated_at timestamptz not null default now();

alter table rate_limit_groups drop constraint rate_limit_groups_tenant_id_name_key;
alter table payment_accounts drop constraint payment_accounts_tenant_id_rate_limit_group_id_fkey;

-- A group takes the currency its accounts have; where these are several, each further one gets a copy.
update rate_limit_groups g set currency = coalesce(
  (select min(a.currency) from payment_accounts a where a.tenant_id = g.tenant_id and a.rate_limit_group_id = g.id),
  (select c.code from currencies c where c.tenant_id = g.tenant_id order by c.position, c.code limit 1));
with further as (
  select distinct g.tenant_id, g.id, a.currency, uuidv7() as copy
  from rate_limit_groups g join payment_accounts a on a.tenant_id = g.tenant_id and a.rate_limit_group_id = g.id and a.currency <> g.currency
), one as (
  select distinct on (tenant_id, id, currency) * from further order by tenant_id, id, currency, copy
), copied as (
  insert into rate_limit_groups (tenant_id, id, name, currency, account_window_minutes, account_max_count, account_turnover,
      account_max_amount, member_window_minutes, member_max_count, member_turnover, member_max_amount)
    select o.tenant_id, o.copy, g.name, o.currency, g.account_window_minutes, g.account_max_count, g.account_turnover,
      g.account_max_amount, g.member_window_minutes, g.member_max_count, g.member_turnover, g.member_max_amount
    from one o join rate_limit_groups g on g.tenant_id = o.tenant_id and g.id = o.id
)
update payment_accounts a set rate_limit_group_id = o.copy from one o
  where a.tenant_id = o.tenant_id and a.rate_limit_group_id = o.id and a.currency = o.currency;

alter table rate_limit_groups
  alter column currency set not null,
  add foreign key (tenant_id, currency) references currencies (tenant_id, code),
  add unique (tenant_id, currency, name),
  add unique (tenant_id, id, currency);
-- only accounts of its own currency
alter table payment_accounts add constraint payment_accounts_rate_limit_group_fkey
  foreign key (tenant_id, rate_limit_group_id, currency) references rate_limit_groups (tenant_id, id, currency);
create index payment_accounts_rate_limit_group on payment_accounts (tenant_id, rate_limit_group_id) where rate_limit_group_id is not null;
call fix_columns('rate_limit_groups', 'tenant_id, id, currency, created_at');
