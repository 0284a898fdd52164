import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import type { Asked } from "../../values/asked.ts";

/** A condition that one of the values meets. */
export const oneMeets = (values: readonly string[], where: (value: string) => RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(${sql.join(values.map(where), sql` or `)})`;

/** The contrary of a condition: a row that has no such value is not one of those left out. */
export const unmet = (where: RawBuilder<unknown>): RawBuilder<unknown> => sql`not coalesce(${where}, false)`;

/** A condition that one of the values meets, or that none of them does. */
export function whereAsked({ isNot, of }: Asked, where: (value: string) => RawBuilder<unknown>): RawBuilder<unknown> {
  const met = oneMeets(of, where);
  return isNot ? unmet(met) : met;
}
