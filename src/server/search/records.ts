import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import type { Found } from "../../contract/search.ts";
import { amountText } from "../../values/money.ts";
import { findAccounts } from "../accounts/account-rows.ts";
import type { Scoped } from "../db/scope.ts";
import type { Tables } from "../db/tables.ts";
import { findMerchants } from "../merchants/merchant-rows.ts";
import { labelIn } from "../records/links.ts";
import { findRecords } from "../records/record-list.ts";
import { namedUsers } from "../users/user-rows.ts";
import { bare, idsOf, inOrder, mostOf } from "./finder.ts";
import type { Finder, Hit, SearchScope } from "./finder.ts";
import { rankedAccounts, rankedByName, rankedMerchants, rankedUsers } from "./named.ts";
import type { Typed } from "./typed.ts";

export async function findMerchantsBy(db: Scoped, scope: SearchScope, typed: Typed): Promise<Hit[]> {
  const ranks = await rankedMerchants(db, scope, typed, mostOf(typed));
  return inOrder(ranks, await findMerchants(db, scope, idsOf(ranks)), (row) => ({
    ...bare,
    kind: "merchant",
    uuid: row.id,
    name: row.code,
    note: row.name,
    currency: row.currency,
    status: row.status,
  }));
}

export async function findAccountsBy(db: Scoped, scope: SearchScope, typed: Typed): Promise<Hit[]> {
  const ranks = await rankedAccounts(db, scope, typed, mostOf(typed));
  return inOrder(ranks, await findAccounts(db, scope, idsOf(ranks)), (row) => ({
    ...bare,
    kind: "payment-account",
    uuid: row.id,
    name: row.code,
    note: row.holder,
    amount: amountText(row.balance),
    currency: row.currency,
    status: row.shown_status,
  }));
}

export async function findUsersBy(db: Scoped, scope: SearchScope, typed: Typed): Promise<Hit[]> {
  const ranks = await rankedUsers(db, scope, typed, mostOf(typed));
  const all = sql`select r.* from ${namedUsers(scope.tenant)} r`;
  const rows = await findRecords<{ id: string; name: string | null; email: string }>(db, all, idsOf(ranks));
  return inOrder(ranks, rows, ({ id, name, email }) => ({
    ...bare,
    kind: "user",
    uuid: id,
    name: name ?? email,
    note: name === null ? "" : email,
  }));
}

interface NameOnly {
  /** They belong to a currency. */
  readonly currency?: true;
  /** They are found by their code as well. */
  readonly coded?: true;
  /** What a row `r` is called; by default as everywhere (records/links.ts). */
  readonly name?: RawBuilder<unknown>;
  /** Text beside the name of a row `r`; empty by default. */
  readonly note?: RawBuilder<unknown>;
  /** The records that the path of its screen names, as JSON; none by default. */
  readonly params?: RawBuilder<unknown>;
}

/** Finds records by name only: those of a table, or of a select of a tenant's whose name is all that they are found by. */
export function nameOnly(
  kind: Found["kind"],
  table: keyof Tables | ((tenant: string) => RawBuilder<unknown>),
  { currency, coded, name: called, note = sql`''`, params = sql`'{}'::jsonb` }: NameOnly = {},
): Finder {
  const ranked = rankedByName(table, { ...(currency && { currency }), ...(coded && { coded }) });
  const name = called ?? (typeof table === "function" ? sql`r.name` : labelIn(table).name);
  return async (db, scope, typed) => {
    const ranks = await ranked(db, scope, typed, mostOf(typed));
    if (ranks.length === 0) return [];
    const all = sql`select r.id, ${name} as name, ${note} as note, ${params} as params
      from ${typeof table === "function" ? table(scope.tenant) : sql.table(table)} r where r.tenant_id = ${scope.tenant}`;
    const rows = await findRecords<{ id: string; name: string; note: string; params: Found["params"] }>(db, all, idsOf(ranks));
    const of = currency ? scope.currency : "";
    return inOrder(ranks, rows, (row) => ({
      ...bare,
      kind,
      uuid: row.id,
      params: row.params,
      name: row.name,
      note: row.note,
      currency: of,
    }));
  };
}
