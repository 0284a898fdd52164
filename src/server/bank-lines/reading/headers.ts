import type { BankField } from "../../../contract/bank-layouts.ts";
import type { Cell } from "./cells.ts";
import { cellText } from "./cells.ts";
import { headerWords, totalWords } from "./header-words.ts";

/** Without capitals, accents' forms, points and signs: "Transaction Date:" is "transaction date". */
export const plainWords = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll("ё", "е")
    .replace(/[\u064b-\u0652\u0640]/g, "") // vowel signs and stretches of Arabic
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();

const byWords: ReadonlyMap<string, BankField> = new Map(
  // the first field wins a word that two have
  headerWords.flatMap(([field, words]) => words.split("|").map((one): [string, BankField] => [plainWords(one), field])).toReversed(),
);
const inOrder = [...byWords].toSorted(([a], [b]) => b.length - a.length);

/** Scripts that do not part words by blanks. */
const unparted = /\p{Script=Han}|\p{Script=Thai}/u;
/** Too short, or too common, to be looked for within a longer header. */
const wholeOnly = new Set([
  "name",
  "from",
  "type",
  "text",
  "note",
  "time",
  "hora",
  "masa",
  "data",
  "wert",
  "nama",
  "nome",
  "ngày",
  "tgl",
  "sum",
  "value",
]);
const longest = 80;

/** What a header says its column holds; null: nothing known. Words in parentheses count only when no others do. */
export function fieldOf(header: string): BankField | null {
  if (header.length > longest) return null;
  const bare = header.replace(/[(（[【].*?[)）\]】]/gu, " ");
  for (const text of [plainWords(header), plainWords(bare)]) {
    const exact = byWords.get(text);
    if (exact) return exact;
  }
  // one column in two languages: "Tarikh / Date"
  for (const part of header.split(/[/|\n·]/)) {
    const exact = byWords.get(plainWords(part));
    if (exact && plainWords(part).length > 2) return exact;
  }
  const text = ` ${plainWords(bare)} `;
  for (const [words, field] of inOrder) {
    const isThere = unparted.test(words)
      ? words.length > 1 && text.includes(words)
      : words.length > 3 && !wholeOnly.has(words) && text.includes(` ${words} `);
    if (isThere) return field;
  }
  return null;
}

/** What each column holds by its header; each field once, but for descriptions, which are put together. */
export function columnsOf(headers: readonly Cell[]): (BankField | null)[] {
  const seen = new Set<BankField>();
  const columns = headers.map((header) => {
    const field = fieldOf(cellText(header));
    if (field === null || field === "description") return field;
    if (seen.has(field)) return field === "reference" ? "description" : null;
    seen.add(field);
    return field;
  });
  // a column called time holds the date as well where no other does
  if (!seen.has("date") && seen.has("clock")) return columns.map((field) => (field === "clock" ? "date" : field));
  return columns;
}

const dates: ReadonlySet<BankField> = new Set(["date", "value_date", "clock"]);
const sums: ReadonlySet<BankField> = new Set(["amount", "debit", "credit"]);

/** How surely a row holds headers: how many fields it names; 0 when it names no date or no sum. */
export function headerScore(cells: readonly Cell[]): number {
  if (cells.length > 100) return 0;
  const fields = new Set(columnsOf(cells).filter((field) => field !== null));
  const has = (any: ReadonlySet<BankField>) => [...fields].some((field) => any.has(field));
  return has(dates) && has(sums) ? fields.size : 0;
}

const isAny = (words: readonly string[]) => {
  const known = new Set(words.map(plainWords));
  return (cells: readonly Cell[]): boolean =>
    cells.some((cell) => {
      const text = cellText(cell);
      // none of these words has a digit
      return text.length > 1 && text.length <= longest && !/\d/.test(text) && known.has(plainWords(text));
    });
};
/** Whether a cell says that the row is a total, or a balance carried over. */
export const saysTotal = isAny(totalWords.total);
export const saysBalance = isAny(totalWords.balance);
