/** A text that goes into a page as it is read. */
export const escape = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Words in a page, where text between backquotes is code. */
export const words = (text: string): string => escape(text).replace(/`([^`]+)`/g, "<code>$1</code>");

export const paragraphs = (...texts: readonly string[]): string => texts.map((text) => `<p>${words(text)}</p>`).join("\n");
export const steps = (...texts: readonly string[]): string => `<ol>${texts.map((text) => `<li>${words(text)}</li>`).join("")}</ol>`;

/** Text kept as it is, reached and scrolled by the keyboard. */
export const block = (label: string, text: string, id?: string): string =>
  `<pre tabindex="0" role="region" aria-label="${escape(label)}"${id === undefined ? "" : ` id="${id}"`}><code>${escape(text)}</code></pre>`;

/** A table, reached and scrolled by the keyboard where it is wider than the page; its cells are words. */
export function table(label: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (tag: "td" | "th", row: readonly string[]) => row.map((text) => `<${tag}>${words(text)}</${tag}>`).join("");
  return `<div class="wide" tabindex="0" role="region" aria-label="${escape(label)}"><table><thead><tr>${cells("th", head)}</tr></thead>
<tbody>${rows.map((row) => `<tr>${cells("td", row)}</tr>`).join("\n")}</tbody></table></div>`;
}

/** A whole page of the documentation. */
export const page = (title: string, nav: string, main: string, scripts = ""): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)} – Countinghouse</title><link rel="stylesheet" href="/docs/tokens.css"><link rel="stylesheet" href="/docs/docs.css">${scripts}</head>
<body><a class="skip" href="#content">Skip to content</a><nav aria-label="Contents">${nav}</nav><main id="content" tabindex="-1">${main}</main></body></html>`;
