/**
 * How the cells of a column are written: "amount", "count" and "rate" plain decimals, "time" an instant, "span" ms. Ids and account
 * numbers are texts.
 */
export const cellKinds = ["text", "amount", "count", "rate", "time", "span"] as const;
export type CellKind = (typeof cellKinds)[number];

/** Most characters in a cell, and significant digits of a number, that the format keeps. */
const mostInCell = 32_767;
const mostDigits = 15;

/** Styles of cells by their place in `styles`. */
const styleOf = { head: 1, text: 2, amount: 3, count: 4, rate: 5, time: 6, span: 7 } as const;

/** All decimals of the currency, and more only where an amount has them. */
const amountFormat = (decimals: number): string => (decimals === 0 ? "#,##0" : `#,##0.${"0".repeat(decimals).padEnd(4, "#")}`);

/** The part that says how cells look: their formats, and what is bold. */
export function stylesXml(decimals: number): string {
  const own = [amountFormat(decimals), "0.00##", "yyyy-mm-dd hh:mm AM/PM"].map(
    (code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${escaped(code)}"/>`,
  );
  // general, head, text, amount, count, rate, time, span; 49, 3 and 46 are the format's own "@", "#,##0" and "[h]:mm:ss"
  const cells = [0, 0, 49, 164, 3, 165, 166, 46].map(
    (format, at) =>
      `<xf numFmtId="${format}" fontId="${at === styleOf.head ? 1 : 0}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`,
  );
  const font = (bold: string) => `<font>${bold}<sz val="11"/><name val="Calibri"/><family val="2"/></font>`;
  return part(
    "styleSheet",
    `<numFmts count="${own.length}">${own.join("")}</numFmts><fonts count="2">${font("")}${font("<b/>")}</fonts>` +
      '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
      '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
      '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
      `<cellXfs count="${cells.length}">${cells.join("")}</cellXfs>`,
  );
}

/** A part of the workbook of this root. */
export const part = (root: string, content: string): string =>
  `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<${root} xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" ` +
  `xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">${content}</${root}>`;

/** What XML, or the format on top of it, would read as something else: markup, characters it has no place for, and its own escapes. */
// oxlint-disable-next-line no-control-regex -- those are what it is about
const odd = /[&<>"\u0000-\u0008\u000b-\u001f\ufffe\uffff]|_x[0-9A-Fa-f]{4}_/g;
const isOdd = new RegExp(odd.source);
const markup: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** The text in XML, every character of it. */
export function escaped(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  if (!isOdd.test(whole)) return whole;
  return whole.replace(odd, (sign) => {
    if (sign.length > 1) return `_x005F${sign}`;
    return markup[sign] ?? `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`;
  });
}

/** Blanks that readers drop unless they are told not to. */
const spaced = /^\s|\s$|\s\s|[\t\n]/;

/** A text is written as a string, whatever it begins with, so that it never becomes a formula. */
function textCell(at: string, text: string, style: number): string {
  const kept = text.length <= mostInCell ? text : `${text.slice(0, mostInCell - 1)}…`;
  const space = spaced.test(kept) ? ' xml:space="preserve"' : "";
  return `<c r="${at}" s="${style}" t="inlineStr"><is><t${space}>${escaped(kept)}</t></is></c>`;
}

const decimal = /^-?\d+(\.\d+)?$/;
/** As the wire has them: of other texts Date.parse would make a day, too. */
const instant = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/;
const numberCell = (at: string, value: string, style: number): string => `<c r="${at}" s="${style}"><v>${value}</v></c>`;

const dayMs = 86_400_000;
/** Days since the format's first one, as it counts times: without a zone, so the local time is written. */
const daysOf = (ms: number, zone: number): number => (ms + zone * 60_000) / dayMs + 25_569;

/** One cell; what its column cannot be, a number of too many digits among it, is a text. `zone`: minutes east of UTC. */
export function cell(at: string, kind: CellKind, value: string, zone: number): string {
  if (kind === "time") {
    const ms = instant.test(value) ? Date.parse(value) : NaN;
    if (!Number.isNaN(ms)) return numberCell(at, String(daysOf(ms, zone)), styleOf.time);
  } else if (kind === "span" && decimal.test(value)) {
    return numberCell(at, String(Number(value) / dayMs), styleOf.span);
  } else if (kind !== "text" && decimal.test(value) && value.replace(/\D/g, "").length <= mostDigits) {
    return numberCell(at, value, styleOf[kind]);
  }
  return textCell(at, value, styleOf.text);
}

export const headCell = (at: string, text: string): string => textCell(at, text, styleOf.head);
