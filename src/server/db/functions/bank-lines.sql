-- An older one is dropped, because the columns of what a function answers cannot be replaced.
drop function if exists bank_near();

-- Every bank line beside every transaction that may be the same money by account, currency and direction, and is not matched yet. A
-- rejected deposit is none; a withdrawal counts once it is said to be paid; a transfer has a line of each side, and its `kind` is the side:
-- `source` that pays, `target` that receives. `begun` and `ended` bound when the bank is expected to book it: in time are those with
-- `begun <= line_until and ended >= line_since`. `dated_from` and `dated_to` are the same two times, as the indexes by amount hold them. It is
-- put in place of its call, so that whoever names lines, transactions or times reads these by their indexes.
create or replace function bank_near()
returns table (tenant_id uuid, currency text, line_id uuid, line_status text, line_time timestamptz, line_since timestamptz,
  line_until timestamptz, line_amount numeric, line_key bigint, transaction_id uuid, kind text, status text, amount numeric,
  amount_key bigint, charged numeric, charged_key bigint, begun timestamptz, ended timestamptz, dated_from timestamptz, dated_to timestamptz)
language sql stable as $$
  select l.tenant_id, l.currency, l.id, l.status, l.time, l.fits_since, l.fits_until, l.amount, l.amount_key, t.id, t.kind, t.status, t.amount,
    t.amount_key, t.final_amount, t.final_amount_key, t.created_at, t.created_at,
    case t.kind when 'withdrawal' then t.approved_at else t.created_at end,
    case t.kind when 'withdrawal' then t.approved_at else t.created_at end
  from bank_lines l
  join transactions t on t.tenant_id = l.tenant_id and t.payment_account_id = l.payment_account_id and t.currency = l.currency
  where l.direction = 'credit' and t.kind = 'deposit' and t.status <> 'rejected'
    and not exists (select from bank_matches m where m.tenant_id = t.tenant_id and m.transaction_id = t.id and m.undone_at is null)
  union all
  select l.tenant_id, l.currency, l.id, l.status, l.time, l.fits_since, l.fits_until, l.amount, l.amount_key, t.id, t.kind, t.status, t.amount,
    t.amount_key, t.final_amount, t.final_amount_key, coalesce(t.processed_at, t.created_at), t.approved_at,
    coalesce(t.processed_at, t.created_at), case t.kind when 'withdrawal' then t.approved_at else t.created_at end
  from bank_lines l
  join transactions t on t.tenant_id = l.tenant_id and t.payment_account_id = l.payment_account_id and t.currency = l.currency
  where l.direction = 'debit' and t.kind = 'withdrawal' and t.status <> 'rejected' and t.status in ('approved', 'completed')
    and not exists (select from bank_matches m where m.tenant_id = t.tenant_id and m.transaction_id = t.id and m.undone_at is null)
  union all
  select l.tenant_id, l.currency, l.id, l.status, l.time, l.fits_since, l.fits_until, l.amount, l.amount_key, t.id, 'source', t.status, t.amount,
    t.amount_key, t.final_amount, t.final_amount_key, least(t.payment_date, t.created_at), coalesce(t.approved_at, t.created_at),
    least(t.payment_date, t.created_at), coalesce(t.approved_at, t.created_at)
  from bank_lines l
  join transfers t on t.tenant_id = l.tenant_id and t.source_id = l.payment_account_id and t.currency = l.currency
  where l.direction = 'debit' and t.status <> 'rejected'
    and not exists (select from bank_matches m where m.tenant_id = t.tenant_id and m.transfer_id = t.id and m.side = 'source' and m.undone_at is null)
  union all
  select l.tenant_id, l.currency, l.id, l.status, l.time, l.fits_since, l.fits_until, l.amount, l.amount_key, t.id, 'target', t.status, t.amount,
    t.amount_key, t.amount, t.amount_key, least(t.payment_date, t.created_at), coalesce(t.approved_at, t.created_at),
    least(t.payment_date, t.created_at), coalesce(t.approved_at, t.created_at)
  from bank_lines l
  join transfers t on t.tenant_id = l.tenant_id and t.target_id = l.payment_account_id and t.currency = l.currency
  where l.direction = 'credit' and t.status <> 'rejected'
    and not exists (select from bank_matches m where m.tenant_id = t.tenant_id and m.transfer_id = t.id and m.side = 'target' and m.undone_at is null)
$$;

-- The lines and transactions that fit: near each other, of equal amount, with or without the charges, and booked in time. What a line
-- booked and a transaction moved is `amount`.
create or replace function bank_fits()
returns table (tenant_id uuid, currency text, line_id uuid, line_status text, line_time timestamptz, transaction_id uuid, kind text,
  status text, amount numeric, begun timestamptz, ended timestamptz) language sql stable as $$
  select n.tenant_id, n.currency, n.line_id, n.line_status, n.line_time, n.transaction_id, n.kind, n.status, n.amount, n.begun, n.ended
  from bank_near() n
  where n.amount_key = n.line_key
    and n.dated_from <= n.line_until and n.dated_to >= n.line_since
  union all
  select n.tenant_id, n.currency, n.line_id, n.line_status, n.line_time, n.transaction_id, n.kind, n.status, n.charged, n.begun, n.ended
  from bank_near() n
  where n.charged_key <> n.amount_key and n.charged_key = n.line_key
    and n.dated_from <= n.line_until and n.dated_to >= n.line_since
$$;

-- The expired deposits of a currency whose money has arrived: a line nobody has matched or ignored fits them.
create or replace function late_deposits(tenant uuid, in_currency text) returns setof uuid language sql stable as $$
  select distinct f.transaction_id from bank_fits() f
  where f.tenant_id = tenant and f.currency = in_currency and f.line_status = 'unmatched' and f.kind = 'deposit' and f.status = 'expired'
$$;

-- A new deposit gives the automatic matcher its turn at the lines that fit it, which came before it.
create or replace function note_bank_turns() returns trigger language plpgsql as $$
begin
  -- few are each found by their id: how many they are the planner does not know, and it would read all transactions for one
  if (select count(*) from (select from fresh limit 101) n) <= 100 then
    insert into bank_line_turns (tenant_id, line_id)
      select distinct n.tenant_id, f.line_id from fresh n
      cross join lateral (select f.line_id from bank_fits() f
        where f.tenant_id = n.tenant_id and f.transaction_id = n.id and f.line_status = 'unmatched' offset 0) f
      where n.kind = 'deposit';
    return null;
  end if;
  insert into bank_line_turns (tenant_id, line_id)
    select distinct f.tenant_id, f.line_id from fresh n join bank_fits() f on f.tenant_id = n.tenant_id and f.transaction_id = n.id
    where n.kind = 'deposit' and f.line_status = 'unmatched';
  return null;
end $$;

-- A transaction that begins to fit gives it likewise at the lines that came before: a withdrawal that is paid, an expired deposit taken up
-- again, one whose account or amount is another than before.
create or replace function note_turns_of(t transactions) returns void language plpgsql as $$
begin
  insert into bank_line_turns (tenant_id, line_id)
    select distinct t.tenant_id, f.line_id from bank_fits() f
    where f.tenant_id = t.tenant_id and f.transaction_id = t.id and f.line_status = 'unmatched';
end $$;

-- Whether the automatic matcher may take a transaction of this kind and status for a line's.
create or replace function is_matchable(kind text, status text) returns boolean language sql immutable
return case kind when 'withdrawal' then status in ('approved', 'completed') else status not in ('rejected', 'expired') end;

-- A new transfer does so, too, found by its id as a few deposits are.
create or replace function note_transfer_turns() returns trigger language plpgsql as $$
begin
  insert into bank_line_turns (tenant_id, line_id)
    select distinct n.tenant_id, f.line_id from fresh n
    cross join lateral (select f.line_id from bank_fits() f
      where f.tenant_id = n.tenant_id and f.transaction_id = n.id and f.line_status = 'unmatched' offset 0) f;
  return null;
end $$;

-- Statements of many deposits, as demo data, take one look at the lines.
create or replace trigger bank_turns after insert on transactions referencing new table as fresh
  for each statement execute function note_bank_turns();
-- The same of transfers.
create or replace trigger bank_turns after insert on transfers referencing new table as fresh
  for each statement execute function note_transfer_turns();

-- Unmatched lines beside the first of the rules that takes each: [{contains, from, direction, amount_from, amount_to, ignore_as}], where
-- an empty text is no condition. `n` is the rule's place, from 0.
create or replace function bank_rules_take(tenant uuid, in_currency text, rules jsonb, lines uuid[])
returns table (line_id uuid, n integer, ignore_as text) language sql stable as $$
  select l.id, r.n::integer - 1, r.rule ->> 'ignore_as'
  from bank_lines l
  cross join lateral (select * from jsonb_array_elements(rules) with ordinality r (rule, n)
    where (r.rule ->> 'direction' = 'both' or r.rule ->> 'direction' = l.direction)
      and strpos(lower(l.description || ' ' || coalesce(l.reference, '')), lower(r.rule ->> 'contains')) > 0
      and (r.rule ->> 'from' = '' or strpos(lower(coalesce(l.counterparty, '')), lower(r.rule ->> 'from')) > 0
        or lower(l.counterparty_account) = lower(translate(r.rule ->> 'from', ' -', '')))
      and l.amount >= coalesce(nullif(r.rule ->> 'amount_from', '')::numeric, 0)
      and l.amount <= coalesce(nullif(r.rule ->> 'amount_to', '')::numeric, 'infinity')
    order by r.n limit 1) r
  where l.tenant_id = tenant and l.currency = in_currency and l.status = 'unmatched' and (lines is null or l.id = any(lines))
$$;
