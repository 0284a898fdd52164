import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import type { Scoped } from "../db/scope.ts";
import type { TransactionKind } from "../db/tables/kinds.ts";
import { begins, namesOf, numbersOf } from "./terms.ts";
import type { Typed } from "./typed.ts";
import { numbersIn, numbersInEachCase, uuidsIn } from "./typed.ts";

interface Scope {
  readonly tenant: string;
  readonly currency: string;
}

/**
 * A way to find ids, and the rank of its matches: 0 a whole id, 1 a number's last characters, 2 a beginning, 3 a word, 4 a part, 5 a typo.
 */
export interface Way {
  readonly rank: number;
  /** Selects ids of transactions t. */
  readonly select: RawBuilder<unknown>;
}

/** The names and payees' numbers of transactions of both kinds that a text matches. */
export interface Matches {
  readonly names: readonly string[];
  /** Names that match with a typo, where none does without. */
  readonly typos: readonly string[];
  readonly payees: readonly string[];
}

/** Reads them, once for all ways from the text: with typos it is what costs most. */
export async function matchesOf(db: Scoped, scope: Scope, typed: Typed): Promise<Matches> {
  return { ...(await namesOf(db, scope, "name", typed)), payees: await numbersOf(db, scope, "payee", typed) };
}

/** All ways from a text to deposits and withdrawals. */
export async function waysToBoth(db: Scoped, scope: Scope, typed: Typed, most: number): Promise<Way[]> {
  const matches = await matchesOf(db, scope, typed);
  return (["deposit", "withdrawal"] as const).flatMap((kind) => waysToTransactions(scope, kind, typed, matches, most));
}

/**
 * All ways from a text to transactions of a kind, each with its own index and a limit, which keeps the newest of a name or payee. Numbers
 * unique per merchant are looked up merchant by merchant, as their index is.
 * @param merchants whose transactions match too
 */
export function waysToTransactions(
  scope: Scope,
  kind: TransactionKind,
  typed: Typed,
  { names, typos, payees }: Matches,
  most: number,
  merchants: readonly string[] = [],
): Way[] {
  const { ids, plain, name } = typed;
  if (ids.length === 0) return [];
  const all = sql`from transactions t where t.tenant_id = ${scope.tenant} and t.currency = ${scope.currency} and t.kind = ${sql.lit(kind)}`;
  const limit = sql`limit ${sql.lit(most)}`;
  const by = (rank: number, condition: RawBuilder<unknown>): Way => ({ rank, select: sql`(select t.id ${all} and ${condition} ${limit})` });
  const share = sql`limit ${sql.lit(Math.max(12, Math.ceil(most / 5)))}`;
  /** The newest matches of each merchant, and the newest of these. */
  const byMerchant = (condition: RawBuilder<unknown>): Way => ({
    rank: 0,
    select: sql`(select n.id from merchants m cross join lateral (select t.id, t.created_at ${all} and t.merchant_id = m.id and ${condition}
      order by t.created_at desc ${share}) n where m.tenant_id = ${scope.tenant} and m.currency = ${scope.currency}
      order by n.created_at desc ${limit})`,
  });
  /** The newest matches of each value, and the newest of these. */
  const newestOf = (rank: number, values: readonly string[], type: "text" | "uuid", column: string, newest: string): Way => ({
    rank,
    select: sql`(select n.id from unnest(${values}::${sql.raw(type)}[]) one cross join lateral (select t.id, t.created_at ${all}
      and ${sql.ref(`t.${column}`)} = one order by ${sql.ref(`t.${newest}`)} desc ${share}) n order by n.created_at desc ${limit})`,
  });
  const begun = begins(sql`t.name_key`, sql`lower(${name}::text)`);
  const uuids = uuidsIn(typed);
  const tails = plain.filter((number) => /^\d{6,}$/.test(number));
  const numbers = numbersIn(typed);
  const cases = numbersInEachCase(typed);
  return [
    ...(uuids.length > 0 ? [by(0, sql`t.id = any(${uuids}::uuid[])`)] : []),
    by(0, sql`t.txn_no = any(${numbers.map((one) => one.toUpperCase())}::text[])`),
    byMerchant(sql`t.merchant_txn_no = any(${numbers}::text[])`),
    byMerchant(sql`t.member = any(${cases}::text[])`),
    by(0, sql`t.reference_no = any(${cases}::text[])`),
    ...(kind === "withdrawal" && plain.length > 0 ? [newestOf(0, plain, "text", "account_number", "created_at")] : []),
    // the index finds the last six digits; the rest is compared on the few rows found
    ...tails.map((tail) => by(1, sql`t.txn_tail = ${tail.slice(-6)} and right(t.txn_no, ${tail.length}) = ${tail}`)),
    ...(kind === "withdrawal" && payees.length > 0 ? [newestOf(1, payees, "text", "account_number", "created_at")] : []),
    ...(name === null
      ? []
      : [
          {
            rank: 2,
            select: sql`(select n.id from (select t.id, t.created_at ${all} and ${begun}
              order by t.name_key, t.id limit ${sql.lit(Math.max(200, most))}) n order by n.created_at desc ${limit})`,
          },
        ]),
    ...(names.length > 0 ? [newestOf(3, names, "text", "name_key", "id")] : []),
    ...(typos.length > 0 ? [newestOf(5, typos, "text", "name_key", "id")] : []),
    ...(merchants.length > 0 ? [newestOf(3, merchants, "uuid", "merchant_id", "created_at")] : []),
  ];
}
