import { z } from "zod";
import { longestAsked, mostAsked, readAsked } from "../values/asked.ts";
import { parseMoney } from "../values/money.ts";
import { readMoment } from "../values/moments.ts";
import { inCurrency } from "./amounts.ts";
import { control } from "./controls.ts";

/** Schemas used by several entities. An identifier is the same in capitals, so that no rule that compares two is passed by them. */
export const Uuid = z.uuid().toLowerCase();
/** Hours an idempotency key is remembered. */
export const idempotencyHours = 24;

/** 100 trillion in ten-thousandths: leaves a bigint column room for sums. */
const tooMuch = 10n ** 18n;
const isAmount = (text: string): boolean => {
  const value = parseMoney(text);
  return value !== null && value < tooMuch && value > -tooMuch;
};

/** A decimal string with at most 14 digits and 4 decimals: "1234.50". */
export const Amount = inCurrency(
  z.string().max(21).refine(isAmount, "Must be a decimal amount below 100,000,000,000,000").meta(control("amount")),
);
/** An amount to move: above zero. */
export const PositiveAmount = inCurrency(
  z
    .string()
    .max(21)
    .superRefine((text, context) => {
      const value = parseMoney(text);
      if (value === null || !isAmount(text))
        context.addIssue({ code: "custom", message: "Must be a decimal amount below 100,000,000,000,000" });
      else if (value <= 0n) context.addIssue({ code: "custom", message: "Must be above zero" });
    }),
);
/** Percent, 0 to 100, with up to 4 decimals. */
export const Percent = z
  .string()
  .regex(/^(100(\.0{1,4})?|\d{1,2}(\.\d{1,4})?)$/, "Must be a percent from 0 to 100 with at most 4 decimals")
  .meta(control("rate"));
/** RFC 3339 with milliseconds, UTC: "2026-11-21T06:32:00.000Z". PostgreSQL has no year 0. */
export const Instant = z.iso.datetime().refine((text) => !text.startsWith("0000"), "Must be after the year 0");
export const Version = z.int().min(1);
export const Line = (length: number) => z.string().trim().min(1).max(length);
/** A name: one line with a letter or digit of any script. */
export const Name = (length: number) =>
  Line(length)
    .refine((text) => /[\p{L}\p{N}]/u.test(text), "Must have a letter or digit")
    .meta(control("text"));
const codeOf = (pattern: RegExp, rule: string) =>
  // small letters are taken for their capitals, because a hand at the keyboard types those
  z.string().trim().toUpperCase().regex(pattern, rule).meta(control("text"));
/** What staff call an account by. */
export const Code = codeOf(/^[A-Z0-9][A-Z0-9-]{1,19}$/, "Must be 2 to 20 capital letters, digits or hyphens");
/** What staff and the merchant's own systems call a merchant by. */
export const PlainCode = codeOf(/^[A-Z0-9]{2,12}$/, "Must be 2 to 12 capital letters or digits");
/** A bank account number, spaced freely; `plainNumber` is stored. */
export const AccountNumber = z
  .string()
  .trim()
  .regex(/^[0-9A-Za-z -]{4,40}$/, "Must be 4 to 40 letters or digits")
  .refine((text) => plainNumber(text).length >= 4, "Must have at least 4 letters or digits")
  .meta(control("text"));
/** The number without blanks and hyphens, so that one account has one number. */
export const plainNumber = (text: string): string => text.replace(/[ -]/g, "");

/** A row of an act, with the version its caller saw. */
export const RowRef = z.strictObject({ uuid: Uuid, version: Version });
export type RowRef = z.infer<typeof RowRef>;
/** The rows of one act. */
export const Rows = z.array(RowRef).min(1).max(200);

/** The outcome of one row of an act: the row as it is now, or the refusal. */
export const outcomeOf = <T extends z.ZodType>(row: T) =>
  z.discriminatedUnion("done", [
    z.object({ uuid: Uuid, done: z.literal(true), row }),
    z.object({
      uuid: Uuid,
      done: z.literal(false),
      /** As a request for this row alone would be refused; `status` is the HTTP status it would have. */
      problem: z.object({ message: z.string(), code: z.string(), status: z.int(), data: z.unknown().optional() }),
    }),
  ]);

/** A time as typed: "2026-11-20 14:30", "yesterday", "-2h" … (values/moments.ts), in the currency's zone. */
const MomentText = z
  .string()
  .max(40)
  .refine((text) => readMoment(text, 0, 0) !== null, "Must be a date, a time, or a span like -2h");

/** Most columns of one sort order. */
export const mostSorts = 3;

const sortList = (sorts: readonly [string, ...string[]]) =>
  z
    .string()
    .max(120)
    .transform((text) => text.split(","))
    .pipe(
      z
        .array(z.enum([...sorts, ...sorts.map((name) => `-${name}`)] as [string, ...string[]])) // begins with the first of `sorts`
        .max(mostSorts)
        .refine((names) => new Set(names.map((name) => name.replace("-", ""))).size === names.length, "Must not name a column twice"),
    );

/** Most characters of a search, enough for some dozens of pasted numbers. */
export const longestSearch = 1_000;

/** Query of every keyset list. `sort` is a comma list, "-amount,created_at"; `with` asks for "count", "sums" and "oldest". */
export const listQuery = <F extends z.ZodRawShape, S extends readonly [string, ...string[]]>(filters: F, sorts: S) =>
  z.strictObject({
    cursor: z.string().max(500).optional(),
    /** "next" pages after the cursor, "previous" before it; "previous" without a cursor is the last page. */
    direction: z.enum(["next", "previous"]).default("next"),
    /** A cursor as well: the page begins with that row, or with the place where it was. */
    from: z.string().max(500).optional(),
    /** The page begins with the first row at or after this time; the list must be sorted by time. */
    at: MomentText.optional(),
    limit: z.coerce.number().int().min(1).max(500).default(100),
    sort: sortList(sorts).optional(),
    q: z.string().trim().max(longestSearch).optional(),
    with: z.string().max(40).optional(),
    ...filters,
  });

export const ListMeta = z.object({
  next: z.string().nullable(),
  previous: z.string().nullable(),
  count: z.int().optional(),
  /** Number of rows before the page; sent with the count. */
  before: z.int().optional(),
  sums: z.record(z.string(), z.string()).optional(),
  /** When the oldest row was made, where a list's rows have a time; null: there is none. */
  oldest_at: Instant.nullable().optional(),
});
export type ListMeta = z.infer<typeof ListMeta>;

/** Comma list in a query string: "pending,process" → its members, each one of `values`. */
export const choices = <const V extends readonly [string, ...string[]]>(values: V) =>
  z
    .string()
    .max(200)
    .transform((text) => text.split(",").filter(Boolean))
    .pipe(z.array(z.enum(values)));

/** Comma-separated uuids of exactly these rows; for refetching the rows an event named. */
export const Uuids = z
  .string()
  .max(37 * 200)
  .transform((text) => text.split(","))
  .pipe(z.array(Uuid).max(200));

/** What a filter asks for, "a,b" or "!a,b" for none of them, as its values; an empty text asks for nothing. */
const askedOf = <T extends z.ZodType<string, string>>(one: T) =>
  z
    .string()
    .trim()
    .max(longestAsked)
    .refine((text) => text === "" || readAsked(text) !== null, `Must be at most ${mostAsked} texts with commas between them`)
    .transform((text) => readAsked(text) ?? undefined)
    .pipe(z.object({ isNot: z.boolean(), of: z.array(one).min(1).readonly() }).optional());
/** Any of these texts, or none of them. */
export const Texts = (length: number) => askedOf(z.string().max(length));
/** Any of these records, or none of them. */
export const Records = askedOf(Uuid);
/** The same of users, of whom "me" is the caller. */
export const RecordsOrMe = askedOf(z.union([z.literal("me"), Uuid]));

/** `filter[<field>_from]` and `filter[<field>_to]`: amounts include `to`, times exclude it. */
export const range = <const F extends string, T extends z.ZodType>(field: F, of: T) =>
  ({ [`filter[${field}_from]`]: of.optional(), [`filter[${field}_to]`]: of.optional() }) as Record<
    `filter[${F}_from]` | `filter[${F}_to]`,
    z.ZodOptional<T>
  >; // keys made of the field's name
