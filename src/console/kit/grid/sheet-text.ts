/** Characters that a spreadsheet reads as the start of a formula, with their full-width forms. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;
const plainNumber = /^[+-]?(\d{1,3}(,\d{3})+|\d+)(\.\d+)?$/;

/** A cell that a spreadsheet can read safely: an apostrophe precedes a text that would run as a formula. */
export function sheetCell(shown: string): string {
  // our amounts have the true minus sign, which no spreadsheet reads
  const text = /^−[\d,.]+$/.test(shown) ? `-${shown.slice(1)}` : shown;
  const safe = formula.test(text) && !plainNumber.test(text) ? `'${text}` : text;
  return /[\t\r\n"]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Rows of texts as tab-separated values for the clipboard. */
export function sheetText(rows: Iterable<readonly string[]>): string {
  const lines: string[] = [];
  for (const row of rows) lines.push(row.map(sheetCell).join("\t"));
  return lines.join("\r\n");
}
