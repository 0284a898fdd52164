import { createStore } from "zustand/vanilla";
import { shallow } from "zustand/vanilla/shallow";
import type { LiveBalance, LiveDay, LiveMeta, Show } from "../../../contract/live-balances.ts";
import { isShown, needsAttention } from "../../../contract/live-shows.ts";
import { atMostEvery, patchPause } from "../../api/at-most-every.ts";
import { CallFailure } from "../../api/failure.ts";
import { RowSource } from "../../kit/grid/row-source.ts";
import { mostLooked } from "../../lists/look-queue.ts";
import type { ListState } from "../../lists/paged-list.ts";
import { unanswered } from "../../lists/paged-list.ts";
import type { Grouping, LiveLine } from "./live-lines.ts";
import { linesOf, withPoint } from "./live-lines.ts";

/** ms after the currency's day has ended, when its limits begin anew. */
const grace = 1_000;
const minute = 60_000;

/** What the address asks to be shown, and how. */
export interface LiveAsked {
  readonly grouping: Grouping;
  shows(row: LiveBalance): boolean;
  order(a: LiveBalance, b: LiveBalance): number;
}

/** What is told of all accounts of the currency, whatever is shown. */
export interface LiveFigures {
  readonly rows: readonly LiveBalance[];
  /** Accounts each view shows. */
  readonly counts: Readonly<Record<"all" | Show, number>>;
  /** Patches of the last minute. */
  readonly changes: number;
}

export interface LiveDeps {
  /** All accounts of the currency, or those named. */
  read(uuids: readonly string[] | null): Promise<{ readonly data: readonly LiveBalance[]; readonly meta: LiveMeta }>;
  days(): Promise<readonly LiveDay[]>;
  /** The server's clock, ms. */
  now(): number;
  /** Accounts were patched. */
  patched(uuids: readonly string[]): void;
}

/** Every account of a currency, patched as it changes; nothing is ever loaded anew but by its day's end, a gap of the line, or a key. */
export class LiveList {
  readonly source = new RowSource<LiveLine>();
  readonly figures = createStore<LiveFigures>()(() => ({
    rows: [],
    counts: { all: 0, attention: 0, pays: 0, takes: 0, unread: 0 },
    changes: 0,
  }));
  readonly #deps: LiveDeps;
  readonly #state = createStore<ListState>()(() => unanswered);
  readonly #rows = new Map<string, LiveBalance>();
  readonly #days = new Map<string, LiveDay>();
  readonly #due = new Set<string>();
  /** Accounts that were not found, as those of another currency are not, and when: each is looked for once a minute at most. */
  readonly #elsewhere = new Map<string, number>();
  /** Patched while all are read, which may have begun before: they are read once more. */
  readonly #meanwhile = new Set<string>();
  readonly #patch: ReturnType<typeof atMostEvery>;
  #looking = false;
  #reloads = 0;
  #meta: LiveMeta | null = null;
  #asked: LiveAsked | null = null;
  #changedAt: number[] = [];
  #dayEnd: ReturnType<typeof setTimeout> | undefined;
  #counting: ReturnType<typeof setInterval> | undefined;

  constructor(deps: LiveDeps) {
    this.#deps = deps;
    this.#patch = atMostEvery(patchPause, () => void this.#lookAgain());
  }

  /** Begins counting; answers what ends it. */
  open(): () => void {
    this.#counting = setInterval(() => this.#tell(), 5_000);
    return () => {
      this.#patch.stop();
      clearTimeout(this.#dayEnd);
      clearInterval(this.#counting);
    };
  }

  getState = (): ListState => this.#state.getState();
  subscribe = (listener: () => void): (() => void) => this.#state.subscribe(listener);
  /** All accounts are there at once. */
  more = (): Promise<void> => this.reload();
  meta = (): LiveMeta | null => this.#meta;

  show(asked: LiveAsked): void {
    this.#asked = asked;
    if (this.getState().answeredAt > 0) this.#draw("again");
  }

  /** All accounts, and their days so far. */
  async reload(): Promise<void> {
    const mine = ++this.#reloads;
    this.#meanwhile.clear();
    try {
      const { data, meta } = await this.#deps.read(null);
      if (mine !== this.#reloads) return;
      this.#take(meta);
      this.#rows.clear();
      for (const row of data) this.#rows.set(row.uuid, row);
      this.look([...this.#meanwhile]);
      this.#set({ failure: null, answeredAt: Date.now() });
      this.#draw("again");
      await this.#readDays();
    } catch (error) {
      const failure = error instanceof CallFailure ? error : new CallFailure("unexpected", { message: String(error) });
      if (failure.kind === "aborted" || mine !== this.#reloads) return;
      this.source.setLoading("failed");
      this.#set({ failure });
    }
  }

  async #readDays(): Promise<void> {
    const days = await this.#deps.days();
    this.#days.clear();
    for (const day of days) this.#days.set(day.uuid, day);
    this.#draw("patch");
  }

  /** Accounts that changed: they are read again, four times a second at most, however fast they do. */
  look(uuids: readonly string[]): void {
    const since = this.#deps.now() - minute;
    for (const uuid of uuids) if ((this.#elsewhere.get(uuid) ?? 0) < since) this.#due.add(uuid);
    if (this.#due.size > 0) this.#patch.soon();
  }

  async #lookAgain(): Promise<void> {
    // one reading at a time, so that none is overtaken by an earlier one
    if (this.#looking) return this.#patch.soon();
    const uuids = [...this.#due].slice(0, mostLooked);
    for (const uuid of uuids) this.#due.delete(uuid);
    this.#looking = true;
    const answer = await this.#deps.read(uuids).catch(() => null);
    this.#looking = false;
    if (answer === null) {
      // the next event, or the line's return, asks for them again
      for (const uuid of uuids) this.#due.add(uuid);
      return;
    }
    this.#take(answer.meta);
    this.#patched(uuids, answer.data);
    if (this.#due.size > 0) this.#patch.soon();
  }

  #patched(asked: readonly string[], found: readonly LiveBalance[]): void {
    const before = new Set([...this.#rows.values()].filter(needsAttention).map(({ uuid }) => uuid));
    for (const uuid of asked)
      // one that was here is deleted
      if (!found.some((row) => row.uuid === uuid) && !this.#rows.delete(uuid)) this.#elsewhere.set(uuid, this.#deps.now());
    for (const row of found) {
      this.#meanwhile.add(row.uuid);
      this.#rows.set(row.uuid, row);
      const day = this.#days.get(row.uuid);
      if (day && this.#meta) this.#days.set(row.uuid, withPoint(day, row.balance, this.#deps.now(), this.#meta));
      this.#changedAt.push(this.#deps.now());
    }
    const moved = asked.some((uuid) => {
      const row = this.#rows.get(uuid);
      return (
        row === undefined || needsAttention(row) !== before.has(uuid) || this.#asked?.shows(row) !== (this.source.get(uuid) !== undefined)
      );
    });
    this.#draw(moved ? "again" : "patch");
    this.#deps.patched(asked);
  }

  /** The day's times; at its end limits begin anew, which nobody announces. */
  #take(meta: LiveMeta): void {
    this.#meta = meta;
    clearTimeout(this.#dayEnd);
    this.#dayEnd = setTimeout(() => void this.reload(), Date.parse(meta.day_ends_at) - Date.parse(meta.at) + grace);
  }

  #set(change: Partial<ListState>): void {
    const before = this.getState();
    if (!shallow({ ...before, ...change }, before)) this.#state.setState(change);
  }

  /** again: lines may stand otherwise now, and the cursor goes with its account · patch: each line stays where it stands. */
  #draw(how: "again" | "patch"): void {
    const asked = this.#asked;
    if (asked === null) return;
    const rows = [...this.#rows.values()];
    const shown = rows.filter((row) => asked.shows(row));
    const lines = linesOf(shown, (uuid) => this.#days.get(uuid) ?? null, asked.grouping, asked.order);
    if (how === "patch") for (const line of lines) this.#patchLine(line);
    else if (this.source.loading !== "idle") this.source.setPage(lines, { more: false, total: lines.length });
    else this.source.refresh(lines, { more: false, total: lines.length });
    this.#set({ count: shown.length });
    this.#tell();
  }

  #patchLine(line: LiveLine): void {
    const known = this.source.get(line.uuid);
    if (known !== undefined && !shallow(known, line) && JSON.stringify(known) !== JSON.stringify(line)) this.source.patch(line.uuid, line);
  }

  #tell(): void {
    const meta = this.#meta;
    if (meta === null) return;
    const rows = [...this.#rows.values()];
    const since = this.#deps.now() - minute;
    this.#changedAt = this.#changedAt.filter((at) => at > since);
    const count = (show: Show) => rows.filter((row) => isShown(row, show, meta)).length;
    const counts = { all: rows.length, attention: count("attention"), pays: count("pays"), takes: count("takes"), unread: count("unread") };
    const before = this.figures.getState();
    const same = shallow(before.counts, counts) && before.changes === this.#changedAt.length && shallow(before.rows, rows);
    if (!same) this.figures.setState({ rows, counts, changes: this.#changedAt.length });
  }
}
