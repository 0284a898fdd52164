import type { ComponentType } from "react";
import { z } from "zod";
import type { SubjectName, Subjects } from "../../contract/index.ts";
import type { RecordColumns } from "../../contract/record-columns.ts";
import { sortsOf } from "../../contract/record-columns.ts";
import type { RecordEvent } from "../../contract/records.ts";
import type { Permission } from "../../contract/permissions.ts";
import type { Route } from "../../contract/route.ts";
import type { ScreenName } from "../../contract/screens.ts";
import type { LiveEvents } from "../api/live.ts";
import type { Right } from "../kit/commands/command.ts";
import type { RecordAct, RecordRow } from "../kit/commands/desks.ts";
import type { Services } from "../kit/commands/services.ts";
import type { MessageKey, Words } from "../kit/texts/messages.ts";
import { hasText } from "../kit/texts/texts.ts";
import { writtenField } from "../kit/form/codecs.ts";
import type { FormField } from "../kit/form/fields.ts";
import { formFields } from "../kit/form/fields.ts";
import type { FormSession } from "../kit/form/session.ts";
import type { Filter } from "./column-filters.ts";
import { filtersOf } from "./column-filters.ts";
import type { Column, Named, RecordLink, Table } from "./named.ts";
import { fieldOf } from "./named.ts";
import type { Parent } from "./parent.ts";
import { requireNamed } from "./parent.ts";

export interface RecordDetail<Row extends RecordRow = RecordRow> {
  readonly row: Row;
  /** Left out by records without a history. */
  readonly history?: readonly RecordEvent[];
}

/** Lines and a small table under a title, <subject>.section.<name>; a bare name is a text of the row. */
export interface Section<Detail> {
  readonly name: string;
  readonly lines?: readonly (string | Named<Detail>)[];
  /** More lines, which the record itself has: an item's attributes. */
  linesOf?(detail: Detail): readonly Named<Detail>[];
  /** Beneath the lines. */
  readonly table?: Table<Detail>;
  /** Whether a record has it; left out: each has. */
  applies?(detail: Detail): boolean;
  /** What lines and a table cannot show. */
  readonly draw?: ComponentType<{ readonly detail: Detail }>;
  /** What is drawn has a title of its own. */
  readonly alone?: true;
  /** Lines that have nothing to say are left out. */
  readonly sparse?: true;
}

type PermittedRoute = Route & { readonly permission: Permission };

export interface Description<Row extends RecordRow, Detail extends RecordDetail<Row>> {
  readonly screen: ScreenName;
  readonly subject: SubjectName;
  /** What the keys of its texts begin with, where two subjects have the same; by default the subject. */
  readonly words?: string;
  /** What can be done with such records: an act without a route is not offered. */
  readonly routes: {
    readonly list: PermittedRoute;
    readonly read: PermittedRoute & { readonly answer: z.ZodType<Detail> };
    readonly create?: PermittedRoute;
    readonly update?: PermittedRoute;
    /** The values of its body's `status` are what a person may set. */
    readonly status?: PermittedRoute;
    readonly remove?: PermittedRoute;
  };
  /** Acts with a form of their own, by name: a route whose body is the record's version and these fields. Its title: <subject>.form.<act>. */
  readonly acts?: Readonly<Record<string, PermittedRoute>>;
  /** What a write would bring about, to be confirmed before it is sent; null: nothing worth asking. */
  foresee?(write: Write<Row>, call: Services["call"]): Promise<Foreseen | null>;
  /** Who may open the screen's own sheet for new records (`onCreate` of EntityScreen), which are not made by the form. */
  readonly madeBy?: Right;
  /** What a new record begins with that is made from another one, of the values of that one's form. Left out: none is. */
  duplicate?(values: Readonly<Record<string, string>>): Readonly<Record<string, string>>;
  /** Why this record in particular does not take an act from this operator. */
  refuses?(row: Row, act: RecordAct, operator: string | null): MessageKey | null;
  /** The command by which such records go, where that is not their deletion: its button stands in that one's place. */
  readonly removedBy?: string;
  /** Commands of its own that are drawn by its sections, or offered in the menu only: they have no button beneath the record. */
  readonly unbuttoned?: readonly string[];
  /** Which of the others is the pane's primary act, and which refuses. */
  readonly looks?: Readonly<Record<string, "go" | "no">>;
  /** What goes with the record, said before it is deleted. */
  removalText?(row: Row): { readonly key: MessageKey; readonly words: Words };
  /** Live event that names changed rows. */
  readonly live?: Exclude<keyof LiveEvents, "gap">;
  /** Whether a row changes with every movement of money, as that of a day that is not over: such rows are read again when money moves. */
  moves?(row: Row): boolean;
  /** Uuids of the deposits and withdrawals that a row tells of: it is looked at again when they change. */
  tellsOf?(row: Row): readonly string[];
  /** How people call it. */
  titleOf(row: Row): string;
  /** What questions and messages call it; left out: its title. */
  nameOf?(row: Row): string;
  /** Its short unique name. */
  codeOf(row: Row): string;
  /** Fields whose mark stands at its head beside its status. */
  readonly marks?: readonly string[];
  /** The money it is about, large at its head. */
  amountOf?(row: Row): { readonly amount: string; readonly currency: string };
  readonly columns: readonly Column<Row>[];
  /** What a tile shows of a row; left out: its rows are drawn as lines only. */
  readonly tile?: ComponentType<{ readonly row: Row }>;
  /** The column map of its list call: what people can filter by and sort by is told there alone. */
  readonly columnMap: RecordColumns;
  /** Filters that come before the others, which follow in the map's order. */
  readonly firstFilters?: readonly string[];
  /** The list's order when none is chosen, as the list call has it: "-created_at". */
  readonly order: string;
  readonly sections: readonly Section<Detail>[];
  /** Built-in views in the order of their digits: their filters. Left out: all records only. */
  readonly views?: readonly { readonly id: string; readonly search: Readonly<Record<string, string>> }[];
  /** The record that a nested screen's records belong to. */
  readonly parent?: Parent;
  /** Columns with a sum over all rows, shown in a totals row beneath them. */
  readonly sums?: readonly string[];
  /** The time filter that the list always has; `initial` applies while the address asks for no dates. */
  readonly window?: { readonly field: string; readonly initial: string };
  /** The record that a line belongs to, or what the figure in this column is made of; null where it belongs to none. */
  linkOf?(row: Row, column: string | null): RecordLink | null;
  /** Left out where nothing is written. */
  readonly form?: {
    readonly groups: readonly { readonly name: string; readonly fields: readonly string[] }[];
    /** What fields of a new record's form begin with, as the form writes them; left out: empty. */
    readonly begins?: Readonly<Record<string, string>>;
    /** Fields whose value is not the row's own of that name. */
    valuesOf?(row: Row): Readonly<Record<string, string>>;
    /** Where the fields come from that a chosen record brings along, by the field whose control is `given`. */
    readonly given?: Readonly<Record<string, GivenBy>>;
    /** Fields that take a right of their own beside that to write the record: without it they are shown and stay as they are. */
    readonly needs?: Readonly<Record<string, Permission>>;
    /** What is drawn beneath its fields: to try out what was typed. */
    readonly beneath?: Beneath;
  };
}

/** Drawn beneath a form; `row` null: of a new record. */
type Beneath = ComponentType<{ readonly session: FormSession; readonly row: RecordRow | null }>;

/** A write about to be sent: by the form (row null: a new record), one of `acts`, or a change of status. */
export interface Write<Row> {
  readonly act: "form" | "status" | (string & {});
  readonly row: Row | null;
  readonly body: Readonly<Record<string, unknown>>;
}

/** What is asked before a write is sent. */
export interface Foreseen {
  readonly title: MessageKey;
  readonly text: MessageKey;
  readonly words: Words;
  readonly buttons: { readonly yes: MessageKey; readonly no: MessageKey };
}

/** An act's route, and the fields of its form. */
export interface ActForm {
  readonly route: PermittedRoute;
  readonly fields: readonly FormField[];
}

/** Fields by the record that another field of the form names: an item's by its category. */
export interface GivenBy {
  readonly by: string;
  readonly read: Route;
  schemaOf(answer: unknown): z.ZodObject;
}
export const givenBy = <R extends Route>(by: string, read: R, schemaOf: (answer: z.output<R["answer"]>) => z.ZodObject): GivenBy => ({
  by,
  read,
  schemaOf: (answer) => schemaOf(answer as z.output<R["answer"]>), // what that route answered
});

/** A description with its row types hidden, and what its routes tell. */
export interface Entity extends Omit<Description<RecordRow, RecordDetail>, "form" | "acts"> {
  readonly acts: Readonly<Record<string, ActForm>>;
  /** What people can filter by, in order. */
  readonly filters: readonly Filter[];
  /** Fields the list may be sorted by. */
  readonly sorts: readonly string[];
  /** What a person may set as status. */
  readonly statuses: readonly string[];
  /** Those of them that are set only with a reason. */
  readonly reasoned: readonly string[];
  readonly hasHistory: boolean;
  readonly form: {
    readonly groups: readonly { readonly name: string; readonly fields: readonly FormField[] }[];
    readonly fields: readonly FormField[];
    readonly given: Readonly<Record<string, GivenBy>>;
    readonly needs: Readonly<Record<string, Permission>>;
    readonly beneath: Beneath | null;
    /** A field is the row's own of that name, else the detail's: a reference names its record there as `Linked`. */
    readonly begins: Readonly<Record<string, string>>;
    valuesOf(row: RecordRow, detail?: object): Record<string, string>;
    /** Whether only the detail tells some field, or what the records it refers to are called. */
    needsDetail(row: RecordRow): boolean;
  };
}

/**
 * Checks the row types, then hides them; the form's fields get their controls from the routes' bodies.
 * @throws when the form names a field the body has not, or leaves one out; when a column is not summed, a window is no filter of times,
 * or the path names no such parent
 */
export function defineEntity<S extends SubjectName, Detail extends RecordDetail<Subjects[S]>>(
  given: Description<Subjects[S], Detail> & { readonly subject: S },
): Entity {
  const entity = given as unknown as Description<RecordRow, RecordDetail>; // the screen hands on only what these routes answered
  const { create, update, status, read } = given.routes;
  const isWritten = create !== undefined || update !== undefined;
  const fields: ReadonlyMap<string, FormField> = isWritten ? formFields((create ?? update)?.body, update?.body) : new Map();
  const placed = given.form?.groups.flatMap((group) => group.fields) ?? [];
  const wrong = [...fields.keys()].filter((name) => !placed.includes(name)).concat(placed.filter((name) => !fields.has(name)));
  if (wrong.length > 0) throw new Error(`the form of ${given.subject} and its body differ in: ${wrong.join(", ")}`);
  requireNamed(given.screen, given);
  const { columnMap, window, sums = [] } = entity;
  const unsummed = sums.filter((field) => columnMap[field]?.sum === undefined || !entity.columns.some((column) => column.field === field));
  if (unsummed.length > 0) throw new Error(`${given.subject} has no column with a sum: ${unsummed.join(", ")}`);
  if (window && columnMap[window.field]?.filter !== "time") throw new Error(`${given.subject} has no filter by time: ${window.field}`);
  const groups = (entity.form?.groups ?? []).map(({ name, fields: names }) => ({
    name,
    fields: names.flatMap((field) => fields.get(field) ?? []),
  }));
  const all = groups.flatMap((group) => group.fields);
  const statuses = choicesOf(status?.body, "status");
  return {
    ...entity,
    acts: Object.fromEntries(
      Object.entries(entity.acts ?? {}).map(([name, route]) => [name, { route, fields: [...formFields(route.body).values()] }]),
    ),
    filters: filtersOf(columnMap, entity.firstFilters ?? [], entity.columns, given.subject),
    sorts: sortsOf(columnMap),
    statuses,
    reasoned: statuses.filter((one) => status?.body?.safeParse({ version: 1, status: one, reason: "" }).success === false),
    hasHistory: read.answer instanceof z.ZodObject && "history" in read.answer.shape,
    form: {
      groups,
      fields: all,
      begins: entity.form?.begins ?? {},
      given: entity.form?.given ?? {},
      needs: entity.form?.needs ?? {},
      beneath: entity.form?.beneath ?? null,
      valuesOf(row, detail = {}) {
        const own = entity.form?.valuesOf?.(row) ?? {};
        const given = (name: string) => own[name] ?? fieldOf(row, name) ?? fieldOf(detail, name);
        return Object.fromEntries(all.map((field) => [field.name, writtenField(field, given(field.name))]));
      },
      needsDetail: (row) => all.some(({ name, to }) => to.length > 0 || !(name in row || name in (entity.form?.valuesOf?.(row) ?? {}))),
    },
  };
}

/** The values one field of a body may have. */
function choicesOf(body: z.ZodType | undefined, field: string): readonly string[] {
  const choice: unknown = body instanceof z.ZodObject ? body.shape[field] : undefined;
  return choice instanceof z.ZodEnum ? choice.options.map(String) : [];
}

// Texts by name; tests/console/entity/screens.test.ts holds that each is there.

type Worded = Pick<Entity, "subject" | "words">;
const wordsOf = ({ subject, words = subject }: Worded): string => words;

export const labelKey = (entity: Worded, field: string): MessageKey => `${wordsOf(entity)}.field.${field}` as MessageKey;
/** A column's title under the name it shares with others. */
export const shortKey = (entity: Worded, field: string): MessageKey => `${wordsOf(entity)}.short.${field}` as MessageKey;
/** "Accounts of Careful": what the form of an act says. */
export const actKey = ({ subject }: Pick<Entity, "subject">, act: string): MessageKey => `${subject}.form.${act}` as MessageKey;
/** "New merchant": what its form and the button that opens it say. */
export const createKey = ({ subject }: Pick<Entity, "subject">): MessageKey => `command.record.create.${subject}` as MessageKey;
/** A built-in view: "all" in the words of every list. */
export const viewKey = ({ subject }: Pick<Entity, "subject">, view: string): MessageKey =>
  view === "all" ? "view.all" : (`${subject}.view.${view}` as MessageKey);
/** What the detail says while no record is chosen, where these records have words of their own for it. */
export const noneKey = (entity: Worded): MessageKey => `${wordsOf(entity)}.detail.none` as MessageKey;
export const sectionKey = (entity: Worded, name: string): MessageKey => `${wordsOf(entity)}.section.${name}` as MessageKey;

/** What may be written into a field, where its rule needs words. */
export function hintKey(entity: Worded, field: string): MessageKey | null {
  const key = `${wordsOf(entity)}.hint.${field}`;
  return hasText(key) ? key : null;
}

/** One of several: the entity's own word for it, else the common one of a status; null for an unknown value. */
export function choiceKey(entity: Worded, field: string, value: string): MessageKey | null {
  for (const key of [`${wordsOf(entity)}.${field}.${value}`, `status.${value}`]) if (hasText(key)) return key;
  return null;
}
