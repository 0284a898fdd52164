import type { QueryField } from "../kit/query/query-line.ts";
import { timeSpans } from "../kit/query/query-line.ts";
import { amountDecimals } from "../kit/look/amounts.ts";
import { inEnglish, text } from "../kit/texts/texts.ts";
import { momentWords } from "../../values/moments.ts";
import type { ListFilter } from "./filters.ts";
import { isReadable, momentWord } from "./filters.ts";

/** One word, as a line names a field. */
const wordOfTitle = (title: string): string => title.replaceAll(/[^\p{L}\p{M}\p{N}_'’]+/gu, "-").replaceAll(/^-|-$/g, "");

/** What is said in the reader's language, and in English. */
const inBoth = (say: () => string): string[] => [...new Set([say(), inEnglish(say)])];

/** What a query line can ask of a list: its filters, by their names and their titles in the reader's language. */
export function queryFields<Row>(filters: readonly ListFilter<Row>[], rows: readonly Row[]): readonly QueryField[] {
  return filters.map((filter): QueryField => {
    const { name, title, as, choices, optionsOf, pattern, wordOf } = filter;
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
    if (optionsOf)
      return {
        ...common,
        kind: "record",
        choices: optionsOf(rows).map(({ id, label, note }) => ({ id, words: [label, note].filter((word) => word !== "") })),
      };
    return { ...common, kind: pattern === undefined ? "text" : "record" };
  });
}
