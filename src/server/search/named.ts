import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import type { Scoped } from "../db/scope.ts";
import type { Tables } from "../db/tables.ts";
import { labelIn } from "../records/links.ts";
import { namedUsers } from "../users/user-rows.ts";
import { begins, wordsFit } from "./transactions.ts";
import type { Typed } from "./typed.ts";
import { withTypos } from "./typed.ts";

interface Scope {
  readonly tenant: string;
  readonly currency: string;
}

export interface Ranked {
  readonly id: string;
  readonly rank: number;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const code = sql`r.code collate "C"`;
const lower = (text: string) => sql`lower(${text}::text)`;
const upper = (text: string) => sql`upper(${text}::text)`;

/** How a kind of record is searched. */
interface Named {
  /** Its table, or a select of a tenant's. */
  readonly table: keyof Tables | ((tenant: string) => RawBuilder<unknown>);
  readonly name: RawBuilder<unknown>;
  readonly nameKey: RawBuilder<unknown>;
  /** It belongs to a currency; otherwise it is found whatever the currency. */
  readonly currency?: true;
  /** It has a code besides its name. */
  readonly coded?: true;
  readonly number?: true;
}

const merchants: Named = { table: "merchants", name: sql`r.name`, nameKey: sql`r.name_key`, currency: true, coded: true };
const accounts: Named = {
  table: "payment_accounts",
  name: sql`r.holder`,
  nameKey: sql`r.holder_key`,
  currency: true,
  coded: true,
  number: true,
};

/**
 * Ranked matches, best first: a whole id, an account's last digits, a beginning; then words and any part of a name or code, by a scan,
 * because a tenant has few records; and words with one typo when nothing else matches.
 */
async function rankedBy(db: Scoped, { tenant, currency }: Scope, what: Named, typed: Typed, most: number): Promise<Ranked[]> {
  const { ids, plain, name } = typed;
  if (ids.length === 0) return [];
  const uuids = ids.filter((id) => uuid.test(id));
  const number = sql`r.account_number`;
  const whole = [
    ...(uuids.length > 0 ? [sql`r.id = any(${uuids}::uuid[])`] : []),
    ...(what.coded ? [sql`r.code = any(${ids.map((id) => id.toUpperCase())}::text[])`] : []),
    ...(what.number && plain.length > 0 ? [sql`${number} = any(${plain}::text[])`] : []),
  ];
  const tails = what.number
    ? plain.filter((one) => /^\d{4,}$/.test(one)).map((tail) => sql`right(${number}, ${tail.length}) = ${tail}`)
    : [];
  const first = plain[0] ?? "";
  const beginning =
    name === null
      ? []
      : [
          ...(what.coded ? [begins(code, upper(name))] : []),
          ...(what.number && first.length >= 2 ? [begins(sql`${number} collate "C"`, sql`${first}::text`)] : []),
          begins(what.nameKey, lower(name)),
        ];
  const noWords = name === null || typed.words.length === 0;
  const words = noWords ? [] : [wordsFit(typed, sql`folded_words(${what.name})`)];
  const inside = noWords
    ? []
    : [
        sql`strpos(folded(${what.name}), folded(${name}::text)) > 0`,
        ...(what.coded ? [sql`strpos(lower(r.code), ${lower(name)}) > 0`] : []),
        ...(what.number && first.length >= 4 ? [sql`strpos(${number}, ${first}::text) > 0`] : []),
      ];
  const typo = noWords ? [] : [wordsFit(withTypos(typed), sql`folded_words(${what.name})`)];
  const shown = what.coded ? sql`r.code` : what.name;
  const { table } = what;
  const rowsOf = typeof table === "function" ? table(tenant) : sql.table(table);
  const within = what.currency ? sql`and r.currency = ${currency}` : sql``;
  const ask = async (ways: readonly { rank: number; condition: RawBuilder<unknown> }[]): Promise<Ranked[]> => {
    if (ways.length === 0) return [];
    const branches = ways.map(
      ({ rank, condition }, place) => sql`(select r.id, ${sql.lit(rank)} as rank, ${sql.lit(place)} as place, ${shown} as code
        from ${rowsOf} r where r.tenant_id = ${tenant} ${within} and ${condition} limit ${sql.lit(most)})`,
    );
    const { rows } = await sql<Ranked>`select b.id, min(b.rank) as rank from (${sql.join(branches, sql` union all `)}) b
      group by b.id, b.code order by min(b.place), b.code limit ${sql.lit(most)}`.execute(db);
    return rows;
  };
  const at = (rank: number, conditions: readonly RawBuilder<unknown>[]) => conditions.map((condition) => ({ rank, condition }));
  const found = await ask([
    // all whole ids rank equally
    ...(whole.length > 0 ? [{ rank: 0, condition: sql`(${sql.join(whole, sql` or `)})` }] : []),
    ...at(1, tails),
    ...at(2, beginning),
    ...at(3, words),
    ...at(4, inside),
  ]);
  return found.length > 0 ? found : ask(at(5, typo));
}

type Ranking = (db: Scoped, scope: Scope, typed: Typed, most: number) => Promise<Ranked[]>;
const rankedIn =
  (what: Named): Ranking =>
  (db, scope, typed, most) =>
    rankedBy(db, scope, what, typed, most);

const namesAndEmails = sql`concat_ws(' ', r.name, r.email)`;
export const rankedMerchants = rankedIn(merchants);
/** By name or e-mail. */
export const rankedUsers = rankedIn({ table: namedUsers, name: namesAndEmails, nameKey: sql`lower(${namesAndEmails}) collate "C"` });
export const rankedAccounts = rankedIn(accounts);

/** Ranks records that are found by name only, or by their code as well. */
export function rankedByName(table: keyof Tables, of: Pick<Named, "currency" | "coded">): Ranking {
  const { name } = labelIn(table);
  return rankedIn({ table, name, nameKey: sql`lower(${name}) collate "C"`, ...of });
}
