import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import type { merchantCallbackRoutes } from "../../contract/merchant-callbacks.ts";
import { merchantCallbackColumns as columns } from "../../contract/merchant-callbacks.ts";
import { Refusal } from "../../contract/problems.ts";
import type { ListMeta } from "../../contract/wire.ts";
import type { StaffCall } from "../call.ts";
import type { Asked } from "../../values/asked.ts";
import { whereAsked } from "../db/asked.ts";
import { idAt } from "../db/keyset.ts";
import type { Scoped } from "../db/scope.ts";
import { inTenant } from "../db/scope.ts";
import type { Handlers } from "../handlers.ts";
import { once } from "../idempotency.ts";
import { onRows } from "../payments/acts.ts";
import type { ListQuery } from "../records/record-list.ts";
import { listRecords } from "../records/record-list.ts";
import { waysToBoth } from "../search/transactions.ts";
import { readTyped } from "../search/typed.ts";
import type { CallbackRow } from "./callback-rows.ts";
import { callbacksOf, callbackView, findCallbacks } from "./callback-rows.ts";
import { endpointOf } from "./health.ts";
import { countFailed, resendFailed, resendOne } from "./resend.ts";

/** Newest first is the order of the ids, which begin with their time. */
const list = { columns, stored: { created_at: { sort: [{ name: "id", type: "uuid", timed: true }] } } } as const;

/** Most transactions of a kind that a search finds in each of its ways, as in the lists of transactions. */
const mostFound = 1_000;
/** Attempts that a detail shows. */
const mostTries = 50;
/** ms by which an id's time may differ from its callback's. */
const leeway = 3_600_000;

const text = (query: ListQuery, name: string): string => {
  const value = query[`filter[${name}]`];
  return typeof value === "string" ? value.trim() : "";
};

/** What the query asks for, in forms an index answers; `listRecords` judges each row by the same filters once more. */
async function narrowed(db: Scoped, call: StaffCall, query: ListQuery): Promise<RawBuilder<unknown>> {
  const { tenant, currency } = call;
  const [from, to] = ["created_at_from", "created_at_to"].map((name) => text(query, name));
  const [code, number] = ["merchant_code", "txn_no"].map((name) => query[`filter[${name}]`] as Asked | undefined); // their columns' schema
  const statuses = query["filter[status]"];
  const conditions: RawBuilder<unknown>[] = [sql``];
  if (from) conditions.push(sql`and o.id >= ${idAt(Date.parse(from) - leeway)}::uuid`);
  if (to) conditions.push(sql`and o.id < ${idAt(Date.parse(to) + leeway)}::uuid`);
  if (Array.isArray(statuses) && !statuses.includes("delivered")) conditions.push(sql`and o.state <> 'delivered'`);
  if (code) {
    const { rows } = await sql<{ id: string }>`select id from merchants
      where tenant_id = ${tenant} and currency = ${currency} and ${whereAsked(code, (one) => sql`lower(code) = lower(${one}::text)`)}`.execute(
      db,
    );
    // one id, because of several the index has no common order
    conditions.push(
      rows.length === 1 ? sql`and o.merchant_id = ${rows[0]?.id}` : sql`and o.merchant_id = any(${rows.map(({ id }) => id)}::uuid[])`,
    );
  }
  const all = sql`select x.id from transactions x where x.tenant_id = ${tenant} and x.currency = ${currency}`;
  if (number && !number.isNot)
    conditions.push(sql`and o.transaction_id in (${all} and ${whereAsked(number, (one) => sql`x.txn_no = upper(${one}::text)`)})`);
  if (query.q) {
    const typed = await readTyped(db, query.q);
    const ways = (await waysToBoth(db, call, typed, mostFound)).map(({ select }) => select);
    conditions.push(ways.length === 0 ? sql`and false` : sql`and o.transaction_id in (${sql.join(ways, sql` union `)})`);
  }
  return sql.join(conditions, sql` `);
}

async function listCallbacks(db: Scoped, call: StaffCall, query: ListQuery): Promise<{ rows: CallbackRow[]; meta: ListMeta }> {
  const rows = callbacksOf(call, await narrowed(db, call, query));
  const { q: _, ...others } = query;
  return listRecords<CallbackRow, keyof typeof columns>(db, call, list, rows, others);
}

async function triesOf(db: Scoped, { tenant }: StaffCall, id: string) {
  const { rows } = await sql<{
    n: number;
    at: Date;
    status: number | null;
    milliseconds: number;
    answer: string | null;
    error: string | null;
    by: string | null;
  }>`select a.n, a.at, a.status, a.milliseconds, a.answer, a.error, u.name as by
    from callback_attempts a left join users u on u.id = a.by_user
    where a.tenant_id = ${tenant} and a.outbox_id = ${id} order by a.n desc limit ${mostTries}`.execute(db);
  return rows.map(({ at, ...rest }) => ({ ...rest, at: at.toISOString() }));
}

export const merchantCallbackHandlers: Handlers<typeof merchantCallbackRoutes, StaffCall> = {
  listMerchantCallbacks: (call, { query }) =>
    inTenant(call.deps.database, call.tenant, async (db) => {
      const { rows, meta } = await listCallbacks(db, call, query);
      return { data: rows.map(callbackView), meta };
    }),

  readMerchantCallback: (call, { params: { uuid } }) =>
    inTenant(call.deps.database, call.tenant, async (db) => {
      const [row] = await findCallbacks(db, call, [uuid]);
      if (!row) throw new Refusal("not-found");
      const { rows } = await sql<{ id: string; callback_url: string | null }>`select id, callback_url from merchants
        where tenant_id = ${call.tenant} and id = ${row.merchant_id}`.execute(db);
      const { state, failing_since, disabled_at } = await endpointOf(
        db,
        call.tenant,
        rows[0] ?? { id: row.merchant_id, callback_url: null },
      );
      const endpoint = { state, failing_since, disabled_at };
      return { data: { row: callbackView(row), url: row.url, endpoint, tries: await triesOf(db, call, uuid) } };
    }),

  resendCallbacks: (call, { body: { rows } }) => onRows(call, "callback", rows, (db, ref) => resendOne(db, call, ref)),

  countFailedCallbacks: (call, { query }) =>
    inTenant(call.deps.database, call.tenant, async (db) => ({ data: await countFailed(db, call, query) })),

  async resendFailedCallbacks(call, { body }) {
    let made: readonly string[] = [];
    const data = await once(call, null, async (db) => {
      const { answer, ids } = await resendFailed(db, call, body);
      made = ids;
      return { answer };
    });
    if (made.length > 0) call.deps.publisher.changed(call.tenant, "callback", made);
    return { data };
  },
};
