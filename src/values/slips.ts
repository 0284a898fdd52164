import { amountReadings, plainDigits } from "./slip-amounts.ts";
import type { SlipKind } from "./slip-labels.ts";
import { foldLabel, kindOfLabel } from "./slip-labels.ts";

/** The payment a slip should be of. */
export interface Payment {
  readonly txn_no: string;
  /** The bank's number, where one is known already. */
  readonly reference_no: string | null;
  /** Decimal text. */
  readonly amount: string;
  readonly currency: string;
  readonly holder: string;
  readonly account_number: string;
  readonly minorDigits: number;
}

export const slipParts = ["reference", "amount", "name", "account"] as const;

/** One thing both tell of. "absent": the slip does not. */
export interface Compared {
  readonly part: (typeof slipParts)[number];
  readonly ours: string;
  readonly theirs: string | null;
  readonly result: "equal" | "different" | "absent";
}

export interface SlipReading {
  readonly parts: readonly Compared[];
  /** The bank's number of the payment; null: the slip has none besides ours. */
  readonly reference: string | null;
}

interface Told {
  readonly kind: SlipKind;
  readonly value: string;
}

/** Label and value of a line: parted by a mark, by blanks, or by nothing but the label's end. */
function partsOf(line: string): Told | null {
  const [, label = "", value = ""] = /^(.{1,60}?)\s*(?:[:=|\t]|\s{2,}|\s[-–—]\s)\s*(.*)$/u.exec(line) ?? [];
  const marked = kindOfLabel(label, true);
  if (marked !== null) return { kind: marked, value };
  const own = kindOfLabel(line, true);
  if (own !== null) return { kind: own, value: "" };
  const words = line.split(" ");
  for (let count = Math.min(5, words.length - 1); count > 0; count--) {
    const kind = kindOfLabel(words.slice(0, count).join(" "), false);
    if (kind !== null) return { kind, value: words.slice(count).join(" ") };
  }
  const [, han = "", rest = ""] = /^(\p{Script=Han}+)(.+)$/u.exec(line) ?? [];
  const kind = kindOfLabel(han, true);
  return kind === null ? null : { kind, value: rest };
}

/** A table copied whole has its labels in one line and its values in the next; two columns of pairs stand in one line. */
function cellsOf(line: string, next: string): Told[] | null {
  const [cells, below] = [line.split("\t"), next.split("\t")].map((row) => row.map((cell) => cell.trim())) as [string[], string[]]; // two rows
  const kinds = cells.map((cell) => kindOfLabel(cell, true));
  if (cells.length >= 2 && kinds.every((kind) => kind !== null) && below.length === cells.length)
    return kinds.map((kind, at) => ({ kind: kind ?? "other", value: below[at] ?? "" }));
  if (cells.length < 4 || cells.length % 2 !== 0) return null;
  return cells.flatMap((_, at) => (at % 2 === 0 ? [{ kind: kinds[at] ?? "other", value: cells[at + 1] ?? "" }] : []));
}

function toldBy(text: string): Told[] {
  const lines = plainDigits(text)
    .split(/\r\n|\r|\n/)
    .map((line) => line.replace(/[\u200e\u200f\u061c\u2066-\u2069]/g, "").trim())
    .filter((line) => line !== "");
  const told: Told[] = [];
  for (let at = 0; at < lines.length; at++) {
    const [line = "", next = ""] = lines.slice(at, at + 2);
    const cells = cellsOf(line, next);
    if (cells) {
      told.push(...cells);
      continue;
    }
    const parts = partsOf(line);
    if (parts === null) continue;
    // a label alone has its value in the next line, unless that is a label too
    const isAlone = parts.value === "" && next !== "" && partsOf(next) === null;
    told.push(isAlone ? { ...parts, value: next } : parts);
    if (isAlone) at++;
  }
  return told.filter(({ value }) => value !== "");
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** The number as banks print it: in any case, with blanks or hyphens between its signs. */
const within = (signs: readonly string[]): RegExp => new RegExp(`(?<![\\p{L}\\d])${signs.join("[\\s-]?")}(?![\\p{L}\\d])`, "giu");

const plainNumber = (text: string): string => text.replace(/[\s-]/g, "").toUpperCase();

/** Numbers of the shape of ours: other payments of this house. */
const numbersLike = (ours: string, text: string): string[] =>
  [...text.matchAll(within([...ours].map((sign) => (/\d/.test(sign) ? String.raw`\d` : escaped(sign)))))].map(([found]) =>
    plainNumber(found),
  );

function comparedReference(text: string, payment: Payment, bank: string | null): Compared {
  const { txn_no, reference_no } = payment;
  const part = "reference";
  if (reference_no !== null && bank !== null) {
    const isSame = plainNumber(bank) === plainNumber(reference_no);
    return { part, ours: reference_no, theirs: bank, result: isSame ? "equal" : "different" };
  }
  const named = numbersLike(txn_no, text);
  if (named.includes(plainNumber(txn_no))) return { part, ours: txn_no, theirs: txn_no, result: "equal" };
  const [other] = named;
  return { part, ours: txn_no, theirs: other ?? null, result: other === undefined ? "absent" : "different" };
}

const currencySigns: Readonly<Record<string, string>> = {
  MYR: "RM",
  SGD: "S$",
  USD: "$",
  EUR: "€",
  GBP: "£",
  CNY: "¥",
  IDR: "Rp",
  THB: "฿",
  VND: "₫",
  PHP: "₱",
  INR: "₹",
};

/** Amounts without a label of their own, known by the currency beside them. */
function unlabelled(text: string, currency: string): string[] {
  const signs = [currency, currencySigns[currency]].flatMap((sign) => (sign === undefined ? [] : [escaped(sign)])).join("|");
  const number = String.raw`\d[\d.,'’٬٫ \u00a0\u202f]*`;
  const found = plainDigits(text).matchAll(new RegExp(`(?:${signs})\\s*(${number})|(${number})\\s*(?:${signs})`, "giu"));
  return [...found].map(([, after, before]) => after ?? before ?? "");
}

function comparedAmount(told: readonly Told[], text: string, { amount, currency, minorDigits }: Payment): Compared {
  const labelled = told.flatMap(({ kind, value }) => (kind === "amount" ? [value] : []));
  const all = (labelled.length > 0 ? labelled : unlabelled(text, currency)).map((value) => amountReadings(value, minorDigits));
  const readings = all.filter((one) => one.length > 0);
  const [ours = amount] = amountReadings(amount, 2);
  const isSame = readings.some((one) => one.includes(ours));
  const theirs = isSame ? ours : (readings[0]?.[0] ?? null);
  return { part: "amount", ours, theirs, result: theirs === null ? "absent" : isSame ? "equal" : "different" };
}

const wordsOf = (name: string): string[] =>
  foldLabel(name.replace(/\*+/g, "\u0001"))
    .replaceAll("\u0001", "*")
    .split(/[\s,]+/)
    .filter(Boolean);

/** The same words in any order; banks cut long names and hide letters behind stars. */
function isSameName(ours: string, theirs: string): boolean {
  const [own, given] = [wordsOf(ours), wordsOf(theirs)];
  const isCut = given.join(" ").length >= 10 && own.join(" ").startsWith(given.join(" "));
  if (isCut || own.toSorted().join(" ") === given.toSorted().join(" ")) return true;
  return (
    own.length === given.length &&
    given.some((word) => word.includes("*")) &&
    given.every((word, at) => new RegExp(`^${word.split("*").map(escaped).join(".*")}$`, "u").test(own[at] ?? ""))
  );
}

/** Banks hide digits of an account behind stars, dots or letters x. */
function isSameAccount(ours: string, theirs: string): boolean {
  const parts = theirs
    .replace(/[\s-]/g, "")
    .toUpperCase()
    .split(/[*•…]+|X{2,}/u);
  if (parts.length === 1) return parts[0] === plainNumber(ours);
  return parts.some((part) => part.length > 2) && new RegExp(`^${parts.map(escaped).join(".*")}$`, "u").test(plainNumber(ours));
}

function comparedText(
  part: "name" | "account",
  ours: string,
  told: readonly Told[],
  isSame: (ours: string, theirs: string) => boolean,
): Compared {
  const values = told.flatMap(({ kind, value }) => (kind === part ? [value] : []));
  const same = values.find((value) => isSame(ours, value));
  const theirs = same ?? values[0] ?? null;
  return { part, ours, theirs, result: theirs === null ? "absent" : same === undefined ? "different" : "equal" };
}

/** What a bank's slip, copied as text, tells of a payment, part by part beside what we know. */
export function readSlip(text: string, payment: Payment): SlipReading {
  const told = toldBy(text);
  const plain = plainDigits(text);
  const own = new Set([plainNumber(payment.txn_no), ...numbersLike(payment.txn_no, plain)]);
  const bank = told.find(({ kind, value }) => kind === "reference" && /\d/.test(value) && !own.has(plainNumber(value)))?.value ?? null;
  const reference = bank === null ? null : bank.replace(/\s+/g, " ").slice(0, 100);
  return {
    parts: [
      comparedReference(plain, payment, reference),
      comparedAmount(told, text, payment),
      comparedText("name", payment.holder, told, isSameName),
      comparedText("account", payment.account_number, told, isSameAccount),
    ],
    reference,
  };
}
