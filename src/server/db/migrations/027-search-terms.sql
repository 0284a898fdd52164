-- What a search finds a transaction by besides its numbers: each word of a customer's name, and the end of a payee's account number.
-- Kept apart from the transactions: there are far fewer names than transactions, and a transition then writes no index more.

-- Lower case without accents; the letters that have none to take off, as their plain ones.
create function folded(written text) returns text language sql immutable strict parallel safe
  return translate(lower(regexp_replace(normalize(written, nfkd), '[\u0300-\u036f\u064b-\u065f\u0670]', '', 'g')), 'đðøłħŧı', 'ddolhti');

-- The words of a text, folded: between blanks and the signs that stand in names.
create function folded_words(written text) returns text[] language sql immutable strict parallel safe
  return array_remove(regexp_split_to_array(folded(written), '[-\s.,;:/()&''’"]+'), '');

create table search_terms (
  tenant_id uuid not null references tenants,
  currency text not null,
  -- name: a word of it, and transactions.name_key; payee: the last four characters, and transactions.account_number
  field text not null check (field in ('name', 'payee')),
  term text collate "C" not null,
  key text collate "C" not null,
  primary key (tenant_id, currency, field, term, key)
);
call isolate('search_terms', 'select, insert');

-- Those of transactions just written. In their order, so that no two who write the same wait for each other.
create function note_search_terms() returns trigger language plpgsql as $$
begin
  insert into search_terms (tenant_id, currency, field, term, key)
    select n.tenant_id, n.currency, 'name', w, n.name_key
      from (select distinct tenant_id, currency, name_key from fresh) n, unnest(folded_words(n.name_key)) w
    union
    select tenant_id, currency, 'payee', right(account_number, 4), account_number from fresh where kind = 'withdrawal'
    order by 1, 2, 3, 4, 5
    on conflict do nothing;
  return null;
end $$;
create trigger search_terms after insert on transactions referencing new table as fresh
  for each statement execute function note_search_terms();

-- Those of all transactions, where they were written without the trigger.
create procedure fill_search_terms() language sql as $$
  insert into search_terms (tenant_id, currency, field, term, key)
    select n.tenant_id, n.currency, 'name', w, n.name_key
      from (select distinct tenant_id, currency, name_key from transactions) n, unnest(folded_words(n.name_key)) w
    union
    select tenant_id, currency, 'payee', right(account_number, 4), account_number from transactions where kind = 'withdrawal'
    order by 1, 2, 3, 4, 5
    on conflict do nothing;
$$;
call fill_search_terms();
