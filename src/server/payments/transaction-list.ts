import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import { transactionStatuses } from "../../contract/transactions.ts";
import type { TransactionStatus } from "../../contract/transactions.ts";
import type { ListMeta } from "../../contract/wire.ts";
import type { Asked } from "../../values/asked.ts";
import { moneyText } from "../../values/money.ts";
import { inTime } from "../db/in-time.ts";
import { plannedAnew } from "../db/prepared.ts";
import type { Scoped } from "../db/scope.ts";
import type { TransactionKind } from "../db/tables/kinds.ts";
import type { Paging, SortColumn, Sorts, Wanted } from "../db/keyset.ts";
import { cursorRefusal, cutPage, isFiltered, pageOf, rowsBefore, requestedTotals, withMoment } from "../db/keyset.ts";
import { rankedMerchants } from "../search/named.ts";
import { matchesOf, waysToTransactions } from "../search/transactions.ts";
import { readTyped } from "../search/typed.ts";
import { approvalParts, conditionsOf, givenBy, severalBy, statusesOf } from "./transaction-filters.ts";
import type { Branch, ListQuery } from "./transaction-filters.ts";
import type { KnownTransaction } from "./transaction-rows.ts";

const id: SortColumn = { name: "id", type: "uuid" };
const createdAt: SortColumn = { name: "created_at", type: "timestamptz" };
/** Each sort has an index of migration 003, 005 or 025. */
const sorts: Sorts = {
  created_at: [createdAt, id],
  // open transactions only, which are those of the work list
  due_at: [{ name: "due_at", type: "timestamptz" }, id],
  amount: [{ name: "amount_key", type: "bigint" }, id],
  status: [{ name: "status", type: "text" }, createdAt, id],
  customer_name: [{ name: "name_key", type: "text" }, id],
  // unique in a tenant, and begins with the letter of its kind
  txn_no: [{ name: "txn_no", type: "text" }],
};

export const anyRow: Branch = { statuses: null };

/** Rows created today, and those decided today that are older. */
export function todaysBranches({ zoneMinutes }: { readonly zoneMinutes: number }): Branch[] {
  const today = sql`day_start(local_day(now(), ${zoneMinutes}::integer), ${zoneMinutes}::integer)`;
  return [
    { statuses: null, where: sql`and t.created_at >= ${today}` },
    {
      statuses: ["approved", "rejected", "completed", "expired"],
      // a row is last acted on when its callback arrives, too; the index is by that time, and no decision is later
      where: sql`and t.created_at < ${today} and t.last_action_at >= ${today}
        and coalesce(t.approved_at, t.rejected_at, t.expired_at) >= ${today}`,
    },
  ];
}

export interface ListScope {
  readonly tenant: string;
  readonly currency: string;
  readonly kind: TransactionKind;
  /** The id of who asks. */
  readonly caller: string;
}

/**
 * One page. Each branch and status is read by its own index range with its own limit, and these few rows are merged, so that the last page
 * costs no more than the first. Only the page's rows get their facts.
 */
export async function listTransactions<R extends KnownTransaction>(
  db: Scoped,
  scope: ListScope,
  requested: ListQuery,
  branches: readonly Branch[],
  defaultSort: string,
): Promise<{ rows: R[]; meta: ListMeta }> {
  const query = await withMoment(db, scope, requested);
  const sort = query.sort ?? [defaultSort];
  const page = pageOf(sort, sorts, query, "t");
  // with a single status, the next sort column has an index
  const known = sort.length > 1 && sort[0]?.endsWith("status") ? transactionStatuses : null;
  const approved = approvalParts(query);
  const parts = branches.flatMap((branch) => split(branch, query, known)).flatMap((part) => approved.map((when) => sql`${part} ${when}`));
  const [from, to] = scope.kind === "deposit" ? ["D", "E"] : ["W", "X"];
  const found = [
    ...(query.q ? [await search(db, scope, query.q)] : []),
    ...(query["filter[bank]"] === undefined ? [] : [await ofBanks(db, scope, query["filter[bank]"])]),
  ];
  const conditions = filters(scope, query, found);
  const within = sort[0]?.endsWith("txn_no") ? sql`and t.txn_no >= ${from} and t.txn_no < ${to}` : sql``;
  const anew = plannedAnew(isFiltered(query) || branches.some(({ where }) => where !== undefined));
  const wanted = requestedTotals(query.with);
  const none = {
    rows: [],
    meta: {
      next: null,
      previous: null,
      ...(wanted.count && { count: 0, before: 0 }),
      ...(wanted.sums && { sums: { amount: "0.00" } }),
      ...(wanted.oldest && { oldest_at: null }),
    },
  };
  if (parts.length === 0) return none;
  if (query.limit === 0)
    return { rows: [], meta: { next: null, previous: null, ...told(await totalsOf(anew, conditions, parts, wanted).execute(db), wanted) } };
  const ranges = parts.map(
    (part) => sql`(select t.*, ${page.key} as key from transactions t
      where ${conditions} ${part} ${within} ${page.after} order by ${page.order} limit ${page.most})`,
  );
  const merged = sql`select * from (${sql.join(ranges, sql` union all `)}) t order by ${page.order} limit ${page.most}`;
  // materialized, because a planner that takes the merchants for few would read the page once for each of them
  const read = await sql<Omit<R, "people"> & { key: string[] }>`${anew}with page as materialized (${merged})
      select t.*, ${factsOf(scope.kind)} from page t
      join merchants m on m.tenant_id = t.tenant_id and m.id = t.merchant_id
      join currencies c on c.tenant_id = t.tenant_id and c.code = t.currency
      left join payment_accounts a on a.tenant_id = t.tenant_id and a.id = t.payment_account_id
      ${partiesOf(scope.kind)} order by ${page.shown}`
    .execute(db)
    .catch((error: unknown) => {
      throw cursorRefusal(error);
    });
  const cut = cutPage(read.rows, sort, query);
  const people = await namesOf(db, cut.rows);
  const rows = cut.rows.map((row) => ({ ...row, people }) as unknown as R); // R is what factsOf adds, and `people`
  const total = await totals(db, anew, conditions, parts, wanted);
  if (total?.count === undefined) return { rows, meta: { ...cut.meta, ...total } };
  const ahead = async (key: readonly string[]) =>
    (await totals(db, anew, sql`${conditions} ${page.ahead(key)}`, parts, { count: true, sums: false, oldest: false }))?.count ?? null;
  return { rows, meta: { ...cut.meta, ...total, ...(await rowsBefore(cut, total.count, ahead)) } };
}

const whoActed = [
  "claimed_by",
  "processed_by",
  "approved_by",
  "rejected_by",
  "last_action_by",
  "first_approved_by",
  "deferred_by",
] as const;

/** id → name of the users the rows name. */
async function namesOf(db: Scoped, rows: readonly Pick<KnownTransaction, (typeof whoActed)[number]>[]): Promise<Record<string, string>> {
  const ids = new Set(rows.flatMap((row) => whoActed.flatMap((column) => row[column] ?? [])));
  if (ids.size === 0) return {};
  const named = await sql<{ id: string; name: string }>`select id, name from users where id = any(${[...ids]}::uuid[])`.execute(db);
  return Object.fromEntries(named.rows.map(({ id: user, name }) => [user, name]));
}

/**
 * The columns of `facts_of` (functions/facts.sql) without `people`, for a whole page, because calling it per row costs as much as a page.
 */
function factsOf(kind: TransactionKind): RawBuilder<unknown> {
  const both = sql`clock_timestamp() as now, m.code as merchant_code, m.name as merchant_name, m.callback_url, c.minor_digits, c.zone_minutes,
    a.code as account_code, case when t.last_action_by is null then (select e.actor from transaction_events e
      where e.tenant_id = t.tenant_id and e.transaction_id = t.id and e.n = t.events) end as last_actor`;
  if (kind === "deposit") return sql`${both}, p.same_payer, p.reference_used, p.line, m.status as merchant_status`;
  const whenOpen = (ledgerKind: string) => sql`case when t.status in ('pending', 'process') then (select l.balance from ledger_accounts l
    where l.tenant_id = t.tenant_id and l.currency = t.currency and l.owner_id = t.merchant_id and l.kind = ${sql.lit(ledgerKind)}) end`;
  return sql`${both}, p.same_payee, p.payee_paid, ${whenOpen("hold")} as held, ${whenOpen("wallet")} as wallet, m.status as merchant_status`;
}

/** The join for the payee's or payer's facts of a page's rows. */
const partiesOf = (kind: TransactionKind): RawBuilder<unknown> =>
  kind === "deposit"
    ? sql`cross join lateral payer_facts(t.tenant_id, t.currency, t.merchant_id, t.member, t.id, t.amount, t.created_at, t.reference_no,
        t.status) p`
    : sql`cross join lateral payee_facts(t.tenant_id, t.currency, t.account_number, t.bank, t.id, t.amount, t.created_at, t.status) p`;

/** Null: it takes too long. */
async function totals(
  db: Scoped,
  anew: RawBuilder<unknown>,
  conditions: RawBuilder<unknown>,
  parts: readonly RawBuilder<unknown>[],
  wanted: Wanted,
): Promise<ToldTotals | null> {
  if (!wanted.count && !wanted.sums && !wanted.oldest) return null;
  const rows = await inTime(db, totalsOf(anew, conditions, parts, wanted));
  return rows && told({ rows }, wanted);
}

export type ToldTotals = Pick<ListMeta, "count" | "sums" | "oldest_at">;
export interface Totals {
  readonly count: string;
  readonly amount: string;
  readonly oldest: Date | null;
}

function totalsOf(
  anew: RawBuilder<unknown>,
  conditions: RawBuilder<unknown>,
  parts: readonly RawBuilder<unknown>[],
  { sums, oldest }: Wanted,
): RawBuilder<Totals> {
  const all = sql.join(
    parts.map(
      (part) => sql`select count(*) as n, ${sums ? sql`sum(t.amount_key)` : sql`null::numeric`} as amount,
        ${oldest ? sql`min(t.created_at)` : sql`null::timestamptz`} as oldest from transactions t where ${conditions} ${part}`,
    ),
    sql` union all `,
  );
  return sql<Totals>`${anew}select sum(n) as count, coalesce(sum(amount), 0)::text as amount, min(oldest) as oldest from (${all}) parts`;
}

export const told = ({ rows: [total] }: { readonly rows: readonly Totals[] }, { count, sums, oldest }: Wanted): ToldTotals => ({
  ...(count && { count: Number(total?.count ?? 0) }),
  ...(sums && { sums: { amount: moneyText(BigInt(total?.amount ?? "0")) } }),
  ...(oldest && { oldest_at: total?.oldest?.toISOString() ?? null }),
});

/** The number of rows of each view in one statement; empty when it takes too long. */
export async function countTransactions<View extends string>(
  db: Scoped,
  scope: ListScope,
  views: Readonly<Record<View, readonly Branch[]>>,
): Promise<Partial<Record<View, number>>> {
  const conditions = filters(scope, {});
  const counts = Object.entries<readonly Branch[]>(views).map(([view, branches]) => {
    const parts = branches.flatMap((branch) => split(branch, {}, null));
    const ranges = parts.map((part) => sql`(select count(*) from transactions t where ${conditions} ${part})`);
    return sql`(${sql.join(ranges, sql` + `)})::integer as ${sql.ref(view)}`;
  });
  const found = await inTime(db, sql<Record<View, number>>`select ${sql.join(counts)}`);
  return found?.[0] ?? {};
}

/** The statuses common to a branch and the filter, as one range each. */
function split(
  branch: Branch,
  { "filter[status]": requested }: Pick<ListQuery, "filter[status]">,
  known: readonly TransactionStatus[] | null,
): RawBuilder<unknown>[] {
  const { given = {}, where = sql`` } = branch;
  const part = sql.join([where, ...conditionsOf(given).map((condition) => sql`and ${condition}`)], sql` `);
  const statuses = statusesOf({ statuses: branch.statuses ?? known }, requested);
  // a literal, because a partial index is not used for a parameter
  return statuses?.map((status) => sql`${part} and t.status = ${sql.lit(status)}`) ?? [part];
}

function filters(
  { tenant, currency, kind, caller }: ListScope,
  query: Omit<ListQuery, keyof Paging>,
  found: readonly RawBuilder<unknown>[] = [],
): RawBuilder<unknown> {
  const parts = [
    sql`t.tenant_id = ${tenant}`,
    sql`t.currency = ${currency}`,
    sql`t.kind = ${sql.lit(kind)}`,
    ...conditionsOf(givenBy(query, caller)),
    ...severalBy(query, caller),
  ];
  const uuids = query["filter[uuid]"];
  if (uuids) parts.push(sql`t.id = any(${uuids}::uuid[])`);
  const file = query["filter[payout_file]"];
  if (file !== undefined) {
    const named = sql`select transaction_id from payout_file_rows where tenant_id = ${tenant} and file_id = any(${file.of}::uuid[])`;
    parts.push(file.isNot ? sql`t.id not in (${named})` : sql`t.id in (${named})`);
  }
  return sql.join([...parts, ...found], sql` and `);
}

/**
 * The payouts to banks of these names in any case, or those to no such bank. The names there are come from the index, one probe for each,
 * because an index range serves a name as it is written and no other.
 */
async function ofBanks(db: Scoped, { tenant, currency }: ListScope, { isNot, of }: Asked): Promise<RawBuilder<unknown>> {
  const next = (after: RawBuilder<unknown>) => sql`select t.bank from transactions t
    where t.tenant_id = ${tenant} and t.currency = ${currency} and t.kind = 'withdrawal' ${after} order by t.bank limit 1`;
  const { rows } = await sql<{ bank: string }>`with recursive banks as (
      (${next(sql``)}) union all select (${next(sql`and t.bank > b.bank`)}) from banks b where b.bank is not null)
    select bank from banks where lower(bank) in (${sql.join(of.map((name) => sql`lower(${name})`))})`.execute(db);
  const names = rows.map(({ bank }) => bank);
  if (isNot) return sql`t.bank <> all(${names}::text[])`;
  // one name is compared, because of several the index has no common order
  return names.length === 1 ? sql`t.bank = ${names[0]}` : sql`t.bank = any(${names}::text[])`;
}

/** Most rows a search finds in each of its ways. */
const mostFound = 1_000;

/** The rows a search finds, each way by an index; also those of merchants found by code or words of the name. */
async function search(db: Scoped, scope: ListScope, q: string): Promise<RawBuilder<unknown>> {
  const typed = await readTyped(db, q);
  const merchants = (await rankedMerchants(db, scope, typed, 12)).filter(({ rank }) => rank <= 3).map((merchant) => merchant.id);
  const ways = waysToTransactions(scope, scope.kind, typed, await matchesOf(db, scope, typed), mostFound, merchants);
  return ways.length === 0
    ? sql`false`
    : sql`t.id in (${sql.join(
        ways.map(({ select }) => select),
        sql` union `,
      )})`;
}
