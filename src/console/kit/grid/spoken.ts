import type { Everything, GridSelection } from "../commands/grid-handle.ts";
import { formatCount } from "../../../values/counts.ts";
import type { MessageKey, Words } from "../texts/messages.ts";
import type { GridColumn, Sort } from "./grid-column.ts";

export type GridWording = (key: MessageKey & `grid.${string}`, words: Words) => string;

/** The selection for screen readers; empty when there is none. */
export function selectionWords(selection: GridSelection | null, everything: Everything | null, words: GridWording): string {
  if (selection === null) return "";
  const { rows, columns } = selection;
  if (selection.of === "range") return words("grid.said.range", { rows, columns });
  if (everything === null) return words("grid.said.marks", { count: rows });
  return everything.count === null
    ? words("grid.said.everything-uncounted", {})
    : words("grid.said.everything", { count: everything.count, shown: formatCount(everything.count) });
}

/** The order of the rows for screen readers, first column first. */
export function sortWords<Row>(
  sort: readonly Sort[],
  columns: readonly GridColumn<Row>[],
  titleOf: (column: GridColumn<Row>) => string,
  words: GridWording,
): string {
  const named = sort.flatMap(({ id, desc }) => {
    const column = columns.find((other) => other.id === id);
    return column ? [words(desc ? "grid.said.descending" : "grid.said.ascending", { column: titleOf(column) })] : [];
  });
  return named.length === 0 ? words("grid.said.unsorted", {}) : words("grid.said.sorted", { columns: named.join(", ") });
}

export const sortKey = (sort: readonly Sort[]): string => sort.map(({ id, desc }) => `${id} ${desc}`).join();
