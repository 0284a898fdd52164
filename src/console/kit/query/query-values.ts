import { quoted } from "../../../values/asked.ts";
import type { QueryField } from "./query-field.ts";
import { choiceCalled } from "./query-field.ts";

/** A comparison, and what is compared with. */
export const compared = /^(>=|<=|>|<|=)\s*(.+)$/s;

/** Without its quotation marks; two of them within are one. */
export const unquoted = (text: string): string => text.replaceAll(/"((?:[^"]|"")*)"/g, (_, within: string) => within.replaceAll('""', '"'));

/** The parts of a list of values, each with where it begins. */
export function partsOf(text: string): { at: number; text: string }[] {
  const parts: { at: number; text: string }[] = [];
  let [from, quoted] = [0, false];
  for (let at = 0; at <= text.length; at++) {
    if (text[at] === '"') quoted = !quoted;
    if (at === text.length || (text[at] === "," && !quoted)) {
      parts.push({ at: from, text: text.slice(from, at) });
      from = at + 1;
    }
  }
  return parts;
}

/** `text` as an inner or outer comparison writes it: "5000..9000", ">5000", "5000". */
function signed(sign: string, text: string): { sign: string; text: string } {
  if (sign !== ":" && sign !== "=") return { sign, text };
  const [, inner, rest] = compared.exec(text) ?? [];
  return inner === undefined ? { sign: "", text } : { sign: inner, text: rest ?? "" };
}

/** As the address has it, both ends included: above 5000 is from the next amount there is. */
export function amountsOf({ decimals = 2 }: QueryField, outer: string, given: string): string {
  const { sign, text } = signed(outer, given);
  if (sign === "" || sign === "=") return text;
  if (sign === ">=") return `${text}..`;
  if (sign === "<=") return `..${text}`;
  const plain = text.replaceAll(/[,']/g, "");
  if (!/^\d+(\.\d+)?$/.test(plain)) return text;
  const unit = 10n ** BigInt(decimals);
  const [whole = "0", part = ""] = plain.split(".");
  if (part.length > decimals) return text;
  const smallest = BigInt(whole) * unit + BigInt(part.padEnd(decimals, "0") || "0") + (sign === ">" ? 1n : -1n);
  if (smallest < 0n) return text;
  const written = `${smallest / unit}${decimals === 0 ? "" : `.${String(smallest % unit).padStart(decimals, "0")}`}`;
  return sign === ">" ? `${written}..` : `..${written}`;
}

/** With the reader's words for times put as the address has them. */
export const plainTimes = (field: QueryField, text: string): string =>
  text
    .split("..")
    .map((end) => {
      const [, sign = "", rest = end] = compared.exec(end) ?? [];
      return sign + (choiceCalled(field, rest)?.id ?? rest);
    })
    .join("..");

/** A time as the address has it: after or before it where it is compared. */
export function timesOf(outer: string, given: string): string {
  const { sign, text } = signed(outer, given);
  return sign.startsWith(">") ? `${text}..` : sign.startsWith("<") ? `..${text}` : text;
}

/** What one of `timeSpans` asks of the list's own time: "last:2h", "since:09:00", "before:2026-11-01", "age>10m". */
export function spanOf(span: string, sign: string, text: string): string {
  if (span === "last") return `last:${text}`;
  if (span === "since") return `${text}..`;
  if (span === "before") return `..${text}`;
  const ages = sign === ":" || sign === "=" ? (compared.exec(text) ?? []) : [text, sign, text];
  const [, way = ">", age = text] = ages;
  return way.startsWith("<") ? `-${age}..` : `..-${age}`;
}

/** A value as a line has it: within quotation marks where it would be read as more than one. */
export const written = (text: string): string => (/[\s",]/.test(text) || text === "" ? quoted(text) : text);
