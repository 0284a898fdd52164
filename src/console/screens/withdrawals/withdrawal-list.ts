import type { z } from "zod";
import type { Answer } from "../../../contract/route.ts";
import { isOpen } from "../../../contract/transactions.ts";
import type { Withdrawal, WithdrawalQuery, WithdrawalView, withdrawalRoutes } from "../../../contract/withdrawals.ts";
import { money, moneyText } from "../../../values/money.ts";
import { CallFailure } from "../../api/failure.ts";
import type { PageEnd } from "../../kit/grid/row-source.ts";
import { RowSource } from "../../kit/grid/row-source.ts";

export type AskedList = Omit<z.input<typeof WithdrawalQuery>, "cursor" | "direction" | "limit" | "with" | "filter[uuid]">;
type Page = Answer<typeof withdrawalRoutes.listWithdrawals>;

export interface ListDoors {
  read(query: z.input<typeof WithdrawalQuery>, options: { background: boolean }): Promise<Page>;
  /** The user's id. */
  readonly me: string;
  /** The row another may not take away unseen: the one under the cursor. */
  watched(): string | null;
}

/** What of the list is shown beside its rows. */
export interface ListState {
  /** Rows the question has in all; null until counted. */
  readonly count: number | null;
  /** Decimal text; null until added up. */
  readonly sum: string | null;
  /** New rows kept behind the pill. */
  readonly waiting: number;
  readonly failure: CallFailure | null;
  /** Date.now() of the last whole answer; 0 before. */
  readonly answeredAt: number;
}

const pageSize = 100;
/** Most rows one question brings. */
const most = 500;
/** ms a row taken by another stays under the cursor (keyboard.md 3). */
export const tombstoneMs = 3_000;

/** Whether a row is one of a view's, as far as the row itself tells; "today" and "all" take whatever is loaded. */
export function belongs(row: Withdrawal, view: WithdrawalView, me: string): boolean {
  switch (view) {
    case "queue":
      return isOpen(row);
    case "mine":
      return row.status === "process" && row.claim?.user === me;
    case "process":
      return row.status === "process";
    case "second":
      return row.status === "process" && row.first_approved_by !== null;
    default:
      return true;
  }
}

/**
 * The rows of the list on screen: pages as the grid asks for them, acts of this page taken over at once, live changes
 * patched in. It never moves a row under the cursor: what is new waits, what another took stays struck through for a while.
 */
export class WithdrawalList {
  readonly source = new RowSource<Withdrawal>();
  #doors: ListDoors;
  #ask: () => AskedList = () => ({});
  /** Answers to an earlier question are dropped. */
  #turn = 0;
  #next: string | null = null;
  #waiting = new Set<string>();
  #state: ListState = { count: null, sum: null, waiting: 0, failure: null, answeredAt: 0 };
  #listeners = new Set<() => void>();
  /** Row → who or what took it, while its tombstone stands. */
  #taken = new Map<string, Withdrawal>();
  /** Rows to look at again, gathered while a look is under way. */
  #due = new Set<string>();
  #looking = false;
  /** While a read is under way: rows that left, with the version they left in, and rows that came. Its answer may be older. */
  #left = new Map<string, number>();
  #came = new Set<string>();
  /** Put at its place once the list has come. */
  #wanted: Withdrawal | null = null;

  constructor(doors: ListDoors) {
    this.#doors = doors;
  }

  getState = (): ListState => this.#state;
  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  get #asked(): AskedList {
    return this.#ask();
  }

  get view(): WithdrawalView {
    return this.#asked.view ?? "queue";
  }

  /** Who has taken a row that is only a tombstone now; null for a live one. */
  takenBy(uuid: string): Withdrawal | null {
    return this.source.isTombstone(uuid) ? (this.#taken.get(uuid) ?? null) : null;
  }

  /** Another question: everything anew. It is put again for each answer, since "the last hour" moves on. */
  async load(ask: () => AskedList): Promise<void> {
    this.#ask = ask;
    this.#forgetWaiting();
    this.#set({ count: null, sum: null });
    this.source.setPage([]);
    this.source.setLoading("loading");
    await this.#read("page");
  }

  /** The same question again; rows, cursor and marks that still are stay. */
  async reload(): Promise<void> {
    this.#forgetWaiting();
    await this.#read("refresh");
  }

  /** What may have been missed. As with any live change, what is new waits and what another took does not go unseen. */
  async catchUp(): Promise<void> {
    await this.#read("catch-up");
  }

  async more(): Promise<void> {
    const turn = this.#turn;
    if (this.#next === null) return;
    this.source.setLoading("loading");
    try {
      const { data, meta } = await this.#doors.read({ ...this.#asked, cursor: this.#next, limit: pageSize }, { background: true });
      if (turn !== this.#turn) return;
      this.#next = meta.next;
      this.source.append(data, { more: meta.next !== null, total: this.#state.count });
      this.#set({ failure: null });
    } catch (error) {
      if (turn === this.#turn) this.#failed(error);
    }
  }

  async #read(how: "page" | "refresh" | "catch-up"): Promise<void> {
    const turn = ++this.#turn;
    this.#left.clear();
    this.#came.clear();
    const limit = how === "page" ? pageSize : Math.min(most, Math.max(pageSize, this.source.length));
    try {
      const { data: answered, meta } = await this.#doors.read({ ...this.#asked, limit, with: "count,sums" }, { background: true });
      if (turn !== this.#turn) return;
      const data = this.#latest(answered);
      const fresh = how === "catch-up" ? this.#unseen(data) : new Set<string>();
      this.#next = meta.next;
      const end = { more: meta.next !== null, total: meta.count ?? null };
      this.#set({ count: meta.count ?? null, sum: meta.sums?.["amount"] ?? null, failure: null, answeredAt: Date.now() });
      if (how === "page") this.source.setPage(data, end);
      else if (how === "refresh") this.source.refresh(data, end);
      else await this.#keepUp(data, fresh, end);
      if (turn !== this.#turn) return;
      const overtook = [...this.#came].filter((uuid) => !data.some((row) => row.uuid === uuid));
      if (overtook.length > 0) void this.look(overtook);
      const wanted = this.#wanted;
      this.#wanted = null;
      if (wanted) this.take([wanted]);
    } catch (error) {
      if (turn === this.#turn) this.#failed(error);
    }
  }

  /** An answer without what acts and events, faster than it, have told already. */
  #latest(data: readonly Withdrawal[]): readonly Withdrawal[] {
    return data.flatMap((row) => {
      if ((this.#left.get(row.uuid) ?? -1) >= row.version) return [];
      const known = this.source.get(row.uuid);
      return [known && known.version > row.version ? known : row];
    });
  }

  /** New rows among what was loaded already; those behind it are its continuation. */
  #unseen(data: readonly Withdrawal[]): ReadonlySet<string> {
    const isKnown = ({ uuid }: Withdrawal) => this.source.get(uuid) !== undefined;
    const end = this.source.more ? data.findLastIndex(isKnown) : data.length;
    if (this.source.length === 0) return new Set();
    return new Set(data.filter((row, index) => index < end && !isKnown(row)).map(({ uuid }) => uuid));
  }

  async #keepUp(data: readonly Withdrawal[], fresh: ReadonlySet<string>, end: PageEnd): Promise<void> {
    const shown = data.filter(({ uuid }) => !fresh.has(uuid));
    const here = new Set(data.map(({ uuid }) => uuid));
    const watched = this.#doors.watched();
    const gone = this.source.rows.filter(({ uuid }) => !here.has(uuid) && (uuid === watched || this.source.isTombstone(uuid)));
    // they stand where they stood until it is known, or their time is over
    for (const row of gone) shown.splice(Math.min(this.source.indexOf(row.uuid), shown.length), 0, row);
    this.source.refresh(shown, end);
    this.#waiting = new Set(fresh);
    for (const row of data) if (fresh.has(row.uuid)) this.#count(-1, row);
    this.#tellWaiting();
    const lost = gone.find(({ uuid }) => !this.source.isTombstone(uuid));
    if (lost) await this.#entomb(lost.uuid);
  }

  #failed(error: unknown): void {
    const failure = error instanceof CallFailure ? error : new CallFailure("unexpected", { message: String(error) });
    if (failure.kind === "aborted") return;
    this.source.setLoading("failed");
    this.#set({ failure });
  }

  // ── own acts ──

  /** Rows as an act of this page left them, or only named: those are looked at again. */
  took(rows: readonly { readonly uuid: string }[]): void {
    const whole = rows.filter((row): row is Withdrawal => "version" in row && "txn_no" in row);
    this.take(whole);
    const named = rows.filter((row) => !("version" in row)).map(({ uuid }) => uuid);
    if (named.length > 0) void this.look(named);
  }

  take(rows: readonly Withdrawal[]): void {
    for (const row of rows) {
      this.#waiting.delete(row.uuid);
      const known = this.source.get(row.uuid);
      if (known && known.version > row.version) continue;
      const stays = belongs(row, this.view, this.#doors.me) && this.#passes(row);
      if (known && stays) this.source.patch(row.uuid, row);
      else if (known) this.#leave(row);
      else if (stays) this.#enter(row);
    }
    this.#tellWaiting();
  }

  /** A row the cursor must find once the list has come. */
  want(row: Withdrawal): void {
    if (this.source.loading === "loading" && this.source.length === 0) this.#wanted = row;
    else this.take([row]);
  }

  /** What the row itself tells about the filters in force; the server knows the rest. */
  #passes(row: Withdrawal): boolean {
    const statuses = this.#asked["filter[status]"];
    return statuses === undefined || statuses.split(",").includes(row.status);
  }

  #leave(row: Withdrawal): void {
    const tombstone = this.source.isTombstone(row.uuid);
    this.source.remove(row.uuid);
    this.#left.set(row.uuid, row.version);
    if (!tombstone) this.#count(-1, row);
  }

  /** At its place among the loaded rows; only where the order is that of creation, else first. */
  #enter(row: Withdrawal): void {
    const { sort } = this.#asked;
    const oldestFirst = sort === "created_at" || (sort === undefined && this.view === "queue");
    const { rows } = this.source;
    const after = oldestFirst ? rows.findIndex(({ created_at: at }) => at > row.created_at) : 0;
    if (after < 0 && this.source.more) return; // among those not loaded yet
    this.#came.add(row.uuid);
    this.source.insert(after < 0 ? rows.length : after, [row]);
    this.#count(1, row);
  }

  // ── live ──

  /** Rows others changed: known ones are patched or leave, new ones wait behind the pill. */
  async look(uuids: readonly string[]): Promise<void> {
    for (const uuid of uuids) this.#due.add(uuid);
    if (this.#looking) return;
    this.#looking = true;
    try {
      while (this.#due.size > 0) {
        const batch = [...this.#due].slice(0, 200);
        for (const uuid of batch) this.#due.delete(uuid);
        // oxlint-disable-next-line no-await-in-loop -- one look at a time: a later one must not be overtaken by an earlier
        await this.#lookAt(batch);
      }
    } catch {
      // the next event, or the line's return, asks again
    } finally {
      this.#looking = false;
    }
  }

  async #lookAt(uuids: readonly string[]): Promise<void> {
    const turn = this.#turn;
    const named = uuids.join(",");
    const { data } = await this.#doors.read({ ...this.#asked, "filter[uuid]": named, limit: 200 }, { background: true });
    if (turn !== this.#turn) return;
    for (const row of data) {
      const known = this.source.get(row.uuid);
      if (!known) this.#wait(row);
      else if (row.version > known.version) this.source.patch(row.uuid, row);
    }
    const here = new Set(data.map(({ uuid }) => uuid));
    const left = uuids.filter((uuid) => !here.has(uuid));
    for (const uuid of left) this.#waiting.delete(uuid);
    const watched = this.#doors.watched();
    const gone = left.filter((uuid) => this.source.get(uuid) !== undefined && !this.source.isTombstone(uuid));
    for (const uuid of gone) if (uuid !== watched) this.#drop(uuid);
    const taken = watched !== null && gone.includes(watched) ? await this.#entomb(watched) : null;
    if (taken) this.#count(-1, taken);
    this.#tellWaiting();
  }

  #drop(uuid: string): void {
    const row = this.source.get(uuid);
    if (!row) return;
    this.source.remove(uuid);
    this.#left.set(uuid, row.version);
    this.#count(-1, row);
  }

  /** The row under the cursor: it says who took it before it leaves. Answers it as it was, unless it is still of the list. */
  async #entomb(uuid: string): Promise<Withdrawal | null> {
    const turn = this.#turn;
    const { data } = await this.#doors.read({ view: "all", "filter[uuid]": uuid, limit: 1 }, { background: true });
    const known = this.source.get(uuid);
    if (turn !== this.#turn || !known) return null;
    const [row] = data;
    // my own act, from this page or another, is no loss
    if (!row || row.last_action_by.uuid === this.#doors.me) return this.source.remove(uuid) ? known : null;
    this.source.patch(uuid, row);
    if (belongs(row, this.view, this.#doors.me) && this.#passes(row)) return null;
    this.#taken.set(uuid, row);
    this.source.entomb(uuid, Date.now() + tombstoneMs);
    return row;
  }

  #wait(row: Withdrawal): void {
    // an empty list has no place to keep, and what sorts behind the loaded pages comes with them
    if (this.source.length === 0) return this.take([row]);
    const oldestFirst = this.#asked.sort === "created_at" || (this.#asked.sort === undefined && this.view === "queue");
    if (this.source.more && oldestFirst) this.#count(1, row);
    else this.#waiting.add(row.uuid);
    this.#came.add(row.uuid);
  }

  #forgetWaiting(): void {
    this.#waiting.clear();
    this.#tellWaiting();
  }

  #tellWaiting(): void {
    if (this.#waiting.size !== this.#state.waiting) this.#set({ waiting: this.#waiting.size });
  }

  #count(by: 1 | -1, row: Withdrawal): void {
    const { count, sum } = this.#state;
    this.#set({
      count: count === null ? null : Math.max(0, count + by),
      sum: sum === null ? null : moneyText(money(sum) + BigInt(by) * money(row.amount)),
    });
  }

  #set(change: Partial<ListState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}
