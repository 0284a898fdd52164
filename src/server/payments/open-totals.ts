import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import { Refusal } from "../../contract/problems.ts";
import { isOpen } from "../../contract/transactions.ts";
import { isUnreachable } from "../db/errors.ts";
import type { Database, Scoped } from "../db/scope.ts";
import { inTenant } from "../db/scope.ts";
import { together } from "../db/together.ts";
import { conditions, givenBy, isPlain, statusesOf } from "./transaction-filters.ts";
import type { Branch, Given, ListQuery } from "./transaction-filters.ts";
import { told } from "./transaction-list.ts";
import type { ListScope, ToldTotals, Totals } from "./transaction-list.ts";

/** A list all of whose rows are open ones: which of the two statuses, and the conditions on them. */
export type OpenList = Given & { readonly pending: boolean; readonly process: boolean };

/** Null: it may have rows that are decided, or a filter that is no condition on a transaction alone. */
export function openListOf(branches: readonly Branch[], query: ListQuery, caller: string): OpenList | null {
  const [branch, ...others] = branches;
  if (!branch || others.length > 0 || branch.where || !isPlain(query)) return null;
  const given = givenBy(query, caller);
  // one value of each condition is compared: a view of one's claims with a filter by another's has two
  if (Object.keys(given).some((name) => name in (branch.given ?? {}))) return null;
  const statuses = statusesOf(branch, query["filter[status]"]);
  if (statuses === null || !statuses.every((status) => isOpen({ status }))) return null;
  return { pending: statuses.includes("pending"), process: statuses.includes("process"), ...branch.given, ...given };
}

/** Where lists are counted together, whoever asks. */
type OpenScope = Omit<ListScope, "caller">;

/** Where more rows than these are open, each list is better counted by its own index ranges. */
const mostOpen = 10_000;

type Found = Totals & { readonly n: number; readonly is_whole: boolean };

/**
 * Reads the open rows once and counts them for every list. The text is the same for the same `asking`, the names of the conditions that any
 * list has, so that it is prepared; a condition that a list does not have is null in its row.
 */
function totalsOf({ tenant, currency, kind }: OpenScope, lists: readonly OpenList[], asking: ReadonlySet<string>): RawBuilder<Found> {
  const asked = JSON.stringify(lists.map((list, n) => ({ n, ...list })));
  const tested = conditions.filter(([name]) => asking.has(name));
  const columns = [sql`n integer, pending boolean, process boolean`].concat(
    tested.map(([name, { type }]) => sql`${sql.ref(name)} ${sql.raw(type)}`),
  );
  const wanted = [sql`case when t.is_pending then l.pending else l.process end`].concat(
    tested.map(([name, { where }]) => {
      const value = sql.ref(`l.${name}`);
      return sql`(${value} is null or ${where(value)})`;
    }),
  );
  return sql<Found>`with t as materialized (
      select status = 'pending' as is_pending, merchant_id, member, payment_account_id, reference_no, account_number, name_key, amount_key,
        created_at, approved_at, claimed_by, first_approved_by
      from transactions where tenant_id = ${tenant} and currency = ${currency} and kind = ${sql.lit(kind)}
        and status in ('pending', 'process') limit ${sql.lit(mostOpen + 1)})
    select l.n, (select count(*) from t) <= ${sql.lit(mostOpen)} as is_whole, found.*
    from jsonb_to_recordset(${asked}::jsonb) as l (${sql.join(columns)})
    cross join lateral (
      select count(*) as count, coalesce(sum(t.amount_key), 0)::text as amount, min(t.created_at) as oldest from t
      where (select count(*) from t) <= ${sql.lit(mostOpen)} and ${sql.join(wanted, sql` and `)}) found`;
}

/** Null: too many rows are open. */
async function readTotals(
  db: Scoped,
  scope: OpenScope,
  lists: readonly OpenList[],
  asking: ReadonlySet<string>,
): Promise<ToldTotals[] | null> {
  const { rows } = await totalsOf(scope, lists, asking).execute(db);
  if (!rows.every(({ is_whole }) => is_whole)) return null;
  const byPlace = rows.toSorted((a, b) => a.n - b.n);
  return byPlace.map((row) => told({ rows: [row] }, { count: true, sums: true, oldest: true }));
}

/** Lists that wait for their statement, and what it answers. */
interface Batch {
  readonly lists: OpenList[];
  readonly found: Promise<{ readonly totals: ToldTotals[]; readonly took: number } | null>;
}

interface Place {
  /** The one that has not begun. */
  next: Batch | null;
  /** performance.now() until which each list is read by itself. */
  apartUntil: number;
  /** What lists were asked by so far. It only grows, so that the statement's text soon stays the same. */
  readonly asking: Set<string>;
}

/** ms for which lists are read by themselves where they cannot be read together. */
const apart = 60_000;
const places = new WeakMap<Database, Map<string, Place>>();

function placeOf(database: Database, { tenant, currency, kind }: OpenScope): Place {
  const ofDatabase = places.get(database) ?? new Map<string, Place>();
  places.set(database, ofDatabase);
  const name = `${tenant} ${kind} ${currency}`;
  const place = ofDatabase.get(name) ?? { next: null, apartUntil: 0, asking: new Set<string>() };
  ofDatabase.set(name, place);
  return place;
}

/**
 * Count, sum and oldest row of a list, as its own handler finds them, and its share of the ms that took. Lists that are asked for in the
 * same turn of the event loop are counted by one statement. Null: it must be read by itself, because too many rows are open or the
 * statement failed, which is not to be every list's fault.
 */
export async function readOpenTotals(
  database: Database,
  scope: OpenScope,
  list: OpenList,
): Promise<{ readonly totals: ToldTotals; readonly took: number } | null> {
  const place = placeOf(database, scope);
  if (performance.now() < place.apartUntil) return null;
  const batch = (place.next ??= begin(database, scope, place));
  const n = batch.lists.push(list) - 1;
  const found = await batch.found.catch((error: unknown) => {
    if (error instanceof Refusal || isUnreachable(error)) throw error;
    return null;
  });
  const totals = found?.totals[n];
  if (!found || !totals) {
    place.apartUntil = performance.now() + apart;
    return null;
  }
  return { totals, took: found.took / batch.lists.length };
}

function begin(database: Database, scope: OpenScope, place: Place): Batch {
  const lists: OpenList[] = [];
  // who asks from then on is in the next
  const close = () => {
    if (place.next === batch) place.next = null;
  };
  const found = together(database, scope.tenant, (within) => {
    close();
    return inTenant(within, scope.tenant, async (db) => {
      const began = performance.now();
      for (const list of lists) for (const name of Object.keys(list)) place.asking.add(name);
      const totals = await readTotals(db, scope, lists, place.asking);
      return totals && { totals, took: performance.now() - began };
    });
  }).finally(close);
  const batch: Batch = { lists, found };
  return batch;
}
