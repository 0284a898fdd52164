import type { RawBuilder } from "kysely";
import { sql } from "kysely";

/** Most statements prepared per connection: enough for those that repeat, and few enough for its memory. */
const most = 600;
/** Texts seen once. A text is prepared at its second use, because one built from user input may never come again. */
const seen = new Set<string>();
const names = new Map<string, string>();
let generation = 0;

/**
 * Begins a text that is planned for its values at each use, and not once for any: a page of few rows between two ends is found by their
 * index, which for ends that may be anywhere is not chosen.
 */
const anew = "/* for its values */ ";

/** Put before a statement that is to be planned for its values if `is`. */
export const plannedAnew = (is: boolean): RawBuilder<unknown> => sql.raw(is ? anew : "");

/** The name of a prepared statement for repeated texts: with row-level security, planning costs more than running most of them. */
function nameOf(text: string): string | undefined {
  if (text.startsWith(anew)) return undefined;
  const known = names.get(text);
  if (known !== undefined) return known;
  if (names.size >= most) return undefined;
  if (!seen.has(text)) {
    if (seen.size >= most * 4) seen.clear();
    seen.add(text);
    return undefined;
  }
  seen.delete(text);
  const name = `s${generation}-${names.size}`;
  names.set(text, name);
  return name;
}

/** Forgets all names after a newer process has migrated: prepared statements may answer other columns now and would be refused. */
export function prepareAnew(): void {
  generation += 1;
  names.clear();
}

/** The driver's arguments, with a name when the statement is to be prepared: it has parameters and was seen before. */
export function prepared(args: readonly unknown[]): readonly unknown[] {
  const [text, values, ...rest] = args;
  const name = typeof text === "string" && Array.isArray(values) && values.length > 0 ? nameOf(text) : undefined;
  return name === undefined ? args : [{ name, text, values }, ...rest];
}
