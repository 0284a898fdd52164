import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import type { Scoped } from "../db/scope.ts";
import type { Typed } from "./typed.ts";
import { standsAnywhere } from "./typed.ts";

/** What search_terms keeps the terms of (functions/search.sql); names have turns, numbers their last four characters. */
type NameField = "name" | "counterparty";
type NumberField = "payee" | "counterparty-account";

interface Scope {
  readonly tenant: string;
  readonly currency: string;
}

type Word = Typed["words"][number];

/** Condition that the column begins with `start`; the column is compared in code point order. */
export const begins = (column: RawBuilder<unknown>, start: RawBuilder<unknown>) =>
  sql`(${column} >= ${start} and ${column} < ${start} || chr(1114111))`;

/** Condition that each of these words begins a word of a text, or is a typo of one; `phrase`: the text's folded_phrase. */
export const wordsFit = (words: readonly Word[], phrase: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(${sql.join(
    [
      sql`true`,
      ...words.map(({ start, typos }) => {
        const there = sql`strpos(${phrase}, ${standsAnywhere(start) ? start : ` ${start}`}::text) > 0`;
        if (typos.length === 0) return there;
        const typo = standsAnywhere(start)
          ? sql`select from unnest(${typos}::text[]) typo where strpos(${phrase}, typo) > 0`
          : sql`select from unnest(string_to_array(${phrase}, ' ')) one where one = any(${typos}::text[])`;
        return sql`(${there} or exists (${typo}))`;
      }),
    ],
    sql` and `,
  )})`;

/** Most matching names and numbers used. */
const mostFitting = 50;
/** Names counted of each word to learn which is the rarest. */
const mostCounted = 500;
/** Names of the rarest word that the other words are looked for in. */
const mostExamined = 20_000;

const ofField = ({ tenant, currency }: Scope, field: NameField | NumberField) =>
  sql`search_terms s where s.tenant_id = ${tenant} and s.currency = ${currency} and s.field = ${sql.lit(field)}`;

/** The keys whose names contain every typed word, those first that have them in this order. At most 50. */
export async function namesOf(db: Scoped, scope: Scope, field: NameField, { words, phrase }: Typed): Promise<string[]> {
  if (words.length === 0) return [];
  const terms = ofField(scope, field);
  const most = sql`limit ${sql.lit(mostFitting)}`;
  /** A word's turns, as selects of term and key that each read a range of the index. */
  const turnsOf = ({ start, typos }: Word, limit: RawBuilder<unknown>): RawBuilder<unknown>[] => [
    sql`(select s.term, s.key from ${terms} and ${begins(sql`s.term`, sql`${start}::text`)} order by s.term, s.key ${limit})`,
    ...(typos.length === 0
      ? []
      : [
          // a whole word, where words have ends
          sql`(select s.term, s.key from unnest(${typos}::text[]) typo cross join lateral (select s.term, s.key from ${terms}
            and s.term >= typo || ${standsAnywhere(start) ? "" : " "} and s.term < typo || ${standsAnywhere(start) ? "\u{10ffff}" : "!"}
            limit ${sql.lit(mostFitting)}) s ${limit})`,
        ]),
  ];
  const hasTypos = words.some(({ typos }) => typos.length > 0);
  const inOrder = hasTypos
    ? []
    : (
        await sql<{
          key: string;
        }>`select s.key from ${terms} and ${begins(sql`s.term`, sql`${phrase}::text`)} order by s.term, s.key ${most}`.execute(db)
      ).rows;
  const keys = new Set(inOrder.map(({ key }) => key));
  if (keys.size >= mostFitting || (words.length === 1 && !hasTypos)) return [...keys];
  const rarest = await rarestOf(db, words, turnsOf);
  if (rarest === null) return [...keys];
  const others = words.filter((word) => word !== rarest);
  const { rows } = await sql<{ key: string }>`select distinct t.key from (select t.key from
      (${sql.join(turnsOf(rarest, sql`limit ${sql.lit(mostExamined)}`), sql` union all `)}) t
      where ${wordsFit(others, sql`(' ' || t.term)`)} ${most}) t`.execute(db);
  for (const { key } of rows) keys.add(key);
  return [...keys].slice(0, mostFitting);
}

/** The word that fewest names have; null: one is in none. */
async function rarestOf(
  db: Scoped,
  words: readonly Word[],
  turnsOf: (word: Word, limit: RawBuilder<unknown>) => RawBuilder<unknown>[],
): Promise<Word | null> {
  const [only] = words;
  if (words.length === 1) return only ?? null;
  const counted = sql`limit ${sql.lit(mostCounted)}`;
  const counts = words.map((word) => sql`(select count(*) from (${sql.join(turnsOf(word, counted), sql` union all `)}) t)::integer`);
  const { rows } = await sql<{ counts: number[] }>`select array[${sql.join(counts)}] as counts`.execute(db);
  const each = rows[0]?.counts ?? [];
  const fewest = Math.min(...each);
  // among words that very many have, a longer one is mostly rarer
  return fewest === 0 ? null : words.filter((_, n) => each[n] === fewest).reduce((a, b) => (b.start.length > a.start.length ? b : a));
}

/** The numbers that end with typed digits, at least four. */
export async function numbersOf(db: Scoped, scope: Scope, field: NumberField, { plain }: Typed): Promise<string[]> {
  const tails = plain.filter((number) => /^\d{4,}$/.test(number));
  if (tails.length === 0) return [];
  const { rows } = await sql<{ key: string }>`select s.key from unnest(${tails}::text[]) tail cross join lateral (
      select s.key from ${ofField(scope, field)} and s.term = right(tail, 4) and right(s.key, length(tail)) = tail
      limit ${sql.lit(mostFitting)}) s`.execute(db);
  return rows.map(({ key }) => key);
}
