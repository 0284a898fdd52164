/**
 * How a search reads a text: without case, accents, width and signs nobody sees. `folded()` of the database
 * (server/db/functions/search.sql) reads stored texts in the same way; a test holds the two equal.
 */

/** Accents; Hebrew points; Arabic vowel signs, and the stroke that widens a word; Thai tone marks; what is invisible. */
const marks = new RegExp(
  `[${"\u00ad \u0300-\u036f \u0591-\u05c7 \u0610-\u061a \u0640 \u064b-\u065f \u0670 \u06d6-\u06ed \u0e47-\u0e4d \u200b-\u200f \u202a-\u202e \u2060-\u2069 \ufe00-\ufe0f \ufeff".replaceAll(" ", "")}]`,
  "g",
);

/** Letters that Unicode does not take apart, the forms of an Arabic letter, and digits of other scripts, with what each is read as. */
const [from, to] = ["đðøłħŧıςٱىیکةۀہھ٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹๐๑๒๓๔๕๖๗๘๙", "ddolhtiσاييكهههه" + "0123456789".repeat(3)];
const alike = new Map([
  ...[...from].map((letter, at): [string, string] => [letter, to[at] ?? letter]),
  ["ß", "ss"],
  ["æ", "ae"],
  ["œ", "oe"],
]);
const isAlike = new RegExp(`[${[...alike.keys()].join("")}]`, "g");

export const folded = (written: string): string =>
  written
    .normalize("NFKD")
    .replace(marks, "")
    .toLowerCase()
    .replace(isAlike, (letter) => alike.get(letter) ?? letter);
