import type { ClientBase } from "pg";
import { moneyText } from "../../values/money.ts";
import type { Past } from "./history.ts";

/** Columns of the staging table, in order, with how a transaction fills each. */
const columns: readonly (readonly [name: string, type: string, of: (one: Past, number: number) => unknown])[] = [
  ["tenant_id", "uuid", (one) => one.book.tenant],
  ["id", "uuid", (one) => one.id],
  ["kind", "text", (one) => one.kind],
  ["status", "text", (one) => one.status],
  ["txn_no", "text", (one, number) => transactionNumber(one, number)],
  ["merchant_id", "uuid", (one) => one.merchant.id],
  ["merchant_txn_no", "text", (one, number) => `${one.merchant.code}-${77_000_000 + number}`],
  ["reference_no", "text", (one, number) => (one.account && one.processedAt ? `${one.account.code.slice(0, 3)}${81_000_000 + number * 7}` : null)],
  ["currency", "text", (one) => one.book.facts.currency],
  ["method", "text", (one) => one.method],
  ["member", "text", (one) => one.member.code],
  ["customer_name", "text", (one) => one.member.name],
  ["bank", "text", (one) => (one.kind === "withdrawal" ? one.member.bank : null)],
  ["account_number", "text", (one) => (one.kind === "withdrawal" ? one.member.number : null)],
  ["holder", "text", (one) => (one.kind === "withdrawal" ? one.holder : null)],
  ["amount", "numeric", (one) => moneyText(one.amount)],
  ["fee", "numeric", (one) => moneyText(one.fee)],
  ["charges", "numeric", (one) => moneyText(one.charges)],
  ["payment_account_id", "uuid", (one) => one.account?.id ?? null],
  ["first_account_id", "uuid", (one) => (one.firstAt ? (one.account ?? one.proposed)?.id : null)],
  ["created_ms", "bigint", (one) => one.createdAt],
  ["processed_ms", "bigint", (one) => one.processedAt],
  ["first_ms", "bigint", (one) => one.firstAt],
  ["approved_before_ms", "bigint", (one) => one.recall?.approvedAt ?? null],
  ["recalled_ms", "bigint", (one) => one.recall?.recalledAt ?? null],
  ["decided_ms", "bigint", (one) => one.decidedAt],
  ["completed_ms", "bigint", (one) => one.completedAt],
  ["expires_ms", "bigint", (one) => one.expiresAt],
  ["operator_id", "uuid", (one) => one.operator?.id ?? null],
  ["first_by", "uuid", (one) => one.first?.id ?? null],
  ["reason", "text", (one) => one.reason],
];

/** "W2611210004821": kind, local day, number. */
function transactionNumber(one: Past, number: number): string {
  const local = new Date(one.createdAt + one.book.facts.zoneMinutes * 60_000).toISOString();
  return `${one.kind === "deposit" ? "D" : "W"}${local.slice(2, 10).replaceAll("-", "")}${String(number).padStart(7, "0")}`;
}

/** Puts the history, in the order of creation over all books, into the temporary table `past`. */
export async function stagePast(client: ClientBase, past: readonly Past[], firstNumber: number, now: number): Promise<void> {
  await client.query(`create temp table now_is on commit drop as select ${instant(String(now))} as at`);
  const table = columns.map(([name, type]) => `${name} ${type}`).join(", ");
  await client.query(`create temp table past (${table}) on commit drop`);
  const chunk = 10_000;
  for (let from = 0; from < past.length; from += chunk) {
    const rows = past.slice(from, from + chunk);
    await client.query(
      `insert into past select * from unnest(${columns.map(([, type], n) => `$${n + 1}::${type}[]`).join(", ")})`,
      columns.map(([, , of]) => rows.map((one, n) => of(one, firstNumber + from + n))),
    );
  }
}

/** Derives everything else from `past`: ledger, transactions, events, decisions, limits, callbacks, audit. */
export async function derivePast(client: ClientBase): Promise<void> {
  for (const statement of statements) await client.query(statement);
}

/** A time-ordered uuid of an instant and a key: the same seed gives the same ids. */
const timedUuid = (at: string, key: string) =>
  `(lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0') || '7' || substr(md5(${key}), 1, 3) || '8' || substr(md5(${key}), 4, 15))::uuid`;
const instant = (column: string) => `timestamptz 'epoch' + ${column} * interval '1 millisecond'`;

const moments = ["created", "processed", "first", "approved_before", "recalled", "decided", "completed", "expires"];

/** `past` with instants, names and the accounts its money moves between. */
const known = `
  create temp table known on commit drop as
  select p.*, ${moments.map((name) => `${instant(`p.${name}_ms`)} as ${name}_at`).join(", ")},
    case p.kind when 'deposit' then p.amount - p.charges else p.amount + p.charges end as final_amount,
    case p.kind when 'deposit' then p.amount - p.fee else p.amount + p.fee end as merchant_amount,
    p.status in ('approved', 'completed') as settled,
    m.name as merchant_name, m.callback_url, c.zone_minutes,
    wallet.id as wallet, hold.id as hold, fees.id as fees, bank.id as bank_charges, a.ledger_account_id as paying,
    coalesce(u.name, 'system') as operator_name, f.name as first_name
  from past p
  join merchants m on m.tenant_id = p.tenant_id and m.id = p.merchant_id
  join currencies c on c.tenant_id = p.tenant_id and c.code = p.currency
  join ledger_accounts wallet on wallet.tenant_id = p.tenant_id and wallet.kind = 'wallet' and wallet.owner_id = p.merchant_id
  join ledger_accounts hold on hold.tenant_id = p.tenant_id and hold.kind = 'hold' and hold.owner_id = p.merchant_id
  join ledger_accounts fees on fees.tenant_id = p.tenant_id and fees.kind = 'fee-income' and fees.currency = p.currency
  join ledger_accounts bank on bank.tenant_id = p.tenant_id and bank.kind = 'bank-charges' and bank.currency = p.currency
  left join payment_accounts a on a.tenant_id = p.tenant_id and a.id = p.payment_account_id
  left join users u on u.id = p.operator_id
  left join users f on f.id = p.first_by`;

/** Every posting: what the ledger calls it, when, by whom, and its legs. `legs` is {account, amount} pairs. */
const postings = `
  create temp table postings on commit drop as
  select k.tenant_id, k.currency, k.id as transaction_id, g.kind, g.at, g.by_user, g.legs, ${timedUuid("g.at", "k.id || g.kind || g.n")} as group_id
  from known k cross join lateral (
    select 'deposit' as kind, 1 as n, k.decided_at as at, k.operator_id as by_user,
      jsonb_build_array(k.paying, k.final_amount, k.wallet, k.merchant_amount, k.fees, k.fee, k.bank_charges, k.charges) as legs
      where k.kind = 'deposit' and k.settled
    union all
    select 'withdrawal.hold', 1, k.created_at, null, jsonb_build_array(k.wallet, -k.merchant_amount, k.hold, k.merchant_amount)
      where k.kind = 'withdrawal'
    union all
    select 'withdrawal', s.n, s.at, k.operator_id,
      jsonb_build_array(k.hold, s.sign * -k.merchant_amount, k.paying, s.sign * -k.final_amount, k.fees, s.sign * k.fee, k.bank_charges, s.sign * k.charges)
      from (values (1, k.approved_before_at, 1), (3, k.decided_at, 1)) s (n, at, sign)
      where k.kind = 'withdrawal' and k.settled and s.at is not null
    union all
    select 'withdrawal.recall', 2, k.recalled_at, k.operator_id,
      jsonb_build_array(k.hold, k.merchant_amount, k.paying, k.final_amount, k.fees, -k.fee, k.bank_charges, -k.charges)
      where k.recalled_at is not null
    union all
    select 'withdrawal.release', 1, k.decided_at, k.operator_id, jsonb_build_array(k.wallet, k.merchant_amount, k.hold, -k.merchant_amount)
      where k.kind = 'withdrawal' and k.status in ('rejected', 'expired')
  ) g`;

const entries = `
  create temp table entries on commit drop as
  select p.tenant_id, l.account, p.group_id, p.currency, p.at, p.transaction_id, p.kind, l.amount,
    row_number() over w as seq, sum(l.amount) over (w rows unbounded preceding) as balance
  from (
    select * from postings
    union all
    select o.tenant_id, o.currency, null, 'opening', o.at, null, jsonb_build_array(o.account, o.amount, o.counter, o.side * o.amount),
      ${timedUuid("o.at", "o.account || 'opening'")}
    from openings o
  ) p
  cross join lateral (
    select (p.legs ->> n)::uuid as account, (p.legs ->> (n + 1))::numeric as amount
    from generate_series(0, jsonb_array_length(p.legs) - 2, 2) n
  ) l
  where l.amount <> 0
  window w as (partition by l.account order by p.at, p.group_id)`;

/** Every event with its place in the transaction's history. */
const events = `
  create temp table events on commit drop as
  select k.tenant_id, k.id, k.kind, row_number() over (partition by k.id order by e.place) as n, e.act, e.was, e.is_now, e.at, e.by_user, e.actor,
    e.by_merchant, case when e.act = 'reject' then k.reason end as reason,
    case when e.is_now in ('approved', 'rejected', 'expired') then e.is_now end as outcome, 1 + (e.place > 5)::integer as round,
    e.place = 4 as taken_back
  from known k cross join lateral (
    select 1 as place, 'create' as act, '' as was, 'pending' as is_now, k.created_at as at, null::uuid as by_user, k.merchant_name as actor, true as by_merchant
    union all
    select 2, case k.kind when 'deposit' then 'process' else 'claim' end, 'pending', 'process', k.processed_at,
      case k.kind when 'withdrawal' then coalesce(k.first_by, k.operator_id) end,
      case k.kind when 'deposit' then k.merchant_name else coalesce(k.first_name, k.operator_name) end, k.kind = 'deposit'
      where k.processed_at is not null
    union all
    select 3, 'first-approve', 'process', 'process', k.first_at, k.first_by, k.first_name, false where k.first_at is not null
    union all
    select 4, 'approve', 'process', 'approved', k.approved_before_at, k.operator_id, k.operator_name, false where k.recalled_at is not null
    union all
    select 5, 'recall', 'approved', 'process', k.recalled_at, k.operator_id, k.operator_name, false where k.recalled_at is not null
    union all
    select case when k.recalled_at is null then 5 else 6 end,
      case when k.status = 'expired' then 'expire' when k.status = 'rejected' then 'reject' when k.first_at is null then 'approve' else 'second-approve' end,
      case when k.processed_at is null then 'pending' else 'process' end, case when k.settled then 'approved' else k.status end,
      k.decided_at, k.operator_id, k.operator_name, false
      where k.decided_at is not null
    union all
    select 7, 'complete', 'approved', 'completed', k.completed_at, null, 'system', false where k.completed_at is not null
  ) e`;

const localDay = (at: string) => `((${at} at time zone 'UTC') + k.zone_minutes * interval '1 minute')::date`;

const transactions = `
  insert into transactions (tenant_id, id, kind, txn_no, merchant_id, merchant_txn_no, reference_no, status, version, currency, method, member,
    customer_name, bank, account_number, holder, amount, fee, charges, final_amount, merchant_amount, previous_balance, payment_account_id,
    payment_date, limit_day, events, recalls, first_approved_by, first_approved_at, first_account_id, expires_at, created_at, processed_at,
    processed_by, approved_at, approved_by, rejected_at, rejected_by, reject_reason, expired_at, completed_at, last_action_at, last_action_by)
  select k.tenant_id, k.id, k.kind, k.txn_no, k.merchant_id, k.merchant_txn_no, k.reference_no, k.status, e.n, k.currency, k.method, k.member,
    k.customer_name, k.bank, k.account_number, k.holder, k.amount, k.fee, k.charges, k.final_amount, k.merchant_amount, w.balance - w.amount,
    k.payment_account_id, case k.kind when 'deposit' then k.processed_at when 'withdrawal' then case when k.settled then k.decided_at end end,
    case when k.kind = 'deposit' and k.status not in ('rejected', 'expired') then ${localDay("k.created_at")}
      when k.kind = 'withdrawal' and k.settled then ${localDay("k.decided_at")} end,
    e.n, (k.recalled_at is not null)::integer, k.first_by, k.first_at, k.first_account_id, k.expires_at, k.created_at, k.processed_at,
    case k.kind when 'withdrawal' then coalesce(k.first_by, k.operator_id) end,
    case when k.settled then k.decided_at end, case when k.settled then k.operator_id end,
    case k.status when 'rejected' then k.decided_at end, case k.status when 'rejected' then k.operator_id end, k.reason,
    case k.status when 'expired' then k.decided_at end, k.completed_at, e.at, e.by_user
  from known k
  join (select distinct on (id) id, n, at, by_user from events order by id, n desc) e on e.id = k.id
  left join entries w on w.transaction_id = k.id and w.account = k.wallet and w.kind in ('deposit', 'withdrawal.hold')
  order by k.created_at`;

/** Chains the audit rows as audit_seal() does, a tenant at a time, without its row by row writing. */
const seal = `do $$
declare
  tenant uuid;
  entry record;
  head bytea;
  place bigint;
  entries uuid[];
  links bytea[];
begin
  for tenant in select distinct tenant_id from past loop
    head := '\\x'; place := 0; entries := '{}'; links := '{}';
    for entry in select e.id, audit_payload(e) as payload from audit_entries e where e.tenant_id = tenant order by e.id loop
      head := sha256(head || entry.payload);
      entries := entries || entry.id;
      links := links || head;
    end loop;
    insert into audit_chain (tenant_id, seq, entry_id, previous, hash)
      select tenant, n, entry_id, coalesce(lag(hash) over (order by n), '\\x'), hash
      from unnest(entries, links) with ordinality as link (entry_id, hash, n);
    insert into audit_heads (tenant_id, seq, hash) values (tenant, cardinality(entries), head);
    delete from audit_unsealed where tenant_id = tenant;
  end loop;
end $$`;

/** How many attempts of the schedule have been made by now for a callback nobody acknowledges (seconds since the first). */
const attemptsMade = `(select count(*) from unnest(array[0, 5, 305, 2105, 9305, 27305, 63305, 113705, 185705, 272105]) s
  where e.at + interval '6 seconds' + s * interval '1 second' <= now_is.at)`;

const callbacks = `
  create temp table callbacks on commit drop as
  select e.tenant_id, ${timedUuid("e.at", "e.id || 'callback' || e.n")} as id, k.merchant_id, e.id as transaction_id, e.n, k.callback_url, e.at,
    k.kind || '.' || e.outcome as type, k.settled and k.completed_at is null as unanswered, e.taken_back, abs(hashtext(e.id::text)) as chance,
    case when e.taken_back then 0 when k.settled and k.completed_at is null then ${attemptsMade}
      when abs(hashtext(e.id::text)) % 25 = 0 then 2 else 1 end as attempts
  from events e join known k on k.id = e.id cross join now_is
  where e.outcome is not null`;

const isoText = (at: string) => `to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const body = `json_build_object('type', c.type, 'timestamp', ${isoText("c.at")}, 'data', json_build_object(
  'uuid', k.id, 'txn_no', k.txn_no, 'merchant_txn_no', k.merchant_txn_no, 'type', k.kind, 'status', split_part(c.type, '.', 2),
  'currency', k.currency, 'amount', to_char(k.amount, 'FM999999999999990.00'), 'fee', to_char(k.fee, 'FM999999999999990.00'),
  'merchant_receive', case k.kind when 'deposit' then to_char(k.merchant_amount, 'FM999999999999990.00') end,
  'reject_reason', k.reason, 'created_at', ${isoText("k.created_at")}, 'updated_at', ${isoText("c.at")}))::text`;

const statements: readonly string[] = [
  known,
  postings,
  entries,
  `insert into ledger_groups (tenant_id, id, kind, currency, transaction_id, by_user, created_at)
    select tenant_id, group_id, kind, currency, transaction_id, by_user, at from postings
    union all
    select tenant_id, group_id, kind, currency, null, null, min(at) from entries where kind = 'opening' group by 1, 2, 3, 4`,
  `insert into ledger_entries (tenant_id, account_id, seq, group_id, currency, side, amount, previous_balance, balance, created_at)
    select e.tenant_id, e.account, e.seq, e.group_id, e.currency, a.side, e.amount, e.balance - e.amount, e.balance, e.at
    from entries e join ledger_accounts a on a.tenant_id = e.tenant_id and a.id = e.account`,
  `update ledger_accounts a set balance = e.balance, last_seq = e.seq
    from (select distinct on (account) tenant_id, account, balance, seq from entries order by account, seq desc) e
    where a.tenant_id = e.tenant_id and a.id = e.account`,
  events,
  transactions,
  `insert into transaction_events (tenant_id, transaction_id, n, kind, act, from_status, to_status, at, by_user, actor, reason)
    select tenant_id, id, n, kind, act, was, is_now, at, by_user, actor, reason from events`,
  `insert into decisions (tenant_id, transaction_id, round, outcome, event_n, by_user, at)
    select tenant_id, id, row_number() over (partition by id order by n), outcome, n, by_user, at from events where outcome is not null`,
  `insert into limit_usage (tenant_id, payment_account_id, kind, period, starts, used)
    select tenant_id, payment_account_id, kind, p.period, date_trunc(p.period, limit_day)::date, sum(amount)
    from transactions cross join (values ('day'), ('month')) p (period)
    where limit_day is not null and id in (select id from past) group by 1, 2, 3, 4, 5`,
  `update payment_accounts a set last_used_at = t.at
    from (select payment_account_id as id, max(last_action_at) as at from transactions group by 1) t where a.id = t.id`,
  callbacks,
  `insert into outbox (tenant_id, id, merchant_id, transaction_id, event_n, url, body, state, attempts, next_attempt_at, created_at, delivered_at)
    select c.tenant_id, c.id, c.merchant_id, c.transaction_id, c.n, c.callback_url, ${body},
      case when c.taken_back then 'cancelled' when not c.unanswered then 'delivered' when c.attempts = 10 then 'failed' else 'pending' end,
      c.attempts, case when c.unanswered and c.attempts < 10 then n.at + interval '20 seconds' end, c.at,
      case when not c.unanswered and not c.taken_back then c.at + interval '7 seconds' end
    from callbacks c join known k on k.id = c.transaction_id cross join now_is n`,
  `insert into callback_attempts (tenant_id, outbox_id, n, at, status, milliseconds, answer, error)
    select c.tenant_id, c.id, n, case when c.unanswered then c.at + interval '6 seconds' + s.after * interval '1 second'
        else c.at + interval '7 seconds' - (c.attempts - n) * interval '500 milliseconds' end,
      case when c.unanswered or n < c.attempts then 503 else 200 end, 20 + (c.chance + n * 7) % 230,
      case when c.unanswered or n < c.attempts then '{"error":"try again"}' else '{"received":true}' end, null
    from callbacks c
    cross join unnest(array[0, 5, 305, 2105, 9305, 27305, 63305, 113705, 185705, 272105]) with ordinality s (after, n)
    where n <= c.attempts`,
  `insert into audit_entries (tenant_id, id, at, actor_kind, actor_id, actor_name, act, entity, entity_id, event_n, before, after, reason)
    select e.tenant_id, ${timedUuid("e.at", "e.id || 'audit' || e.n")}, e.at,
      case when e.by_user is not null then 'user' when e.by_merchant then 'merchant' else 'system' end,
      coalesce(e.by_user, case when e.by_merchant then k.merchant_id end), e.actor, e.kind || '.' || e.act, e.kind, e.id, e.n,
      case when e.was <> '' then jsonb_build_object('status', e.was) end, jsonb_build_object('status', e.is_now), e.reason
    from events e join known k on k.id = e.id`,
  seal,
];
