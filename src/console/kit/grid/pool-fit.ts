import { padding } from "./column-layout.ts";
import type { ColumnWindow } from "./column-window.ts";
import type { FittedColumns } from "./fitted-columns.ts";
import { markWidth, type GridColumn, type GridRow } from "./grid-column.ts";
import { poolSize, spareSize } from "./row-painter.ts";
import type { RowPool } from "./row-pool.ts";
import type { PoolColumn } from "./row-slot.ts";
import type { CellWidth } from "./text-width.ts";
import type { ViewOptions } from "./view-host.ts";

interface Fitted<Row extends GridRow> {
  readonly body: HTMLElement;
  readonly measure: CellWidth;
  readonly pool: RowPool<Row>;
  readonly fitted: FittedColumns<Row>;
  readonly across: ColumnWindow;
}

/** px of the view; `offset`: how far it is scrolled sideways. */
interface Room {
  readonly width: number;
  readonly height: number;
  readonly offset: number;
}

/** Fits columns and row elements to the view: widths by what was measured, and as many elements as the view has rows. */
export class PoolFit<Row extends GridRow> {
  readonly #parts: Fitted<Row>;
  /** What the row elements were last built for. */
  #built = "";
  #columns: readonly GridColumn<Row>[] = [];
  /** The language whose font sizes were measured, and its next smaller size as a share of the grid's own. */
  #fontsOf: string | null = null;
  #step = 1;

  constructor(parts: Fitted<Row>) {
    this.#parts = parts;
  }

  /** Lays the columns out, and builds the row elements again when their shape has changed: true. */
  fit({ columns, marks, rtl, rowHeight, totals }: ViewOptions<Row>, { width, height, offset }: Room): boolean {
    const { measure, pool, fitted, across } = this.#parts;
    const { lang } = document.documentElement;
    if (lang !== this.#fontsOf) this.#readFonts(lang);
    const total = (index: number) => measure.of(totals?.[columns[index]?.column.id ?? ""] ?? "");
    const room = { view: width, lead: marks ? markWidth : 0, step: this.#step };
    fitted.fit(columns, (index) => Math.max(pool.need(index), total(index)), room);
    across.setLayout(fitted.layout, width);
    fitted.show(offset);
    const pooled: PoolColumn<Row>[] = columns.map(({ column, pinned }, index) => ({
      column,
      pinned,
      room: (fitted.layout.columns[index]?.width ?? 0) - 2 * padding,
      scale: fitted.scale(index),
    }));
    const rows = Math.ceil(height / rowHeight);
    const wanted = height > 0 ? poolSize(rows) : 0;
    const size = wanted > pool.size || wanted < pool.size / 2 ? Math.ceil(wanted / 8) * 8 : pool.size;
    const shape = JSON.stringify([columns.map(({ column, pinned }) => [column.id, pinned]), marks, rtl, size, lang]);
    if (shape === this.#built && columns.every(({ column }, index) => column === this.#columns[index])) {
      pool.setRooms(pooled);
      return false;
    }
    pool.build(pooled, size, size > 0 ? spareSize(rows) : 0, marks, rtl);
    this.#built = shape;
    this.#columns = columns.map(({ column }) => column);
    return true;
  }

  #readFonts(lang: string): void {
    const style = getComputedStyle(this.#parts.body);
    const [size, small] = [style.fontSize, style.getPropertyValue("--fs-small")];
    this.#parts.measure.setFonts(`600 ${size} ${style.fontFamily}`, `${small} ${style.getPropertyValue("--mono")}`);
    this.#step = Number.parseFloat(small) / Number.parseFloat(size);
    this.#fontsOf = lang;
  }
}
