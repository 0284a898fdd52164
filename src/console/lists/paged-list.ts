import { createStore } from "zustand/vanilla";
import type { StoreApi } from "zustand/vanilla";
import { shallow } from "zustand/vanilla/shallow";
import { CallFailure } from "../api/failure.ts";
import type { GridRow } from "../kit/grid/grid-column.ts";
import { mostHeld, RowPager } from "../kit/grid/row-pager.ts";
import type { Page, PageAsked } from "../kit/grid/row-pager.ts";
import type { RowFeed } from "../kit/grid/row-feed.ts";
import { RowSource } from "../kit/grid/row-source.ts";

/** What of a list is shown beside its rows. */
export interface ListState {
  /** Rows the question has in all; null until counted. */
  readonly count: number | null;
  readonly failure: CallFailure | null;
  /** Date.now() of the last whole answer; 0 before. */
  readonly answeredAt: number;
}

export const unanswered: ListState = { count: null, failure: null, answeredAt: 0 };

/** The rows of one question, page by page as the grid asks for them, and what is said of them. */
export abstract class PagedList<Row extends GridRow, Query extends object, State extends ListState> {
  readonly source: RowSource<Row>;
  protected readonly pager: RowPager<Row>;
  /** Put again for each answer, since "the last hour" moves on. */
  protected ask: () => Query = () => ({}) as Query; // nothing is read before a first question
  readonly #store: StoreApi<State>;

  /** `most`: rows held in memory. */
  protected constructor(state: State, most = mostHeld) {
    this.#store = createStore<State>()(() => state);
    this.source = new RowSource<Row>(most);
    this.pager = new RowPager(this.source, {
      read: (page) => this.readPage(page),
      latest: (rows) => this.latest(rows),
      count: () => this.getState().count,
      came: () => this.came(),
      failed: (error) => this.failed(error),
      timeOrder: () => this.timeOrder(),
    });
  }

  protected abstract readPage(page: PageAsked): Promise<Page<Row>>;
  protected abstract timeOrder(): ReturnType<RowFeed["timeOrder"]>;
  /** The same question again; rows, cursor and marks that still are stay. */
  abstract reload(): Promise<void>;

  getState = (): State => this.#store.getState();
  subscribe = (listener: () => void): (() => void) => this.#store.subscribe(listener);

  /** Told only where it changes something: a page on its way to a list being scrolled must not draw the screen again. */
  protected set(change: Partial<State>): void {
    const before = this.getState();
    if (!shallow({ ...before, ...change }, before)) this.#store.setState(change);
  }

  /** The page after the last, or again what did not come. */
  more = (): Promise<void> => this.pager.more();

  /** Another question: everything anew. */
  protected empty(ask: () => Query, uncounted: Partial<State>): void {
    this.ask = ask;
    this.set(uncounted);
    this.source.setPage([]);
    this.source.setLoading("loading");
  }

  /** Rows as they are known now, where acts and events were faster than this answer. */
  protected latest(rows: readonly Row[]): readonly Row[] {
    return rows;
  }

  /** A page has come. */
  protected came(): void {
    this.set({ failure: null } as Partial<State>); // of every state
  }

  protected failed(error: unknown): void {
    const failure = error instanceof CallFailure ? error : new CallFailure("unexpected", { message: String(error) });
    if (failure.kind === "aborted") return;
    this.source.setLoading("failed");
    this.set({ failure } as Partial<State>); // of every state
  }
}
