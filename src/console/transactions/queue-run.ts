import type { DecisionRow } from "../../contract/decisions.ts";
import { isOpen } from "../../contract/transactions.ts";
import { money, moneyText } from "../../values/money.ts";
import type { QueueDesk } from "../kit/commands/desks.ts";

/** What a run through the queue has come to. */
export interface Tally {
  readonly approved: number;
  readonly rejected: number;
  readonly deferred: number;
  /** Sum of what was approved, decimal text. */
  readonly sum: string;
}

export interface QueueState {
  readonly active: boolean;
  /** Nothing free was left when the next was asked for. */
  readonly ended: boolean;
  readonly tally: Tally;
}

export interface QueueDeps<Row, Detail> {
  readonly me: string;
  /** Claims the oldest free one but for `skip`; "refused": why was said. */
  takeNext(skip: readonly string[]): Promise<Detail | "none" | "refused">;
  /** Gives claims back that were not decided. */
  release(rows: readonly Row[]): Promise<void>;
  /** Puts a claimed record under the cursor, its detail with it. */
  show(detail: Detail): void;
  /** The row as the list has it. */
  row(uuid: string): Row | undefined;
  goTo(uuid: string): void;
  /** The view the queue is worked in, without filters. */
  openView(): void;
  left(released: number): void;
  ended(tally: Tally): void;
}

/** Ids one request passes over at most. */
const mostSkipped = 100;

const nothing: Tally = { approved: 0, rejected: 0, deferred: 0, sum: "0.00" };

/** Queue mode: one item claimed after another, the next as soon as one is decided or put off. */
export class QueueRun<Row extends DecisionRow, Detail extends { readonly row: Row }> implements QueueDesk {
  readonly #deps: QueueDeps<Row, Detail>;
  #state: QueueState = { active: false, ended: false, tally: nothing };
  #listeners = new Set<() => void>();
  /** Claimed in this run and still held, in order, as last known. */
  #held = new Map<string, Row>();
  /** Given back in this run: the next one is another. */
  #skipped = new Set<string>();
  #current: string | null = null;
  #taking = false;
  /** An act that lets go of every claim is under way: nothing is taken, and nothing given back by the run itself. */
  #ending = false;

  constructor(deps: QueueDeps<Row, Detail>) {
    this.#deps = deps;
  }

  getState = (): QueueState => this.#state;
  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  get active(): boolean {
    return this.#state.active;
  }

  enter(): void {
    if (this.active) return;
    this.#set({ active: true, ended: false, tally: nothing });
    this.#skipped.clear();
    this.#deps.openView();
    this.next();
  }

  leave(): void {
    if (!this.active) return;
    const rows = this.#heldRows();
    this.#held.clear();
    this.#current = null;
    this.#set({ active: false, ended: false });
    this.#deps.left(rows.length);
    if (rows.length > 0) void this.#deps.release(rows);
  }

  /**
   * Ends the run by an act that lets go of the claims itself, and returns what the act does.
   * When the act fails, its error is thrown and the run goes on with what is still held.
   */
  async endBy<T>(act: () => Promise<T>): Promise<T> {
    if (!this.active || this.#ending) return act();
    this.#ending = true;
    try {
      const done = await act();
      this.#held.clear();
      this.#current = null;
      this.#set({ active: false, ended: false });
      return done;
    } finally {
      this.#ending = false;
      if (this.active && this.#current === null && !this.#state.ended) void this.#take();
    }
  }

  next(): void {
    if (!this.active) return void this.enter();
    void this.#take();
  }

  previous(): void {
    const held = this.#heldRows().map(({ uuid }) => uuid);
    const at = this.#current === null ? held.length : held.indexOf(this.#current);
    const to = held[(at < 0 ? held.length : at) - 1];
    if (to === undefined) return;
    this.#current = to;
    this.#deps.goTo(to);
  }

  /** Rows as acts of this page left them. */
  took(rows: readonly Row[]): void {
    if (!this.active) return;
    for (const row of rows) {
      if (this.#isHeld(row)) {
        const isNew = !this.#held.has(row.uuid);
        this.#held.set(row.uuid, row);
        // recalled, or taken by hand: it is the one to look at; one held before is changed beside what is looked at
        if (isNew && row.uuid !== this.#current) {
          if (row.status === "process" && this.#tallied.has(row.uuid)) this.#untally(row.uuid);
          this.#current = row.uuid;
          this.#deps.goTo(row.uuid);
        }
        continue;
      }
      if (!this.#held.delete(row.uuid) && row.uuid !== this.#current) continue;
      if (isOpen(row) && row.first_approved_by === null) this.#skipped.add(row.uuid);
      this.#count(row);
      if (row.uuid === this.#current) {
        this.#current = null;
        void this.#take();
      }
    }
  }

  /** Another has taken it over: it counts for nothing here, and the next comes where it was the one to decide. */
  lost(uuid: string): void {
    if (!this.active || !this.#held.delete(uuid)) return;
    if (uuid !== this.#current) return;
    this.#current = null;
    void this.#take();
  }

  /** Claimed in this run and not decided since, in the order they were taken; of those the list does not show, as last known. */
  #heldRows(): Row[] {
    return [...this.#held.values()].map((row) => this.#deps.row(row.uuid) ?? row).filter((row) => this.#isHeld(row));
  }

  #isHeld(row: Row): boolean {
    return isOpen(row) && row.claim?.user === this.#deps.me;
  }

  async #take(): Promise<void> {
    if (this.#taking || this.#ending) return;
    this.#taking = true;
    try {
      const skip = [...this.#skipped].slice(-mostSkipped);
      let taken = await this.#deps.takeNext(skip);
      // only what was given back is left
      if (taken === "none" && skip.length > 0 && this.active && !this.#ending) taken = await this.#deps.takeNext([]);
      if (!this.active || this.#ending) {
        if (typeof taken === "object") void this.#deps.release([taken.row]);
        return;
      }
      if (taken === "refused") return;
      if (taken === "none") {
        this.#set({ ended: true });
        this.#deps.ended(this.#state.tally);
        return;
      }
      this.#held.set(taken.row.uuid, taken.row);
      this.#current = taken.row.uuid;
      this.#set({ ended: false });
      this.#deps.show(taken);
    } finally {
      this.#taking = false;
    }
  }

  // ── what the run has come to ──

  #tallied = new Map<string, Row>();

  #count(row: Row): void {
    const { tally } = this.#state;
    this.#tallied.set(row.uuid, row);
    if (row.status === "rejected") this.#set({ tally: { ...tally, rejected: tally.rejected + 1 } });
    else if (isOpen(row) && row.first_approved_by === null) this.#set({ tally: { ...tally, deferred: tally.deferred + 1 } });
    else this.#set({ tally: { ...tally, approved: tally.approved + 1, sum: moneyText(money(tally.sum) + money(row.amount)) } });
  }

  /** An approval taken back. */
  #untally(uuid: string): void {
    const row = this.#tallied.get(uuid);
    this.#tallied.delete(uuid);
    const { tally } = this.#state;
    if (row?.status === "approved")
      this.#set({ tally: { ...tally, approved: tally.approved - 1, sum: moneyText(money(tally.sum) - money(row.amount)) } });
  }

  #set(change: Partial<QueueState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}
