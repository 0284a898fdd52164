/** What a spreadsheet takes for the start of a formula, the full-width forms included. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;
const plainNumber = /^[+-]?(\d{1,3}(,\d{3})+|\d+)(\.\d+)?$/;

/** One cell as a spreadsheet may safely read it: a text that would run as a formula gets an apostrophe before it. */
export function sheetCell(shown: string): string {
  // our amounts carry the true minus sign, which no spreadsheet reads as one
  const text = /^−[\d,.]+$/.test(shown) ? `-${shown.slice(1)}` : shown;
  const safe = formula.test(text) && !plainNumber.test(text) ? `'${text}` : text;
  return /[\t\r\n"]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Rows of texts as tab-separated values, as spreadsheets take them from the clipboard. */
export function sheetText(rows: Iterable<readonly string[]>): string {
  const lines: string[] = [];
  for (const row of rows) lines.push(row.map(sheetCell).join("\t"));
  return lines.join("\r\n");
}
