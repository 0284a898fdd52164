import type { ControlKind } from "../../../contract/controls.ts";
import { readAmount } from "../../../values/money.ts";
import { fieldAmount } from "../look/amounts.ts";
import type { FormField } from "./fields.ts";

/** Between what the wire has and the text a form holds of it; a text that is none of its kind stays one, for the schema to refuse. */
interface Codec {
  written(value: unknown, field: FormField): string;
  read(text: string, field: FormField): unknown;
}

const plain = (value: unknown): string => (typeof value === "string" || typeof value === "number" ? String(value) : "");

const asIs: Codec = { written: plain, read: (text) => text };
const whole: Codec = { written: plain, read: (text) => (/^-?\d+$/.test(text.trim()) ? Number(text) : text.trim() || null) };

export const splitList = (text: string): string[] =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Of a reference's text: the records chosen, and what was typed behind them without a record having been chosen for it. */
export function splitReferences(text: string): { readonly chosen: readonly string[]; readonly typed: string } {
  const parts = splitList(text);
  const chosen = parts.filter((part) => uuid.test(part));
  return { chosen, typed: parts.slice(chosen.length).join(", ") };
}

/** Comma separated, whether the wire has a text or a list; a record that is named counts by its uuid. */
const commaList: Codec = {
  written: (value) => (Array.isArray(value) ? value.map(nameOf).join(", ") : plain(value)),
  read: (text, { many }) => (many ? splitList(text) : text),
};

const nameOf = (value: unknown): string =>
  typeof value === "object" && value !== null && "uuid" in value ? plain(value.uuid) : plain(value);

const codecs: { readonly [K in ControlKind]: Codec } = {
  text: asIs,
  lines: asIs,
  email: asIs,
  url: asIs,
  password: asIs,
  code: asIs,
  rate: asIs,
  moment: asIs,
  choice: asIs,
  secret: asIs,
  file: asIs,
  image: asIs,
  amount: { written: (value) => fieldAmount(plain(value)), read: (text) => readAmount(text) ?? text },
  count: whole,
  minutes: whole,
  switch: { written: (value) => (value === true ? "on" : "off"), read: (text) => text === "on" },
  choices: commaList,
  list: commaList,
  permissions: commaList,
  references: commaList,
  reference: { written: nameOf, read: (text) => text },
  json: {
    written: (value) => (typeof value === "string" ? value : value == null ? "" : JSON.stringify(value, null, 2)),
    read: (text, { many }) => (many ? (parsed(text) ?? text) : text),
  },
  rows: {
    written: (value, { rows }) => JSON.stringify(Array.isArray(value) ? value.map((row) => writtenRow(row, rows)) : []),
    read: (text, field) => readRows(field, text),
  },
  given: { written: (value) => textOfGiven((value ?? {}) as RowTexts), read: (text) => readGiven(text) }, // the wire has a text each
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

/** What the wire has, as the form's text. */
export const writtenField = (field: FormField, value: unknown): string => codecs[field.control].written(value, field);

/** The form's text as it is sent; undefined: not at all. */
export function readField(field: FormField, text: string): unknown {
  if (text.trim() === "" && field.empty !== "as-written") return field.empty === "null" ? null : undefined;
  return codecs[field.control].read(text, field);
}

// ── a table of rows: a JSON list of its rows' texts ──

/** One row's cells, as texts; its `uuid` goes along unseen. */
export type RowTexts = Readonly<Record<string, string>>;

function writtenRow(row: unknown, cells: readonly FormField[]): RowTexts {
  const values = (typeof row === "object" && row !== null ? row : {}) as Readonly<Record<string, unknown>>; // null is none
  return {
    ...(typeof values["uuid"] === "string" && { uuid: values["uuid"] }),
    ...Object.fromEntries(cells.map((cell) => [cell.name, writtenField(cell, values[cell.name])])),
  };
}

/** The rows a form's text holds; none where it holds nothing. */
export function rowsOf(text: string): readonly RowTexts[] {
  const rows = parsed(text);
  return Array.isArray(rows) ? (rows as RowTexts[]) : []; // only `textOfRows` writes it
}

export const textOfRows = (rows: readonly RowTexts[]): string => JSON.stringify(rows);

/** A row that was just added: what a choice begins with, and nothing else. */
export const emptyRow = (cells: readonly FormField[]): RowTexts => Object.fromEntries(cells.map((cell) => [cell.name, emptyText(cell)]));

/** A choice begins with its first, an amount that is needed with zero; one that must be above zero is for a person to write. */
export function emptyText(field: FormField): string {
  const { control, required, zero, choices } = field;
  if (control === "choice") return required ? (choices[0] ?? "") : "";
  if (control === "switch") return "off";
  if (control === "rows") return textOfRows([]);
  if (control === "given") return textOfGiven({});
  return required && zero ? fieldAmount("0") : "";
}

export function readRows({ rows: cells }: FormField, text: string): object[] {
  return rowsOf(text).map((row) => ({
    ...(row["uuid"] !== undefined && { uuid: row["uuid"] }),
    ...Object.fromEntries(
      cells.flatMap((cell) => {
        const read = readField(cell, row[cell.name] ?? "");
        return read === undefined ? [] : [[cell.name, read]];
      }),
    ),
  }));
}

// ── fields a chosen record brings along: a JSON map of the texts that are not empty ──

export const textOfGiven = (texts: RowTexts): string =>
  JSON.stringify(Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== "")));

export function readGiven(text: string): RowTexts {
  const texts = parsed(text);
  return typeof texts === "object" && texts !== null ? (texts as RowTexts) : {}; // only `textOfGiven` writes it
}
