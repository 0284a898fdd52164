import pg from "pg";

/** Texts prepared at most, in each connection: enough for all that repeat, few enough for its memory. */
const most = 600;
/** A text is prepared when it comes again: one built from what somebody typed may never. */
const seen = new Set<string>();
const names = new Map<string, string>();
let generation = 0;

/**
 * Statements that come again are planned once for each connection: with row-level security, planning costs more than most of them
 * cost to run. A pooler between must keep prepared statements (PgBouncer from 1.21, or session pooling).
 */
function nameOf(text: string): string | undefined {
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

/** After a sibling process of a newer version has migrated: what was prepared may answer other columns now, and is refused. */
export function prepareAnew(): void {
  generation += 1;
  names.clear();
}

/** A connection that prepares what is asked of it with parameters. */
export class PreparedClient extends pg.Client {
  // oxlint-disable-next-line typescript/no-explicit-any -- stands for all of the driver's overloads
  override query(...asked: any[]): any {
    const [text, values, ...rest] = asked;
    const name = typeof text === "string" && Array.isArray(values) && values.length > 0 ? nameOf(text) : undefined;
    return Reflect.apply(super.query, this, name === undefined ? asked : [{ name, text, values }, ...rest]);
  }
}
