/** What stands at the head of every printed page, and at the foot of it beside its number. */
export interface PageWords {
  readonly start: string;
  readonly end: string;
  readonly foot?: string;
}

/** A text as CSS has it. */
const quoted = (text: string): string => `"${text.replaceAll(/["\\\n\r\f]/g, (sign) => `\\${sign.charCodeAt(0).toString(16)} `)}"`;

/** A part of such a text that is read in its own direction: dates would turn round beside Arabic letters. */
export const ownWay = (text: string): string => `\u2068${text}\u2069`;

/** px of a page's width within its margins, A4 held sideways. */
export const sidewaysWidth = ((297 - 2 * 12) / 25.4) * 96;

/**
 * Puts these texts at the head and foot of every printed page, from the side reading begins at; answers what takes them away. In a sheet of
 * its own, because only rules of a page reach its margins, and they know no element.
 */
export function setPrintedPage({ start, end, foot = "" }: PageWords, sideways: boolean): () => void {
  const sheet = new CSSStyleSheet();
  const direction = getComputedStyle(document.documentElement).direction;
  const [first, last] = direction === "rtl" ? (["right", "left"] as const) : (["left", "right"] as const);
  const margin = (place: string, content: string, way = direction) =>
    `@${place} { content: ${content}; direction: ${way}; font: 8pt sans-serif; color: #000; white-space: pre; }`;
  sheet.replaceSync(
    `@page { size: A4 ${sideways ? "landscape" : "portrait"}; margin: 18mm 12mm 16mm; ${margin(`top-${first}`, quoted(start))} ${margin(
      `top-${last}`,
      quoted(end),
    )} ${margin(`bottom-${first}`, quoted(foot))} ${margin(`bottom-${last}`, 'counter(page) " / " counter(pages)', "ltr")} }`,
  );
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  return () => void (document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet));
}

let holders = 0;

/**
 * Keeps lists from printing their rows until what it answers is called: what is printed lies over them. They ask, because every listener is
 * told of a print, whatever another one stops.
 */
export function holdPaper(): () => void {
  holders++;
  return () => void holders--;
}

export const isPaperHeld = (): boolean => holders > 0;
