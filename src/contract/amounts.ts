import { z } from "zod";
import { fitsMinorUnit, parseMoney } from "../values/money.ts";
import type { FieldLines } from "./problems.ts";

/** Schemas of amounts in the request's currency. One made of another (`refine`) is marked on its own. */
const marked = z.registry<{ readonly money: true }>();

/** Marks a schema's texts as amounts of the request's currency: none may have more decimals than it. */
export function inCurrency<T extends z.ZodType>(schema: T): T {
  marked.add(schema, { money: true });
  return schema;
}

/** The fields of a value that are finer than a currency of `minorDigits` decimals; the value was read by the schema. */
export function tooFine(schema: z.ZodType | undefined, value: unknown, minorDigits: number): FieldLines {
  const lines: FieldLines = {};
  for (const { path, text } of schema ? amountsIn(schema, value, []) : []) {
    const amount = parseMoney(text);
    if (amount !== null && !fitsMinorUnit(amount, minorDigits)) lines[path.join(".")] = [`Must have at most ${minorDigits} decimals`];
  }
  return lines;
}

function* amountsIn(schema: unknown, value: unknown, path: readonly string[]): Generator<{ path: readonly string[]; text: string }> {
  if (value === undefined || value === null) return;
  if (schema instanceof z.ZodType && marked.has(schema)) {
    if (typeof value === "string") yield { path, text: value };
  } else if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    yield* amountsIn(schema.unwrap(), value, path);
  } else if (schema instanceof z.ZodDefault) {
    yield* amountsIn(schema.def.innerType, value, path);
  } else if (schema instanceof z.ZodArray && Array.isArray(value)) {
    for (const [at, one] of value.entries()) yield* amountsIn(schema.element, one, [...path, String(at)]);
  } else if (schema instanceof z.ZodObject && typeof value === "object") {
    for (const [name, inner] of Object.entries(schema.shape)) {
      // own fields only: a shape may name what every object inherits
      if (Object.hasOwn(value, name)) yield* amountsIn(inner, (value as Record<string, unknown>)[name], [...path, name]); // as the schema read it
    }
  }
}
