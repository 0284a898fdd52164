import { CallFailure } from "../api/failure.ts";
import { RowSource } from "../kit/grid/row-source.ts";
import type { GoneRow } from "./desk.ts";
import type { EntityDoors, ListQuery } from "./doors.ts";
import type { RecordRow } from "./entity.ts";

export interface ListState {
  /** Rows the question has in all; null until counted. */
  readonly count: number | null;
  readonly failure: CallFailure | null;
  /** Date.now() of the last whole answer; 0 before. */
  readonly answeredAt: number;
}

export interface ListDoors extends Pick<EntityDoors, "list" | "read" | "takesUuids"> {
  /** Whether a row is still one of the list's, as far as the row itself tells. */
  belongs(row: RecordRow): boolean;
}

const pageSize = 100;
/** Most rows one question brings. */
const most = 500;
/** Most rows looked at again by their names in one call. */
const named = 200;

type Told = RecordRow | GoneRow | { readonly uuid: string };

/** The rows of the list on screen: pages as the grid asks for them, what acts and others change patched where it stands. */
export class EntityList {
  readonly source = new RowSource<RecordRow>();
  #doors: ListDoors;
  #asked: ListQuery = {};
  /** Answers to an earlier question are dropped. */
  #turn = 0;
  #next: string | null = null;
  /** A record a link named that the question itself does not bring. */
  #guest: string | null = null;
  #state: ListState = { count: null, failure: null, answeredAt: 0 };
  #listeners = new Set<() => void>();

  constructor(doors: ListDoors) {
    this.#doors = doors;
  }

  getState = (): ListState => this.#state;
  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Another question: everything anew. */
  async load(asked: ListQuery): Promise<void> {
    this.#asked = asked;
    this.#guest = null;
    this.#set({ count: null });
    this.source.setPage([]);
    this.source.setLoading("loading");
    await this.#read(false);
  }

  /** The same question again; rows, cursor and marks that still are stay. */
  async reload(): Promise<void> {
    await this.#read(true);
  }

  async #read(again: boolean): Promise<void> {
    const turn = ++this.#turn;
    const limit = again ? Math.min(most, Math.max(pageSize, this.source.length)) : pageSize;
    try {
      const { data, meta } = await this.#doors.list({ ...this.#asked, limit, with: "count" });
      if (turn !== this.#turn) return;
      this.#next = meta.next;
      this.#set({ count: meta.count ?? null, failure: null, answeredAt: Date.now() });
      const end = { more: meta.next !== null, total: meta.count ?? null };
      if (again) this.source.refresh(this.#withGuest(data), end);
      else this.source.setPage(data, end);
    } catch (error) {
      if (turn === this.#turn) this.#failed(error);
    }
  }

  #withGuest(data: readonly RecordRow[]): readonly RecordRow[] {
    const guest = this.#guest === null ? undefined : this.source.get(this.#guest);
    return guest === undefined || data.some(({ uuid }) => uuid === guest.uuid) ? data : [guest, ...data];
  }

  async more(): Promise<void> {
    const turn = this.#turn;
    if (this.#next === null) return;
    this.source.setLoading("loading");
    try {
      const { data, meta } = await this.#doors.list({ ...this.#asked, cursor: this.#next, limit: pageSize });
      if (turn !== this.#turn) return;
      this.#next = meta.next;
      this.source.append(data, { more: meta.next !== null, total: this.#state.count });
      this.#set({ failure: null });
    } catch (error) {
      if (turn === this.#turn) this.#failed(error);
    }
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
  }

  #take(row: RecordRow): void {
    const known = this.source.get(row.uuid);
    if (known && known.version > row.version) return;
    if (!this.#doors.belongs(row)) return this.#leave(row.uuid);
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
      const found = this.#doors.takesUuids ? await this.#byName(here) : await this.#oneByOne(here);
      for (const uuid of here) {
        const row = found.get(uuid);
        const known = this.source.get(uuid);
        if (row === null) this.#leave(uuid);
        else if (row && known && row.version >= known.version) this.source.patch(uuid, row);
      }
    } catch {
      // the next event, or Shift+R, asks again
    }
  }

  async #byName(uuids: readonly string[]): Promise<ReadonlyMap<string, RecordRow | null>> {
    const found = new Map<string, RecordRow | null>(uuids.map((uuid) => [uuid, null]));
    for (let at = 0; at < uuids.length; at += named) {
      const some = uuids.slice(at, at + named);
      // oxlint-disable-next-line no-await-in-loop -- a burst of changes must not become a burst of calls
      const { data } = await this.#doors.list({ "filter[uuid]": some.join(","), limit: named });
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
      return (await this.#doors.read(uuid)).row;
    } catch (error) {
      if (error instanceof CallFailure && error.status === 404) return null;
      throw error;
    }
  }

  /** A record a link names, though this question may not have it; false when there is none such. */
  async fetch(uuid: string): Promise<boolean> {
    if (this.source.get(uuid)) return true;
    const asked = this.#asked;
    const row = await this.#find(uuid).catch(() => null);
    if (row === null || asked !== this.#asked) return false;
    this.#guest = uuid;
    this.source.insert(0, [row]);
    return true;
  }

  #failed(error: unknown): void {
    const failure = error instanceof CallFailure ? error : new CallFailure("unexpected", { message: String(error) });
    if (failure.kind === "aborted") return;
    this.source.setLoading("failed");
    this.#set({ failure });
  }

  #count(by: 1 | -1): void {
    const { count } = this.#state;
    this.#set({ count: count === null ? null : Math.max(0, count + by) });
  }

  #set(change: Partial<ListState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}
