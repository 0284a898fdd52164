-- Refuses every change of a table that is insert-only for everybody.
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% of % is refused: its rows are immutable', tg_op, tg_table_name using errcode = 'restrict_violation';
end $$;

-- Refuses to change what a row is about; its triggers fire for the app's role only, because the owner, who migrates and seeds, may mend it.
create or replace function refuse_rewriting() returns trigger language plpgsql as $$
begin
  raise exception 'what % is about never changes: %', tg_table_name, tg_argv[0] using errcode = 'restrict_violation';
end $$;
