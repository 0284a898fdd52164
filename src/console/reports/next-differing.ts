import type { RecordRow } from "../kit/commands/desks.ts";
import type { RowSource } from "../kit/grid/row-source.ts";

type Compared = RecordRow & { readonly difference?: string | null; readonly statement_difference?: string | null };

/**
 * After the row `cursor`, the first whose balances do not agree with its movements, or whose bank says otherwise; from the top again once
 * every page was looked at. null: none differs; undefined: not known, because a page did not come.
 */
export async function nextDiffering(source: RowSource<RecordRow>, cursor: string): Promise<string | null | undefined> {
  for (let before = -1; ; await source.feed?.after()) {
    const differs = (source.rows as readonly Compared[]).filter(({ difference, statement_difference }) =>
      [difference, statement_difference].some((one) => one != null && Number(one) !== 0),
    );
    const at = source.indexOf(cursor);
    const next = differs.find(({ uuid }) => source.indexOf(uuid) > at);
    if (next !== undefined) return next.uuid;
    if (!source.more) return differs[0]?.uuid ?? null;
    if (source.length === before) return undefined;
    before = source.length;
  }
}
