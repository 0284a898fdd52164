import { columnsAtEdge, columnsWhole, layoutColumns, padding, type ColumnSize, type Layout } from "./column-layout.ts";
import { columnSheet } from "./column-sheet.ts";
import { isWhole, type GridColumn } from "./grid-column.ts";
import { storeysOf } from "./storeys.ts";

/** A visible column: its definition with the operator's changes. */
export interface ShownColumn<Row> extends ColumnSize {
  readonly column: GridColumn<Row>;
  /** Its width was set by hand. */
  readonly byHand: boolean;
}

interface Room {
  /** px of the view, and of the mark boxes in it. */
  readonly view: number;
  readonly lead: number;
  /** The next smaller font size as a share of the grid's own. */
  readonly step: number;
}

/**
 * Column widths that fit the widest amount and id. Amounts are drawn one step smaller where that brings another column whole into
 * view; a column that still does not fit is left blank.
 */
export class FittedColumns<Row> {
  readonly #sheet = new CSSStyleSheet();
  readonly #scope: string;
  #columns: readonly ShownColumn<Row>[] = [];
  #layout: Layout = { columns: [], total: 0, start: 0, end: 0 };
  #figures: readonly number[] = [];
  #view = 0;
  #scale = 1;
  #written = "";

  constructor(scope: string) {
    this.#scope = scope;
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, this.#sheet];
  }

  close(): void {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== this.#sheet);
  }

  get layout(): Layout {
    return this.#layout;
  }

  /** Font size of a column as a share of the grid's own. */
  scale(index: number): number {
    return this.#columns[index]?.column.amount ? this.#scale : 1;
  }

  /** `need`: px of a column's widest text at the grid's own font size; 0 where it may be cut. */
  fit(columns: readonly ShownColumn<Row>[], need: (index: number) => number, { view, lead, step }: Room): void {
    this.#columns = columns;
    this.#view = view;
    const laid = (scale: number) =>
      layoutColumns(
        columns.map((column, index) => sized(column, need(index), scale)),
        view,
        lead,
      );
    const own = laid(1);
    const smaller = own.total > view && step < 1 ? laid(step) : own;
    const helps = columnsWhole(smaller, view) > columnsWhole(own, view);
    this.#layout = helps ? smaller : own;
    this.#scale = helps ? step : 1;
    this.#figures = columns.map(({ column }, index) => (column.amount ? Math.ceil(need(index) * this.#scale) : 0));
  }

  /** Writes the styles for a view `offset` px from the start. */
  show(offset: number): void {
    const is = (test: (column: ShownColumn<Row>, index: number) => boolean) =>
      this.#columns.flatMap((column, index) => (test(column, index) ? [index] : []));
    const atEdge = new Set(columnsAtEdge(this.#layout, this.#view, offset));
    const text = columnSheet(this.#scope, this.#layout, {
      smaller: this.#scale < 1 ? is(({ column }) => column.amount !== undefined) : [],
      blank: is(({ column }, index) => atEdge.has(index) && isWhole(column)),
      figures: this.#figures,
      storeys: storeysOf(this.#columns),
    });
    if (text === this.#written) return;
    this.#written = text;
    this.#sheet.replaceSync(`@layer kit {${text}}`);
  }
}

function sized<Row>({ column, byHand, ...size }: ShownColumn<Row>, need: number, scale: number): ColumnSize {
  if (need === 0) return size;
  if (column.amount === undefined) return byHand ? size : { ...size, width: Math.max(size.width, Math.ceil(need) + 2 * padding) };
  const least = Math.ceil(need * scale) + 2 * padding;
  return { ...size, width: Math.max(size.width, least), minWidth: Math.max(size.minWidth, least) };
}
