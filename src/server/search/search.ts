import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import { holdsAny } from "../../contract/permissions.ts";
import type { Found, searchRoutes } from "../../contract/search.ts";
import { searchKinds, searchPermissions } from "../../contract/search.ts";
import type { TransactionStatus } from "../../contract/transactions.ts";
import { amountText } from "../../values/money.ts";
import { findAccounts } from "../accounts/account-rows.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import { inTenant } from "../db/scope.ts";
import type { Tables } from "../db/tables.ts";
import type { TransactionKind } from "../db/tables/kinds.ts";
import type { Handlers } from "../handlers.ts";
import { findMerchants } from "../merchants/merchant-rows.ts";
import { labelIn } from "../records/links.ts";
import { findRecords } from "../records/record-list.ts";
import type { Ranked } from "./named.ts";
import { rankedAccounts, rankedByName, rankedMerchants, rankedUsers } from "./named.ts";
import { namedUsers } from "../users/user-rows.ts";
import { waysToTransactions } from "./transactions.ts";
import type { Typed } from "./typed.ts";
import { readTyped } from "./typed.ts";

/** Most hits of each kind; each of several ids gets a place. */
const mostOf = ({ ids }: Typed): number => Math.max(12, ids.length);

type Scope = Pick<StaffCall, "tenant" | "currency" | "currencyFacts">;

/** A record found, and its rank: lower is better (transactions.ts). */
interface Hit {
  readonly found: Found;
  readonly rank: number;
}

type Finder = (db: Scoped, scope: Scope, typed: Typed) => Promise<Hit[]>;

async function findTransactions(db: Scoped, scope: Scope, kind: TransactionKind, typed: Typed): Promise<Hit[]> {
  const most = mostOf(typed);
  const ways = await waysToTransactions(db, scope, kind, typed, most);
  if (ways.length === 0) return [];
  const branches = ways.map(({ rank, select }) => sql`select w.id, ${sql.lit(rank)} as rank from ${select} w`);
  const { rows } = await sql<{
    id: string;
    txn_no: string;
    customer_name: string;
    amount: string;
    status: TransactionStatus;
    created_at: Date;
    merchant_code: string;
    rank: number;
  }>`
    select t.id, t.txn_no, t.customer_name, t.amount, t.status, t.created_at, m.code as merchant_code, f.rank
    from (select b.id, min(b.rank) as rank from (${sql.join(branches, sql` union all `)}) b group by b.id) f
    join transactions t on t.tenant_id = ${scope.tenant} and t.id = f.id
    join merchants m on m.tenant_id = t.tenant_id and m.id = t.merchant_id
    order by f.rank, t.created_at desc, t.id limit ${sql.lit(most)}`.execute(db);
  return rows.map((row) => ({
    rank: row.rank,
    found: {
      kind,
      uuid: row.id,
      params: {},
      name: row.txn_no,
      note: row.customer_name,
      merchant: row.merchant_code,
      created_at: row.created_at.toISOString(),
      amount: amountText(row.amount),
      currency: scope.currency,
      status: row.status,
    },
  }));
}

const inOrder = <R extends { readonly id: string }>(ranks: readonly Ranked[], rows: readonly R[], foundOf: (row: R) => Found): Hit[] =>
  ranks.flatMap(({ id, rank }) => {
    const row = rows.find((one) => one.id === id);
    return row ? [{ rank, found: foundOf(row) }] : [];
  });
const idsOf = (ranks: readonly Ranked[]): string[] => ranks.map(({ id }) => id);

async function findMerchantsBy(db: Scoped, scope: Scope, typed: Typed): Promise<Hit[]> {
  const ranks = await rankedMerchants(db, scope, typed, mostOf(typed));
  return inOrder(ranks, await findMerchants(db, scope, idsOf(ranks)), (row) => ({
    kind: "merchant",
    uuid: row.id,
    params: {},
    name: row.code,
    note: row.name,
    merchant: null,
    created_at: null,
    amount: null,
    currency: row.currency,
    status: row.status,
  }));
}

async function findAccountsBy(db: Scoped, scope: Scope, typed: Typed): Promise<Hit[]> {
  const ranks = await rankedAccounts(db, scope, typed, mostOf(typed));
  return inOrder(ranks, await findAccounts(db, scope, idsOf(ranks)), (row) => ({
    kind: "payment-account",
    uuid: row.id,
    params: {},
    name: row.code,
    note: row.holder,
    merchant: null,
    created_at: null,
    amount: amountText(row.balance),
    currency: row.currency,
    status: row.shown_status,
  }));
}

async function findUsersBy(db: Scoped, scope: Scope, typed: Typed): Promise<Hit[]> {
  const ranks = await rankedUsers(db, scope, typed, mostOf(typed));
  const all = sql`select r.* from ${namedUsers(scope.tenant)} r`;
  const rows = await findRecords<{ id: string; name: string | null; email: string }>(db, all, idsOf(ranks));
  const bare = { merchant: null, created_at: null, amount: null, currency: "", status: null };
  return inOrder(ranks, rows, ({ id, name, email }) => ({
    kind: "user",
    uuid: id,
    params: {},
    name: name ?? email,
    note: name === null ? "" : email,
    ...bare,
  }));
}

interface NameOnly {
  /** They belong to a currency. */
  readonly currency?: true;
  /** They are found by their code as well. */
  readonly coded?: true;
  /** Text beside the name of a row `r`; empty by default. */
  readonly note?: RawBuilder<unknown>;
  /** The records that the path of its screen names, as JSON; none by default. */
  readonly params?: RawBuilder<unknown>;
}

/** Finds records by name only. */
function nameOnly(
  kind: Found["kind"],
  table: keyof Tables,
  { currency, coded, note = sql`''`, params = sql`'{}'::jsonb` }: NameOnly = {},
): Finder {
  const ranked = rankedByName(table, { ...(currency && { currency }), ...(coded && { coded }) });
  const { name } = labelIn(table);
  return async (db, scope, typed) => {
    const ranks = await ranked(db, scope, typed, mostOf(typed));
    const all = sql`select r.id, ${name} as name, ${note} as note, ${params} as params
      from ${sql.table(table)} r where r.tenant_id = ${scope.tenant}`;
    const rows = await findRecords<{ id: string; name: string; note: string; params: Found["params"] }>(db, all, idsOf(ranks));
    const bare = { merchant: null, created_at: null, amount: null, currency: currency ? scope.currency : "", status: null };
    return inOrder(ranks, rows, (row) => ({ kind, uuid: row.id, params: row.params, name: row.name, note: row.note, ...bare }));
  };
}

/** Kind → its search: one line for each screen with `found` (contract/screens.ts). */
const finders: Readonly<Record<Found["kind"], Finder>> = {
  withdrawal: (db, scope, typed) => findTransactions(db, scope, "withdrawal", typed),
  deposit: (db, scope, typed) => findTransactions(db, scope, "deposit", typed),
  merchant: findMerchantsBy,
  "payment-account": findAccountsBy,
  vendor: nameOnly("vendor", "vendors"),
  user: findUsersBy,
  "vendor-category": nameOnly("vendor-category", "vendor_categories"),
  "vendor-item": nameOnly("vendor-item", "vendor_items", {
    note: sql`(select v.company from vendors v where v.tenant_id = r.tenant_id and v.id = r.vendor_id)`,
  }),
  "master-account": nameOnly("master-account", "master_accounts", { currency: true, coded: true, note: sql`r.code` }),
  "merchant-provider": nameOnly("merchant-provider", "merchant_providers", {
    currency: true,
    note: sql`(select m.name from merchants m where m.tenant_id = r.tenant_id and m.id = r.merchant_id)`,
    params: sql`jsonb_build_object('merchantUuid', r.merchant_id)`,
  }),
  "provider-game": nameOnly("provider-game", "provider_games", {
    currency: true,
    coded: true,
    note: sql`(select concat_ws(' · ', r.code, p.name, m.name) from merchant_providers p
      join merchants m on m.tenant_id = p.tenant_id and m.id = p.merchant_id
      where p.tenant_id = r.tenant_id and p.id = r.merchant_provider_id)`,
    params: sql`jsonb_build_object('merchantProviderUuid', r.merchant_provider_id)`,
  }),
};

export const searchHandlers: Handlers<typeof searchRoutes, StaffCall> = {
  async search(call, { query: { q, kinds = searchKinds } }) {
    const allowed = kinds.filter((kind) => holdsAny(call.caller.permissions, searchPermissions[kind]));
    return inTenant(call.deps.database, call.tenant, async (db) => {
      const typed = await readTyped(db, q);
      const hits: Hit[] = [];
      for (const kind of allowed) hits.push(...(await finders[kind](db, call, typed)));
      return { data: hits.toSorted((a, b) => a.rank - b.rank).map(({ found }) => found) };
    });
  },
};
