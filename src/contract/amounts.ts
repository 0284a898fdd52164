import { z } from "zod";
import { fitsMinorUnit, parseMoney } from "../values/money.ts";
import type { FieldLines } from "./problems.ts";

/** Other fields of the same object, with the values they must have. */
type Beside = Readonly<Record<string, string>>;

/**
 * Schemas of amounts in the request's currency. A schema derived by `refine` is not registered with its origin and must be marked again.
 */
const marked = z.registry<{ readonly where: Beside }>();

/**
 * Marks a schema's texts as amounts of the request's currency: they may not have more decimals than the currency. With `where`, a text
 * counts as an amount only while the named sibling fields have these values.
 */
export function inCurrency<T extends z.ZodType>(schema: T, where: Beside = {}): T {
  marked.add(schema, { where });
  return schema;
}

/** The fields of a parsed value that have more than `minorDigits` decimals. */
export function tooFine(schema: z.ZodType | undefined, value: unknown, minorDigits: number): FieldLines {
  const lines: FieldLines = {};
  for (const { path, text } of schema ? amountsIn(schema, value, []) : []) {
    const amount = parseMoney(text);
    if (amount !== null && !fitsMinorUnit(amount, minorDigits)) lines[path.join(".")] = [`Must have at most ${minorDigits} decimals`];
  }
  return lines;
}

function* amountsIn(
  schema: unknown,
  value: unknown,
  path: readonly string[],
  beside: object = {},
): Generator<{ path: readonly string[]; text: string }> {
  if (value === undefined || value === null) return;
  const mark = schema instanceof z.ZodType ? marked.get(schema) : undefined;
  if (mark) {
    const isAmount = Object.entries(mark.where).every(([name, held]) => Reflect.get(beside, name) === held);
    if (isAmount && typeof value === "string") yield { path, text: value };
  } else if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    yield* amountsIn(schema.unwrap(), value, path, beside);
  } else if (schema instanceof z.ZodDefault) {
    yield* amountsIn(schema.def.innerType, value, path, beside);
  } else if (schema instanceof z.ZodArray && Array.isArray(value)) {
    for (const [at, one] of value.entries()) yield* amountsIn(schema.element, one, [...path, String(at)]);
  } else if (schema instanceof z.ZodObject && typeof value === "object") {
    for (const [name, inner] of Object.entries(schema.shape)) {
      // own fields only, because a shape may have a field named like an inherited one
      if (Object.hasOwn(value, name)) yield* amountsIn(inner, (value as Record<string, unknown>)[name], [...path, name], value); // the schema has parsed it
    }
  }
}
