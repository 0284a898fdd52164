import { money, moneyText } from "../../values/money.ts";
import type { GridRow } from "../kit/grid/grid-column.ts";
import { endOf } from "../kit/grid/row-pager.ts";
import type { Page, PageAsked } from "../kit/grid/row-pager.ts";
import type { RowFeed } from "../kit/grid/row-feed.ts";
import type { PageEnd } from "../kit/grid/row-source.ts";
import { LookQueue, mostLooked } from "./look-queue.ts";
import { Meanwhile } from "./meanwhile.ts";
import { PagedList, unanswered } from "./paged-list.ts";
import type { ListState } from "./paged-list.ts";
import { leadsByTime } from "./sort-text.ts";

export interface LiveRow extends GridRow {
  readonly version: number;
  readonly created_at: string;
  /** Decimal text. */
  readonly amount: string;
}

/** A part of a question: a page, or named rows. */
type Part = Partial<PageAsked> & { readonly "filter[uuid]"?: string };

export interface LiveDoors<Row, Query> {
  read(query: Query & Part, options: { background: boolean }): Promise<Page<Row>>;
  /** The row another may not take away unseen: the one under the cursor. */
  watched(): string | null;
}

export interface LiveState extends ListState {
  /** Decimal text; null until added up. */
  readonly sum: string | null;
  /** New rows kept behind the pill. */
  readonly waiting: number;
  /** Rows others changed while the list is held still; null while it follows. */
  readonly held: number | null;
}

/** ms a row taken by another stays under the cursor. */
export const tombstoneMs = 3_000;

/**
 * Rows of money others work on too: acts of this page are taken over at once, live changes patched in. A row under the cursor is
 * never moved: what is new waits, what another took stays struck through for a while.
 */
export abstract class LiveList<Row extends LiveRow, Query extends object> extends PagedList<Row, Query, LiveState> {
  readonly #doors: LiveDoors<Row, Query>;
  #waiting = new Set<string>();
  #held: Set<string> | null = null;
  /** Row → who or what took it, while its tombstone stands. */
  #taken = new Map<string, Row>();
  #looks = new LookQueue((uuids) => this.#lookAt(uuids));
  #meanwhile = new Meanwhile(this.source);
  /** Put at its place once the list has come. */
  #wanted: Row | null = null;

  constructor(doors: LiveDoors<Row, Query>, most?: number) {
    super({ ...unanswered, sum: null, waiting: 0, held: null }, most);
    this.#doors = doors;
  }

  /** Whether a row is one of the present question's, as far as the row itself tells; the server knows the rest. */
  protected abstract belongs(row: Row): boolean;
  /** Whether the user was the last who acted on it. */
  protected abstract isMine(row: Row): boolean;
  /** The question's order, as the list call has it. */
  protected abstract order(): string;
  /** The sorts that follow a time, and each row's. */
  protected abstract readonly times: Readonly<Record<string, (row: Row) => string>>;
  /** The column that is sorted by time. */
  protected abstract readonly timeColumn: string;
  /** The question that has every row. */
  protected abstract readonly everywhere: Query;

  protected readPage(part: Part, background = true): Promise<Page<Row>> {
    return this.#doors.read({ ...this.ask(), ...part }, { background });
  }

  protected timeOrder(): ReturnType<RowFeed["timeOrder"]> {
    return this.#byTime() === null ? { sortBy: this.timeColumn } : "ready";
  }

  /** Who has taken a row that is only a tombstone now; null for a live one. */
  takenBy(uuid: string): Row | null {
    return this.source.isTombstone(uuid) ? (this.#taken.get(uuid) ?? null) : null;
  }

  async load(ask: () => Query): Promise<void> {
    this.empty(ask, { count: null, sum: null });
    await this.reload();
  }

  /** A record a link names, though its page is not held: the list goes to where it stands. False: this question has none such. */
  async goTo(uuid: string): Promise<boolean> {
    await this.asked;
    if (this.source.indexOf(uuid) >= 0) return true;
    const ask = this.ask;
    // a call that fails says so itself
    const page = await this.readPage({ "filter[uuid]": uuid, limit: 1 }, false).catch(() => null);
    if (page === null || ask !== this.ask) return true;
    const [row] = page.data;
    if (row === undefined) return false;
    // in another order than time's nothing says where it stands: then it stands first
    if (this.#byTime() === null) this.source.insert(0, [row]);
    // what was missed may be asked for meanwhile, which ends the jump
    else
      for (let tries = 0; tries < 3 && this.source.indexOf(uuid) < 0 && ask === this.ask; tries++)
        // oxlint-disable-next-line no-await-in-loop -- once, nearly always
        await this.pager.goTo({ at: this.#timeOf(row) }, { id: uuid });
    return true;
  }

  /** The list's order as time goes: "rising" with the oldest first; null when it is another. */
  #byTime(): "rising" | "falling" | null {
    return Object.keys(this.times).reduce<ReturnType<typeof leadsByTime>>((way, field) => way ?? leadsByTime(this.order(), field), null);
  }

  /** Its time in the list's order; of one in another order, its creation. */
  #timeOf(row: Row): string {
    const field = Object.keys(this.times).find((name) => leadsByTime(this.order(), name) !== null);
    return (field === undefined ? undefined : this.times[field]?.(row)) ?? row.created_at;
  }

  /** Caught up, as with any live change: what is new waits and what another took does not go unseen. */
  protected async read(how: "asked" | "caught up"): Promise<void> {
    if (how === "asked") this.#follow();
    else if (this.#held !== null) return;
    const { opens, part, isNow } = this.begin(this.#doors.watched());
    this.#meanwhile.begin();
    this.#looks.forgetLater();
    try {
      const { data: answered, meta } = await this.readPage({ ...part, with: "count,sums" });
      if (!isNow()) return;
      const data = this.latest(answered);
      const fresh = how === "caught up" ? this.#meanwhile.unseenIn(data) : new Set<string>();
      const end = endOf(meta, null);
      this.opened();
      this.set({ count: meta.count ?? null, sum: meta.sums?.["amount"] ?? null, failure: null, answeredAt: Date.now() });
      const here = data.find(({ uuid }) => uuid === this.#wanted?.uuid);
      if (opens && here) this.source.jump(data, end, { id: here.uuid });
      else if (opens) this.source.setPage(data, end);
      else if (how === "asked") this.source.refresh(data, end);
      else await this.#keepUp(data, fresh, end);
      if (!isNow()) return;
      if (part.at !== undefined && data.length === 0) this.pager.jump("last");
      const known = opens ? [] : this.source.away.ids();
      void this.#looks.add([...this.#meanwhile.missedBy(data), ...known]);
      const wanted = this.#wanted;
      this.#wanted = null;
      if (wanted) this.take([wanted]);
    } catch (error) {
      if (isNow()) this.failed(error);
    }
  }

  protected override latest(data: readonly Row[]): readonly Row[] {
    return this.#meanwhile.latest(data);
  }

  async #keepUp(data: readonly Row[], fresh: ReadonlySet<string>, end: PageEnd): Promise<void> {
    const here = new Set(data.map(({ uuid }) => uuid));
    const watched = this.#doors.watched();
    const gone = this.source.rows.filter(({ uuid }) => !here.has(uuid) && (uuid === watched || this.source.isTombstone(uuid)));
    const shown = data.filter(({ uuid }) => !fresh.has(uuid));
    // they stand where they stood until it is known, or their time is over
    this.source.refresh(this.#meanwhile.withStanding(shown, gone), end);
    this.#waiting = new Set(fresh);
    for (const row of data) if (fresh.has(row.uuid)) this.#count(-1, row);
    this.#tellWaiting();
    const lost = gone.find(({ uuid }) => !this.source.isTombstone(uuid));
    if (lost) await this.#entomb(lost.uuid);
  }

  // ── own acts ──

  /** Rows as an act of this page left them, or only named: those are looked at again. */
  took(rows: readonly { readonly uuid: string }[]): void {
    const whole = rows.filter((row): row is Row => "version" in row && "created_at" in row);
    this.take(whole);
    const named = rows.filter((row) => !("version" in row)).map(({ uuid }) => uuid);
    if (named.length > 0) void this.#looks.add(named);
  }

  take(rows: readonly Row[]): void {
    for (const row of rows) {
      this.#waiting.delete(row.uuid);
      const known = this.source.get(row.uuid);
      if (known && known.version > row.version) continue;
      const stays = this.belongs(row);
      if (known && stays && this.#isLater(row, known)) this.#move(row);
      else if (known && stays) this.source.patch(row.uuid, row);
      else if (known) this.#leave(row);
      else if (stays) this.#enter(row);
    }
    this.#tellWaiting();
  }

  /** Whether an act has put the row off: it stands further down then. One whose time came forward stays under the hand that is on it. */
  #isLater(row: Row, known: Row): boolean {
    return this.#byTime() === "rising" && this.#timeOf(row) > this.#timeOf(known) && !this.source.isTombstone(row.uuid);
  }

  /** To its new place; counted as before. */
  #move(row: Row): void {
    this.source.remove(row.uuid);
    const at = this.#placeOf(row);
    if (at !== null) this.source.insert(at, [row]);
  }

  /** Where a row belongs among the loaded ones, first where the order is not that of time; null: among those not held. */
  #placeOf(row: Row): number | null {
    const { rows, more, moreBefore } = this.source;
    const time = this.#timeOf(row);
    const after = this.#byTime() === "rising" ? rows.findIndex((other) => this.#timeOf(other) > time) : 0;
    if ((after < 0 && more) || (after === 0 && moreBefore)) return null;
    return after < 0 ? rows.length : after;
  }

  /** A row the cursor must find once the list has come. */
  want(row: Row): void {
    if (this.source.loading === "loading" && this.source.length === 0) this.#wanted = row;
    else this.take([row]);
    // beyond what is held: what is next to take is of the oldest
    if (this.source.moreBefore && this.source.indexOf(row.uuid) < 0) void this.pager.goTo("first", { id: row.uuid });
  }

  #leave(row: Row): void {
    const tombstone = this.source.isTombstone(row.uuid);
    this.source.remove(row.uuid);
    this.#meanwhile.left(row);
    if (!tombstone) this.#count(-1, row);
  }

  /** One the list did not have; left out among those not held. */
  #enter(row: Row): void {
    const at = this.#placeOf(row);
    if (at === null) return;
    this.#meanwhile.came(row);
    this.source.insert(at, [row]);
    this.#count(1, row);
  }

  // ── live ──

  /** Rows others changed: known ones are patched or leave, new ones wait behind the pill. */
  async look(uuids: readonly string[]): Promise<void> {
    if (this.#held === null) return this.#looks.addWhenStill(uuids);
    for (const uuid of uuids) this.#held.add(uuid);
    this.set({ held: this.#held.size });
  }

  /** What others change is held back from now on, until the list is read again; own acts are not. */
  holdStill(): void {
    this.#held ??= new Set();
    this.set({ held: this.#held.size });
  }

  async #lookAt(uuids: readonly string[]): Promise<void> {
    const isNow = this.pager.now();
    const { data } = await this.readPage({ "filter[uuid]": uuids.join(","), limit: mostLooked });
    if (!isNow()) return;
    for (const row of data) {
      const known = this.source.get(row.uuid);
      if (!known) this.#wait(row);
      else if (row.version > known.version) this.source.patch(row.uuid, row);
    }
    const here = new Set(data.map(({ uuid }) => uuid));
    const left = uuids.filter((uuid) => !here.has(uuid));
    for (const uuid of left) this.#waiting.delete(uuid);
    const watched = this.#doors.watched();
    const gone = left.flatMap((uuid) => (this.source.isTombstone(uuid) ? [] : (this.source.get(uuid) ?? [])));
    for (const row of gone) if (row.uuid !== watched) this.#leave(row);
    const taken = watched !== null && gone.some(({ uuid }) => uuid === watched) ? await this.#entomb(watched) : null;
    if (taken) this.#count(-1, taken);
    this.#tellWaiting();
  }

  /** The row under the cursor: it says who took it before it leaves. Answers it as it was, unless it is still of the list. */
  async #entomb(uuid: string): Promise<Row | null> {
    const isNow = this.pager.now();
    const { data } = await this.#doors.read({ ...this.everywhere, "filter[uuid]": uuid, limit: 1 }, { background: true });
    const known = this.source.get(uuid);
    if (!isNow() || !known) return null;
    const [row] = data;
    // my own act, from this page or another, is no loss
    if (!row || this.isMine(row)) return this.source.remove(uuid) ? known : null;
    this.source.patch(uuid, row);
    if (this.belongs(row)) return null;
    this.#taken.set(uuid, row);
    this.source.entomb(uuid, Date.now() + tombstoneMs);
    return row;
  }

  #wait(row: Row): void {
    // an empty list has no place to keep, and what sorts behind the loaded pages comes with them
    if (this.source.length === 0) return this.take([row]);
    if (this.source.more && this.#byTime() === "rising") this.#count(1, row);
    else this.#waiting.add(row.uuid);
    this.#meanwhile.came(row);
  }

  protected override came(): void {
    super.came();
    // rows that waited have come with the page
    for (const uuid of this.#waiting) {
      const row = this.source.get(uuid);
      if (row && this.#waiting.delete(uuid)) this.#count(1, row);
    }
    this.#tellWaiting();
  }

  /** What waited comes with what is read now. */
  #follow(): void {
    this.#waiting.clear();
    this.#held = null;
    this.set({ waiting: 0, held: null });
  }

  #tellWaiting(): void {
    if (this.#waiting.size !== this.getState().waiting) this.set({ waiting: this.#waiting.size });
  }

  #count(by: 1 | -1, row: Row): void {
    const { count, sum } = this.getState();
    this.set({
      count: count === null ? null : Math.max(0, count + by),
      sum: sum === null ? null : moneyText(money(sum) + BigInt(by) * money(row.amount)),
    });
  }
}
