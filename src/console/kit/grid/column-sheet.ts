import type { Layout } from "./column-layout.ts";
import type { Storey } from "./storeys.ts";

/** Columns drawn differently because there is too little room. */
interface ColumnLooks {
  /** Those with type one step smaller. */
  readonly smaller: readonly number[];
  /** Those left blank, because a cut figure would read as another figure. */
  readonly blank: readonly number[];
  /** px of the widest figure in each column; right to left, this is the block in which decimals align. */
  readonly figures: readonly number[];
  /** Of the header's upper row. */
  readonly storeys: readonly Storey[];
}

/** Style rules of a grid's columns, one each; cells have only a class, so that a new width is one write. */
export function columnSheet(scope: string, layout: Layout, { smaller, blank, figures, storeys }: ColumnLooks): string {
  const rules = [`${scope} .row,${scope} .rows{inline-size:${layout.total}px}`];
  if (layout.start > 0) rules.push(`${scope} .mk{position:sticky;inset-inline-start:0;z-index:1;background:inherit}`);
  let afterEnd = layout.end;
  let firstEnd = true;
  layout.columns.forEach((column, index) => {
    const width = `inline-size:${column.width}px`;
    const cell = `${scope} .c${index}`;
    if (column.pinned === "start") rules.push(`${cell}{position:sticky;inset-inline-start:${column.offset}px;${width}}`);
    else if (column.pinned === "end") {
      afterEnd -= column.width;
      rules.push(`${cell}{position:sticky;inset-inline-end:${afterEnd}px;${width}${firstEnd ? ";margin-inline-start:auto" : ""}}`);
      firstEnd = false;
    } else rules.push(`${cell}{${width}}`);
  });
  storeys.forEach(({ first, count, pinned }, at) => {
    const own = layout.columns.slice(first, first + count);
    const width = own.reduce((sum, column) => sum + column.width, 0);
    const stays = pinned === "start" ? `position:sticky;inset-inline-start:${own[0]?.offset ?? 0}px;` : "";
    rules.push(`${scope} .u${at}{${stays}inline-size:${width}px}`);
  });
  for (const index of smaller) rules.push(`${scope} .rows .c${index}{font-size:var(--fs-small)}`);
  for (const index of blank) rules.push(`${scope} .rows .c${index}{visibility:hidden}`);
  figures.forEach((width, index) => width > 0 && rules.push(`${scope} .rows .c${index}{--figures:${width}px}`));
  return rules.join("\n");
}
