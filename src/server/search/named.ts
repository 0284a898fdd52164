import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import type { Scoped } from "../db/scope.ts";
import type { Tables } from "../db/tables.ts";
import { labelIn } from "../records/links.ts";
import { namedUsers } from "../users/user-rows.ts";
import { wordsFit } from "./terms.ts";
import type { Typed } from "./typed.ts";
import { uuidsIn } from "./typed.ts";

interface Scope {
  readonly tenant: string;
  readonly currency: string;
}

export interface Ranked {
  readonly id: string;
  readonly rank: number;
}

/** How a kind of record is searched. */
interface Named {
  /** Its table, or a select of a tenant's. */
  readonly table: keyof Tables | ((tenant: string) => RawBuilder<unknown>);
  readonly name: RawBuilder<unknown>;
  /** It belongs to a currency; otherwise it is found whatever the currency. */
  readonly currency?: true;
  /** It has a code besides its name. */
  readonly coded?: true;
  readonly number?: true;
}

const merchants: Named = { table: "merchants", name: sql`r.name`, currency: true, coded: true };
const accounts: Named = {
  table: "payment_accounts",
  name: sql`r.holder`,
  currency: true,
  coded: true,
  number: true,
};

/**
 * Ranked matches, best first: a whole id, an account's last digits, a beginning; then words and any part of a name or code; and words with
 * one typo when nothing else matches. By a scan that folds each name once, because a tenant has few records.
 */
async function rankedBy(db: Scoped, { tenant, currency }: Scope, what: Named, typed: Typed, most: number): Promise<Ranked[]> {
  const { ids, plain, name } = typed;
  if (ids.length === 0) return [];
  const uuids = uuidsIn(typed);
  const number = sql`r.account_number`;
  const whole = [
    ...(uuids.length > 0 ? [sql`r.id = any(${uuids}::uuid[])`] : []),
    ...(what.coded ? [sql`lower(r.code) = any(${ids.map((id) => id.toLowerCase())}::text[])`] : []),
    ...(what.number && plain.length > 0 ? [sql`${number} = any(${plain}::text[])`] : []),
  ];
  const tails = what.number
    ? plain.filter((one) => /^\d{4,}$/.test(one)).map((tail) => sql`right(${number}, ${tail.length}) = ${tail}`)
    : [];
  const first = plain.at(-1) ?? "";
  const code = ids.at(-1)?.toLowerCase() ?? "";
  const noWords = name === null || typed.words.length === 0;
  const beginning =
    name === null
      ? []
      : [
          ...(what.coded ? [sql`starts_with(lower(r.code), ${code})`] : []),
          ...(what.number && first.length >= 2 ? [sql`starts_with(${number}, ${first})`] : []),
          sql`starts_with(lower(${what.name}), lower(${name}::text))`,
          ...(noWords ? [] : [sql`starts_with(p.phrase, ${` ${typed.phrase}`})`]),
        ];
  const inside = noWords
    ? []
    : [
        sql`strpos(p.phrase, ${typed.phrase}) > 0`,
        ...(what.coded ? [sql`strpos(lower(r.code), ${code}) > 0`] : []),
        ...(what.number && first.length >= 4 ? [sql`strpos(${number}, ${first}) > 0`] : []),
      ];
  const shown = what.coded ? sql`r.code` : what.name;
  const { table } = what;
  const rowsOf = typeof table === "function" ? table(tenant) : sql.table(table);
  const within = what.currency ? sql`and r.currency = ${currency}` : sql``;
  const ask = async (ways: readonly { rank: number; condition: RawBuilder<unknown> }[]): Promise<Ranked[]> => {
    if (ways.length === 0) return [];
    const cases = ways.map(({ rank, condition }, place) => sql`when ${condition} then array[${sql.lit(rank)}, ${sql.lit(place)}]`);
    const { rows } =
      await sql<Ranked>`select f.id, f.best[1] as rank from (select r.id, ${shown} as code, case ${sql.join(cases, sql` `)} end as best
        from ${rowsOf} r cross join lateral (select folded_phrase(${what.name}) as phrase offset 0) p
        where r.tenant_id = ${tenant} ${within} offset 0) f
      where f.best is not null order by f.best[2], f.code, f.id limit ${sql.lit(most)}`.execute(db);
    return rows;
  };
  const at = (rank: number, conditions: readonly RawBuilder<unknown>[]) => conditions.map((condition) => ({ rank, condition }));
  const found = await ask([
    // all whole ids rank equally
    ...(whole.length > 0 ? [{ rank: 0, condition: sql`(${sql.join(whole, sql` or `)})` }] : []),
    ...at(1, tails),
    ...at(2, beginning),
    ...(noWords ? [] : at(3, [wordsFit(typed.words, sql`p.phrase`)])),
    ...at(4, inside),
  ]);
  if (found.length > 0 || noWords) return found;
  const slips = typed.mistyped();
  return slips.some(({ typos }) => typos.length > 0) ? ask(at(5, [wordsFit(slips, sql`p.phrase`)])) : [];
}

type Ranking = (db: Scoped, scope: Scope, typed: Typed, most: number) => Promise<Ranked[]>;
const rankedIn =
  (what: Named): Ranking =>
  (db, scope, typed, most) =>
    rankedBy(db, scope, what, typed, most);

const namesAndEmails = sql`concat_ws(' ', r.name, r.email)`;
export const rankedMerchants = rankedIn(merchants);
/** By name or e-mail. */
export const rankedUsers = rankedIn({ table: namedUsers, name: namesAndEmails });
export const rankedAccounts = rankedIn(accounts);

/** Ranks records that are found by name only, or by their code as well. */
export function rankedByName(table: Named["table"], of: Pick<Named, "currency" | "coded">): Ranking {
  const name = typeof table === "function" ? sql`r.name` : labelIn(table).name;
  return rankedIn({ table, name, ...of });
}
