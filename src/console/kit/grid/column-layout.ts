/** A visible column, in reading order: pinned at the start, free, pinned at the end. */
export interface ColumnSize {
  readonly width: number;
  readonly minWidth: number;
  readonly grow: number;
  readonly pinned: "start" | "end" | null;
}

export interface LaidColumn {
  /** px from the row's start edge, or from the pinned block's own edge. */
  readonly offset: number;
  readonly width: number;
  readonly pinned: "start" | "end" | null;
}

export interface Layout {
  readonly columns: readonly LaidColumn[];
  /** Width of a whole row, px. */
  readonly total: number;
  /** Widths of the blocks that do not scroll, in px; the start block includes the mark boxes when they are pinned. */
  readonly start: number;
  readonly end: number;
}

/**
 * Lays columns out in `view` px after `lead` px of mark boxes: growing columns share the spare width, or shrink to their minimum.
 * Beyond that the row is wider than the view and scrolls; then growing columns are widened so that the view ends at a column's
 * edge.
 */
export function layoutColumns(sizes: readonly ColumnSize[], view: number, lead: number): Layout {
  const widths = sizes.map((size) => Math.max(size.width, size.minWidth));
  const sum = (until = sizes.length) => widths.slice(0, until).reduce((total, width) => total + width, lead);
  const spare = Math.floor(view - sum());
  if (spare > 0) share(sizes, widths, spare, sizes.length);
  else if (spare < 0) {
    giveWay(sizes, widths, -spare);
    const end = sizes.reduce((total, size, index) => total + (size.pinned === "end" ? (widths[index] ?? 0) : 0), 0);
    const beyond = sizes.findIndex((size, index) => size.pinned === null && sum(index + 1) > view - end);
    if (beyond > 0) share(sizes, widths, Math.floor(view - end - sum(beyond)), beyond);
  }
  const anyStart = sizes.some((size) => size.pinned === "start");
  let offset = lead;
  const columns = sizes.map((size, index) => {
    const laid = { offset, width: widths[index] ?? 0, pinned: size.pinned };
    offset += laid.width;
    return laid;
  });
  const block = (side: "start" | "end") => columns.reduce((total, column) => total + (column.pinned === side ? column.width : 0), 0);
  return { columns, total: Math.max(offset, view), start: anyStart ? lead + block("start") : 0, end: block("end") };
}

/** Shares `spare` px among the growing ones of the first `until` columns. */
function share(sizes: readonly ColumnSize[], widths: number[], spare: number, until: number): void {
  const growing = sizes.slice(0, until);
  let left = spare;
  let shares = growing.reduce((total, size) => total + size.grow, 0);
  growing.forEach(({ grow }, index) => {
    if (grow === 0) return;
    const part = Math.floor((left * grow) / shares);
    widths[index] = (widths[index] ?? 0) + part;
    left -= part;
    shares -= grow;
  });
}

/** Takes up to `over` px from the growing columns. */
function giveWay(sizes: readonly ColumnSize[], widths: number[], over: number): void {
  let left = over;
  sizes.forEach((size, index) => {
    if (size.grow === 0) return;
    const give = Math.min(left, (widths[index] ?? 0) - size.minWidth);
    widths[index] = (widths[index] ?? 0) - give;
    left -= give;
  });
}

/** px of padding on each side of a cell. */
export const padding = 8;

/** Columns that are partly in view, `offset` px from the start. One wider than the view is left out, because it is never seen whole. */
export function columnsAtEdge({ columns, start, end }: Layout, view: number, offset: number): readonly number[] {
  const [from, to] = [offset + start, offset + view - end];
  return columns.flatMap((column, index) => {
    const [first, last] = [column.offset + padding, column.offset + column.width - padding];
    const isApart = column.pinned !== null || last <= from || first >= to || last - first > to - from;
    return isApart || (first >= from && last <= to) ? [] : [index];
  });
}

/** Number of columns that the first view shows whole. */
export const columnsWhole = (layout: Layout, view: number): number =>
  layout.columns.filter(({ pinned, offset, width }) => pinned !== null || offset + width - padding <= view - layout.end).length;

/** A view of a layout: its width and how far it is scrolled, px. */
interface LayoutView {
  readonly view: number;
  readonly offset: number;
}

/** The column `across` px from the view's start edge; beyond the last one that one. */
export function columnAt({ columns, start, end }: Layout, across: number, { view, offset }: LayoutView): number {
  const last = columns.at(-1);
  const full = last ? last.offset + last.width : 0;
  const x = across < start ? across : across >= view - end && end > 0 ? across - view + full : across + offset;
  const column = columns.findIndex((laid) => x < laid.offset + laid.width);
  return column < 0 ? columns.length - 1 : column;
}

/** The offset nearest to the view's own that has the column in view. */
export function offsetShowing({ columns, start, end, total }: Layout, column: number, { view, offset }: LayoutView): number {
  const laid = columns[column];
  if (!laid || laid.pinned) return offset;
  const lead = column === 0 ? 0 : laid.offset - start;
  const least = laid.offset + laid.width - view + end;
  const to = lead < offset ? lead : Math.max(offset, least);
  return Math.max(0, Math.min(to, total - view));
}
