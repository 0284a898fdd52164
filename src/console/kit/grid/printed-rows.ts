import type { GridColumn, GridRow } from "./grid-column.ts";
import type { GridWording } from "./spoken.ts";
import type { TotalsProof } from "./totals-row.tsx";

/** Most rows that are printed; beyond that the browser would stall, and an export is better. */
const mostPrinted = 2000;

interface Printed<Row extends GridRow> {
  readonly columns: readonly GridColumn<Row>[];
  readonly rows: readonly Row[];
  /** Whether more rows match than these, and how many in all. */
  readonly more: boolean;
  readonly total: number | null;
  /** Texts of the totals row, by column. */
  readonly totals: Readonly<Record<string, string>> | undefined;
  readonly proof: TotalsProof | undefined;
  readonly label: string;
  readonly words: GridWording;
  titleOf(column: GridColumn<Row>): string;
}

function element<K extends keyof HTMLElementTagNameMap>(name: K, text: string, parent: HTMLElement): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  made.textContent = text;
  parent.append(made);
  return made;
}

/** The rows as a plain table while the page is printed, because the grid holds only those in view. */
export class Paper<Row extends GridRow> {
  #element: HTMLElement | null = null;

  print(scroller: HTMLElement, { columns, rows, more, total, totals, proof, label, words, titleOf }: Printed<Row>): void {
    this.clear();
    if (rows.length === 0) return;
    const holder = document.createElement("div");
    holder.className = "printed";
    const table = element("table", "", holder);
    element("caption", label, table);
    const head = element("tr", "", element("thead", "", table));
    for (const column of columns) element("th", titleOf(column), head).className = column.align === "end" ? "num" : "";
    const body = element("tbody", "", table);
    const printed = rows.slice(0, mostPrinted);
    for (const row of printed) {
      const line = element("tr", "", body);
      for (const column of columns) {
        const cell = element("td", "", line);
        cell.className = column.align === "end" ? "num" : "";
        element("bdi", column.shown?.(row) ?? column.text(row), cell);
      }
    }
    if (totals) {
      const foot = element("tr", "", element("tfoot", "", table));
      const nameAt = columns.findIndex(({ id }) => !(id in totals));
      const name = proof === undefined || proof.holds ? words("grid.totals", {}) : proof.text;
      for (const [at, column] of columns.entries()) {
        const cell = element("td", "", foot);
        cell.className = column.align === "end" ? "num" : "";
        element("bdi", at === nameAt ? name : (totals[column.id] ?? ""), cell);
      }
    }
    const left = more || printed.length < rows.length;
    if (left) element("p", words("grid.printed-part", { count: printed.length, of: total ?? "…" }), holder);
    scroller.after(holder);
    this.#element = holder;
  }

  clear(): void {
    this.#element?.remove();
    this.#element = null;
  }
}
