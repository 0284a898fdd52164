-- What concerns the database as a whole. Of the owner alone: no request reads or changes it.
create table installation (
  one boolean primary key default true check (one),
  -- sealed with the master key: another one does not open it
  key_check bytea,
  -- how to sign in to the demo data; null: there is none
  demo jsonb
);
insert into installation default values;
