/** What the layout needs of a visible column, in reading order: pinned at start, free, pinned at end. */
export interface ColumnSize {
  readonly width: number;
  readonly minWidth: number;
  readonly grow: number;
  readonly pinned: "start" | "end" | null;
}

export interface LaidColumn {
  /** px from the start edge of the row, or of the pinned block's own edge. */
  readonly offset: number;
  readonly width: number;
  readonly pinned: "start" | "end" | null;
}

export interface Layout {
  readonly columns: readonly LaidColumn[];
  /** Width of a whole row, px. */
  readonly total: number;
  /** Widths of the blocks that do not scroll, px; the start one holds the mark boxes when they are pinned with it. */
  readonly start: number;
  readonly end: number;
}

/**
 * Lays columns out in `view` px after `lead` px of mark boxes: growing columns share what is left over,
 * or give way down to their minimum; past that the row is wider than the view and scrolls.
 */
export function layoutColumns(sizes: readonly ColumnSize[], view: number, lead: number): Layout {
  const widths = sizes.map((size) => Math.max(size.width, size.minWidth));
  const sum = () => widths.reduce((total, width) => total + width, lead);
  const shares = sizes.reduce((total, size) => total + size.grow, 0);
  const spare = Math.floor(view - sum());
  if (spare > 0 && shares > 0) {
    let left = spare;
    let sharesLeft = shares;
    sizes.forEach((size, index) => {
      if (size.grow === 0) return;
      const part = Math.floor((left * size.grow) / sharesLeft);
      widths[index] = (widths[index] ?? 0) + part;
      left -= part;
      sharesLeft -= size.grow;
    });
  } else if (spare < 0 && shares > 0) {
    let over = -spare;
    sizes.forEach((size, index) => {
      if (size.grow === 0) return;
      const give = Math.min(over, (widths[index] ?? 0) - size.minWidth);
      widths[index] = (widths[index] ?? 0) - give;
      over -= give;
    });
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
