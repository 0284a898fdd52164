import { money, moneyText } from "../../values/money.ts";
import { atMostEvery } from "../api/at-most-every.ts";
import { endOf } from "../kit/grid/row-pager.ts";
import type { Page } from "../kit/grid/row-pager.ts";
import type { PageEnd, RowSource } from "../kit/grid/row-source.ts";
import { LookQueue, mostLooked } from "../lists/look-queue.ts";
import type { LiveDeps, LiveRow, LiveState, Part } from "./live-rules.ts";
import { Meanwhile } from "./meanwhile.ts";
import { PagedList, unanswered } from "../lists/paged-list.ts";
import { RowPlaces } from "./row-places.ts";

/** ms a row taken by another stays under the cursor. */
export const tombstoneMs = 3_000;

/** ms between two readings of the count for the sake of rows that are not held. */
const countPause = 2_000;

/**
 * Rows of money others work on too: acts of this page are taken over at once, live changes patched in. A row under the cursor is
 * never moved: what is new waits, what another took stays struck through for a while.
 */
export class LiveList<Row extends LiveRow, Query extends object> {
  readonly source: RowSource<Row>;
  readonly #deps: LiveDeps<Row, Query>;
  readonly #pages: PagedList<Row, Query, LiveState>;
  readonly #places: RowPlaces<Row, Query>;
  readonly #meanwhile: Meanwhile<Row>;
  readonly #looks = new LookQueue((uuids) => this.#lookAt(uuids));
  #waiting = new Set<string>();
  #held: Set<string> | null = null;
  /** Rows that are not held changed, and nobody here knows whether they were counted: the server counts again. */
  readonly #recount = atMostEvery(countPause, () => void this.#countAgain());
  /** Row → who or what took it, while its tombstone stands. */
  #taken = new Map<string, Row>();
  /** Put at its place once the list has come. */
  #wanted: Row | null = null;

  constructor(deps: LiveDeps<Row, Query>, most?: number) {
    this.#deps = deps;
    this.#pages = new PagedList<Row, Query, LiveState>(
      {
        readPage: (page) => this.#readPage(page),
        timeOrder: () => (this.#places.byTime() === null ? { sortBy: deps.rules.timeColumn(this.query()) } : "ready"),
        read: (how) => this.#read(how),
        latest: (rows) => this.#meanwhile.latest(rows),
        came: () => this.#came(),
      },
      { ...unanswered, sum: null, waiting: 0, held: null },
      most,
    );
    this.source = this.#pages.source;
    this.#meanwhile = new Meanwhile(this.source);
    this.#places = new RowPlaces(this.source, deps.rules, () => this.query());
  }

  getState = (): LiveState => this.#pages.getState();
  subscribe = (listener: () => void): (() => void) => this.#pages.subscribe(listener);
  /** The page after the last, or again what did not come. */
  more = (): Promise<void> => this.#pages.more();
  /** What is asked for now. */
  query = (): Query => this.#pages.ask();

  /** The same query again; rows, cursor and marks that still are stay. */
  reload(): Promise<void> {
    return this.#pages.reload();
  }

  /** What may have been missed: nobody asked for it, so it ends nothing that somebody did. */
  catchUp(): Promise<void> {
    return this.#pages.catchUp();
  }

  #readPage(part: Part, background = true): Promise<Page<Row>> {
    return this.#deps.read({ ...this.query(), ...part }, { background });
  }

  #belongs(row: Row): boolean {
    return this.#deps.rules.belongs(row, this.query());
  }

  /** Who has taken a row that is only a tombstone now; null for a live one. */
  takenBy(uuid: string): Row | null {
    return this.source.isTombstone(uuid) ? (this.#taken.get(uuid) ?? null) : null;
  }

  async load(ask: () => Query): Promise<void> {
    this.#pages.empty(ask, { count: null, sum: null });
    await this.reload();
  }

  /** A record a link names, though its page is not held: the list goes to where it stands. False: this query has none such. */
  async goTo(uuid: string): Promise<boolean> {
    await this.#pages.asked;
    if (this.source.indexOf(uuid) >= 0) return true;
    const { ask } = this.#pages;
    // a call that fails says so itself
    const page = await this.#readPage({ "filter[uuid]": uuid, limit: 1 }, false).catch(() => null);
    if (page === null || ask !== this.#pages.ask) return true;
    const [row] = page.data;
    if (row === undefined) return false;
    // in another order than time's nothing says where it stands: then it stands first
    if (this.#places.byTime() === null) this.source.insert(0, [row]);
    // what was missed may be asked for meanwhile, which ends the jump
    else
      for (let tries = 0; tries < 3 && this.source.indexOf(uuid) < 0 && ask === this.#pages.ask; tries++)
        // oxlint-disable-next-line no-await-in-loop -- once, nearly always
        await this.#pages.pager.goTo({ at: this.#places.timeOf(row) }, { id: uuid });
    return true;
  }

  /** Caught up, as with any live change: what is new waits and what another took does not go unseen. */
  async #read(how: "asked" | "caught up"): Promise<void> {
    if (how === "asked") this.#follow();
    else if (this.#held !== null) return;
    const { opens, part, isNow } = this.#pages.begin(this.#deps.watched());
    this.#meanwhile.begin();
    this.#looks.forgetLater();
    try {
      const { data: answered, meta } = await this.#readPage({ ...part, with: "count,sums" });
      if (!isNow()) return;
      const data = this.#meanwhile.latest(answered);
      const fresh = how === "caught up" ? this.#meanwhile.unseenIn(data) : new Set<string>();
      const end = endOf(meta, null);
      this.#pages.opened();
      this.#pages.set({ count: meta.count ?? null, sum: meta.sums?.["amount"] ?? null, failure: null, answeredAt: Date.now() });
      const here = data.find(({ uuid }) => uuid === this.#wanted?.uuid);
      if (opens && here) this.source.jump(data, end, { id: here.uuid });
      else if (opens) this.source.setPage(data, end);
      else if (how === "asked") this.source.refresh(data, end);
      else await this.#keepUp(data, fresh, end);
      if (!isNow()) return;
      if (part.at !== undefined && data.length === 0) this.#pages.pager.jump("last");
      const known = opens ? [] : this.source.away.ids();
      void this.#looks.add([...this.#meanwhile.missedBy(data), ...known]);
      const wanted = this.#wanted;
      this.#wanted = null;
      if (wanted) this.take([wanted]);
    } catch (error) {
      if (isNow()) this.#pages.failed(error);
    }
  }

  async #keepUp(data: readonly Row[], fresh: ReadonlySet<string>, end: PageEnd): Promise<void> {
    const here = new Set(data.map(({ uuid }) => uuid));
    const watched = this.#deps.watched();
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
      const stays = this.#belongs(row);
      if (known && stays && this.#places.isLater(row, known)) this.#move(row);
      else if (known && stays) this.source.patch(row.uuid, row);
      else if (known) this.#leave(row);
      else if (stays) this.#enter(row);
    }
    this.#tellWaiting();
  }

  /** A row as its detail has it, which may come before the live line's word: what another took leaves by a look, which says who. */
  seen(row: Row): void {
    const known = this.source.get(row.uuid);
    if (!known || row.version <= known.version) return;
    if (this.#belongs(row) || this.#deps.rules.isMine(row)) this.take([row]);
    else void this.look([row.uuid]);
  }

  /** To its new place; counted as before. */
  #move(row: Row): void {
    this.source.remove(row.uuid);
    const at = this.#places.placeOf(row);
    if (at !== null) this.source.insert(at, [row]);
  }

  /** A row the cursor must find once the list has come. */
  want(row: Row): void {
    if (this.source.loading === "loading" && this.source.length === 0) this.#wanted = row;
    else this.take([row]);
    // beyond what is held: what is next to take is of the oldest
    if (this.source.moreBefore && this.source.indexOf(row.uuid) < 0) void this.#pages.pager.goTo("first", { id: row.uuid });
  }

  #leave(row: Row): void {
    const tombstone = this.source.isTombstone(row.uuid);
    this.source.remove(row.uuid);
    this.#meanwhile.left(row);
    if (!tombstone) this.#count(-1, row);
  }

  /** One the list did not have; left out among those not held. */
  #enter(row: Row): void {
    const at = this.#places.placeOf(row);
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
    this.#pages.set({ held: this.#held.size });
  }

  /** What others change is held back from now on, until the list is read again; own acts are not. */
  holdStill(): void {
    this.#held ??= new Set();
    this.#pages.set({ held: this.#held.size });
  }

  async #lookAt(uuids: readonly string[]): Promise<void> {
    const isNow = this.#pages.pager.now();
    const versionOf = (uuid: string) => this.source.get(uuid)?.version;
    const before = new Map(uuids.map((uuid) => [uuid, versionOf(uuid)]));
    const { data } = await this.#readPage({ "filter[uuid]": uuids.join(","), limit: mostLooked });
    if (!isNow()) return;
    for (const row of data) {
      const known = this.source.get(row.uuid);
      if (!known) this.#wait(row);
      else if (row.version > known.version) this.source.patch(row.uuid, row);
    }
    const here = new Set(data.map(({ uuid }) => uuid));
    // what an act brought meanwhile is newer than this answer
    const left = uuids.filter((uuid) => !here.has(uuid) && versionOf(uuid) === before.get(uuid));
    for (const uuid of left) this.#waiting.delete(uuid);
    const watched = this.#deps.watched();
    const gone = left.flatMap((uuid) => (this.source.isTombstone(uuid) ? [] : (this.source.get(uuid) ?? [])));
    if (left.some((uuid) => this.source.get(uuid) === undefined)) this.#notHeld();
    for (const row of gone) if (row.uuid !== watched) this.#leave(row);
    const taken = watched !== null && gone.some(({ uuid }) => uuid === watched) ? await this.#entomb(watched) : null;
    if (taken) this.#count(-1, taken);
    this.#tellWaiting();
  }

  /** The row under the cursor: it says who took it before it leaves. Answers it as it was, unless it is still of the list. */
  async #entomb(uuid: string): Promise<Row | null> {
    const isNow = this.#pages.pager.now();
    const { data } = await this.#deps.read({ ...this.#deps.rules.everywhere, "filter[uuid]": uuid, limit: 1 }, { background: true });
    const known = this.source.get(uuid);
    const [row] = data;
    if (!isNow() || !known || (row && known.version > row.version)) return null;
    // decided and taken back meanwhile
    if (row && this.#belongs(row)) {
      this.source.patch(uuid, row);
      return null;
    }
    // my own act, from this page or another, is no loss
    if (!row || this.#deps.rules.isMine(row)) return this.source.remove(uuid) ? known : null;
    this.source.patch(uuid, row);
    this.#taken.set(uuid, row);
    this.source.entomb(uuid, Date.now() + tombstoneMs);
    return row;
  }

  #wait(row: Row): void {
    // an empty list has no place to keep, and what sorts behind the loaded pages comes with them
    if (this.source.length === 0) return this.take([row]);
    if (this.source.more && this.#places.byTime() === "rising") this.#notHeld();
    else this.#waiting.add(row.uuid);
    this.#meanwhile.came(row);
  }

  /** In a queue; in another order only what is new waits, and a count of all there is takes long. */
  #notHeld(): void {
    if ((this.source.more || this.source.moreBefore) && this.#places.byTime() === "rising") this.#recount.soon();
  }

  /** Count and sum as the server has them; those that wait behind the pill are not in them. */
  async #countAgain(): Promise<void> {
    const { ask } = this.#pages;
    const before = this.getState();
    if (before.count === null || this.#waiting.size > 0) return;
    try {
      const { meta } = await this.#readPage({ limit: 1, with: "count,sums" });
      if (ask !== this.#pages.ask) return;
      const { count, sum } = this.getState();
      // counted here meanwhile
      if (count !== before.count || sum !== before.sum) return this.#recount.soon();
      this.#pages.set({ count: meta.count ?? count, sum: meta.sums?.["amount"] ?? sum });
    } catch {
      // the next event, or Shift+R, asks again
    }
  }

  #came(): void {
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
    this.#pages.set({ waiting: 0, held: null });
  }

  #tellWaiting(): void {
    if (this.#waiting.size !== this.getState().waiting) this.#pages.set({ waiting: this.#waiting.size });
  }

  #count(by: 1 | -1, row: Row): void {
    const { count, sum } = this.getState();
    this.#pages.set({
      count: count === null ? null : Math.max(0, count + by),
      sum: sum === null ? null : moneyText(money(sum) + BigInt(by) * money(row.amount)),
    });
  }
}
