import type { Layout } from "./column-layout.ts";

/** Styles of one grid's columns, one rule each: cells carry a class only, so that a new width is one write. */
export function columnSheet(scope: string, layout: Layout): string {
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
  return rules.join("\n");
}
