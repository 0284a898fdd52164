/** A text as CSS has it. */
const quoted = (text: string): string => `"${text.replaceAll(/["\\\n\r\f]/g, (sign) => `\\${sign.charCodeAt(0).toString(16)} `)}"`;

/**
 * Puts these texts at the head of every printed page, and its number at the foot; answers what takes them away. In a sheet of its own,
 * because only rules of a page reach its margins, and they know no element.
 */
export function paperOf(start: string, end: string): () => void {
  const sheet = new CSSStyleSheet();
  const margin = (place: string, content: string) =>
    `@${place} { content: ${content}; font: 8pt sans-serif; color: #000; white-space: pre; }`;
  sheet.replaceSync(
    `@page { size: A4; margin: 18mm 12mm 16mm; ${margin("top-left", quoted(start))} ${margin("top-right", quoted(end))} ${margin(
      "bottom-right",
      'counter(page) " / " counter(pages)',
    )} }`,
  );
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  // before the list beneath, which would put its rows on paper instead
  const stop = new AbortController();
  window.addEventListener("beforeprint", (event) => event.stopImmediatePropagation(), { capture: true, signal: stop.signal });
  return () => {
    stop.abort();
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
  };
}
