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
  /** Rows the query has in all; null until counted. */
  readonly count: number | null;
  readonly failure: CallFailure | null;
  /** Date.now() of the last whole answer; 0 before. */
  readonly answeredAt: number;
}

export const unanswered: ListState = { count: null, failure: null, answeredAt: 0 };

/** What a list of one kind does with its pages. */
export interface PagedDeps<Row> {
  readPage(page: PageAsked): Promise<Page<Row>>;
  timeOrder(): ReturnType<RowFeed["timeOrder"]>;
  /** Reads the present query: its first page, or again the part of it on screen. Fails without throwing. */
  read(how: "asked" | "caught up"): Promise<void>;
  /** Rows as they are known now, where acts and events were faster than this answer. */
  latest?(rows: readonly Row[]): readonly Row[];
  /** A page has come. */
  came?(): void;
}

/** The rows of one query, page by page as the grid asks for them, and what is said of them: the part every list holds. */
export class PagedList<Row extends GridRow, Query extends object, State extends ListState> {
  readonly source: RowSource<Row>;
  readonly pager: RowPager<Row>;
  readonly #deps: PagedDeps<Row>;
  readonly #store: StoreApi<State>;
  /** Formed again for each answer, since "the last hour" moves on. */
  #ask: () => Query = () => ({}) as Query; // nothing is read before a first query
  /** Whether the present query has its first answer. */
  #isOpen = false;
  /** The query under way: its first time, or again. */
  #reading: { readonly done: Promise<void>; readonly how: "asked" | "caught up" } | null = null;

  /** `most`: rows held in memory. */
  constructor(deps: PagedDeps<Row>, state: State, most = mostHeld) {
    this.#deps = deps;
    this.#store = createStore<State>()(() => state);
    this.source = new RowSource<Row>(most);
    this.pager = new RowPager(this.source, {
      read: (page) => deps.readPage(page),
      reading: () => this.#reading?.done ?? null,
      latest: (rows) => deps.latest?.(rows) ?? rows,
      count: () => this.getState().count,
      onLoaded: () => {
        this.set({ failure: null } as Partial<State>); // of every state
        deps.came?.();
      },
      failed: (error) => this.failed(error),
      timeOrder: () => deps.timeOrder(),
    });
  }

  /** What is asked for; another function is another query. */
  get ask(): () => Query {
    return this.#ask;
  }

  /** The same query again; rows, cursor and marks that still are stay. */
  reload(): Promise<void> {
    return this.#read("asked");
  }

  /** What may have been missed: nobody asked for it, so it ends nothing that somebody did. */
  async catchUp(): Promise<void> {
    // oxlint-disable-next-line no-await-in-loop -- another may have followed it
    while (this.asked !== null) await this.asked;
    await this.#read("caught up");
  }

  #read(how: "asked" | "caught up"): Promise<void> {
    const done = this.#deps.read(how).finally(() => {
      if (this.#reading?.done === done) this.#reading = null;
    });
    this.#reading = { done, how };
    return done;
  }

  /** What a key or link asked for and has not come yet. */
  get asked(): Promise<void> | null {
    return this.pager.underWay ?? (this.#reading?.how === "asked" ? this.#reading.done : null);
  }

  getState = (): State => this.#store.getState();
  subscribe = (listener: () => void): (() => void) => this.#store.subscribe(listener);

  /** Told only where it changes something: a page on its way to a list being scrolled must not draw the screen again. */
  set(change: Partial<State>): void {
    const before = this.getState();
    if (!shallow({ ...before, ...change }, before)) this.#store.setState(change);
  }

  /** The page after the last, or again what did not come. */
  more = (): Promise<void> => this.pager.more();

  /** Another query: everything anew. */
  empty(ask: () => Query, uncounted: Partial<State>): void {
    this.#ask = ask;
    this.#isOpen = false;
    this.set(uncounted);
    this.source.begin();
  }

  /** How the present query is read now. `opens`: nothing of it has come yet, whoever asked. */
  begin(cursor = this.source.cursor()): { readonly opens: boolean; readonly part: PageAsked; readonly isNow: () => boolean } {
    const isNow = this.pager.begin();
    const opens = !this.#isOpen;
    return { opens, isNow, part: opens ? this.pager.opening() : this.pager.region(cursor) };
  }

  opened(): void {
    this.#isOpen = true;
    this.pager.opened();
  }

  failed(error: unknown): void {
    const failure = error instanceof CallFailure ? error : new CallFailure("unexpected", { message: String(error) });
    if (failure.kind === "aborted") return;
    this.source.setLoading("failed");
    this.set({ failure } as Partial<State>); // of every state
  }
}
