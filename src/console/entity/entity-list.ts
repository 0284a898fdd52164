import { CallFailure } from "../api/failure.ts";
import type { RowFeed } from "../kit/grid/row-feed.ts";
import { endOf } from "../kit/grid/row-pager.ts";
import type { Page, PageAsked } from "../kit/grid/row-pager.ts";
import type { RowSource } from "../kit/grid/row-source.ts";
import { LookQueue, mostLooked } from "../lists/look-queue.ts";
import { PagedList, unanswered } from "../lists/paged-list.ts";
import type { ListState } from "../lists/paged-list.ts";
import { leadsByTime } from "../lists/sort-text.ts";
import type { EntityDeps, ListQuery } from "./deps.ts";
import { fieldOf } from "./named.ts";
import type { RecordRow } from "../kit/commands/desks.ts";

/** ms within which rows that others change have their sums read once. */
const sumPause = 5_000;
/** ms by which a row may be older than the list's answer and still not be in it: it was being written. */
const grace = 2_000;

export interface ListDeps extends Pick<EntityDeps, "list" | "read" | "takesUuids" | "knowsTime" | "hasSums"> {
  /** The server's clock, ms. */
  now(): number;
  /** Whether a row is still one of the list's, as far as the row itself tells. */
  belongs(row: RecordRow): boolean;
}

export interface EntityListState extends ListState {
  /** Totals of all rows of the query, by field; null until they are known. */
  readonly sums: Readonly<Record<string, string>> | null;
  /** New rows kept behind the pill. */
  readonly waiting: number;
}

/** A changed row as commands tell it: gone. */
interface GoneRow {
  readonly uuid: string;
  readonly gone: true;
}

type Told = RecordRow | GoneRow | { readonly uuid: string };

/** The rows of plain records on screen: what acts and others change is patched where it stands. */
export class EntityList {
  readonly source: RowSource<RecordRow>;
  readonly #deps: ListDeps;
  readonly #pages: PagedList<RecordRow, ListQuery, EntityListState>;
  readonly #looks = new LookQueue((uuids) => this.#lookAt(uuids));
  /** A record a link named that the query itself does not bring. */
  #guest: string | null = null;
  #waiting = new Set<string>();
  /** The server's clock at the last whole answer. */
  #readAt = 0;
  #summing: ReturnType<typeof setTimeout> | undefined;

  constructor(deps: ListDeps, most?: number) {
    this.#deps = deps;
    this.#pages = new PagedList<RecordRow, ListQuery, EntityListState>(
      { readPage: (page) => this.#readPage(page), timeOrder: () => this.#timeOrder(), read: () => this.#read() },
      { ...unanswered, sums: null, waiting: 0 },
      most,
    );
    this.source = this.#pages.source;
  }

  getState = (): EntityListState => this.#pages.getState();
  subscribe = (listener: () => void): (() => void) => this.#pages.subscribe(listener);
  /** The page after the last, or again what did not come. */
  more = (): Promise<void> => this.#pages.more();

  /** What is asked for now. */
  query = (): ListQuery => this.#pages.ask();

  /** The same query again; rows, cursor and marks that still are stay. */
  reload(): Promise<void> {
    return this.#pages.reload();
  }

  /** What may have been missed: nobody asked for it, so it ends nothing that somebody did. */
  catchUp(): Promise<void> {
    return this.#pages.catchUp();
  }

  #readPage(page: PageAsked): Promise<Page<RecordRow>> {
    return this.#deps.list({ ...this.#pages.ask(), ...page });
  }

  #timeOrder(): ReturnType<RowFeed["timeOrder"]> {
    const isByTime = leadsByTime(String(this.#pages.ask()["sort"] ?? ""), "created_at") !== null;
    return isByTime ? "ready" : this.#deps.knowsTime ? { sortBy: "created_at" } : null;
  }

  async load(ask: () => ListQuery): Promise<void> {
    this.#guest = null;
    this.#pages.empty(ask, { count: null, sums: null });
    await this.reload();
  }

  async #read(): Promise<void> {
    const { opens, part, isNow } = this.#pages.begin();
    const readAt = this.#deps.now();
    try {
      const { data, meta } = await this.#readPage({ ...part, with: this.#deps.hasSums ? "count,sums" : "count" });
      if (!isNow()) return;
      this.#pages.opened();
      this.#readAt = readAt;
      this.#waiting.clear();
      this.#pages.set({ waiting: 0, count: meta.count ?? null, sums: meta.sums ?? null, failure: null, answeredAt: Date.now() });
      const end = endOf(meta, null);
      if (!opens) this.source.refresh(this.#withGuest(data), end);
      else if (part.at !== undefined && data.length === 0) this.#pages.pager.jump("last");
      else this.source.setPage(data, end);
      const known = this.source.away.ids();
      if (!opens && known.length > 0) void this.look(known);
    } catch (error) {
      if (isNow()) this.#pages.failed(error);
    }
  }

  #withGuest(data: readonly RecordRow[]): readonly RecordRow[] {
    const guest = this.#guest === null ? undefined : this.source.get(this.#guest);
    if (guest !== undefined && !data.some(({ uuid }) => uuid === guest.uuid)) return [guest, ...data];
    this.#guest = null;
    return data;
  }

  /** Rows as an act of this page left them; those only named are looked at again. */
  took(rows: readonly Told[]): void {
    const unknown: string[] = [];
    for (const row of rows) {
      if ("gone" in row) this.#leave(row.uuid);
      else if ("version" in row) this.#take(row);
      else unknown.push(row.uuid);
    }
    if (unknown.length > 0) void this.look(unknown);
    else void this.#sumAgain();
  }

  #take(row: RecordRow): void {
    const known = this.source.get(row.uuid);
    if (known && known.version > row.version) return;
    if (!this.#deps.belongs(row)) return this.#leave(row.uuid);
    if (known) this.source.patch(row.uuid, row);
    else {
      // a new one is what was just made: it stands first until the list is asked again
      this.source.insert(0, [row]);
      this.#count(1);
    }
  }

  #leave(uuid: string): void {
    if (this.source.remove(uuid)) this.#count(-1);
  }

  /** Rows others changed: those on screen are patched, those that are no more leave. */
  async look(uuids: readonly string[]): Promise<void> {
    const here = uuids.filter((uuid) => this.source.get(uuid) !== undefined);
    try {
      const found = this.#deps.takesUuids ? await this.#byName(here) : await this.#oneByOne(here);
      for (const uuid of here) this.#show(uuid, found.get(uuid) ?? null);
      await this.#sumAgain();
    } catch {
      // the next event, or Shift+R, asks again
    }
  }

  /** Rows others changed or added: those held show it, or leave unless they are under the cursor; new ones wait behind the pill. */
  heard(uuids: readonly string[]): Promise<void> {
    return this.#deps.takesUuids ? this.#looks.addWhenStill(uuids) : this.look(uuids);
  }

  async #lookAt(uuids: readonly string[]): Promise<void> {
    const { ask } = this.#pages;
    const { data } = await this.#deps.list({ ...ask(), "filter[uuid]": uuids.join(","), limit: mostLooked });
    if (ask !== this.#pages.ask) return;
    const found = new Map(data.map((row) => [row.uuid, row]));
    const away = uuids.filter((uuid) => !found.has(uuid) && this.source.get(uuid) !== undefined);
    for (const uuid of away) if (uuid !== this.source.cursor()) this.#leave(uuid);
    const watched = away.filter((uuid) => uuid === this.source.cursor());
    if (watched.length > 0) for (const [uuid, row] of await this.#byName(watched)) this.#show(uuid, row);
    for (const row of data) {
      if (this.source.get(row.uuid)) this.#show(row.uuid, row);
      else if (Date.parse(String(fieldOf(row, "created_at"))) > this.#readAt - grace) this.#waiting.add(row.uuid);
    }
    // nothing stands there that would be moved
    if (this.source.length === 0 && this.#waiting.size > 0) return this.reload();
    this.#pages.set({ waiting: this.#waiting.size });
    this.#summing ??= setTimeout(() => {
      this.#summing = undefined;
      void this.#sumAgain();
    }, sumPause);
  }

  /** The screen is left: nothing is read for it any more. */
  close(): void {
    clearTimeout(this.#summing);
    this.#summing = undefined;
  }

  #show(uuid: string, row: RecordRow | null): void {
    const known = this.source.get(uuid);
    if (row === null) this.#leave(uuid);
    else if (known && row.version >= known.version) this.source.patch(uuid, row);
  }

  /** Reads the sums again, because a row has changed since, and how many rows they are of; those behind the pill are not counted before they are shown. */
  async #sumAgain(): Promise<void> {
    if (!this.#deps.hasSums) return;
    const { ask } = this.#pages;
    const { meta } = await this.#deps.list({ ...ask(), limit: 1, with: "count,sums" }).catch(() => ({ meta: null }));
    if (meta === null || ask !== this.#pages.ask) return;
    this.#pages.set({ sums: meta.sums ?? null });
    if (meta.count !== undefined) this.#pages.set({ count: Math.max(0, meta.count - this.#waiting.size) });
  }

  async #byName(uuids: readonly string[]): Promise<ReadonlyMap<string, RecordRow | null>> {
    const found = new Map<string, RecordRow | null>(uuids.map((uuid) => [uuid, null]));
    for (let at = 0; at < uuids.length; at += mostLooked) {
      const some = uuids.slice(at, at + mostLooked);
      // oxlint-disable-next-line no-await-in-loop -- a burst of changes must not become a burst of calls
      const { data } = await this.#deps.list({ "filter[uuid]": some.join(","), limit: mostLooked });
      for (const row of data) found.set(row.uuid, row);
    }
    return found;
  }

  async #oneByOne(uuids: readonly string[]): Promise<ReadonlyMap<string, RecordRow | null>> {
    const found = new Map<string, RecordRow | null>();
    for (const uuid of uuids) {
      // oxlint-disable-next-line no-await-in-loop -- as above
      found.set(uuid, await this.#find(uuid));
    }
    return found;
  }

  async #find(uuid: string): Promise<RecordRow | null> {
    try {
      return (await this.#deps.read(uuid)).row;
    } catch (error) {
      if (error instanceof CallFailure && error.status === 404) return null;
      throw error;
    }
  }

  /** A record a link names, though this question may not have it; false when there is none such. */
  async fetch(uuid: string): Promise<boolean> {
    if (this.source.indexOf(uuid) >= 0) return true;
    const { ask } = this.#pages;
    const row = await this.#find(uuid).catch(() => null);
    if (row === null || ask !== this.#pages.ask) return false;
    // one guest at a time
    if (this.#guest !== null) this.source.remove(this.#guest);
    this.#guest = uuid;
    this.source.insert(0, [row]);
    return true;
  }

  #count(by: 1 | -1): void {
    const { count } = this.#pages.getState();
    this.#pages.set({ count: count === null ? null : Math.max(0, count + by) });
  }
}
