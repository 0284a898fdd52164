import { z } from "zod";
import type { SubjectName, Subjects } from "../../contract/index.ts";
import type { RecordEvent } from "../../contract/records.ts";
import type { Route } from "../../contract/route.ts";
import type { ScreenName } from "../../contract/screens.ts";
import type { LiveEvents } from "../api/live.ts";
import { fieldAmount } from "../kit/amounts.ts";
import type { MessageKey } from "../kit/messages.ts";
import { hasText } from "../kit/texts.ts";
import type { FormField } from "./form-fields.ts";
import { formFields } from "./form-fields.ts";

/** What every record has. */
export interface RecordRow {
  readonly uuid: string;
  readonly version: number;
}
export interface RecordDetail<Row extends RecordRow = RecordRow> {
  readonly row: Row;
  readonly history: readonly RecordEvent[];
}

/** Used and total of a limit, as accounts carry it; null: none. */
export interface UsedLimit {
  readonly used: string;
  readonly limit: string | null;
}
export type Value = string | number | UsedLimit | null | undefined;
/** How a value is written: an amount grouped, a status with its glyph, a time in the currency's zone … */
export type Shown = "text" | "mono" | "account-number" | "amount" | "rate" | "status" | "choice" | "time" | "count" | "limit";

/** One named value; its label is <subject>.field.<field>. Without `value` it is the row's own field of that name. */
export interface Named<Of> {
  readonly field: string;
  readonly as?: Shown;
  value?(of: Of): Value;
}
export interface Column<Row> extends Named<Row> {
  /** px */
  readonly width: number;
  readonly minWidth?: number;
  readonly grow?: number;
}
/** A filter of the list call: `filter[<field>]`, or from … to … of an amount or a time (lists/ranges.ts). */
export interface Filter<Row> {
  readonly field: string;
  readonly as?: "amount" | "time";
  /** Any of these; left out: a text. */
  readonly choices?: readonly string[];
  /** What a row has there, for "filter by this value". */
  value?(row: Row): string;
}
/** Lines under a title, <subject>.section.<name>; a bare name is a text of the row. */
export interface Section<Detail> {
  readonly name: string;
  readonly lines: readonly (string | Named<Detail>)[];
}

export interface Description<Row extends RecordRow, Detail extends RecordDetail<Row>> {
  readonly screen: ScreenName;
  readonly subject: SubjectName;
  readonly routes: {
    readonly list: Route;
    readonly read: Route & { readonly answer: z.ZodType<Detail> };
    readonly create: Route;
    readonly update: Route;
  };
  /** Live event that names changed rows. */
  readonly live?: Exclude<keyof LiveEvents, "gap">;
  /** How people call it. */
  titleOf(row: Row): string;
  /** Its short unique name. */
  codeOf(row: Row): string;
  readonly columns: readonly Column<Row>[];
  readonly filters: readonly Filter<Row>[];
  /** The list's order when none is chosen, as the list call has it: "-created_at". */
  readonly order: string;
  readonly sections: readonly Section<Detail>[];
  readonly form: {
    readonly groups: readonly { readonly name: string; readonly fields: readonly string[] }[];
    /** Fields whose value is not the row's own of that name. */
    valuesOf?(row: Row): Readonly<Record<string, string>>;
  };
}

/** A description with its row types hidden, and what its routes tell. */
export interface Entity extends Omit<Description<RecordRow, RecordDetail>, "form"> {
  /** Fields the list may be sorted by. */
  readonly sorts: readonly string[];
  readonly form: {
    readonly groups: readonly { readonly name: string; readonly fields: readonly FormField[] }[];
    readonly fields: readonly FormField[];
    valuesOf(row: RecordRow): Record<string, string>;
  };
}

/**
 * Checks the row types, then hides them; the form's fields get their controls from the routes' bodies.
 * @throws when the form names a field the body has not, or leaves one out
 */
export function defineEntity<S extends SubjectName, Detail extends RecordDetail<Subjects[S]>>(
  given: Description<Subjects[S], Detail> & { readonly subject: S },
): Entity {
  const entity = given as unknown as Description<RecordRow, RecordDetail>; // the screen hands on only what these routes answered
  const fields = formFields(given.routes.create.body, given.routes.update.body);
  const placed = given.form.groups.flatMap((group) => group.fields);
  const wrong = [...fields.keys()].filter((name) => !placed.includes(name)).concat(placed.filter((name) => !fields.has(name)));
  if (wrong.length > 0) throw new Error(`the form of ${given.subject} and its body differ in: ${wrong.join(", ")}`);
  const groups = entity.form.groups.map(({ name, fields: names }) => ({
    name,
    fields: names.flatMap((field) => fields.get(field) ?? []),
  }));
  const all = groups.flatMap((group) => group.fields);
  return {
    ...entity,
    sorts: sortsOf(given.routes.list),
    form: {
      groups,
      fields: all,
      valuesOf(row) {
        const own = entity.form.valuesOf?.(row) ?? {};
        const written = (control: FormField["control"], text: string) => (control === "amount" ? fieldAmount(text) : text);
        return Object.fromEntries(all.map(({ name, control }) => [name, written(control, own[name] ?? plain(fieldOf(row, name)))]));
      },
    },
  };
}

function sortsOf({ query }: Route): readonly string[] {
  const sort = query?.shape["sort"];
  const list = sort instanceof z.ZodOptional ? sort.unwrap() : sort;
  const many = list instanceof z.ZodPipe ? list.out : list;
  const names = many instanceof z.ZodArray ? many.element : many;
  return names instanceof z.ZodEnum ? names.options.map(String).filter((name) => !name.startsWith("-")) : [];
}

const plain = (value: unknown): string => (typeof value === "string" || typeof value === "number" ? String(value) : "");

/** A row's own field; undefined where it has none of that name. */
export const fieldOf = (row: object, name: string): unknown => (row as Readonly<Record<string, unknown>>)[name];

/** What a column or a line shows. */
export function valueOf<Of extends object>({ field, value }: Named<Of>, of: Of, row: object): Value {
  return value ? value(of) : (fieldOf(row, field) as Value); // a field shown as it is holds a text, a number or a limit
}

// Texts by name; tests/console/entity/screens.test.ts holds that each is there.

export const labelKey = ({ subject }: Pick<Entity, "subject">, field: string): MessageKey => `${subject}.field.${field}` as MessageKey;
export const sectionKey = ({ subject }: Pick<Entity, "subject">, name: string): MessageKey => `${subject}.section.${name}` as MessageKey;

/** What may be written into a field, where its rule needs words. */
export function hintKey({ subject }: Pick<Entity, "subject">, field: string): MessageKey | null {
  const key = `${subject}.hint.${field}`;
  return hasText(key) ? key : null;
}

/** One of several: the entity's own word for it, else the common one of a status; null for an unknown value. */
export function choiceKey({ subject }: Pick<Entity, "subject">, field: string, value: string): MessageKey | null {
  for (const key of [`${subject}.${field}.${value}`, `status.${value}`]) if (hasText(key)) return key;
  return null;
}
