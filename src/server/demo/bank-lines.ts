import type { ClientBase } from "pg";

/** A number from 0 to `most` - 1 that is always the same for one row. */
const spread = (id: string, most: number) => `abs(hashtext(${id}::text)) % ${most}`;
/** An id made of a text: a uuid of version 8, which is for such. */
const idOf = (text: string) => `overlay(overlay(md5(${text}) placing '8' from 13) placing '8' from 17)::uuid`;

/** What each country's banks print of a payment by code, of one by transfer, and of one that goes out. */
const rails = `(values ('MYR', 'DUITNOW', 'FPX TRF', 'IBG OUT'), ('THB', 'PROMPTPAY', 'TRF FROM', 'BAHTNET OUT'),
  ('SGD', 'PAYNOW', 'FAST TRF', 'GIRO OUT'), ('IDR', 'QRIS', 'BI-FAST CR', 'BI-FAST DB'), ('VND', 'VIETQR', 'IBFT', 'NAPAS OUT'),
  ('PHP', 'QR PH', 'INSTAPAY', 'PESONET OUT')) rails (currency, by_code, arrived, sent)`;

/** Lines the bank booked for transactions: matched where these are paid, waiting where they are to be decided, and some late money. */
const booked = `insert into bank_lines (tenant_id, id, currency, payment_account_id, time, direction, amount, reference, counterparty,
    counterparty_account, description, status, source, file_name, digest, created_at, updated_at)
  select t.tenant_id, ${idOf("'line ' || t.id")}, t.currency, t.payment_account_id, t.booked,
    case t.kind when 'deposit' then 'credit' else 'debit' end, case t.kind when 'deposit' then t.amount else t.final_amount end,
    'FT' || (10000000 + ${spread("t.id", 89_999_999)}),
    upper(case t.kind when 'deposit' then t.customer_name else t.holder end),
    case when t.kind = 'withdrawal' then t.account_number else (5100000000 + ${spread("t.merchant_id || t.member", 899_999_999)})::text end,
    case when t.kind = 'withdrawal' then rails.sent || ' ' || t.txn_no
      when ${spread("t.id", 4)} = 0 then rails.by_code || ' ' || upper(t.customer_name)
      else rails.arrived || ' ' || upper(t.customer_name) || ' ' || t.txn_no end,
    case when t.status in ('approved', 'completed') then 'matched' else 'unmatched' end, 'file', a.code || '.csv',
    sha256(convert_to('line ' || t.id, 'UTF8')), t.booked + interval '5 minutes', t.booked + interval '5 minutes'
  from (
    select x.*, least(coalesce(x.approved_at, x.processed_at, x.created_at), $1::timestamptz)
        - case when x.kind = 'deposit' and x.status <> 'expired' then make_interval(secs => ${spread("x.id", 50)}) else interval '0' end
        + case when x.status = 'expired' then interval '40 minutes' else interval '0' end as booked,
      row_number() over (partition by x.tenant_id, x.currency, x.kind,
        case when x.status in ('approved', 'completed') then 'paid' else x.status end order by x.created_at desc, x.id) as n
    from transactions x
    where x.payment_account_id is not null and x.created_at > $1::timestamptz - interval '2 days'
      and (x.status in ('approved', 'completed') or (x.kind = 'deposit' and x.status in ('process', 'expired')))) t
  join payment_accounts a on a.tenant_id = t.tenant_id and a.id = t.payment_account_id
  join ${rails} on rails.currency = t.currency
  where t.n <= case when t.status = 'expired' then 3 when t.status = 'process' then 30 when t.kind = 'deposit' then 120 else 40 end
    and t.booked <= $1::timestamptz and t.booked >= t.created_at - interval '1 hour'`;

// the lines' transactions alone, each with its line's id once: the planner knows nothing yet of the lines, and made the ids of all
// transactions for each of them
const matches = `with paid as materialized (select t.*, ${idOf("'line ' || t.id")} as line from transactions t
    where t.payment_account_id is not null and t.created_at > $1::timestamptz - interval '2 days' and t.status in ('approved', 'completed'))
  insert into bank_matches (tenant_id, id, line_id, n, transaction_id, amount, score_amount, score_reference, score_name, score_time,
    automatic, made_at)
  select l.tenant_id, ${idOf("'match ' || t.id")}, l.id, 1, t.id, l.amount, 35, case when strpos(l.description, t.txn_no) > 0 then 30 else 0 end, 20, 13,
    strpos(l.description, t.txn_no) > 0, l.created_at
  from paid t join bank_lines l on l.tenant_id = t.tenant_id and l.id = t.line where l.status = 'matched'`;

/** Both sides of the transfers the bank has done: matched where these are completed; one waits beside the transfer that waits for it. */
const transferred = `insert into bank_lines (tenant_id, id, currency, payment_account_id, time, direction, amount, reference, counterparty,
    counterparty_account, description, status, source, file_name, digest, created_at, updated_at)
  select t.tenant_id, ${idOf("s.side || ' of ' || t.id")}, t.currency, a.id, s.booked, case s.side when 'source' then 'debit' else 'credit' end,
    case s.side when 'source' then t.final_amount else t.amount end, coalesce(t.reference_no, t.txn_no),
    upper(case s.side when 'target' then p.holder else coalesce(t.holder, q.holder) end),
    case s.side when 'target' then p.account_number else coalesce(t.account_number, q.account_number) end,
    case s.side when 'source' then 'TRF OUT ' else 'TRF IN ' end || t.txn_no,
    case t.status when 'completed' then 'matched' else 'unmatched' end, 'file', a.code || '.csv',
    sha256(convert_to(s.side || ' of ' || t.id, 'UTF8')), s.booked + interval '1 minute', s.booked + interval '1 minute'
  from transfers t
  cross join lateral (values ('source', t.source_id, coalesce(t.approved_at, t.created_at) + interval '20 seconds'),
    ('target', t.target_id, coalesce(t.approved_at, t.created_at) + interval '50 seconds')) s (side, account, booked)
  join payment_accounts a on a.tenant_id = t.tenant_id and a.id = s.account
  left join payment_accounts p on p.tenant_id = t.tenant_id and p.id = t.source_id
  left join payment_accounts q on q.tenant_id = t.tenant_id and q.id = t.target_id
  where t.status = 'completed' or (t.status = 'pending' and t.kind = 'transfer' and t.tier < 3 and s.side = 'source'
    and t.created_at < $1::timestamptz - interval '10 minutes')`;

const transferMatches = `insert into bank_matches (tenant_id, id, line_id, n, transfer_id, side, amount, score_amount, score_reference, score_name,
    score_time, automatic, made_at)
  select l.tenant_id, ${idOf("'match of ' || l.id")}, l.id, 1, t.id, s.side, l.amount, 35, 30, 20, 14, true, l.created_at
  from transfers t cross join (values ('source'), ('target')) s (side)
  join bank_lines l on l.tenant_id = t.tenant_id and l.id = ${idOf("s.side || ' of ' || t.id")} where l.status = 'matched'`;

/** What belongs to no transaction: the bank's charges and a transfer of the tenant's own, set aside, and cash nobody has named yet. */
const others = `insert into bank_lines (tenant_id, id, currency, payment_account_id, time, direction, amount, description, status, ignored_as,
    ignore_reason, source, file_name, digest, created_at, updated_at)
  select a.tenant_id, ${idOf("o.description || a.id")}, a.currency, a.id, $1::timestamptz - o.age, o.direction, o.amount * c.unit, o.description,
    o.status, o.ignored_as, o.reason, 'file', a.code || '.csv', sha256(convert_to(o.description || a.id, 'UTF8')),
    $1::timestamptz - o.age, $1::timestamptz - o.age
  from (select p.*, row_number() over (partition by p.tenant_id, p.currency order by p.code) as n from payment_accounts p
    where p.status = 'active' and p.purpose <> 'withdrawal') a
  cross join lateral (select case a.currency when 'VND' then 1000 when 'IDR' then 1000 else 1 end as unit) c
  cross join (values (interval '7 hours', 'debit', 15, 'BANK CHARGE', 'ignored', 'fee', 'bank charge', 4),
    (interval '5 hours', 'debit', 5000, 'TRF TO OWN ACCOUNT', 'ignored', 'own-transfer', 'to the reserve account', 1),
    (interval '90 minutes', 'credit', 430, 'CDM DEP 0043', 'unmatched', null, null, 2),
    (interval '35 minutes', 'credit', 1207, 'CDM DEP 0061', 'unmatched', null, null, 2))
    o (age, direction, amount, description, status, ignored_as, reason, accounts)
  where a.n <= o.accounts`;

/** The bank's balance on an account's first and last line: what the ledger says, and what explains why the bank says something else. */
const balances = `with ends as (
    select distinct on (l.tenant_id, l.payment_account_id, e.at) l.tenant_id, l.id, l.payment_account_id, l.time, e.at
    from bank_lines l cross join (values ('first'), ('last')) e (at)
    order by l.tenant_id, l.payment_account_id, e.at, case e.at when 'first' then l.time end, l.time desc, l.id),
  told as (
    select f.tenant_id, f.payment_account_id, f.id as first, z.id as last, f.time as since, z.time as until, a.ledger_account_id as ledger
    from ends f join ends z on z.tenant_id = f.tenant_id and z.payment_account_id = f.payment_account_id and f.at = 'first' and z.at = 'last'
    join payment_accounts a on a.tenant_id = f.tenant_id and a.id = f.payment_account_id where f.time < z.time)
  update bank_lines l set balance = coalesce((select e.balance from ledger_entries e where e.tenant_id = t.tenant_id and e.account_id = t.ledger
      and e.created_at <= l.time order by e.created_at desc, e.seq desc limit 1), 0)
    + case when l.id = t.first then 0 else
      coalesce((select sum(case o.direction when 'credit' then o.amount else -o.amount end) from bank_lines o where o.tenant_id = t.tenant_id
        and o.payment_account_id = t.payment_account_id and o.status <> 'matched' and (o.time, o.id) > (t.since, t.first)
        and (o.time, o.id) <= (t.until, t.last)), 0)
      - coalesce((select sum(e.amount) from ledger_entries e join ledger_groups g on g.tenant_id = e.tenant_id and g.id = e.group_id
        where e.tenant_id = t.tenant_id and e.account_id = t.ledger and e.created_at > t.since and e.created_at <= t.until
          and not exists (select from bank_matches m where m.tenant_id = e.tenant_id
            and g.transaction_id in (m.transaction_id, m.transfer_id) and m.undone_at is null)), 0) end
  from told t where l.tenant_id = t.tenant_id and l.id in (t.first, t.last)`;

const rules = `insert into bank_rules (tenant_id, currency, rules)
  select c.tenant_id, c.code, jsonb_build_array(jsonb_build_object('contains', 'BANK CHARGE', 'from', '', 'direction', 'debit', 'amount_from', '',
    'amount_to', '', 'ignore_as', 'fee')) from currencies c`;

/** The last two days of the banks' statements, made of the demo's transactions, which are loaded. */
export async function insertBankLines(client: ClientBase, now: number): Promise<void> {
  const at = new Date(now);
  await client.query(booked, [at]);
  await client.query(matches, [at]);
  await client.query(transferred, [at]);
  await client.query(transferMatches);
  await client.query(others, [at]);
  await client.query(balances);
  await client.query(rules);
}
