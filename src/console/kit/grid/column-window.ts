import { defaultRangeExtractor, Virtualizer } from "@tanstack/react-virtual";
import type { Layout } from "./column-layout.ts";

/** Columns in view, from TanStack's virtualizer on the horizontal axis; it is given the offsets, so that it never reads layout. */
export class ColumnWindow {
  #layout: Layout = { columns: [], total: 0, start: 0, end: 0 };
  #reportOffset: (offset: number, scrolling: boolean) => void = () => {};
  #reportSize: (size: { width: number; height: number }) => void = () => {};
  #virtualizer: Virtualizer<HTMLElement, HTMLElement>;
  #view = 0;
  #offset = 0;

  constructor(scroller: HTMLElement) {
    this.#virtualizer = new Virtualizer<HTMLElement, HTMLElement>(this.#options(scroller));
    this.#virtualizer._willUpdate();
  }

  setLayout(layout: Layout, view: number): void {
    this.#layout = layout;
    this.#view = view;
    const scroller = this.#virtualizer.scrollElement;
    if (scroller) this.#virtualizer.setOptions(this.#options(scroller));
    this.#virtualizer.measure();
    this.#reportSize({ width: view, height: 0 });
  }

  /** Logical offset from the start edge, px. */
  scrollTo(offset: number): void {
    this.#offset = offset;
    this.#reportOffset(offset, false);
  }

  /** Indexes of the columns in view and one more on each side; always with the pinned ones. */
  inView(): readonly number[] {
    return this.#virtualizer.getVirtualIndexes();
  }

  close(): void {
    this.#virtualizer._didMount()();
  }

  #options(scroller: HTMLElement) {
    return {
      count: this.#layout.columns.length,
      horizontal: true,
      overscan: 1,
      paddingStart: this.#layout.columns[0]?.offset ?? 0,
      getScrollElement: () => scroller,
      estimateSize: (index: number) => this.#layout.columns[index]?.width ?? 0,
      scrollToFn: () => {},
      observeElementOffset: (_: unknown, report: (offset: number, scrolling: boolean) => void) => {
        this.#reportOffset = report;
        report(this.#offset, false);
      },
      observeElementRect: (_: unknown, report: (size: { width: number; height: number }) => void) => {
        this.#reportSize = report;
        report({ width: this.#view, height: 0 });
      },
      rangeExtractor: (range: Parameters<typeof defaultRangeExtractor>[0]) => {
        const inside = new Set(defaultRangeExtractor(range));
        this.#layout.columns.forEach((column, index) => column.pinned && inside.add(index));
        return [...inside].sort((a, b) => a - b);
      },
    };
  }
}
