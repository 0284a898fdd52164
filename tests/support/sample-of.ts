import { z } from "zod";

/** A value that this schema takes, the same each time; `n` tells one from another. */
export function sampleOf(schema: z.ZodType, n = 0): unknown {
  if (schema instanceof z.ZodObject)
    return Object.fromEntries(Object.entries(schema.shape).map(([name, part]) => [name, sampleOf(part as z.ZodType, n)])); // its parts are schemas
  if (schema instanceof z.ZodArray) return [];
  if (schema instanceof z.ZodEnum) return schema.options[0];
  if (schema instanceof z.ZodLiteral) return schema.value;
  if (schema instanceof z.ZodUnion) return sampleOf(schema.options[0] as z.ZodType, n); // as above
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return sampleOf(schema.unwrap() as z.ZodType, n); // as above
  if (schema instanceof z.ZodBoolean) return false;
  if (schema instanceof z.ZodRecord) return {};
  const tried = [
    `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`,
    `2026-11-2${n}T06:00:00.000Z`,
    `${n + 1}.00`,
    n + 1,
    1,
    "2026-11-20",
    null,
    "https://one.example/",
    "/balance",
    `Some ${n}`,
  ];
  // an amount or a uuid is a text as well, and a text may be any of them
  const plain = schema instanceof z.ZodString && schema.safeParse("Some").success;
  const found = plain ? `Some ${n}` : tried.find((one) => schema.safeParse(one).success);
  if (found === undefined) throw new Error(`no sample of ${JSON.stringify(z.toJSONSchema(schema))}`);
  return found;
}

/** A row that this list may answer. */
export function sampleRow({ answer }: { readonly answer: z.ZodType }, n = 0): object {
  if (!(answer instanceof z.ZodArray)) throw new Error("no list");
  return sampleOf(answer.element as z.ZodType, n) as object; // the rows of lists are objects
}
