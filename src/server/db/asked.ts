import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import type { Asked } from "../../values/asked.ts";

/** A condition that one of the values meets, or that none of them does: a row that has no such value is not one of those left out. */
export function whereAsked({ isNot, of }: Asked, where: (value: string) => RawBuilder<unknown>): RawBuilder<unknown> {
  const any = sql`(${sql.join(of.map(where), sql` or `)})`;
  return isNot ? sql`not coalesce(${any}, false)` : any;
}
