-- Why it was put off, for the others and for whoever takes the shift over. Null: nothing was said.
alter table transactions add column deferred_reason text;
