-- Vendors, the categories of what they supply with the attributes an item of each has, and the items.

create table vendors (
  tenant_id uuid not null references tenants,
  id uuid not null default uuidv7(),
  company text not null,
  remark text,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create unique index vendors_company on vendors (tenant_id, lower(company));
call isolate('vendors', 'select, insert, update, delete');

create table vendor_categories (
  tenant_id uuid not null references tenants,
  id uuid not null default uuidv7(),
  name text not null,
  -- [{name, type, options, required}], in the order of the form
  attributes jsonb not null default '[]',
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create unique index vendor_categories_name on vendor_categories (tenant_id, lower(name));
call isolate('vendor_categories', 'select, insert, update, delete');

create table vendor_items (
  tenant_id uuid not null references tenants,
  id uuid not null default uuidv7(),
  vendor_id uuid not null,
  category_id uuid not null,
  name text not null,
  -- a text by the name of each attribute that has one
  attributes jsonb not null default '{}',
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint vendor_items_vendor foreign key (tenant_id, vendor_id) references vendors (tenant_id, id),
  constraint vendor_items_category foreign key (tenant_id, category_id) references vendor_categories (tenant_id, id)
);
create unique index vendor_items_name on vendor_items (tenant_id, vendor_id, lower(name));
create index vendor_items_of_category on vendor_items (tenant_id, category_id);
call isolate('vendor_items', 'select, insert, update, delete');
