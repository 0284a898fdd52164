import type { ClientBase } from "pg";
import { daysBroken, partsBroken } from "./broken-days.ts";

/** A claim about the whole database; its query returns the rows that break it. */
interface Invariant {
  readonly name: string;
  readonly sql: string;
}

const decided = "('approved', 'rejected', 'expired')";

/** Invariants over all tenants. Each has a test that breaks it on purpose. */
export const invariants: readonly Invariant[] = [
  {
    name: "ledger groups sum to zero",
    sql: `select g.tenant_id, g.id from ledger_groups g left join ledger_entries e on e.tenant_id = g.tenant_id and e.group_id = g.id
      group by 1, 2 having coalesce(sum(e.side * e.amount), 0) <> 0 or count(e.group_id) < 2`,
  },
  {
    name: "a balance is the sum of its entries, without gaps",
    sql: `select a.tenant_id, a.id, a.balance, e.total, a.last_seq, e.entries from ledger_accounts a
      left join (select tenant_id, account_id, sum(amount) as total, count(*) as entries, max(seq) as last from ledger_entries group by 1, 2) e
        on e.tenant_id = a.tenant_id and e.account_id = a.id
      where a.balance <> coalesce(e.total, 0) or a.last_seq <> coalesce(e.last, 0) or a.last_seq <> coalesce(e.entries, 0)`,
  },
  {
    name: "each entry's previous balance is the balance before it",
    sql: `select tenant_id, account_id, seq from (
        select tenant_id, account_id, seq, amount, previous_balance, balance,
          lag(balance, 1, 0::numeric) over w as before, lag(seq, 1, 0::bigint) over w as seq_before
        from ledger_entries window w as (partition by tenant_id, account_id order by seq)) e
      where previous_balance <> before or balance <> previous_balance + amount or seq <> seq_before + 1`,
  },
  {
    name: "no wallet or hold is overdrawn",
    sql: `select tenant_id, id, kind, balance from ledger_accounts where kind in ('wallet', 'hold') and balance < 0`,
  },
  {
    name: "a merchant's hold is the sum of its open withdrawals and settlements",
    sql: `select coalesce(a.tenant_id, t.tenant_id) as tenant_id, coalesce(a.owner_id, t.merchant_id) as merchant_id, a.balance, t.open
      from (select tenant_id, owner_id, currency, balance from ledger_accounts where kind = 'hold') a
      full join (select tenant_id, merchant_id, currency, sum(merchant_amount) as open from (
          select tenant_id, merchant_id, currency, merchant_amount from transactions where kind = 'withdrawal' and status in ('pending', 'process')
          union all
          select tenant_id, merchant_id, currency, merchant_amount from transfers where kind = 'settlement' and status = 'pending') o
          group by 1, 2, 3) t
        on t.tenant_id = a.tenant_id and t.merchant_id = a.owner_id and t.currency = a.currency
      where coalesce(a.balance, 0) <> coalesce(t.open, 0)`,
  },
  {
    name: "one decision a transaction, net of recalls",
    sql: `select t.tenant_id, t.id, t.status, t.recalls, d.decisions from transactions t
      left join (select tenant_id, transaction_id, count(*) as decisions, min(round) as first, max(round) as last from decisions group by 1, 2) d
        on d.tenant_id = t.tenant_id and d.transaction_id = t.id
      where coalesce(d.decisions, 0) <> t.recalls + (t.status not in ('pending', 'process'))::integer
        or (d.decisions is not null and (d.first <> 1 or d.last <> d.decisions))`,
  },
  {
    name: "the status agrees with the decision",
    sql: `select t.tenant_id, t.id, t.status, d.outcome from transactions t
      join decisions d on d.tenant_id = t.tenant_id and d.transaction_id = t.id and d.round = t.recalls + 1
      where d.outcome <> case t.status when 'completed' then 'approved' else t.status end`,
  },
  {
    name: "the status agrees with the ledger's hold, settlement and release",
    sql: `select t.tenant_id, t.id, t.kind, t.status from transactions t
      left join (select tenant_id, transaction_id, count(*) filter (where kind = 'withdrawal.hold') as held,
          count(*) filter (where kind in ('withdrawal', 'deposit')) as settled,
          count(*) filter (where kind in ('withdrawal.recall', 'deposit.recall')) as recalled, count(*) filter (where kind = 'withdrawal.release') as released
        from ledger_groups where transaction_id is not null group by 1, 2) g
        on g.tenant_id = t.tenant_id and g.transaction_id = t.id
      where coalesce(g.settled, 0) - coalesce(g.recalled, 0) <> (t.status in ('approved', 'completed'))::integer
        or coalesce(g.held, 0) <> (t.kind = 'withdrawal')::integer
        or coalesce(g.released, 0) <> (t.kind = 'withdrawal' and t.status in ('rejected', 'expired'))::integer`,
  },
  {
    name: "a recall in the ledger is a recall in the history",
    sql: `select coalesce(e.tenant_id, g.tenant_id) as tenant_id, coalesce(e.transaction_id, g.transaction_id) as transaction_id
      from (select tenant_id, transaction_id, count(*) as n from transaction_events where act = 'recall' group by 1, 2) e
      full join (select tenant_id, transaction_id, count(*) as n from ledger_groups where kind in ('withdrawal.recall', 'deposit.recall') group by 1, 2) g
        on g.tenant_id = e.tenant_id and g.transaction_id = e.transaction_id
      where e.n is distinct from g.n`,
  },
  {
    name: "events are legal, contiguous and end in the status",
    sql: `select tenant_id, transaction_id, n from (
        select e.*, t.status, t.events, lag(e.to_status, 1, '') over w as was, lag(e.n, 1, 0) over w as n_before,
          row_number() over (partition by e.tenant_id, e.transaction_id order by e.n desc) as from_last
        from transaction_events e join transactions t on t.tenant_id = e.tenant_id and t.id = e.transaction_id
        window w as (partition by e.tenant_id, e.transaction_id order by e.n)) e
      where from_status <> was or n <> n_before + 1 or (from_last = 1 and (to_status <> status or n <> events))
        or not exists (select from transitions q where (q.kind, q.act, q.from_status, q.to_status) = (e.kind, e.act, e.from_status, e.to_status))
      union all
      select tenant_id, id, 0 from transactions t
      where not exists (select from transaction_events e where e.tenant_id = t.tenant_id and e.transaction_id = t.id)`,
  },
  {
    name: "amounts add up",
    sql: `select tenant_id, id from transactions
      where amount <= 0 or fee < 0 or charges < 0
        or final_amount <> case kind when 'deposit' then amount - charges else amount + charges end
        or merchant_amount <> case kind when 'deposit' then amount - fee else amount + fee end
          + case when charges_borne_by = 'house' then 0 when kind = 'deposit' then -charges else charges end`,
  },
  {
    name: "another amount than asked for is an approved one",
    sql: `select tenant_id, id, status from transactions
      where asked_amount is not null and status not in ('approved', 'completed') and first_approved_by is null`,
  },
  {
    name: "what the ledger moved is what the transaction says",
    sql: `select t.tenant_id, t.id, g.kind, e.amount from ledger_groups g
      join transactions t on t.tenant_id = g.tenant_id and t.id = g.transaction_id
      join ledger_entries e on e.tenant_id = g.tenant_id and e.group_id = g.id
      join payment_accounts p on p.tenant_id = e.tenant_id and p.ledger_account_id = e.account_id
      where g.kind in ('deposit', 'withdrawal') and t.status in ('approved', 'completed') and t.recalls = 0
        and (e.amount <> case t.kind when 'deposit' then t.final_amount else -t.final_amount end or p.id is distinct from t.payment_account_id)`,
  },
  {
    name: "a transfer's status agrees with its postings",
    sql: `select t.tenant_id, t.id, t.kind, t.status from transfers t
      left join (select tenant_id, transaction_id, count(*) filter (where kind in ('transfer', 'manual-transfer', 'clearing', 'adjustment', 'settlement')) as posted,
          count(*) filter (where kind like '%.recall') as recalled, count(*) filter (where kind = 'settlement.hold') as held,
          count(*) filter (where kind = 'settlement.release') as released
        from ledger_groups where transaction_id is not null group by 1, 2) g
        on g.tenant_id = t.tenant_id and g.transaction_id = t.id
      where coalesce(g.posted, 0) - coalesce(g.recalled, 0) <> (t.status in ('approved', 'completed'))::integer
        or coalesce(g.recalled, 0) <> t.recalls
        or coalesce(g.held, 0) <> (t.kind = 'settlement')::integer
        or coalesce(g.released, 0) <> (t.kind = 'settlement' and t.status = 'rejected')::integer`,
  },
  {
    name: "what the ledger moved is what the transfer says",
    sql: `select t.tenant_id, t.id, g.kind, p.id as account, e.amount from ledger_groups g
      join transfers t on t.tenant_id = g.tenant_id and t.id = g.transaction_id and t.kind = g.kind
      join ledger_entries e on e.tenant_id = g.tenant_id and e.group_id = g.id
      join ledger_accounts a on a.tenant_id = e.tenant_id and a.id = e.account_id
      left join payment_accounts p on p.tenant_id = e.tenant_id and p.ledger_account_id = e.account_id
      where case a.kind
        when 'payment-account' then not (p.id = t.source_id and e.amount = -t.final_amount or p.id = t.target_id and e.amount = t.amount)
        when 'wallet' then a.owner_id is distinct from t.merchant_id or e.amount <> case t.direction when 'credit' then t.amount else -t.amount end
        when 'hold' then a.owner_id is distinct from t.merchant_id or e.amount <> -t.merchant_amount
        when 'fee-income' then e.amount <> t.fee
        when 'bank-charges' then e.amount <> t.charges or t.charges_borne_by <> 'house'
        else e.amount <> t.amount and (t.direction is distinct from 'debit' or e.amount <> -t.amount) end`,
  },
  {
    name: "what is pending or posted of a transfer counts against limits, what was refused does not",
    sql: `select tenant_id, id, kind, status, limit_day from transfers
      where (limit_day is not null) <> (status <> 'rejected' and (source_id is not null or target_id is not null)
        and not (kind = 'clearing' and target_id is null))`,
  },
  {
    name: "a large transfer that is posted was approved by two",
    sql: `select tenant_id, id, kind, status from transfers
      where tier = 3 and status in ('approved', 'completed') and (first_approved_by is null or first_approved_by is not distinct from approved_by)`,
  },
  {
    name: "each act on a transfer is audited once",
    sql: `select t.tenant_id, t.id, t.version, a.acts from transfers t
      left join (select tenant_id, entity_id, count(*) as acts from audit_entries where entity = 'transfer' group by 1, 2) a
        on a.tenant_id = t.tenant_id and a.entity_id = t.id
      where t.version is distinct from a.acts`,
  },
  {
    name: "a transfer is completed once the bank's lines prove every side of it",
    sql: `select t.tenant_id, t.id, t.status, m.lines from transfers t
      left join (select tenant_id, transfer_id, count(*) as lines from bank_matches where undone_at is null and transfer_id is not null group by 1, 2) m
        on m.tenant_id = t.tenant_id and m.transfer_id = t.id
      where (t.status = 'completed') <> (t.status in ('approved', 'completed') and t.lines_needed > 0 and coalesce(m.lines, 0) = t.lines_needed)
        or (t.status = 'rejected' and m.lines is not null)`.replaceAll(
      "t.lines_needed",
      "((t.source_id is not null)::integer + (t.target_id is not null)::integer)",
    ),
  },
  {
    name: "an entry agrees with its posting and its account, and crosses no tenant or currency",
    sql: `select e.tenant_id, e.account_id, e.seq from ledger_entries e
      left join ledger_groups g on g.tenant_id = e.tenant_id and g.id = e.group_id
      left join ledger_accounts a on a.tenant_id = e.tenant_id and a.id = e.account_id
      where g.id is null or a.id is null or g.currency <> e.currency or a.currency <> e.currency or a.side <> e.side
        or e.account_kind is distinct from a.kind or e.rare_kind is distinct from rare_kind(a.kind, g.kind)`,
  },
  {
    name: "a day that is kept is what the ledger says of it, and begins with what the one before closed with",
    sql: daysBroken,
  },
  {
    name: "what is counted of an open day is what the ledger says of it",
    sql: partsBroken,
  },
  {
    name: "a merchant's number is used once",
    sql: `select tenant_id, merchant_id, kind, merchant_txn_no from transactions where merchant_txn_no is not null
      group by 1, 2, 3, 4 having count(*) > 1`,
  },
  {
    name: "a finished idempotency key has its effect",
    sql: `select i.tenant_id, i.actor, i.key from idempotency_keys i
      left join transaction_events e on e.tenant_id = i.tenant_id and e.transaction_id = i.transaction_id and e.n = i.event_n
      where i.status is not null and i.transaction_id is not null and e.n is null`,
  },
  {
    name: "one callback a decision, none without",
    sql: `select coalesce(e.tenant_id, o.tenant_id) as tenant_id, coalesce(e.transaction_id, o.transaction_id) as transaction_id, e.n, o.event_n
      from (select tenant_id, transaction_id, n from transaction_events where to_status in ${decided} and from_status <> to_status) e
      full join outbox o on o.tenant_id = e.tenant_id and o.transaction_id = e.transaction_id and o.event_n = e.n
      where e.n is null or o.id is null`,
  },
  {
    name: "of a transaction only the latest callback is sent, and what was superseded was so by a later one",
    sql: `select o.tenant_id, o.id, o.state from outbox o
      where (o.state = 'superseded') <> exists (select from outbox n
          where n.tenant_id = o.tenant_id and n.transaction_id = o.transaction_id and n.event_n > o.event_n)
        and o.state in ('superseded', 'pending', 'failed')`,
  },
  {
    name: "a recalled approval sent no callback",
    sql: `select o.tenant_id, o.id from outbox o
      join transaction_events e on e.tenant_id = o.tenant_id and e.transaction_id = o.transaction_id and e.n = o.event_n + 1 and e.act = 'recall'
      where o.state <> 'cancelled'`,
  },
  {
    name: "delivered means a 2xx, completed means delivered, and every attempt is kept",
    sql: `select o.tenant_id, o.id, o.state, o.attempts from outbox o
      join transactions t on t.tenant_id = o.tenant_id and t.id = o.transaction_id
      left join (select tenant_id, outbox_id, count(*) as n, max(n) as last, count(*) filter (where status between 200 and 299) as taken
          from callback_attempts group by 1, 2) a on a.tenant_id = o.tenant_id and a.outbox_id = o.id
      where o.attempts <> coalesce(a.n, 0) or o.attempts <> coalesce(a.last, 0) or (o.state = 'delivered' and coalesce(a.taken, 0) = 0)
        or (t.status = 'completed' and o.event_n = t.events - 1 and coalesce(a.taken, 0) = 0)`,
  },
  {
    name: "limit counters are what counts against them",
    sql: `select * from (
        select tenant_id, payment_account_id, kind, p.period, date_trunc(p.period, limit_day)::date as starts, sum(counted) as counted
        from (
          select tenant_id, payment_account_id, kind, limit_day, final_amount as counted from transactions
          union all
          select tenant_id, source_id, 'withdrawal', limit_day, final_amount from transfers where source_id is not null
          union all
          select tenant_id, target_id, 'deposit', limit_day, amount from transfers where target_id is not null) c
        cross join (values ('day'), ('month')) p (period) where limit_day is not null group by 1, 2, 3, 4, 5) t
      full join (select * from limit_usage where used <> 0) u using (tenant_id, payment_account_id, kind, period, starts)
      where coalesce(t.counted, 0) <> coalesce(u.used, 0)`,
  },
  {
    name: "what has ended well counts against a limit, what was refused does not",
    sql: `select tenant_id, id, status, limit_day from transactions
      where (limit_day is not null) <> case kind when 'deposit' then status not in ('rejected', 'expired') else status in ('approved', 'completed') end`,
  },
  {
    name: "no limit of today or this month is overrun",
    sql: `select u.tenant_id, u.payment_account_id, u.kind, u.period, u.used from limit_usage u
      join payment_accounts p on p.tenant_id = u.tenant_id and p.id = u.payment_account_id
      join currencies c on c.tenant_id = p.tenant_id and c.code = p.currency
      where u.starts = date_trunc(u.period, local_day(now(), c.zone_minutes))::date
        -- money that arrived late, by hand or in another amount is counted above a limit, never refused
        and u.used - coalesce((select sum(t.final_amount) from transactions t
            where t.tenant_id = u.tenant_id and t.payment_account_id = u.payment_account_id and t.kind = u.kind
              and date_trunc(u.period, t.limit_day)::date = u.starts
              and ((t.kind = 'deposit' and t.source = 'manual') or t.asked_amount is not null
                or (t.recalls > 0 and exists (select from transaction_events e
                  where e.tenant_id = t.tenant_id and e.transaction_id = t.id and e.act = 'reopen')))), 0)
          > case when u.kind = 'deposit' and u.period = 'day' then p.deposit_daily_limit when u.kind = 'deposit' then p.deposit_monthly_limit
          when u.period = 'day' then p.withdrawal_daily_limit else p.withdrawal_monthly_limit end`,
  },
  {
    name: "the audit chain is whole, to its head",
    sql: `select tenant_id, seq from (
        select c.*, lag(c.hash, 1, '\\x'::bytea) over w as hash_before, lag(c.seq, 1, 0::bigint) over w as seq_before
        from audit_chain c window w as (partition by c.tenant_id order by c.seq)) c
      left join lateral (select sha256(c.previous || audit_payload(e)) as hash from audit_entries e
        where e.tenant_id = c.tenant_id and e.id = c.entry_id) fresh on true
      where c.previous <> c.hash_before or c.seq <> c.seq_before + 1 or c.hash is distinct from fresh.hash
      union all
      select h.tenant_id, h.seq from audit_heads h
      left join lateral (select seq, hash from audit_chain c where c.tenant_id = h.tenant_id order by seq desc limit 1) last on true
      where h.seq <> coalesce(last.seq, 0) or h.hash <> coalesce(last.hash, '\\x')`,
  },
  {
    name: "every audit row is chained or waits for it",
    sql: `select e.tenant_id, e.id from audit_entries e
      left join audit_chain c on c.tenant_id = e.tenant_id and c.entry_id = e.id
      left join audit_unsealed u on u.tenant_id = e.tenant_id and u.entry_id = e.id
      where (c.entry_id is null) = (u.entry_id is null)
      union all
      select c.tenant_id, c.entry_id from audit_chain c
      where not exists (select from audit_heads h where h.tenant_id = c.tenant_id and h.seq >= c.seq)`,
  },
  {
    name: "each transition is audited once",
    sql: `select coalesce(e.tenant_id, a.tenant_id) as tenant_id, coalesce(e.transaction_id, a.entity_id) as transaction_id, e.n, a.event_n, a.times
      from transaction_events e
      full join (select tenant_id, entity_id, event_n, count(*) as times from audit_entries
          where entity in ('deposit', 'withdrawal') and event_n is not null group by 1, 2, 3) a
        on a.tenant_id = e.tenant_id and a.entity_id = e.transaction_id and a.event_n = e.n
      where e.n is null or a.times is distinct from 1`,
  },
  {
    name: "a bank line is matched to transactions whose sum it is, or to none",
    sql: `select l.tenant_id, l.id, l.status, l.amount, m.total from bank_lines l
      left join (select tenant_id, line_id, sum(amount) as total, count(*) as n, max(n) as last from bank_matches where undone_at is null group by 1, 2) m
        on m.tenant_id = l.tenant_id and m.line_id = l.id
      where (l.status = 'matched') <> (m.line_id is not null) or m.total <> l.amount or m.n <> m.last`,
  },
  {
    name: "a matched bank line is of its transactions' currency and direction",
    sql: `select m.tenant_id, m.id from bank_matches m
      join bank_lines l on l.tenant_id = m.tenant_id and l.id = m.line_id
      join transactions t on t.tenant_id = m.tenant_id and t.id = m.transaction_id
      where m.undone_at is null and (t.currency <> l.currency or (t.kind = 'deposit') <> (l.direction = 'credit'))
      union all
      select m.tenant_id, m.id from bank_matches m
      join bank_lines l on l.tenant_id = m.tenant_id and l.id = m.line_id
      join transfers t on t.tenant_id = m.tenant_id and t.id = m.transfer_id
      where m.undone_at is null and (t.currency <> l.currency or (m.side = 'source') <> (l.direction = 'debit')
        or l.payment_account_id is distinct from case m.side when 'source' then t.source_id else t.target_id end
        or l.amount not in (t.amount, t.final_amount))`,
  },
  {
    name: "every tenant keeps an active owner",
    sql: `select t.id as tenant_id from tenants t
      where exists (select from user_groups o where o.tenant_id = t.id and o.code = 'owner')
        and not exists (select from memberships m
        join users u on u.id = m.user_id and u.status = 'active'
        join membership_groups mg on mg.tenant_id = m.tenant_id and mg.user_id = m.user_id
        join user_groups g on g.tenant_id = mg.tenant_id and g.id = mg.group_id and g.code = 'owner'
        where m.tenant_id = t.id and m.status = 'active')`,
  },
];

interface Broken {
  readonly name: string;
  readonly rows: readonly Record<string, unknown>[];
}

/** The rows that break each invariant (at most 100 each), over all tenants. `client` is connected as the owner. */
export async function checkInvariants(client: ClientBase): Promise<Broken[]> {
  const results: Broken[] = [];
  for (const { name, sql } of invariants) {
    const { rows } = await client.query<Record<string, unknown>>(`select * from (${sql}) broken limit 100`);
    results.push({ name, rows });
  }
  return results;
}
