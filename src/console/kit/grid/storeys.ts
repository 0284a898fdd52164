import type { MessageKey } from "../texts/messages.ts";
import type { ShownColumn } from "./fitted-columns.ts";
import { headerHeight } from "./grid-column.ts";

/** Columns side by side that share a name above their titles, or have none. */
export interface Storey {
  readonly key: MessageKey | null;
  /** Index of its first column. */
  readonly first: number;
  readonly count: number;
  readonly pinned: "start" | "end" | null;
}

/** The upper storey of the header; empty where no column shares a name. */
export function storeysOf<Row>(columns: readonly Pick<ShownColumn<Row>, "column" | "pinned">[]): readonly Storey[] {
  if (!columns.some(({ column }) => column.under !== undefined)) return [];
  const storeys: Storey[] = [];
  for (const [index, { column, pinned }] of columns.entries()) {
    const key = column.under?.groupKey ?? null;
    const last = storeys.at(-1);
    if (last !== undefined && last.key === key && last.pinned === pinned) storeys[storeys.length - 1] = { ...last, count: last.count + 1 };
    else storeys.push({ key, first: index, count: 1, pinned });
  }
  return storeys;
}

/** px of the upper storey. */
const upperHeight = 20;

/** px of the header: one storey, or two where columns share a name. */
export const headHeight = <Row>(columns: readonly ShownColumn<Row>[]): number =>
  storeysOf(columns).length > 0 ? headerHeight + upperHeight : headerHeight;
