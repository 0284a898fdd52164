/** A file, or a table that was copied somewhere, as it is sent to the server. */
export interface Given {
  readonly source: "file" | "paste";
  readonly file: Blob;
}

/**
 * A file or a copied table among what was pasted or dropped; null: neither. A spreadsheet copies its cells as a picture, too: where there
 * is a text, the picture is none of ours.
 */
export function givenBy(data: DataTransfer | null): Given | null {
  const files = [...(data?.files ?? [])];
  const document = files.find(({ type }) => !type.startsWith("image/"));
  if (document !== undefined) return { source: "file", file: document };
  const text = tableIn(data?.getData("text/html") ?? "") ?? data?.getData("text/plain") ?? "";
  if (text.trim() !== "") return { source: "paste", file: new File([text], "", { type: "text/plain" }) };
  const [picture] = files;
  return picture === undefined ? null : { source: "file", file: picture };
}

/** Columns a cell of a page may span at most. */
const mostSpan = 50;

/**
 * The longest table of a copied page as a text with tabs, one line a row; null where the page has none. The plain text beside it breaks a
 * cell of several paragraphs into several lines, so that its rows could no longer be told apart.
 */
export function tableIn(html: string): string | null {
  if (!/<table\b/i.test(html)) return null;
  // parsed as a document apart: nothing in it runs or is loaded
  const page = new DOMParser().parseFromString(html, "text/html");
  const innermost = [...page.querySelectorAll("table")].filter((table) => table.querySelector("table") === null);
  const [longest] = innermost.toSorted((a, b) => b.rows.length - a.rows.length);
  if (longest === undefined) return null;
  const rows = [...longest.rows].map((row) => [...row.cells].flatMap(cellsOf));
  return rows.some((row) => row.length > 1) ? rows.map((row) => row.join("\t")).join("\n") : null;
}

/** A cell's text in one line, and an empty cell for each more column it spans. */
const cellsOf = (cell: HTMLTableCellElement): string[] => [
  spoken(cell),
  ...Array.from({ length: Math.min(cell.colSpan, mostSpan) - 1 }, () => ""),
];

/** The text with a blank where the page begins a new line. */
function spoken(node: Node): string {
  const parts = [...node.childNodes].map((child) => (child instanceof Text ? child.data : ` ${spoken(child)} `));
  return parts.join("").replaceAll(/\s+/gu, " ").trim();
}
