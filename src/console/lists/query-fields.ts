import i18next from "i18next";
import type { Linked } from "../../contract/controls.ts";
import { folded } from "../kit/query/nearest.ts";
import type { QueryChoice, QueryField } from "../kit/query/query-field.ts";
import { timeSpans } from "../kit/query/query-field.ts";
import { amountDecimals } from "../kit/look/amounts.ts";
import { inEnglish, text } from "../kit/texts/texts.ts";
import { momentWords } from "../../values/moments.ts";
import type { KnownRecords, ListFilter } from "./filters.ts";
import { isReadable, momentWord, recordsOf } from "./filters.ts";

/** One word, as a line names a field. */
const wordOfTitle = (title: string): string => title.replaceAll(/[^\p{L}\p{M}\p{N}_'’]+/gu, "-").replaceAll(/^-|-$/g, "");

/** What is said in the reader's language, and in English. */
const inBoth = (say: () => string): string[] => [...new Set([say(), inEnglish(say)])];

/**
 * What lines call records: first what tells each apart from the others, its code or else its name, or else its uuid. A name that several
 * have means none of them alone, and is offered with what tells them apart behind it.
 */
function recordChoices(records: readonly Linked[]): readonly QueryChoice[] {
  const times = new Map<string, number>();
  for (const { name, code } of records)
    for (const word of new Set([folded(name), folded(code ?? name)])) times.set(word, (times.get(word) ?? 0) + 1);
  return records.map(({ uuid, name, code }) => {
    const sole = [...new Set([code ?? name, name])].filter((word) => times.get(folded(word)) === 1);
    const [apart = uuid] = sole;
    return { id: uuid, words: [apart, ...sole.slice(1), ...(sole.includes(name) ? [] : [`${name} · ${apart}`])] };
  });
}

/** Whether a line may name a record, so that the records must be known before it is judged. */
export const mayNameRecord = (line: string, fields: readonly QueryField[]): boolean =>
  fields.some(({ kind, name, words }) => kind === "record" && [name, ...words].some((word) => folded(line).includes(folded(word))));

/**
 * The same for lines that are typed where the list's rows are not there: put together again only where the reader's language, the currency's
 * decimals or the records known have changed, because each key asks for them.
 */
export function queryFieldsOnce(filters: readonly ListFilter<never>[]): (known: KnownRecords) => readonly QueryField[] {
  let made: { readonly of: readonly unknown[]; readonly fields: readonly QueryField[] } | null = null; // set below
  return (known) => {
    const of = [i18next.language, amountDecimals(), known];
    if (made === null || of.some((one, at) => one !== made?.of[at])) made = { of, fields: queryFields(filters, [], known) };
    return made.fields;
  };
}

/** What a query line can ask of a list: its filters, by their names and their titles in the reader's language. */
export function queryFields<Row>(
  filters: readonly ListFilter<Row>[],
  rows: readonly Row[],
  known: KnownRecords = {},
): readonly QueryField[] {
  return filters.map((filter): QueryField => {
    const { name, title, as, choices, optionsOf, record, wordOf } = filter;
    const common = { name, words: inBoth(() => wordOfTitle(text(title))), reads: (value: string) => isReadable(filter, value) };
    if (choices)
      return { ...common, kind: "choices", choices: choices.map((id) => ({ id, words: inBoth(() => wordOf?.(id, rows) ?? id) })) };
    if (as === "amount") return { ...common, kind: as, decimals: amountDecimals() };
    if (as === "time")
      return {
        ...common,
        kind: as,
        choices: momentWords.map((id) => ({ id, words: [momentWord(id)] })),
        spans: timeSpans.map((id) => ({ id, words: [text(`query.span.${id}`)] })),
      };
    if (record) {
      const me = record.me ? [{ id: "me", words: [text("query.me")] }] : [];
      return { ...common, kind: "record", choices: [...me, ...recordChoices(recordsOf(filter, rows, known))] };
    }
    if (optionsOf)
      return {
        ...common,
        kind: "record",
        choices: optionsOf(rows).map(({ id, label, note }) => ({ id, words: [label, note].filter((word) => word !== "") })),
      };
    return { ...common, kind: "text" };
  });
}
