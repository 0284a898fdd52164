import type { ListMeta } from "../../../contract/wire.ts";
import type { GridRow } from "./grid-column.ts";
import type { Jump, RowFeed } from "./row-feed.ts";
import type { JumpTarget, PageEnd, RowSource } from "./row-source.ts";

/** Rows of a page. */
export const pageSize = 100;
/** Most rows of one request. */
const mostPerRequest = 500;
/** Pages refetched before the cursor's page. */
const pagesBefore = 2;
/** Most rows of a list held in memory; beyond, whole pages are dropped at the far end. */
export const mostHeld = 5_000;

/** The part of a list to load, as every list call takes it. */
export interface PageAsked {
  readonly cursor?: string;
  readonly direction?: "previous";
  readonly from?: string;
  readonly at?: string;
  readonly with?: string;
  readonly limit: number;
}

export interface Page<Row> {
  readonly data: readonly Row[];
  readonly meta: ListMeta;
}

export interface PagerDeps<Row extends GridRow> {
  read(asked: PageAsked): Promise<Page<Row>>;
  /** A running refetch of the loaded rows; a page added during it would be lost. */
  reading(): Promise<void> | null;
  /** The rows with newer versions, where acts and events were faster than this answer. */
  latest(rows: readonly Row[]): readonly Row[];
  /** Number of rows that match the query. */
  count(): number | null;
  onLoaded(): void;
  failed(error: unknown): void;
  timeOrder: RowFeed["timeOrder"];
}

/** What a page's answer says of its ends, for the source. */
export const endOf = (meta: ListMeta, count: number | null): PageEnd => ({
  more: meta.next !== null,
  moreBefore: meta.previous !== null,
  next: meta.next,
  previous: meta.previous,
  before: meta.before ?? null,
  total: meta.count ?? count,
});

/** Loads pages of one list in both directions, and jumps in it. Answers are dropped after a new query or a jump. */
export class RowPager<Row extends GridRow> implements RowFeed {
  readonly #source: RowSource<Row>;
  readonly #deps: PagerDeps<Row>;
  #turn = 0;
  /** The last failed request, to be tried again. */
  #failed: (() => Promise<void>) | null = null;
  /** A time to jump to once the list is sorted by time. */
  #awaited: string | null = null;
  #underWay: Promise<void> | null = null;

  constructor(source: RowSource<Row>, deps: PagerDeps<Row>) {
    this.#source = source;
    this.#deps = deps;
    source.feed = this;
  }

  /** Begins a query; returns a check whether it is still the current one. */
  begin(): () => boolean {
    this.#turn += 1;
    this.#failed = null;
    return this.now();
  }

  now(): () => boolean {
    const turn = this.#turn;
    return () => turn === this.#turn;
  }

  /** The first request of a new query: its first page, or the time a jump is waiting for. */
  opening(): PageAsked {
    return { limit: pageSize, ...(this.#awaited !== null && this.timeOrder() === "ready" && { at: this.#awaited }) };
  }

  opened(): void {
    this.#awaited = null;
  }

  /** The part of the list to refetch, with the cursor's row in it. */
  region(cursor: string | null): PageAsked {
    const { length } = this.#source;
    const row = cursor === null ? 0 : Math.max(0, this.#source.indexOf(cursor));
    let here = this.#source.pageAt(row);
    for (let n = 0; n < pagesBefore && here !== null && here.first > 0 && row - here.first < mostPerRequest / 2; n++)
      here = this.#source.pageAt(here.first - 1);
    const isWhole = length <= mostPerRequest || here === null;
    const first = isWhole ? 0 : (here?.first ?? 0);
    const from = this.#source.pageAt(first)?.page.previous ?? null;
    return { limit: Math.min(mostPerRequest, Math.max(pageSize, length - first)), ...(from !== null && { from }) };
  }

  timeOrder(): ReturnType<RowFeed["timeOrder"]> {
    return this.#deps.timeOrder();
  }

  before(): void {
    void this.#page("before");
  }

  after(): Promise<void> {
    return this.#page("after");
  }

  /** Loads the page after the last, or retries a failed request. */
  async more(): Promise<void> {
    const again = this.#failed;
    if (again === null) return this.#page("after");
    this.#failed = null;
    return again();
  }

  async #page(side: "before" | "after"): Promise<void> {
    const reading = this.#deps.reading();
    if (reading !== null) {
      const isNow = this.now();
      await reading;
      if (!isNow()) return;
    }
    const cursor = side === "after" ? this.#source.next : this.#source.previous;
    if (cursor === null) return;
    await this.#ask(
      { cursor, limit: pageSize, ...(side === "before" && { direction: "previous" }) },
      ({ data, meta }) => {
        const end = endOf(meta, this.#deps.count());
        if (side === "after") this.#source.append(this.#deps.latest(data), end);
        else this.#source.precede(this.#deps.latest(data), end);
      },
      () => this.#page(side),
    );
  }

  jump(to: Jump): void {
    if (typeof to === "object" && this.timeOrder() !== "ready") {
      this.#awaited = to.at;
      return;
    }
    void this.goTo(to);
  }

  /** The request under way, which a background refetch must not cancel. */
  get underWay(): Promise<void> | null {
    return this.#underWay;
  }

  /** `target` is where the cursor goes; by default the end that the jump goes to. */
  async goTo(to: Jump, target?: JumpTarget): Promise<void> {
    this.begin();
    const which = typeof to === "object" ? { at: to.at, with: "count" } : to === "last" ? { direction: "previous" as const } : {};
    await this.#ask(
      { limit: pageSize, ...which },
      ({ data, meta }) => {
        // nothing is as late as that, so the last row is the nearest
        if (typeof to === "object" && data.length === 0 && this.#source.length > 0) return this.jump("last");
        this.#source.jump(this.#deps.latest(data), endOf(meta, this.#deps.count()), target ?? (to === "last" ? "last" : "first"));
      },
      () => this.goTo(to, target),
    );
  }

  #ask(...request: [asked: PageAsked, take: (page: Page<Row>) => void, again: () => Promise<void>]): Promise<void> {
    const answer = this.#answer(...request).finally(() => {
      if (this.#underWay === answer) this.#underWay = null;
    });
    this.#underWay = answer;
    return answer;
  }

  async #answer(asked: PageAsked, take: (page: Page<Row>) => void, again: () => Promise<void>): Promise<void> {
    const isNow = this.now();
    this.#source.setLoading("loading");
    try {
      const page = await this.#deps.read(asked);
      if (!isNow()) return;
      take(page);
      this.#deps.onLoaded();
    } catch (error) {
      if (!isNow()) return;
      this.#failed = again;
      this.#deps.failed(error);
    }
  }
}
