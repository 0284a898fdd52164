import type { ClientBase } from "pg";
import { historyTables } from "./load.ts";
import { withoutIndexes } from "./indexes.ts";
import { otherScripts } from "./names.ts";

/**
 * The customers of the copies, by the member each takes the place of: the first of a member's generations is the member. Names are made of
 * those there are, or of $1 (names.ts: otherScripts), and an account number differs in its last six digits.
 */
const people = `create temp table people on commit drop as
  with members as (select tenant_id, merchant_id, member, currency, min(customer_name) as name, min(account_number) as account_number
    from transactions group by 1, 2, 3, 4),
  words as (select currency, array_agg(distinct split_part(name, ' ', 1)) as first, array_agg(distinct substr(name, strpos(name, ' '))) as last
    from members group by 1),
  drawn as (select m.*, generation, abs(hashtext(m.merchant_id || m.member || generation)::bigint) as h
    from members m cross join generate_series(0, (select max(round) / 4 from copies)) generation)
  select d.tenant_id, d.merchant_id, d.member, d.generation,
    d.member || case when generation > 0 then '.' || generation else '' end as code,
    case when generation = 0 then d.name
      when s.script is null then w.first[1 + h % cardinality(w.first)]
        || case when h / 3 % 2 = 0 then w.last[1 + h / 13 % cardinality(w.last)] else '' end || w.last[1 + h / 1009 % cardinality(w.last)]
      else (s.script -> 'first' ->> (h / 7 % jsonb_array_length(s.script -> 'first'))::integer)
        || (s.script -> 'last' ->> (h / 1009 % jsonb_array_length(s.script -> 'last'))::integer) end as name,
    case when generation = 0 then d.account_number
      else left(d.account_number, -6) || lpad((h % 1000000)::text, 6, '0') end as account_number
  from drawn d join words w using (currency)
  left join lateral (select $1::jsonb -> (h % 16)::integer as script) s on true`;

interface ManyOptions {
  /** Copies what the ledger has of the transactions, too. */
  readonly movements?: boolean;
  /**
   * Lays the copies evenly on this many days up to today, with their decisions, instead of ever further back; the ledger is numbered and
   * summed anew, so that each entry begins with the balance before it. Left out: ever further back.
   */
  readonly days?: number;
}

/**
 * Copies a seeded demo's decided transactions until there are `count`, so that lists, filters, search, counters and reports have many rows.
 * Every four rounds of copies have customers of their own, so that names and payees grow with the rows; some are written in other scripts.
 * The copies have no audit rows, so the invariants do not hold: for benchmarks only. `client` is connected as the owner, a superuser.
 */
export async function seedMany(client: ClientBase, count: number, { movements = false, days }: ManyOptions = {}): Promise<void> {
  await client.query("begin");
  try {
    const { rows } = await client.query<{ all: string; decided: string }>(
      "select count(*) as all, count(*) filter (where status not in ('pending', 'process')) as decided from transactions",
    );
    const missing = count - Number(rows[0]?.all);
    const decided = Number(rows[0]?.decided);
    if (missing > 0 && decided === 0) throw new Error("there is no demo to multiply");
    if (missing > 0) {
      const columns = await columnsOf(client);
      const changed: Record<string, string> = {
        id: "t.copy_id",
        txn_no: "left(t.txn_no, 1) || to_char(t.created_at - t.back, 'YYMMDD') || t.number",
        merchant_txn_no: "split_part(t.merchant_txn_no, '~', 1) || '~' || t.number",
        limit_day: "null",
        member: "p.code",
        customer_name: "p.name",
        account_number: "case when t.account_number is not null then p.account_number end",
        holder: "case when t.holder is not null then upper(p.name) end",
      };
      const value = (name: string) =>
        changed[name] ?? (name.endsWith("_at") || name.endsWith("_until") || name === "payment_date" ? `t.${name} - t.back` : `t.${name}`);
      // foreign keys hold because the copies keep their originals', and the triggers' work is done below
      await client.query("set local session_replication_role = replica");
      await withoutIndexes(client, historyTables, async () => {
        await client.query(
          `create temp table copies on commit drop as
           select t.tenant_id, t.id, uuidv7(-back) as copy_id, nextval('transaction_numbers') as number, round, back
           from (${days === undefined ? furtherBack : withinDays}) t`,
          [Math.ceil(missing / decided), missing, ...(days === undefined ? [] : [days])],
        );
        await client.query(people, [JSON.stringify(otherScripts)]);
        await client.query("analyze copies, people");
        await client.query(
          `insert into transactions (${columns.join(", ")}) select ${columns.map(value).join(", ")}
           from (select t.*, c.copy_id, c.number, c.round, c.back from copies c join transactions t using (tenant_id, id)) t
           join people p using (tenant_id, merchant_id, member) where p.generation = t.round / 4`,
        );
        if (days !== undefined) await copyDecisions(client, days);
      });
      await client.query("call fill_search_terms()");
      if (movements) await copyMovements(client);
      if (movements && days !== undefined) await numberAnew(client);
      await client.query("set local session_replication_role = origin");
    }
    await client.query("commit");
    await client.query(movements ? "analyze transactions, ledger_groups, ledger_entries, ledger_accounts" : "analyze transactions");
  } catch (error) {
    await client.query("rollback").catch(() => undefined); // the connection may be what failed
    throw error;
  }
}

/** Each round of copies thirty days before the one before it. */
const furtherBack = `select t.*, round, round * interval '30 days' as back from transactions t, generate_series(1, $1::integer) round
  where status not in ('pending', 'process') order by round, t.created_at limit $2`;

/** One copy after the other on another day, at the time of day of its original; on today between its beginning and now. */
const withinDays = `select t.*, case when d.ago > 0 then (local_day(t.created_at, t.zone_minutes) - t.today + d.ago) * interval '24 hours'
      else t.last_action_at - (now() - (now() - day_start(t.today, t.zone_minutes)) * ((t.nth / $3::integer) % 997) / 997.0) end as back
  from (select t.*, row_number() over (order by round, t.created_at, t.id) as nth
    from (select t.*, round, c.zone_minutes, local_day(now(), c.zone_minutes) as today
      from transactions t join currencies c on c.tenant_id = t.tenant_id and c.code = t.currency, generate_series(1, $1::integer) round
      where t.status not in ('pending', 'process') order by round, t.created_at, t.id limit $2) t) t
  cross join lateral (select (t.nth % $3::integer)::integer as ago) d`;

/** What was decided of the copies, and when, as if by transactions one after the other: the reports count it. */
async function copyDecisions(client: ClientBase, days: number): Promise<void> {
  await client.query(
    `insert into transaction_events (tenant_id, transaction_id, n, kind, act, from_status, to_status, at, by_user, actor, reason, xact)
    select v.tenant_id, c.copy_id, v.n, v.kind, v.act, v.from_status, v.to_status, v.at - c.back, v.by_user, v.actor, v.reason,
      (3 + floor((pg_current_xact_id()::text::bigint - 3) * greatest(0, 1 - extract(epoch from now() - v.at + c.back) / (86400.0 * $1))))::bigint::text::xid8
    from copies c join transaction_events v on v.tenant_id = c.tenant_id and v.transaction_id = c.id
    where v.to_status in ('approved', 'rejected', 'expired') or v.act = 'recall'`,
    [days],
  );
}

/** An account's copied entries come before its own, so their numbers are below zero. */
async function copyMovements(client: ClientBase): Promise<void> {
  await client.query(`create temp table group_copies on commit drop as
    select g.tenant_id, g.id, uuidv7(-c.back) as copy_id, c.copy_id as transaction_id, c.back
    from copies c join ledger_groups g on g.tenant_id = c.tenant_id and g.transaction_id = c.id`);
  await client.query("analyze group_copies");
  await withoutIndexes(client, ["ledger_groups", "ledger_entries"], async () => {
    await client.query(`insert into ledger_groups (tenant_id, id, kind, currency, transaction_id, by_user, reason, created_at)
      select g.tenant_id, c.copy_id, g.kind, g.currency, c.transaction_id, g.by_user, g.reason, g.created_at - c.back
      from group_copies c join ledger_groups g using (tenant_id, id)`);
    await client.query(`insert into ledger_entries
        (tenant_id, account_id, seq, group_id, currency, side, amount, previous_balance, balance, account_kind, rare_kind, created_at)
      select e.tenant_id, e.account_id,
        -row_number() over (partition by e.tenant_id, e.account_id order by e.created_at - c.back desc, e.seq desc),
        c.copy_id, e.currency, e.side, e.amount, e.previous_balance, e.balance, e.account_kind, e.rare_kind, e.created_at - c.back
      from group_copies c join ledger_entries e on e.tenant_id = c.tenant_id and e.group_id = c.id`);
  });
}

/**
 * Numbers each account's entries by their time and lets each begin with the balance the one before it ended with; the first brings as much
 * more as the account would be below zero at its lowest.
 */
async function numberAnew(client: ClientBase): Promise<void> {
  await client.query(`create temp table numbered on commit drop as
    select e.*, case when e.nth = 1 then e.lacking else 0 end as brought
    from (select e.*, greatest(0, 1 - min(e.reached) over (partition by e.tenant_id, e.account_id)) as lacking
      from (select e.*, row_number() over w as nth, sum(e.amount) over w as reached from ledger_entries e
        window w as (partition by e.tenant_id, e.account_id order by e.created_at, e.seq rows unbounded preceding)) e) e`);
  await withoutIndexes(client, ["ledger_entries"], async () => {
    await client.query("truncate ledger_entries");
    await client.query(`insert into ledger_entries
        (tenant_id, account_id, seq, group_id, xact, currency, side, amount, previous_balance, balance, account_kind, rare_kind, created_at)
      select tenant_id, account_id, nth, group_id, xact, currency, side, amount + brought, reached - amount + lacking - brought,
        reached + lacking, account_kind, rare_kind, created_at
      from numbered`);
  });
  await client.query(`update ledger_accounts a set last_seq = n.seq, balance = n.balance
    from (select distinct on (tenant_id, account_id) tenant_id, account_id, seq, balance from ledger_entries
      order by tenant_id, account_id, seq desc) n
    where a.tenant_id = n.tenant_id and a.id = n.account_id`);
}

async function columnsOf(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    "select attname as name from pg_attribute where attrelid = 'transactions'::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum",
  );
  return rows.map(({ name }) => name);
}
