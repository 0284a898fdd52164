import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { ListMeta } from "../../contract/wire.ts";
import type { merchantRoutes } from "../../contract/merchant-api.ts";
import { Refusal } from "../../contract/problems.ts";
import type { Received } from "../../contract/route.ts";
import type { MerchantCall } from "../call.ts";
import { inTenant, onPrimary } from "../db/scope.ts";
import type { Scoped } from "../db/scope.ts";
import type { TransactionRow } from "../payments/transaction-rows.ts";
import { readView } from "./view.ts";

type Query = Received<typeof merchantRoutes.listMerchantTransactions>["query"];

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Microseconds since 1970 and a row's id: the place of a row in the order of changes. */
const changeCursor = /^(\d{1,17})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
const firstId = "00000000-0000-0000-0000-000000000000";

type Row = TransactionRow & { readonly micros: string };

/**
 * A page of the merchant's own transactions: newest first, or, with `updated_since` or the cursor of such a list, in the order of their last
 * change, where a row changed meanwhile comes again and none is skipped.
 */
export async function listTransactions(call: MerchantCall, query: Query): Promise<{ data: ReturnType<typeof readView>[]; meta: ListMeta }> {
  const { cursor } = query;
  if (query.updated_since !== undefined || changeCursor.test(cursor ?? "")) return byChange(call, query);
  if (cursor !== undefined && !uuid.test(cursor)) throw noSuchCursor();
  const rows = await inTenant(call.deps.database, call.tenant, (db) => {
    // the cursor is the last row's id
    const after =
      cursor === undefined
        ? sql``
        : sql`and (t.created_at, t.id) < (select c.created_at, c.id from transactions c
            where c.tenant_id = ${call.tenant} and c.merchant_id = ${call.caller.id} and c.id = ${cursor})`;
    return read(db, call, query, sql`${after} order by t.created_at desc, t.id desc`);
  });
  const page = rows.slice(0, query.limit);
  return { data: page.map(readView), meta: { next: rows.length > query.limit ? (page.at(-1)?.id ?? null) : null, previous: null } };
}

async function byChange(call: MerchantCall, query: Query): Promise<{ data: ReturnType<typeof readView>[]; meta: ListMeta }> {
  const { cursor, updated_since, limit } = query;
  const [, micros, id] = changeCursor.exec(cursor ?? "") ?? [];
  if (cursor !== undefined && micros === undefined) throw noSuchCursor();
  // a replica does not know what is being written, and would tell as settled what it has
  return inTenant(onPrimary(call.deps.database), call.tenant, async (db) => {
    // in a statement before the list's, whose snapshot then has every change older than this
    const { rows: known } = await sql<{ settled: string; since: string | null }>`select ${microsOf(sql`settled_until()`)} as settled,
      ${updated_since === undefined ? sql`null` : microsOf(sql`${updated_since}::timestamptz`)} as since`.execute(db);
    const [{ settled, since } = { settled: "0", since: null }] = known;
    const from = { micros: micros ?? since ?? "0", id: id ?? firstId };
    const rows = await read(
      db,
      call,
      query,
      sql`and (t.last_action_at, t.id) > (${instantOf(from.micros)}, ${from.id}::uuid) and t.last_action_at < ${instantOf(settled)}
        order by t.last_action_at, t.id`,
    );
    const page = rows.slice(0, limit);
    const last = page.at(-1) ?? from;
    return { data: page.map(readView), meta: { next: `${last.micros}.${last.id}`, previous: null } };
  });
}

const noSuchCursor = () => new Refusal("request.invalid", { cursor: ["Not a row of this list"] });

const microsOf = (instant: RawBuilder<unknown>) => sql`(extract(epoch from ${instant}) * 1000000)::bigint::text`;
const instantOf = (micros: string) => sql`'1970-01-01T00:00Z'::timestamptz + ${micros}::bigint * interval '1 microsecond'`;

async function read(db: Scoped, { tenant, caller }: MerchantCall, query: Query, rest: RawBuilder<unknown>): Promise<Row[]> {
  const { limit, merchant_txn_no, type, status, created_from, created_to } = query;
  const filters = [
    merchant_txn_no === undefined ? null : sql`t.merchant_txn_no = ${merchant_txn_no}`,
    type === undefined ? null : sql`t.kind = ${type}`,
    status === undefined ? null : sql`t.status = any(${status}::text[])`,
    created_from === undefined ? null : sql`t.created_at >= ${created_from}::timestamptz`,
    created_to === undefined ? null : sql`t.created_at < ${created_to}::timestamptz`,
  ].filter((filter) => filter !== null);
  const { rows } = await sql<Row>`select t.*, ${microsOf(sql`t.last_action_at`)} as micros from transactions t
    where t.tenant_id = ${tenant} and t.merchant_id = ${caller.id} ${sql.join(
      filters.map((filter) => sql`and ${filter}`),
      sql` `,
    )} ${rest} limit ${limit + 1}`.execute(db);
  return rows;
}
