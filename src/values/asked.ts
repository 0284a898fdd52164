/** What a filter by texts or records asks for: any of these, or none of them. */
export interface Asked {
  readonly isNot: boolean;
  /** At least one. */
  readonly of: readonly string[];
}

/** Most texts or records that one filter names. */
export const mostAsked = 50;
/** Letters of a filter's text at most. */
export const longestAsked = 40 * mostAsked;

/** Within quotation marks; one within it is two. */
export const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
/** A text that has one of these at its place means something else. */
const needsQuotes = (text: string): boolean => text === "" || text.includes(",") || text.startsWith("!") || text.startsWith('"');

/** This text alone. */
export const asking = (text: string): Asked => ({ isNot: false, of: [text] });
/** Whether one value is asked for, and nothing left out. */
export const isSole = ({ isNot, of }: Asked): boolean => !isNot && of.length === 1;

/** As address and list call have it: "a", "a,b", "!a,b" for none of them; a text with a comma within quotation marks. */
export const writeAsked = ({ isNot, of }: Asked): string =>
  (isNot ? "!" : "") + of.map((text) => (needsQuotes(text) ? quoted(text) : text)).join(",");

const part = /^(?:"((?:[^"]|"")*)"|((?!")[^,]*))(?:,|$)/;

/** The same read, each text without blanks around it; null: one of them is empty or not closed, there are too many, or there is none. */
export function readAsked(text: string): Asked | null {
  const isNot = text.startsWith("!");
  const of: string[] = [];
  let rest = isNot ? text.slice(1) : text;
  for (;;) {
    const found = part.exec(rest);
    const one = (found?.[1]?.replaceAll('""', '"') ?? found?.[2] ?? "").trim();
    if (found === null || one === "" || of.length === mostAsked) return null;
    if (!of.includes(one)) of.push(one);
    rest = rest.slice(found[0].length);
    if (!found[0].endsWith(",")) return { isNot, of };
  }
}
