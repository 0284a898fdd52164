import type { PageWords } from "../look/printed-page.ts";
import { isPaperHeld, setPrintedPage, sidewaysWidth } from "../look/printed-page.ts";
import type { MessageKey } from "../texts/messages.ts";
import type { GridColumn, GridRow } from "./grid-column.ts";
import type { GridWording } from "./spoken.ts";
import { storeysOf } from "./storeys.ts";
import type { TotalsProof } from "./totals-row.tsx";

/** Most rows that are printed; beyond that the browser would stall, and an export is better. */
export const mostPrinted = 2000;

/** What a grid's paper has beside its rows. */
export interface GridPaper<Row extends GridRow> {
  words(): PageWords;
  /** Its columns, in order: paper has more room than a window. */
  columns?(): readonly GridColumn<Row>[];
  /** Draws what stands above the rows into an element that is laid out; answers what ends it. */
  lead?(host: HTMLElement): () => void;
}

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
  readonly rtl: boolean;
  readonly paper: GridPaper<Row> | undefined;
  readonly words: GridWording;
  titled(key: MessageKey): string;
}

function element<K extends keyof HTMLElementTagNameMap>(name: K, text: string, parent: HTMLElement): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  made.textContent = text;
  parent.append(made);
  return made;
}

const classOf = <Row>({ align, mono }: GridColumn<Row>): string => (align === "end" ? "num" : mono === true ? "mono" : "");

/** The rows as a plain table while the page is printed, because the grid holds only those in view. */
export class Paper<Row extends GridRow> {
  #clear: (() => void) | null = null;

  print({ columns: shown, rows, more, total, totals, proof, label, rtl, paper, words, titled }: Printed<Row>): void {
    this.clear();
    if (isPaperHeld() || (rows.length === 0 && paper?.lead === undefined)) return;
    const columns = paper?.columns?.() ?? shown;
    // beside the page and not within it, so that nothing of the page has to be undone but that it is seen
    const holder = document.createElement("div");
    holder.className = "printed";
    holder.dir = rtl ? "rtl" : "ltr";
    holder.style.inlineSize = `${sidewaysWidth}px`;
    element("h1", label, holder);
    document.body.append(holder);
    const endLead = paper?.lead?.(element("div", "", holder));
    const table = element("table", "", holder);
    printHead(element("thead", "", table), columns, titled);
    const body = element("tbody", "", table);
    const printed = rows.slice(0, mostPrinted);
    for (const row of printed) {
      const line = element("tr", "", body);
      for (const column of columns) {
        const cell = element("td", "", line);
        cell.className = classOf(column);
        element("bdi", column.shown?.(row) ?? column.text(row), cell);
      }
    }
    if (totals) {
      const foot = element("tr", "", element("tfoot", "", table));
      const nameAt = columns.findIndex(({ id }) => !(id in totals));
      const name = proof === undefined || proof.holds ? words("grid.totals", {}) : proof.text;
      for (const [at, column] of columns.entries()) {
        const cell = element("td", "", foot);
        cell.className = classOf(column);
        element("bdi", at === nameAt ? name : (totals[column.id] ?? ""), cell);
      }
    }
    const left = more || printed.length < rows.length;
    if (left) element("p", words("grid.printed-part", { count: printed.length, of: total ?? "…" }), holder);
    fit(table);
    const endPage = paper === undefined ? undefined : setPrintedPage(paper.words(), true);
    this.#clear = () => {
      endPage?.();
      endLead?.();
      holder.remove();
    };
  }

  clear(): void {
    this.#clear?.();
    this.#clear = null;
  }
}

/** The titles, beneath the names that some columns share. */
function printHead<Row>(head: HTMLElement, columns: readonly GridColumn<Row>[], titled: (key: MessageKey) => string): void {
  const storeys = storeysOf(columns.map((column) => ({ column, pinned: null })));
  if (storeys.length > 0) {
    const upper = element("tr", "", head);
    for (const { key, count } of storeys) {
      const cell = element("th", key === null ? "" : titled(key), upper);
      cell.colSpan = count;
      cell.className = key === null ? "" : "shared";
    }
  }
  const lower = element("tr", "", head);
  for (const column of columns)
    element("th", titled(column.under?.titleKey ?? column.titleKey), lower).className = column.align === "end" ? "num" : "";
}

/** pt of type on paper: as large as the widest line of the table allows. */
const [largest, smallest] = [8.5, 5];

function fit(table: HTMLTableElement): void {
  for (let size = largest; size >= smallest; size -= 0.5) {
    table.style.fontSize = `${size}pt`;
    if (table.scrollWidth <= sidewaysWidth + 1 && table.offsetWidth <= sidewaysWidth + 1) return;
  }
}
