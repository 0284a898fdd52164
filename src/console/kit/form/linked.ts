import type { Linked } from "../../../contract/controls.ts";
import type { FormField } from "./fields.ts";

/** What the records are called that a form's references name: those of its record's detail, and those found since. */
export class LinkedNames {
  #known = new Map<string, Linked>();

  take(records: Iterable<Linked>): void {
    for (const record of records) this.#known.set(record.uuid, record);
  }

  /** A record nothing is known of is called by its uuid. */
  of = (uuid: string): Linked => this.#known.get(uuid) ?? { uuid, name: uuid, code: null };
}

/** What is shown of a record: its code, then its name. */
export const linkedText = ({ code, name }: Linked): string => (code === null || code === name ? name : `${code} · ${name}`);

/**
 * The records a detail names: a reference `category`, or references `accounts`, stand under the field's own name in the row or beside it,
 * each as `Linked` ({uuid, name, code}).
 */
export function linkedIn(fields: readonly FormField[], ...sources: readonly object[]): Linked[] {
  return fields
    .filter(({ to }) => to.length > 0)
    .flatMap(({ name }) => {
      const values = sources.map((source) => (source as Readonly<Record<string, unknown>>)[name]); // by name
      return values.flatMap((value) => (Array.isArray(value) ? value : [value])).filter(isLinked);
    });
}

const isLinked = (value: unknown): value is Linked =>
  typeof value === "object" && value !== null && "uuid" in value && "name" in value && "code" in value;
