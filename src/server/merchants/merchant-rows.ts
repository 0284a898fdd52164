import type { RawBuilder, Selectable } from "kysely";
import { sql } from "kysely";
import type { Merchant, MerchantDetail, tenantMerchantRoutes } from "../../contract/merchants.ts";
import type { Received } from "../../contract/route.ts";
import type { ListMeta } from "../../contract/wire.ts";
import { amountText } from "../../values/money.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import type { Tables } from "../db/tables.ts";
import { historyOf } from "../audit/records.ts";
import type { SortColumn, Sorts } from "../db/keyset.ts";
import { listRecords, withinRanges } from "../db/keyset.ts";

/** A merchant with the balances of its wallet and its hold. */
export interface MerchantRow extends Selectable<Tables["merchants"]> {
  readonly wallet: string;
  readonly hold: string;
}

export function merchantView(row: MerchantRow): Merchant {
  return {
    uuid: row.id,
    version: row.version,
    code: row.code,
    name: row.name,
    currency: row.currency,
    status: row.status,
    deposit_rate: amountText(row.deposit_rate),
    withdrawal_rate: amountText(row.withdrawal_rate),
    settlement_rate: amountText(row.settlement_rate),
    charges_borne_by: row.charges_borne_by,
    website_url: row.website_url,
    backoffice_url: row.backoffice_url,
    callback_url: row.callback_url,
    whitelist_ips: row.whitelist_ips.join(", "),
    api_key: row.api_key,
    wallet: amountText(row.wallet),
    hold: amountText(row.hold),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

type Scope = Pick<StaffCall, "tenant" | "currency">;

const merchantsOf = ({ tenant, currency }: Scope) => sql`select m.*, coalesce(w.balance, 0) as wallet, coalesce(h.balance, 0) as hold
  from merchants m
  left join ledger_accounts w on w.tenant_id = m.tenant_id and w.kind = 'wallet' and w.currency = m.currency and w.owner_id = m.id
  left join ledger_accounts h on h.tenant_id = m.tenant_id and h.kind = 'hold' and h.currency = m.currency and h.owner_id = m.id
  where m.tenant_id = ${tenant} and m.currency = ${currency}`;

export async function findMerchants(db: Scoped, scope: Scope, ids: readonly string[]): Promise<MerchantRow[]> {
  const { rows } = await sql<MerchantRow>`${merchantsOf(scope)} and m.id = any(${ids}::uuid[])`.execute(db);
  return rows;
}

export async function findMerchant(db: Scoped, scope: Scope, id: string): Promise<MerchantRow | undefined> {
  return (await findMerchants(db, scope, [id]))[0];
}

const id: SortColumn = { name: "id", type: "uuid" };
const createdAt: SortColumn = { name: "created_at", type: "timestamptz" };
const sorts: Sorts = {
  name: [{ name: "name_key", type: "text" }, id],
  code: [{ name: "code", type: "text" }, id],
  created_at: [createdAt, id],
  status: [{ name: "status", type: "text" }, createdAt, id],
};

type Query = Received<typeof tenantMerchantRoutes.listMerchants>["query"];

export function listMerchants(db: Scoped, scope: Scope, query: Query): Promise<{ rows: MerchantRow[]; meta: ListMeta }> {
  const ranges = withinRanges(query, { wallet: "numeric", hold: "numeric", created_at: "timestamptz" }, "t");
  const all = sql`from (${merchantsOf(scope)} ${filters(query)}) t where ${sql.join([sql`true`, ...ranges], sql` and `)}`;
  return listRecords(db, scope, { all, sorts, sort: "name", sums: ["wallet", "hold"] }, query);
}

/** Names and codes by any part of them: a tenant's merchants are few. */
function filters(query: Query): RawBuilder<unknown> {
  const parts: RawBuilder<unknown>[] = [];
  const status = query["filter[status]"];
  if (status) parts.push(sql`and m.status = any(${status}::text[])`);
  const holds = (column: string, text: string) => sql`strpos(lower(${sql.ref(`m.${column}`)}), lower(${text}::text)) > 0`;
  const [name, code] = [query["filter[name]"]?.trim(), query["filter[code]"]?.trim()];
  if (name) parts.push(sql`and ${holds("name", name)}`);
  if (code) parts.push(sql`and ${holds("code", code)}`);
  if (query.q) parts.push(sql`and (${holds("name", query.q)} or ${holds("code", query.q)} or m.id::text = lower(${query.q}::text))`);
  return sql.join(parts, sql` `);
}

export async function groupsOfMerchant(db: Scoped, tenant: string, merchant: string): Promise<{ uuid: string; name: string }[]> {
  const { rows } = await sql<{ uuid: string; name: string }>`select g.id as uuid, g.name from payment_group_merchants l
    join payment_groups g on g.tenant_id = l.tenant_id and g.id = l.group_id
    where l.tenant_id = ${tenant} and l.merchant_id = ${merchant} order by g.name, g.id`.execute(db);
  return rows;
}

/** With its day: what was asked for today (of the currency's zone) and not refused since, and what is open of any day. */
export async function merchantDetail(db: Scoped, call: StaffCall, row: MerchantRow): Promise<MerchantDetail> {
  const { tenant, currency } = call;
  const { zoneMinutes } = call.currencyFacts;
  const ref = { tenant, entity: "merchant", id: row.id } as const;
  const day = await sql<{ deposits: number; deposit_amount: string; withdrawals: number; withdrawal_amount: string; open: number }>`
    select count(*) filter (where t.kind = 'deposit')::integer as deposits,
      coalesce(sum(t.amount) filter (where t.kind = 'deposit'), 0) as deposit_amount,
      count(*) filter (where t.kind = 'withdrawal')::integer as withdrawals,
      coalesce(sum(t.amount) filter (where t.kind = 'withdrawal'), 0) as withdrawal_amount,
      (select count(*)::integer from transactions o where o.tenant_id = ${tenant} and o.currency = ${currency}
        and o.kind in ('deposit', 'withdrawal') and o.status in ('pending', 'process') and o.merchant_id = ${row.id}) as open
    from transactions t where t.tenant_id = ${tenant} and t.merchant_id = ${row.id} and t.status not in ('rejected', 'expired')
      and t.created_at >= day_start(local_day(now(), ${zoneMinutes}::integer), ${zoneMinutes}::integer)`.execute(db);
  const today = day.rows[0];
  if (!today) throw new Error("an aggregate answers a row");
  return {
    row: merchantView(row),
    groups: await groupsOfMerchant(db, tenant, row.id),
    today: { ...today, deposit_amount: amountText(today.deposit_amount), withdrawal_amount: amountText(today.withdrawal_amount) },
    history: await historyOf(db, ref),
  };
}
