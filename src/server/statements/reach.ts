import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import { accountMovements, walletMovements } from "../../contract/statements.ts";
import type { Scoped } from "../db/scope.ts";
import { rankedAccounts, rankedMerchants } from "../search/named.ts";
import { waysToBoth } from "../search/transactions.ts";
import type { Typed } from "../search/typed.ts";
import { numbersIn, numbersInEachCase, readTyped } from "../search/typed.ts";
import type { StatementQuery, TransactionCondition } from "./conditions.ts";
import { askedOf, textOf, transactionConditions } from "./conditions.ts";
import type { Owners, Scope } from "./owners.ts";
import { ledgersOf, withCode } from "./owners.ts";

/** What leads to the movements, each with an index of its own: time; time within a rare kind; postings that meet a condition. */
type Lead = { readonly of: Ledgers } & (
  | { readonly by: "time" }
  | { readonly by: "kind"; readonly kind: string }
  | { readonly by: "posting"; readonly where: RawBuilder<unknown> }
);

/** The ledger accounts a lead stays within; left out: those of all owners. */
interface Ledgers {
  readonly only?: readonly string[];
  readonly not?: readonly string[];
}

/** The movements a statement asks for. No movement is in two of the leads. */
export interface Reach {
  readonly owners: Owners;
  readonly leads: readonly Lead[];
  /** Conditions on entry e, posting g, transaction x and transfer y. */
  readonly where: readonly RawBuilder<unknown>[];
  /** Whether the conditions name the posting and its transaction. */
  readonly needsPosting: boolean;
}

/** Movements that a person makes, not a merchant. */
const byHand = [...new Set([...walletMovements, ...accountMovements])].filter((kind) => !/^(?:deposit|withdrawal)/.test(kind));

/** The transaction x or the transfer y that a posting g belongs to. */
export const transactionOf = sql`left join transactions x on x.tenant_id = g.tenant_id and x.id = g.transaction_id
  left join transfers y on y.tenant_id = g.tenant_id
    and y.id = case when g.kind not in ('deposit', 'withdrawal', 'withdrawal.hold', 'withdrawal.release') then g.transaction_id end`;

/** Transactions up to which they lead; where more are meant, time does, and soon meets enough of them. */
const mostLeading = 2_000;
/** Most transactions a search finds in each of its ways, as in the lists of transactions. */
const mostFound = 1_000;

export const listOf = (query: StatementQuery, name: string): readonly string[] | null => {
  const value = query[`filter[${name}]`];
  return Array.isArray(value) ? (value as string[]) : null; // choices and uuids
};

/** Whether some of the movements between the ends of the window are left out. */
export function isPart(query: StatementQuery, owners: Owners): boolean {
  const whole = ["created_at_from", "created_at_to", "hold", owners.code].map((name) => `filter[${name}]`);
  return Object.entries(query).some(
    ([name, value]) => value !== undefined && value !== "" && (name === "q" || name.startsWith("filter[")) && !whole.includes(name),
  );
}

export async function reachOf(db: Scoped, scope: Scope, owners: Owners, query: StatementQuery): Promise<Reach> {
  const code = askedOf(query, owners.code);
  const isOfAll = code === undefined && owners.isEachRead !== true;
  const of: Ledgers = isOfAll ? {} : { only: await ledgersOf(db, scope, owners, code === undefined ? sql`true` : withCode(code)) };
  const [ofEntry, ofTransaction] = [entryConditions(query), await transactionConditions(db, scope, owners, query)];
  const kinds = listOf(query, "kind");
  const source = listOf(query, "source");
  const where = [
    ...ofEntry,
    ...ofTransaction.map((condition) => condition.where),
    ...(kinds ? [sql`g.kind = any(${kinds}::text[])`] : []),
    ...(source ? [isFrom(source)] : []),
  ];
  const needsPosting = where.length > ofEntry.length;
  const narrow = { kinds, source, conditions: ofTransaction, lines: listOf(query, "uuid") };
  const leads = query.q ? await foundBy(db, scope, owners, of, query.q) : await leadsOf(db, scope, owners, of, narrow);
  return { owners, leads, where, needsPosting };
}

/**
 * A transfer is manual, and a posting of nothing where a person made it. In these forms the planner expects most of what is looked at to fit,
 * as it does, and reads it in the order of the page.
 */
const isFrom = (source: readonly string[]) =>
  source.includes("manual")
    ? sql`coalesce(x.source, case when y.id is not null or g.by_user is not null then 'manual' else 'none' end)
        <> all(${["none", ...(source.includes("api") ? [] : ["api"])]}::text[])`
    : sql`x.source = any(${source}::text[])`;

interface Narrow {
  readonly kinds: readonly string[] | null;
  readonly source: readonly string[] | null;
  readonly conditions: readonly TransactionCondition[];
  readonly lines: readonly string[] | null;
}

/** The narrowest way in: named lines, transactions that are few, kinds that are rare, what is made by hand; else time. */
async function leadsOf(
  db: Scoped,
  { tenant, currency }: Scope,
  { everyday, isEachRead }: Owners,
  of: Ledgers,
  { kinds, source, conditions, lines }: Narrow,
): Promise<Lead[]> {
  if (lines) return [{ by: "posting", of, where: isLineOf(lines) }];
  for (const { ids } of conditions) {
    const few = ids && (await fewOf(db, ids));
    if (few) return [{ by: "posting", of, where: few }];
  }
  if (isEachRead) return [{ by: "time", of }];
  const within = (rare: readonly string[]): Lead[] => [...new Set(rare)].map((kind) => ({ by: "kind", of, kind }));
  if (kinds && !kinds.some((kind) => everyday.includes(kind))) return within(kinds);
  if (source?.every((one) => one === "manual") === true) {
    const few = await fewOf(
      db,
      sql`select x.id from transactions x where x.tenant_id = ${tenant} and x.currency = ${currency} and x.source = 'manual'`,
    );
    if (few) return [{ by: "posting", of, where: few }, ...within(byHand)];
  }
  return [{ by: "time", of }];
}

/** The postings of some transactions, where these are few. */
async function fewOf(db: Scoped, ids: RawBuilder<unknown>): Promise<RawBuilder<unknown> | null> {
  const { rows } = await sql<{ id: string }>`select i.id from (${ids}) i limit ${sql.lit(mostLeading + 1)}`.execute(db);
  return rows.length > mostLeading ? null : sql`g.transaction_id = any(${rows.map(({ id }) => id)}::uuid[])`;
}

/** Movements of the merchants or accounts a text finds, and those of the transactions it finds. */
async function foundBy(db: Scoped, scope: Scope, owners: Owners, of: Ledgers, q: string): Promise<Lead[]> {
  const typed = await readTyped(db, q);
  const ranked = owners.code === "merchant_code" ? rankedMerchants : rankedAccounts;
  const ids = (await ranked(db, scope, typed, 12)).filter(({ rank }) => rank <= 3).map(({ id }) => id);
  const all = ids.length === 0 ? [] : await ledgersOf(db, scope, owners, sql`o.owner_id = any(${ids}::uuid[])`);
  const own = all.filter((ledger) => of.only?.includes(ledger) ?? true);
  const ways = await waysToBoth(db, scope, typed, mostFound);
  const found = sql.join([...ways.map(({ select }) => select), ...waysToTransfers(scope, typed)], sql` union `);
  return [
    ...(own.length > 0 ? [{ by: "time" as const, of: { only: own } }] : []),
    ...(ways.length > 0 ? [{ by: "posting" as const, of: { ...of, not: own }, where: sql`g.transaction_id in (${found})` }] : []),
  ];
}

/** From a text to transfers: by their number, its last characters, and their reference. */
function waysToTransfers({ tenant, currency }: Scope, typed: Typed): RawBuilder<unknown>[] {
  const by = (condition: RawBuilder<unknown>) => sql`(select y.id from transfers y
    where y.tenant_id = ${tenant} and y.currency = ${currency} and ${condition} limit ${sql.lit(mostFound)})`;
  const tails = typed.plain.filter((number) => /^\d{6,}$/.test(number));
  return [
    by(sql`y.txn_no = any(${numbersIn(typed).map((one) => one.toUpperCase())}::text[])`),
    by(sql`y.reference_no = any(${numbersInEachCase(typed)}::text[])`),
    ...tails.map((tail) => by(sql`y.txn_tail = ${tail.slice(-6)} and right(y.txn_no, ${tail.length}) = ${tail}`)),
  ];
}

/** Bounds of time and of the amount moved. */
function entryConditions(query: StatementQuery): RawBuilder<unknown>[] {
  const bound = (name: string, condition: (value: string) => RawBuilder<unknown>) => {
    const value = textOf(query, name);
    return value === "" ? [] : [condition(value)];
  };
  const [isIn, isOut] = [sql`e.amount > 0`, sql`e.amount < 0`];
  return [
    ...bound("created_at_from", (at) => sql`e.created_at >= ${at}::timestamptz`),
    ...bound("created_at_to", (at) => sql`e.created_at < ${at}::timestamptz`),
    ...bound("amount_in_from", (amount) => sql`${isIn} and e.amount >= ${amount}::numeric`),
    ...bound("amount_in_to", (amount) => sql`${isIn} and e.amount <= ${amount}::numeric`),
    ...bound("amount_out_from", (amount) => sql`${isOut} and -e.amount >= ${amount}::numeric`),
    ...bound("amount_out_to", (amount) => sql`${isOut} and -e.amount <= ${amount}::numeric`),
  ];
}

/** A line's uuid is its posting's; of one that takes money its version is 8 instead of 7, because a posting may take and give. */
export const lineId = sql`case when e.amount < 0 and substr(g.id::text, 15, 1) = '7' then overlay(g.id::text placing '8' from 15)::uuid else g.id end`;

function isLineOf(lines: readonly string[]): RawBuilder<unknown> {
  const postings = lines.map((line) => (line[14] === "8" ? `${line.slice(0, 14)}7${line.slice(15)}` : line));
  return sql`g.id = any(${postings}::uuid[]) and ${lineId} = any(${lines}::uuid[])`;
}

/** Selects movements of a reach: `columns` of e and, where they are needed, of g, x and y; `tail` is the page of each lead. */
export function movements(
  { tenant, currency }: Scope,
  { owners, leads, where, needsPosting }: Reach,
  columns: RawBuilder<unknown>,
  { tail = sql``, posting = needsPosting }: { readonly tail?: RawBuilder<unknown>; readonly posting?: boolean } = {},
): RawBuilder<unknown> {
  const conditions = where.length === 0 ? sql`` : sql`and ${sql.join(where, sql` and `)}`;
  const joined = posting ? sql`join ledger_groups g on g.tenant_id = e.tenant_id and g.id = e.group_id ${transactionOf}` : sql``;
  const ofAll = sql`e.tenant_id = ${tenant} and e.currency = ${currency} and e.account_kind = ${owners.kind}`;
  const parts = leads.map((lead) => {
    const { only, not = [] } = lead.of;
    const within = sql`${only ? sql`and e.account_id = any(${only}::uuid[])` : sql``} ${not.length > 0 ? sql`and e.account_id <> all(${not}::uuid[])` : sql``}`;
    if (lead.by === "posting") {
      return sql`(select ${columns} from ledger_groups g join ledger_entries e on e.tenant_id = g.tenant_id and e.group_id = g.id ${transactionOf}
        where g.tenant_id = ${tenant} and ${lead.where} and ${ofAll} ${within} ${conditions} ${tail})`;
    }
    if (only && lead.by === "time") {
      return sql`(select k.* from unnest(${only}::uuid[]) a (id) cross join lateral (select ${columns} from ledger_entries e ${joined}
        where e.tenant_id = ${tenant} and e.account_id = a.id ${conditions} ${tail}) k)`;
    }
    const ofKind = lead.by === "kind" ? sql`and e.rare_kind = ${lead.kind}` : sql``;
    return sql`(select ${columns} from ledger_entries e ${joined} where ${ofAll} ${ofKind} ${within} ${conditions} ${tail})`;
  });
  return parts.length === 0
    ? sql`select ${columns} from ledger_entries e, ledger_groups g, transactions x, transfers y where false`
    : sql.join(parts, sql` union all `);
}
