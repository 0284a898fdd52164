import type { FieldLines } from "../../contract/problems.ts";
import { newUuid } from "../../values/uuid.ts";
import { CallFailure } from "../api/failure.ts";
import type { Conflict, Side, Values } from "./conflict.ts";
import { conflictOf, settled, takeSide } from "./conflict.ts";
import type { RecordDetail, RecordRow } from "./entity.ts";
import type { Checked } from "./form-fields.ts";

export interface FormDoors {
  /** What would be sent, or what is wrong with it. */
  check(values: Values, version: number | null): Checked;
  send(body: Readonly<Record<string, unknown>>, idempotencyKey: string): Promise<RecordRow>;
  /** The record as the server has it now. */
  current(): Promise<RecordDetail>;
  valuesOf(row: RecordRow): Values;
  /** Whether a field is on the form. */
  shows(name: string): boolean;
  /** A refusal without fields, in the operator's words. */
  wordsOf(failure: CallFailure): string;
}

export interface FormState {
  readonly values: Values;
  /** Field → what is wrong with it. */
  readonly lines: FieldLines;
  /** What is wrong beside the fields shown. */
  readonly others: readonly string[];
  readonly saving: boolean;
  readonly conflict: Conflict | null;
  /** Grows with each refusal: the focus then goes to the first field that is wrong. */
  readonly refusals: number;
}

/** What became of a save: closed with the row, or still open for the reason on it. */
export type Saved = { readonly row: RecordRow } | "unchanged" | "open";

/** One record being written: what was typed outlives every refusal and every other's change. */
export class FormSession {
  #doors: FormDoors;
  #base: Values;
  #version: number | null;
  #state: FormState;
  #listeners = new Set<() => void>();
  /** The last intent that may have counted without an answer; the same again is sent under its key. */
  #unanswered: { name: string; key: string } | null = null;

  /** `version` null: a new record. */
  constructor(doors: FormDoors, values: Values, version: number | null) {
    this.#doors = doors;
    this.#base = values;
    this.#version = version;
    this.#state = { values, lines: {}, others: [], saving: false, conflict: null, refusals: 0 };
  }

  getState = (): FormState => this.#state;
  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  get isNew(): boolean {
    return this.#version === null;
  }

  /** Whether closing would lose something. */
  get isChanged(): boolean {
    const { values, conflict } = this.#state;
    return conflict !== null || Object.keys(values).some((name) => values[name] !== this.#base[name]);
  }

  write(name: string, value: string): void {
    const { [name]: _, ...lines } = this.#state.lines;
    this.#set({ values: { ...this.#state.values, [name]: value }, lines });
  }

  take(side: Side, name?: string): void {
    const { conflict } = this.#state;
    if (conflict) this.#set({ conflict: takeSide(conflict, side, name) });
  }

  /** Out of the two sides into the form, with what was taken; from now on it is written over theirs. */
  settle(): void {
    const { conflict, values } = this.#state;
    if (!conflict) return;
    this.#base = conflict.theirs;
    this.#version = conflict.row.version;
    this.#set({ values: settled(conflict, values), conflict: null });
  }

  async save(): Promise<Saved> {
    if (this.#state.saving) return "open";
    const fromConflict = this.#state.conflict;
    this.settle();
    if (!this.isNew && !this.isChanged) return fromConflict ? { row: fromConflict.row } : "unchanged";
    const checked = this.#doors.check(this.#state.values, this.#version);
    if ("lines" in checked) return this.#refuse(checked.lines);
    this.#set({ saving: true, lines: {}, others: [] });
    try {
      return { row: await this.#sent(checked.body) };
    } catch (error) {
      const failure = error instanceof CallFailure ? error : new CallFailure("unexpected", { message: String(error) });
      // the user turned back from proving who they are: nothing was refused
      if (failure.kind === "aborted") return this.#refuse({});
      if (failure.code === "record.stale") return await this.#overtaken();
      const lines = failure.status === 422 ? fieldLines(failure.data) : {};
      return Object.keys(lines).length > 0 ? this.#refuse(lines) : this.#refuse({}, [this.#doors.wordsOf(failure)]);
    } finally {
      this.#set({ saving: false });
    }
  }

  async #sent(body: Readonly<Record<string, unknown>>): Promise<RecordRow> {
    const name = JSON.stringify(body);
    const key = this.#unanswered?.name === name ? this.#unanswered.key : newUuid();
    this.#unanswered = { name, key };
    try {
      const row = await this.#doors.send(body, key);
      this.#unanswered = null;
      return row;
    } catch (error) {
      if (error instanceof CallFailure && error.status > 0 && error.status < 500) this.#unanswered = null;
      throw error;
    }
  }

  /** Another was faster: both sides are shown, unless they wrote the same. */
  async #overtaken(): Promise<Saved> {
    try {
      const detail = await this.#doors.current();
      const conflict = conflictOf(this.#base, this.#state.values, this.#doors.valuesOf(detail.row), detail);
      if (conflict.differences.length === 0) return { row: detail.row };
      this.#set({ conflict });
      return "open";
    } catch (error) {
      return this.#refuse({}, [this.#doors.wordsOf(error instanceof CallFailure ? error : new CallFailure("unexpected"))]);
    }
  }

  #refuse(found: FieldLines, more: readonly string[] = []): Saved {
    const shown = Object.entries(found).filter(([name]) => this.#doors.shows(name));
    const rest = Object.entries(found).filter(([name]) => !this.#doors.shows(name));
    this.#set({
      lines: Object.fromEntries(shown),
      others: [...more, ...rest.flatMap(([name, lines]) => lines.map((line) => `${name}: ${line}`))],
      refusals: this.#state.refusals + 1,
    });
    return "open";
  }

  #set(change: Partial<FormState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

/** A 422's map of field → lines; empty when it is none. */
function fieldLines(data: unknown): FieldLines {
  if (typeof data !== "object" || data === null || Array.isArray(data)) return {};
  return Object.fromEntries(
    Object.entries(data).flatMap(([name, lines]) => {
      const texts = (Array.isArray(lines) ? lines : [lines]).filter((line) => typeof line === "string");
      return texts.length > 0 ? [[name, texts]] : [];
    }),
  );
}
