import { z } from "zod";
import { formatAmount } from "../values/money.ts";
import { zoneText } from "../values/zones.ts";
import { cellKinds } from "../values/workbook/cells.ts";
import type { CellKind } from "../values/workbook/cells.ts";
import { derivedCells } from "./derived-cells.ts";
import type { CellValue } from "./derived-cells.ts";

/** How a list's column is written in a file: "choice" by its words, "limit" as used and total, the others as cells are. */
const cellForms = [...cellKinds, "choice", "limit"] as const;

const step = "[a-z][a-z0-9_]*";

/** What a list's column has in a file, told as data, because the server writes long lists from the same rows. */
export const ListCell = z.strictObject({
  /** A cell of its subject (`derivedCells`), else the way to a field of the row: "merchant.name"; of a list, that of each of its items. */
  field: z
    .string()
    .regex(new RegExp(`^${step}(\\.${step}){0,3}$`))
    .max(80),
  as: z.enum(cellForms),
  /** Of a choice: what the key of its text begins with; the first text there is counts, else the value itself. */
  words: z
    .array(
      z
        .string()
        .regex(/^[a-z][a-z0-9._-]*\.$/)
        .max(60),
    )
    .max(3)
    .optional(),
});
export type ListCell = z.infer<typeof ListCell>;

export const kindOf = ({ as }: ListCell): CellKind => (as === "choice" || as === "limit" ? "text" : as);

/** A column's title in a file: cells of times have no zone, so the title says it. */
export const fileTitle = (title: string, cell: ListCell, zone: number): string =>
  kindOf(cell) === "time" ? `${title} (${zoneText(zone)})` : title;

/** What cells are read with. */
export interface CellReading {
  /** A text by its key; null: there is none. */
  word(key: string): string | null;
  /** ms; ages are counted to it. */
  readonly now: number;
  /** Of the currency. */
  readonly decimals: number;
}

/** What stands at the end of a way from a row: of a list what stands there in each of its items. */
function valueAt(value: unknown, steps: readonly string[]): unknown {
  const [first, ...rest] = steps;
  if (first === undefined || value === null || value === undefined) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => valueAt(item, steps));
  return valueAt((value as Readonly<Record<string, unknown>>)[first], rest); // an object of the wire
}

/** Reads what a row of the subject has there. */
export function valueReader(subject: string, field: string): (row: object, reading: CellReading) => unknown {
  const derived = derivedCells[subject] ?? {};
  const own = Object.hasOwn(derived, field) ? derived[field] : undefined;
  if (own) return own;
  const steps = field.split(".");
  return (row) => valueAt(row, steps);
}

/** Reads a cell as a file has it: a plain decimal or an instant where its kind is one; null: it is empty. */
export function cellReader(subject: string, { field, as, words = [] }: ListCell): (row: object, reading: CellReading) => string | null {
  const read = valueReader(subject, field);
  const prefixes = as === "choice" ? words : [];
  const written = (value: unknown, { word, decimals }: CellReading): string => {
    if (typeof value === "boolean") return word(`form.given.${value ? "yes" : "no"}`) ?? String(value);
    if (as === "limit" && typeof value === "object" && value !== null) {
      const { used, limit } = value as { used: string; limit: string | null }; // the shape of every limit
      return `${formatAmount(used, decimals)} / ${limit === null ? (word("record.no-limit") ?? "") : formatAmount(limit, decimals)}`;
    }
    const plain = String(value as CellValue); // a leaf of the answer's schema
    for (const prefix of prefixes) {
      const said = word(prefix + plain);
      if (said !== null) return said;
    }
    return plain;
  };
  return (row, reading) => {
    const value = read(row, reading);
    if (isNothing(value)) return null;
    if (!Array.isArray(value)) return written(value, reading);
    const all = value.filter((one) => !isNothing(one)).map((one) => written(one, reading));
    return all.length === 0 ? null : all.join(", ");
  };
}

const isNothing = (value: unknown): boolean => value === null || value === undefined || value === "";

/** Whether a way leads through this schema to something a cell can have. */
export function hasField(schema: z.ZodType, field: string, as: ListCell["as"]): boolean {
  return leadsTo(schema, field.split("."), as === "limit");
}

function leadsTo(schema: z.ZodType, steps: readonly string[], isLimit: boolean): boolean {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodReadonly
  ) {
    return leadsTo(schema.unwrap() as z.ZodType, steps, isLimit);
  }
  if (schema instanceof z.ZodArray) return leadsTo(schema.element as z.ZodType, steps, isLimit);
  if (schema instanceof z.ZodUnion) return schema.options.some((option) => leadsTo(option as z.ZodType, steps, isLimit));
  const [first, ...rest] = steps;
  if (schema instanceof z.ZodObject) {
    if (first === undefined) return isLimit && "used" in schema.shape && "limit" in schema.shape;
    return Object.hasOwn(schema.shape, first) && leadsTo(schema.shape[first] as z.ZodType, rest, isLimit);
  }
  return first === undefined && !(schema instanceof z.ZodRecord);
}
