import { sql } from "kysely";
import type { LiveBalance, liveBalanceRoutes, LiveMeta, LiveQuery, OpenItem } from "../../contract/live-balances.ts";
import { mostItems, pointMinutes } from "../../contract/live-balances.ts";
import { isAskedFor } from "../../contract/live-shows.ts";
import { Refusal } from "../../contract/problems.ts";
import { amountText, money, moneyText } from "../../values/money.ts";
import type { AccountRow } from "../accounts/account-rows.ts";
import { accountsOf, accountView } from "../accounts/account-rows.ts";
import { historyOf } from "../audit/records.ts";
import { statementBalanceOf } from "../bank-lines/balances.ts";
import type { StaffCall } from "../call.ts";
import { requestedTotals } from "../db/keyset.ts";
import type { Scoped } from "../db/scope.ts";
import { inTenant } from "../db/scope.ts";
import type { Handlers } from "../handlers.ts";
import { linkedRecords } from "../records/links.ts";

interface LiveRow extends AccountRow {
  readonly in_count: number;
  readonly in_amount: string;
  readonly out_count: number;
  readonly out_amount: string;
  readonly read_at: Date | null;
}

/**
 * What uses the account `a`, with what it gains, or with a minus loses, by it: its open deposits, the open withdrawals a first approver
 * chose it for, and its pending transfers.
 */
const openOf = (tenant: string) => sql`select o.id, o.kind, o.status, o.txn_no, o.customer_name as party,
      case o.kind when 'deposit' then o.final_amount else -o.final_amount end as gain, o.created_at
    from transactions o where o.tenant_id = ${tenant} and o.payment_account_id = a.id and o.kind in ('deposit', 'withdrawal')
      and o.status in ('pending', 'process')
  union all
  select o.id, o.kind, o.status, o.txn_no, o.customer_name, -o.final_amount, o.created_at
    from transactions o where o.tenant_id = ${tenant} and o.first_account_id = a.id and o.payment_account_id is null
      and o.kind = 'withdrawal' and o.status in ('pending', 'process')
  union all
  select o.id, 'transfer', o.status, o.txn_no, coalesce(m.name, t.code, ''), -o.final_amount, o.created_at
    from transfers o left join payment_accounts t on t.tenant_id = o.tenant_id and t.id = o.target_id
      left join merchants m on m.tenant_id = o.tenant_id and m.id = o.merchant_id
    where o.tenant_id = ${tenant} and o.source_id = a.id and o.status = 'pending'
  union all
  select o.id, 'transfer', o.status, o.txn_no, coalesce(s.code, ''), o.amount, o.created_at
    from transfers o left join payment_accounts s on s.tenant_id = o.tenant_id and s.id = o.source_id
    where o.tenant_id = ${tenant} and o.target_id = a.id and o.status = 'pending'`;

async function find(db: Scoped, call: StaffCall, ids: readonly string[] | undefined): Promise<LiveRow[]> {
  const { tenant } = call;
  const named = ids === undefined ? sql`` : sql`where a.id = any(${ids}::uuid[])`;
  const { rows } = await sql<LiveRow>`select a.*, u.in_count, u.in_amount, u.out_count, u.out_amount,
      (select max(l.created_at) from bank_lines l where l.tenant_id = ${tenant} and l.payment_account_id = a.id) as read_at
    from (${accountsOf(call)}) a
    cross join lateral (select count(*) filter (where o.gain >= 0)::integer as in_count,
        coalesce(sum(o.gain) filter (where o.gain >= 0), 0) as in_amount,
        count(*) filter (where o.gain < 0)::integer as out_count,
        coalesce(-sum(o.gain) filter (where o.gain < 0), 0) as out_amount
      from (${openOf(tenant)}) o) u
    ${named} order by a.code, a.id`.execute(db);
  return rows;
}

const liveView = (row: LiveRow): LiveBalance => ({
  ...accountView(row),
  critical_since: row.critical_since && row.critical_since.toISOString(),
  open_in: { count: row.in_count, amount: amountText(row.in_amount) },
  open_out: { count: row.out_count, amount: amountText(row.out_amount) },
  read_at: row.read_at && row.read_at.toISOString(),
});

interface Times {
  readonly now: Date;
  readonly day: Date;
  readonly next: Date;
  readonly month: Date;
}

/** Now, and when the currency's day began, when it and its month end. */
async function timesOf(db: Scoped, { currencyFacts: { zoneMinutes } }: StaffCall): Promise<Times> {
  const { rows } = await sql<Times>`select n.at as now, day_start(d.day, ${zoneMinutes}::integer) as day,
      day_start(d.day + 1, ${zoneMinutes}::integer) as next,
      day_start((date_trunc('month', d.day) + interval '1 month')::date, ${zoneMinutes}::integer) as month
    from (select clock_timestamp() as at) n, local_day(n.at, ${zoneMinutes}::integer) d (day)`.execute(db);
  const [times] = rows;
  if (!times) throw new Error("the database knows the time");
  return times;
}

const metaOf = ({ now, day, next, month }: Times): LiveMeta => ({
  at: now.toISOString(),
  day_starts_at: day.toISOString(),
  day_ends_at: next.toISOString(),
  month_ends_at: month.toISOString(),
});

/** Those of the accounts that a query filters by, in its order. */
function askedFor(rows: readonly LiveBalance[], query: LiveQuery, meta: LiveMeta): LiveBalance[] {
  const { q, "filter[show]": show, "filter[bank]": bank, "filter[type]": type, "filter[state]": state, "filter[status]": status } = query;
  const asked = rows.filter((row) => isAskedFor(row, { q, show, bank, type, state, status }, meta));
  return query.sort === undefined ? asked : asked.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1));
}

/** What a list is asked for with `with`. */
function totalsOf(rows: readonly LiveBalance[], { with: requested }: LiveQuery): Partial<LiveMeta> {
  const { count, sums, oldest } = requestedTotals(requested);
  return {
    ...(count && { count: rows.length }),
    ...(sums && { sums: { balance: moneyText(rows.reduce((all, { balance }) => all + money(balance), money("0"))) } }),
    ...(oldest && { oldest_at: rows.map(({ created_at }) => created_at).toSorted()[0] ?? null }),
  };
}

/** The last balance before each point's end, found point by point: a day may have tens of thousands of entries. */
async function daysOf(db: Scoped, { tenant, currency }: StaffCall, { now, day }: Times, ids: readonly string[] | undefined) {
  const named = ids === undefined ? sql`` : sql`and a.id = any(${ids}::uuid[])`;
  const balanceBefore = (at: ReturnType<typeof sql>) => sql`coalesce((select e.balance from ledger_entries e
    where e.tenant_id = ${tenant} and e.account_id = a.ledger_account_id and e.created_at < ${at} order by e.created_at desc, e.seq desc limit 1), 0)`;
  const { rows } = await sql<{ uuid: string; opening: string; points: string[] }>`select a.id as uuid,
      ${balanceBefore(sql`${day}::timestamptz`)}::text as opening,
      array(select ${balanceBefore(sql`p.at + ${`${pointMinutes} minutes`}::interval`)}::text
        from generate_series(${day}::timestamptz, ${now}::timestamptz, ${`${pointMinutes} minutes`}::interval) p (at) order by p.at) as points
    from payment_accounts a where a.tenant_id = ${tenant} and a.currency = ${currency} ${named} order by a.code, a.id`.execute(db);
  return rows.map(({ uuid, opening, points }) => ({ uuid, opening: amountText(opening), points: points.map(amountText) }));
}

interface ItemRow {
  readonly id: string;
  readonly kind: OpenItem["kind"];
  readonly status: OpenItem["status"];
  readonly txn_no: string;
  readonly party: string;
  readonly gain: string;
  readonly created_at: Date;
}

const viewRight = {
  deposit: "pas.transaction.deposits.view",
  withdrawal: "pas.transaction.withdrawals.view",
  transfer: "pas.transaction.transfers.view",
} as const;
const itemKinds = Object.keys(viewRight) as OpenItem["kind"][]; // Object.keys widens

async function itemsOf(db: Scoped, { tenant, caller }: StaffCall, account: string): Promise<{ items: OpenItem[]; more: boolean }> {
  const kinds = itemKinds.filter((kind) => caller.permissions.has(viewRight[kind]));
  const { rows } = await sql<ItemRow>`select o.* from (select ${account}::uuid as id) a, lateral (${openOf(tenant)}) o
    where o.kind = any(${kinds}::text[]) order by o.created_at, o.id limit ${mostItems + 1}`.execute(db);
  return {
    items: rows.slice(0, mostItems).map((row) => ({
      uuid: row.id,
      kind: row.kind,
      status: row.status,
      txn_no: row.txn_no,
      party: row.party,
      amount: amountText(row.gain),
      created_at: row.created_at.toISOString(),
    })),
    more: rows.length > mostItems,
  };
}

/** What the day has brought in and taken out, by the ledger. */
async function movedOf(db: Scoped, { tenant }: StaffCall, ledger: string, { day }: Times): Promise<{ day_in: string; day_out: string }> {
  const { rows } = await sql<{ gained: string; lost: string }>`select coalesce(sum(amount) filter (where amount > 0), 0) as gained,
      coalesce(-sum(amount) filter (where amount < 0), 0) as lost
    from ledger_entries where tenant_id = ${tenant} and account_id = ${ledger} and created_at >= ${day}`.execute(db);
  return { day_in: amountText(rows[0]?.gained ?? "0"), day_out: amountText(rows[0]?.lost ?? "0") };
}

interface LastRow {
  readonly id: string;
  readonly time: Date;
  readonly text: string;
  readonly amount: string;
  readonly created_at: Date;
  readonly unmatched: number;
}

async function bankOf(db: Scoped, call: StaffCall, account: string) {
  const { tenant, caller } = call;
  if (!caller.permissions.has("pas.transaction.bank-transactions.view")) return null;
  const { rows } = await sql<LastRow>`select l.id, l.time, l.created_at,
      coalesce(nullif(l.description, ''), l.counterparty, l.reference, '') as text,
      case l.direction when 'credit' then l.amount else -l.amount end as amount,
      (select count(*)::integer from bank_lines u where u.tenant_id = l.tenant_id and u.payment_account_id = l.payment_account_id
        and u.status = 'unmatched') as unmatched
    from bank_lines l where l.tenant_id = ${tenant} and l.payment_account_id = ${account}
    order by l.created_at desc, l.time desc, l.id desc limit 1`.execute(db);
  const [last] = rows;
  if (!last) return null;
  return {
    last: {
      uuid: last.id,
      time: last.time.toISOString(),
      text: last.text,
      amount: amountText(last.amount),
      imported_at: last.created_at.toISOString(),
    },
    balance: await statementBalanceOf(db, call, account),
    unmatched: last.unmatched,
  };
}

export const liveBalanceHandlers: Handlers<typeof liveBalanceRoutes, StaffCall> = {
  listLiveBalances: (call, { query }) =>
    inTenant(call.deps.database, call.tenant, async (db) => {
      const rows = await find(db, call, query["filter[uuid]"]);
      const meta = metaOf(await timesOf(db, call));
      const asked = askedFor(rows.map(liveView), query, meta);
      return { data: asked.slice(0, query.limit), meta: { ...meta, ...totalsOf(asked, query) } };
    }),

  listLiveDays: (call, { query }) =>
    inTenant(call.deps.database, call.tenant, async (db) => {
      const times = await timesOf(db, call);
      return { data: await daysOf(db, call, times, query["filter[uuid]"]), meta: metaOf(times) };
    }),

  readLiveBalance: (call, { params: { uuid } }) =>
    inTenant(call.deps.database, call.tenant, async (db) => {
      const [row] = await find(db, call, [uuid]);
      if (!row) throw new Refusal("not-found");
      const [group] =
        row.rate_limit_group === null ? [] : await linkedRecords(db, call.tenant, "rate_limit_groups", [row.rate_limit_group]);
      return {
        data: {
          row: liveView(row),
          ...(await itemsOf(db, call, uuid)),
          ...(await movedOf(db, call, row.ledger_account_id, await timesOf(db, call))),
          rate_limit_group: group ?? null,
          bank: await bankOf(db, call, uuid),
          history: await historyOf(db, { tenant: call.tenant, entity: "payment-account", id: uuid }),
        },
      };
    }),
};
