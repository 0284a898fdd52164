-- Lower case without accents, width and signs nobody sees; letters that have no accent to take off, the forms of an Arabic letter and digits
-- of other scripts as their plain ones. src/values/folded.ts reads what is typed in the same way. What it answers is kept in search_terms,
-- so a changed meaning needs its rows made anew, as the end of this file does from the names they hold.
create or replace function folded(written text) returns text language sql immutable strict parallel safe
  return case when octet_length(written) = char_length(written) then lower(written)
    else replace(replace(replace(translate(lower(regexp_replace(normalize(written, nfkd),
      '[\u00ad\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed\u0e47-\u0e4d\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]', '', 'g')),
      'đðøłħŧıςٱىیکةۀہھ٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹๐๑๒๓๔๕๖๗๘๙', 'ddolhtiσاييكهههه012345678901234567890123456789'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe') end;

-- The words of a text, folded, each between blanks: what stands between blanks and the signs that stand in names. Words of scripts that are
-- written without blanks are one.
create or replace function folded_phrase(written text) returns text language sql immutable strict parallel safe
  return ' ' || ltrim(regexp_replace(regexp_replace(folded(written) || ' ', '[-\s.,;:/()&''’"|·・、，。]+', ' ', 'g'),
    '(?<=[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff]) (?=[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff])', '', 'g'));

-- The words of a text, folded, as they are typed: each by itself.
create or replace function folded_words(written text) returns text[] language sql immutable strict parallel safe
  return array_remove(regexp_split_to_array(folded(written), '[-\s.,;:/()&''’"|·・、，。]+'), '');

-- A name from each of its words on, and what stands before: "tan wei ming", "wei ming | tan", "ming | tan wei". So a name is found by the
-- beginning of any word, of several in their order, and each turn tells the other words, too. Where words are written without blanks (Thai,
-- Chinese), a turn begins at each letter. Bounded, because an index holds them: 40 turns of 200 characters.
create or replace function name_turns(written text) returns text[] language plpgsql immutable strict parallel safe as $$
declare
  p constant text := substr(folded_phrase(written), 2);
  -- a letter of a script without blanks, not the vowel or tone that belongs to the one before
  letter constant text := '[\u0e01-\u0e30\u0e32\u0e3f-\u0e46\u0e80-\u0eb0\u0eb2\u0ebd-\u0ec6\u1000-\u102a\u1100-\u1112\u1780-\u17b3\u2e80-\u2fdf\u3005-\u3007\u3041-\u3096\u30a1-\u30fa\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff]';
  joined constant boolean := p ~ letter;
  turns text[] := '{}';
  at integer := 1;
begin
  while at <= length(p) and cardinality(turns) < 40 loop
    turns := turns || left(substr(p, at) || '| ' || left(p, at - 1), 200);
    if joined then
      loop
        at := at + 1;
        exit when at > length(p) or substr(p, at, 1) <> ' ' and (substr(p, at - 1, 1) = ' '
          or substr(p, at, 1) ~ letter
          or substr(p, at - 1, 2) ~ ('^' || letter || '[a-z0-9]'));
      end loop;
    else
      at := at + strpos(substr(p, at), ' ');
    end if;
  end loop;
  return turns;
end $$;

-- Keeps the search terms of transactions just written. In their order, so that no two who write the same wait for each other.
create or replace function note_search_terms() returns trigger language plpgsql as $$
begin
  insert into search_terms (tenant_id, currency, field, term, key)
    select n.tenant_id, n.currency, 'name', w, n.name_key
      from (select distinct tenant_id, currency, name_key from fresh) n, unnest(name_turns(n.name_key)) w
    union
    select tenant_id, currency, 'payee', right(account_number, 4), account_number from fresh where kind = 'withdrawal'
    order by 1, 2, 3, 4, 5
    on conflict do nothing;
  return null;
end $$;

-- The same of bank lines: who paid or was paid, as the bank writes them.
create or replace function note_line_terms() returns trigger language plpgsql as $$
begin
  insert into search_terms (tenant_id, currency, field, term, key)
    select n.tenant_id, n.currency, 'counterparty', w, n.counterparty
      from (select distinct tenant_id, currency, counterparty from fresh) n, unnest(name_turns(n.counterparty)) w
    union
    select tenant_id, currency, 'counterparty-account', right(counterparty_account, 4), counterparty_account from fresh
      where counterparty_account is not null
    order by 1, 2, 3, 4, 5
    on conflict do nothing;
  return null;
end $$;
-- In each statement that adds some.
create or replace trigger search_terms after insert on bank_lines referencing new table as fresh
  for each statement execute function note_line_terms();

-- Keeps the search terms of all transactions and bank lines, where they were written without the triggers.
create or replace procedure fill_search_terms() language sql as $$
  insert into search_terms (tenant_id, currency, field, term, key)
    select n.tenant_id, n.currency, 'name', w, n.name_key
      from (select distinct tenant_id, currency, name_key from transactions) n, unnest(name_turns(n.name_key)) w
    union
    select tenant_id, currency, 'payee', right(account_number, 4), account_number from transactions where kind = 'withdrawal'
    union
    select n.tenant_id, n.currency, 'counterparty', w, n.counterparty
      from (select distinct tenant_id, currency, counterparty from bank_lines) n, unnest(name_turns(n.counterparty)) w
    union
    select tenant_id, currency, 'counterparty-account', right(counterparty_account, 4), counterparty_account from bank_lines
      where counterparty_account is not null
    order by 1, 2, 3, 4, 5
    on conflict do nothing;
$$;

-- Names that have words for terms, as they had before there were turns: a turn has a bar, a word had none. There are far fewer names than
-- transactions, which are not read for this.
with words as (delete from search_terms where field = 'name' and strpos(term, '|') = 0 returning tenant_id, currency, key)
insert into search_terms (tenant_id, currency, field, term, key)
  select n.tenant_id, n.currency, 'name', w, n.key from (select distinct * from words) n, unnest(name_turns(n.key)) w
  on conflict do nothing;

-- The terms of bank lines, the first time that there are some.
insert into search_terms (tenant_id, currency, field, term, key)
  select n.tenant_id, n.currency, 'counterparty', w, n.counterparty
    from (select distinct tenant_id, currency, counterparty from bank_lines) n, unnest(name_turns(n.counterparty)) w
    where not exists (select from search_terms where field = 'counterparty')
  union
  select tenant_id, currency, 'counterparty-account', right(counterparty_account, 4), counterparty_account from bank_lines
    where counterparty_account is not null and not exists (select from search_terms where field = 'counterparty-account')
  on conflict do nothing;
