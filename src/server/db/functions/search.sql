-- Lower case without accents; the letters that have none to take off, as their plain ones. What it answers is kept in search_terms, so a
-- changed meaning needs a migration that empties the table, and fill_search_terms() called at the end of this file.
create or replace function folded(written text) returns text language sql immutable strict parallel safe
  return translate(lower(regexp_replace(normalize(written, nfkd), '[\u0300-\u036f\u064b-\u065f\u0670]', '', 'g')), 'đðøłħŧı', 'ddolhti');

-- The words of a text, folded: between blanks and the signs that stand in names.
create or replace function folded_words(written text) returns text[] language sql immutable strict parallel safe
  return array_remove(regexp_split_to_array(folded(written), '[-\s.,;:/()&''’"]+'), '');

-- Keeps the search terms of transactions just written. In their order, so that no two who write the same wait for each other.
create or replace function note_search_terms() returns trigger language plpgsql as $$
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

-- Keeps the search terms of all transactions, where they were written without the trigger.
create or replace procedure fill_search_terms() language sql as $$
  insert into search_terms (tenant_id, currency, field, term, key)
    select n.tenant_id, n.currency, 'name', w, n.name_key
      from (select distinct tenant_id, currency, name_key from transactions) n, unnest(folded_words(n.name_key)) w
    union
    select tenant_id, currency, 'payee', right(account_number, 4), account_number from transactions where kind = 'withdrawal'
    order by 1, 2, 3, 4, 5
    on conflict do nothing;
$$;
