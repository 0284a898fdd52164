import { useId } from "react";
import type { ReactNode } from "react";
import { useText } from "../../kit/texts/texts.ts";
import { panelTitle } from "./panels.ts";
import type { PanelName } from "./panels.ts";

/** A panel of the dashboard: title, note and figures. */
export function Panel({ name, note, children }: { name: PanelName; note?: ReactNode; children: ReactNode }) {
  const t = useText();
  // the same screen may be on both sides
  const title = useId();
  return (
    <section className={`panel p-${name}`} data-panel={name} aria-labelledby={title}>
      <h2 id={title}>
        {t(panelTitle(name))}
        {note !== undefined && <span className="end">{note}</span>}
      </h2>
      {children}
    </section>
  );
}

export interface Column<R> {
  readonly title: string;
  readonly cell: (row: R) => ReactNode;
  readonly className?: (row: R) => string | undefined;
}

interface RowsProps<R> {
  readonly caption: string;
  readonly columns: readonly Column<R>[];
  readonly rows: readonly R[];
  readonly idOf: (row: R, at: number) => string;
  /** The cursor's row; absent for a table that is only read. */
  readonly at?: number;
}

/** A table whose rows the cursor can visit; the browser's focus is the cursor. */
export function Rows<R>({ caption, columns, rows, idOf, at }: RowsProps<R>) {
  const walked = at !== undefined;
  return (
    <table className="tbl" {...(walked && { role: "grid" })} aria-label={caption}>
      <thead>
        <tr>
          {columns.map(({ title }) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, n) => (
          <tr key={idOf(row, n)} {...(walked && { tabIndex: n === at ? 0 : -1, "aria-selected": n === at, "data-item": idOf(row, n) })}>
            {columns.map(({ title, cell, className }, column) =>
              column === 0 && !walked ? (
                <th key={title} scope="row">
                  {cell(row)}
                </th>
              ) : (
                <td key={title} className={className?.(row)}>
                  {cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Shown in place of a table without rows. */
export function None({ children }: { children: ReactNode }) {
  return <p className="none t3">{children}</p>;
}
