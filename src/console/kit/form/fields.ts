import { z } from "zod";
import { tooFine } from "../../../contract/amounts.ts";
import type { Control, ControlKind } from "../../../contract/controls.ts";
import { controlOf, insideOf } from "../../../contract/controls.ts";
import type { FieldLines } from "../../../contract/problems.ts";
import type { ScreenName } from "../../../contract/screens.ts";
import { readField, splitReferences } from "./codecs.ts";
import { jsonFault } from "./json-fault.ts";

/** A field of a form as its schema has it. */
export interface FormField {
  readonly name: string;
  readonly control: ControlKind;
  /** Whose records a reference finds; none: it is no reference. */
  readonly to: readonly ScreenName[];
  readonly required: boolean;
  /** Of an amount: it may be zero. */
  readonly zero: boolean;
  /** Most characters; null: no bound. */
  readonly maximum: number | null;
  /** Least and most of a number; null: no bound. */
  readonly between: readonly [least: number | null, most: number | null];
  /** Of a choice or of choices. */
  readonly choices: readonly string[];
  /** Set when it is created and never again. */
  readonly fixed: boolean;
  /** What is sent for an empty field. */
  readonly empty: "as-written" | "null" | "left-out";
  /** What may be written there, shown while it is empty. */
  readonly example?: string;
  /** What browsers may fill in, by HTML's name of it; left out: nothing. */
  readonly autoComplete?: string;
  /** The wire has a list, not a text. */
  readonly many: boolean;
  /** The fields of one row, of a table of rows. */
  readonly rows: readonly FormField[];
}

/** What the form carries along unseen: it is none of the operator's business. */
const unseen = ["version", "uuid"];

/** The fields of both bodies, by name; those of the creating one only are fixed afterwards. */
export function formFields(
  create: z.ZodType | undefined,
  update: z.ZodType | undefined = create,
  hidden: readonly string[] = unseen,
): ReadonlyMap<string, FormField> {
  const [made, changed] = [shapeOf(create), shapeOf(update)];
  return new Map(
    Object.entries({ ...changed, ...made })
      .filter(([name]) => !hidden.includes(name))
      .map(([name, schema]) => [name, formField(name, schema, !(name in changed))]),
  );
}

function shapeOf(schema: z.ZodType | undefined): Readonly<Record<string, z.ZodType>> {
  if (!(schema instanceof z.ZodObject)) throw new Error("a form needs a body that is an object");
  return schema.shape as Readonly<Record<string, z.ZodType>>; // the core type of a shape's members is what zod builds
}

/**
 * A field as its schema declares it.
 * @throws where the contract does not say how the field is written
 */
export function formField(name: string, given: z.ZodType, fixed = false): FormField {
  const declared: Control | null = controlOf(given);
  if (declared === null) throw new Error(`the field ${name} has no control: declare one by .meta(control(…)), see contract/controls.ts`);
  const schema = withoutWrappers(given);
  const element = schema instanceof z.ZodArray ? withoutWrappers(schema.element as z.ZodType) : null;
  const many = element !== null;
  const field: FormField = {
    name,
    control: declared.control,
    to: declared.to ?? [],
    required: false,
    zero: false,
    maximum: schema instanceof z.ZodString ? schema.maxLength : null,
    between: schema instanceof z.ZodNumber ? [schema.minValue, schema.maxValue] : [null, null],
    ...exampleOf(schema),
    ...(declared.autoComplete !== undefined && { autoComplete: declared.autoComplete }),
    choices: [element, schema].flatMap((one) => (one instanceof z.ZodEnum ? one.options.map(String) : [])),
    fixed,
    // a list that is left out is let be; one that was emptied is sent as it is
    empty: given instanceof z.ZodNullable ? "null" : given instanceof z.ZodOptional && !many ? "left-out" : "as-written",
    many,
    rows: declared.control === "rows" ? [...formFields(element ?? undefined).values()] : [],
  };
  const takes = (text: string) => given.safeParse(readField(field, text)).success;
  return { ...field, required: !takes(""), zero: field.control === "amount" && takes("0") };
}

function exampleOf(schema: z.ZodType): Pick<FormField, "example"> {
  const example = schema.meta()?.examples;
  return Array.isArray(example) && typeof example[0] === "string" ? { example: example[0] } : {};
}

function withoutWrappers(schema: z.ZodType): z.ZodType {
  const inner = insideOf(schema);
  return inner === null ? schema : withoutWrappers(inner);
}

/** The field a path of the body leads to: of a table of rows, that of the row's cell. */
export function fieldAt(fields: readonly FormField[], path: string): FormField | undefined {
  const [name = "", , cell] = path.split(".");
  const field = fields.find((one) => one.name === name);
  return field !== undefined && cell !== undefined ? (field.rows.find((one) => one.name === cell) ?? field) : field;
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
  if (schema === undefined) throw new Error("the route has no body");
  const body = bodyOf(typed, fields);
  const notJson = Object.entries(body).flatMap(([name, value]) => {
    const isJson = fields.some((field) => field.name === name && field.control === "json");
    const fault = isJson && typeof value === "string" && value.trim() !== "" ? jsonFault(value) : null;
    return fault === null ? [] : [{ path: [name], code: "not_json", message: `${fault.line}:${fault.column}` }];
  });
  const textOf = (name: string) => {
    const text: unknown = (typed as Readonly<Record<string, unknown>>)[name]; // by name
    return typeof text === "string" ? text : null;
  };
  const notChosen = fields.flatMap(({ name, to }) =>
    to.length > 0 && splitReferences(textOf(name) ?? "").typed !== "" ? [{ path: [name], code: "not_chosen", message: "" }] : [],
  );
  const ahead = [...notJson, ...notChosen];
  const read = schema.safeParse(body);
  const issues = read.success
    ? Object.keys(tooFine(schema, read.data, minorDigits)).map((name) => ({ path: name.split("."), code: "too_fine", message: name }))
    : read.error.issues;
  if (read.success && issues.length + ahead.length === 0) return { body: read.data as Readonly<Record<string, unknown>> }; // shapeOf has seen that it is an object
  const lines: FieldLines = {};
  for (const issue of [...ahead, ...issues]) {
    const path = issue.path.map(String).join(".");
    const field = fieldAt(fields, path);
    // where nothing is written, it is of no use to say how it should be
    const code = field?.required === true && textOf(path)?.trim() === "" ? "missing" : (issue.code ?? "");
    // one line a field: the first rule broken is the one to mend
    lines[lineAt(fields, path)] ??= [field ? say(field, { code, message: issue.message }) : issue.message];
  }
  return { lines };
}

/** Those of a field and within it, by path. */
export const linesOf = ({ name }: Pick<FormField, "name">, lines: FieldLines): FieldLines =>
  Object.fromEntries(Object.entries(lines).filter(([path]) => path === name || path.startsWith(`${name}.`)));

/** Where a line stands: at its field, or in a table of rows at its cell. */
function lineAt(fields: readonly FormField[], path: string): string {
  const [name = ""] = path.split(".");
  return (fields.find((one) => one.name === name)?.rows.length ?? 0) > 0 ? path : name;
}

function bodyOf(typed: object, fields: readonly FormField[]): Record<string, unknown> {
  const known = new Map(fields.map((field) => [field.name, field]));
  return Object.fromEntries(
    Object.entries(typed).flatMap(([name, value]): [string, unknown][] => {
      const field = known.get(name);
      if (field === undefined || typeof value !== "string") return [[name, value]];
      const read = readField(field, value);
      return read === undefined ? [] : [[name, read]];
    }),
  );
}
