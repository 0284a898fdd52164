/** Marked rows by id, so that sorting and live rows do not change them. */
export interface Marks {
  readonly ids: ReadonlySet<string>;
  /** Where an extension starts: the row that was last marked by itself. */
  readonly anchor: string | null;
  /** Rows added by the current extension; the next one from the same anchor replaces them. */
  readonly span: readonly string[];
}

export const noMarks: Marks = { ids: new Set(), anchor: null, span: [] };

export function toggle(marks: Marks, id: string): Marks {
  const ids = new Set(marks.ids);
  if (!ids.delete(id)) ids.add(id);
  return { ids, anchor: id, span: [] };
}

/** Marks the rows from the anchor to the cursor, both included, instead of those of the last extension. */
export function extend(marks: Marks, anchor: string, between: readonly string[]): Marks {
  const ids = new Set(marks.ids);
  if (marks.anchor === anchor) for (const id of marks.span) ids.delete(id);
  const span = between.filter((id) => !ids.has(id));
  for (const id of span) ids.add(id);
  return { ids, anchor, span };
}

/** Marks these rows, or unmarks them when all were marked. */
export function toggleAll(marks: Marks, rows: readonly string[]): Marks {
  const ids = new Set(marks.ids);
  const every = rows.every((id) => ids.has(id));
  for (const id of rows)
    if (every) ids.delete(id);
    else ids.add(id);
  return { ids, anchor: rows.at(-1) ?? marks.anchor, span: [] };
}

export function markAll(ids: Iterable<string>): Marks {
  return { ids: new Set(ids), anchor: null, span: [] };
}

/** Removes rows that left; the same object when none did. */
export function forget(marks: Marks, left: (id: string) => boolean): Marks {
  const gone = [...marks.ids].filter(left);
  const anchorLeft = marks.anchor !== null && left(marks.anchor);
  if (gone.length === 0 && !anchorLeft) return marks;
  const ids = new Set(marks.ids);
  for (const id of gone) ids.delete(id);
  return { ids, anchor: anchorLeft ? null : marks.anchor, span: anchorLeft ? [] : marks.span.filter((id) => ids.has(id)) };
}
