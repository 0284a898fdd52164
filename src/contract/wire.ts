import { z } from "zod";
import { fitsMinorUnit, parseMoney } from "../values/money.ts";

/** Schemas more than one entity uses. */
export const Uuid = z.uuid();
/** Below 100 trillion: what a bigint of ten-thousandths holds with room for sums. */
const tooMuch = 10n ** 18n;
const isAmount = (text: string): boolean => {
  const value = parseMoney(text);
  return value !== null && value < tooMuch && value > -tooMuch;
};

/** A decimal string with at most 14 digits and 4 decimals: "1234.50". */
export const Amount = z.string().max(21).refine(isAmount, "must be a decimal amount below 100,000,000,000,000");
/** An amount somebody asks to move: above zero, no finer than two decimals. */
export const PositiveAmount = z
  .string()
  .max(21)
  .superRefine((text, context) => {
    const value = parseMoney(text);
    if (value === null || !isAmount(text))
      context.addIssue({ code: "custom", message: "must be a decimal amount below 100,000,000,000,000" });
    else if (value <= 0n) context.addIssue({ code: "custom", message: "must be above zero" });
    else if (!fitsMinorUnit(value, 2)) context.addIssue({ code: "custom", message: "must have at most 2 decimals" });
  });
/** RFC 3339 with milliseconds, UTC: "2026-11-21T06:32:00.000Z". */
export const Instant = z.iso.datetime();
export const Version = z.int().min(1);
export const Line = (length: number) => z.string().trim().min(1).max(length);

/** A row an act addresses, with the version its caller saw. */
export const RowRef = z.strictObject({ uuid: Uuid, version: Version });
export type RowRef = z.infer<typeof RowRef>;

/** What became of one row of an act: done with the row as it is now, or the refusal. */
export const outcomeOf = <T extends z.ZodType>(row: T) =>
  z.discriminatedUnion("done", [
    z.object({ uuid: Uuid, done: z.literal(true), row }),
    z.object({
      uuid: Uuid,
      done: z.literal(false),
      /** As the whole request would be refused for this row alone: `status` is what its HTTP status would be. */
      problem: z.object({ message: z.string(), code: z.string(), status: z.int(), data: z.unknown().optional() }),
    }),
  ]);

/** Query of every keyset list. `sort` is "field" or "-field"; `with` asks for "count" and "sums". */
export const listQuery = <F extends z.ZodRawShape, S extends readonly [string, ...string[]]>(filters: F, sorts: S) =>
  z.strictObject({
    cursor: z.string().max(500).optional(),
    /** "next" pages after the cursor, "previous" before it. */
    direction: z.enum(["next", "previous"]).default("next"),
    limit: z.coerce.number().int().min(1).max(500).default(100),
    sort: z.enum([...sorts, ...sorts.map((name) => `-${name}`)] as [string, ...string[]]).optional(),
    q: z.string().trim().max(100).optional(),
    with: z.string().max(40).optional(),
    ...filters,
  });

export const ListMeta = z.object({
  next: z.string().nullable(),
  previous: z.string().nullable(),
  count: z.int().optional(),
  sums: z.record(z.string(), z.string()).optional(),
});
export type ListMeta = z.infer<typeof ListMeta>;

/** Comma list in a query string: "pending,process" → its members, each one of `values`. */
export const choices = <const V extends readonly [string, ...string[]]>(values: V) =>
  z
    .string()
    .max(200)
    .transform((text) => text.split(",").filter(Boolean))
    .pipe(z.array(z.enum(values)));
