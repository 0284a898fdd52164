import { z } from "zod";
import { tooFine } from "../../contract/amounts.ts";
import type { FieldLines } from "../../contract/problems.ts";
import { readAmount } from "../../values/money.ts";

export type Control = "text" | "lines" | "amount" | "rate" | "url" | "choice";

/** A field of a form as its schema has it. */
export interface FormField {
  readonly name: string;
  readonly control: Control;
  readonly required: boolean;
  /** Most characters; null: no bound. */
  readonly maximum: number | null;
  /** Of a choice. */
  readonly choices: readonly string[];
  /** Set when it is created and never again. */
  readonly fixed: boolean;
}

/** A text longer than this is written over several lines. */
const longLine = 200;

/** Version is the form's business, not the operator's. */
const unseen = "version";

/** The fields of both bodies, by name; those of the creating one only are fixed afterwards. */
export function formFields(create: z.ZodType | undefined, update: z.ZodType | undefined): ReadonlyMap<string, FormField> {
  const [made, changed] = [shapeOf(create), shapeOf(update)];
  return new Map(
    Object.entries({ ...changed, ...made })
      .filter(([name]) => name !== unseen)
      .map(([name, schema]) => [name, { name, ...controlOf(schema), fixed: !(name in changed) }]),
  );
}

function shapeOf(schema: z.ZodType | undefined): Readonly<Record<string, z.ZodType>> {
  if (!(schema instanceof z.ZodObject)) throw new Error("a form needs a body that is an object");
  return schema.shape as Readonly<Record<string, z.ZodType>>; // the core type of a shape's members is what zod builds
}

function controlOf(given: z.ZodType): Omit<FormField, "name" | "fixed"> {
  const optional = given instanceof z.ZodOptional || given instanceof z.ZodNullable;
  const schema = optional ? given.unwrap() : given;
  if (schema instanceof z.ZodEnum) {
    return { control: "choice", required: !optional, maximum: null, choices: schema.options.map(String) };
  }
  if (!(schema instanceof z.ZodString)) throw new Error("a form knows texts and choices only");
  const maximum = schema.maxLength;
  const takes = (text: string): boolean => schema.safeParse(text).success;
  return { control: textControl(maximum, takes), required: !optional && !takes(""), maximum, choices: [] };
}

/** A refinement has no name: what it takes tells what it is. */
function textControl(maximum: number | null, takes: (text: string) => boolean): Control {
  if (takes("https://example.com/") && !takes("example")) return "url";
  if (maximum !== null && maximum > longLine) return "lines";
  if (!takes("1.5") || takes("x")) return "text";
  return takes("100") && !takes("101") ? "rate" : "amount";
}

/** How a broken rule is said to the operator. */
export type SayRule = (field: FormField, issue: { code: string; message: string }) => string;

export type Checked = { readonly body: Readonly<Record<string, unknown>> } | { readonly lines: FieldLines };

/** What would be sent, by the route's own schema, in a currency of `minorDigits` decimals; or what is wrong, by field. */
export function checkForm(
  schema: z.ZodType | undefined,
  typed: object,
  fields: readonly FormField[],
  say: SayRule,
  minorDigits: number,
): Checked {
  const amounts = new Set(fields.filter(({ control }) => control === "amount").map(({ name }) => name));
  const plain = ([name, value]: [string, unknown]) => [name, amounts.has(name) ? (readAmount(String(value)) ?? value) : value];
  const read = schema?.safeParse(Object.fromEntries(Object.entries(typed).map(plain)));
  if (read === undefined) throw new Error("the route has no body");
  const issues = read.success
    ? Object.keys(tooFine(schema, read.data, minorDigits)).map((name) => ({ path: [name], code: "too_fine", message: name }))
    : read.error.issues;
  if (read.success && issues.length === 0) return { body: read.data as Readonly<Record<string, unknown>> }; // shapeOf has seen that it is an object
  const lines: FieldLines = {};
  for (const issue of issues) {
    const name = String(issue.path[0] ?? "");
    const field = fields.find((one) => one.name === name);
    // one line a field: the first rule broken is the one to mend
    lines[name] ??= [field ? say(field, { code: issue.code, message: issue.message }) : issue.message];
  }
  return { lines };
}
