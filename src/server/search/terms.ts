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
/** The same of each typo of a word. */
const mostExaminedOfTypo = 2_000;

const ofField = ({ tenant, currency }: Scope, field: NameField | NumberField) =>
  sql`search_terms s where s.tenant_id = ${tenant} and s.currency = ${currency} and s.field = ${sql.lit(field)}`;

/**
 * The keys, at most 50, whose names contain every typed word, those first that have them in this order. Where there are none, `typos`:
 * those that have one word's typo instead and the others in their order, else those that have each word or a typo of it.
 */
export async function namesOf(db: Scoped, scope: Scope, field: NameField, typed: Typed): Promise<{ names: string[]; typos: string[] }> {
  const { words, phrase } = typed;
  if (words.length === 0) return { names: [], typos: [] };
  const terms = ofField(scope, field);
  const inOrder = await begunBy(db, terms, [phrase]);
  if (inOrder.length >= mostFitting || (words.length === 1 && inOrder.length > 0)) return { names: inOrder, typos: [] };
  const counts = words.length === 1 ? [0] : await countsOf(db, terms, words);
  const names = [...new Set([...inOrder, ...(await inAnyOrder(db, terms, words, counts))])].slice(0, mostFitting);
  if (names.length > 0) return { names, typos: [] };
  // a word that names have may be mistyped only when they have all others, too
  const mistyped = typed.mistyped();
  const unknown = counts.includes(0) ? mistyped.filter((_, at) => counts[at] === 0) : mistyped;
  const typos = await begunBy(db, terms, withOneTypo(phrase, unknown));
  if (typos.length > 0 || words.length === 1) return { names, typos };
  // typos are counted only of words that no name has, because each is looked up by itself and they are hundreds
  const counted = words.map((word, at) => (counts[at] === 0 ? (mistyped[at] ?? word) : word));
  return { names, typos: await inAnyOrder(db, terms, mistyped, await countsOf(db, terms, counted)) };
}

/** The phrase with one of its words replaced by each typo of it; what is last is a whole word, where words have ends. */
function withOneTypo(phrase: string, words: readonly Word[]): string[] {
  const parts = phrase.split(" ");
  return words.flatMap(({ start, typos }) => {
    const at = parts.indexOf(start);
    if (at < 0) return [];
    const end = at === parts.length - 1 && !standsAnywhere(start) ? " " : "";
    return typos.map((typo) => parts.with(at, typo).join(" ") + end);
  });
}

/** The keys whose names have one of these texts from some word on. */
async function begunBy(db: Scoped, terms: RawBuilder<unknown>, texts: readonly string[]): Promise<string[]> {
  if (texts.length === 0) return [];
  const most = sql`limit ${sql.lit(mostFitting)}`;
  const { rows } = await sql<{ key: string }>`select s.key from unnest(${texts}::text[]) text cross join lateral (select s.key from ${terms}
    and ${begins(sql`s.term`, sql`text`)} order by s.term, s.key ${most}) s ${most}`.execute(db);
  return [...new Set(rows.map(({ key }) => key))];
}

/** A word's turns, and those of its typos, as selects of term and key that each read a range of the index. */
const turnsOf = (terms: RawBuilder<unknown>, { start, typos }: Word, most: number): RawBuilder<unknown>[] => [
  sql`(select s.term, s.key from ${terms} and ${begins(sql`s.term`, sql`${start}::text`)} order by s.term, s.key limit ${sql.lit(most)})`,
  ...(typos.length === 0
    ? []
    : [
        // a whole word, where words have ends
        sql`(select s.term, s.key from unnest(${typos}::text[]) typo cross join lateral (select s.term, s.key from ${terms}
          and s.term >= typo || ${standsAnywhere(start) ? "" : " "} and s.term < typo || ${standsAnywhere(start) ? "\u{10ffff}" : "!"}
          limit ${sql.lit(Math.min(most, mostExaminedOfTypo))}) s limit ${sql.lit(most)})`,
      ]),
];

/** How many turns begin with each word or are its typos, counted up to a limit. */
async function countsOf(db: Scoped, terms: RawBuilder<unknown>, words: readonly Word[]): Promise<number[]> {
  const counts = words.map(
    (word) => sql`(select count(*) from (${sql.join(turnsOf(terms, word, mostCounted), sql` union all `)}) t)::integer`,
  );
  const { rows } = await sql<{ counts: number[] }>`select array[${sql.join(counts)}]::integer[] as counts`.execute(db);
  return rows[0]?.counts ?? [];
}

/** The keys whose names have each of several words, or a typo of it, looked for among those that have the rarest. */
async function inAnyOrder(db: Scoped, terms: RawBuilder<unknown>, words: readonly Word[], counts: readonly number[]): Promise<string[]> {
  const fewest = Math.min(...counts);
  if (fewest === 0) return [];
  // among words that very many have, a longer one is mostly rarer
  const rarest = words.filter((_, n) => counts[n] === fewest).reduce((a, b) => (b.start.length > a.start.length ? b : a));
  const others = words.filter((word) => word !== rarest);
  const { rows } = await sql<{ key: string }>`select distinct t.key from (select t.key from
      (${sql.join(turnsOf(terms, rarest, mostExamined), sql` union all `)}) t
      where ${wordsFit(others, sql`(' ' || t.term)`)} limit ${sql.lit(mostFitting)}) t`.execute(db);
  return rows.map(({ key }) => key);
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
