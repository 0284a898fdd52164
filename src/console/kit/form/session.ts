import type { FieldLines } from "../../../contract/problems.ts";
import { newUuid } from "../../../values/uuid.ts";
import type { Conflict, FormDetail, FormRow, Side, Values } from "./conflict.ts";
import { conflictOf, settled, takeSide } from "./conflict.ts";
import type { Checked } from "./fields.ts";
import type { GivenSource } from "./given.ts";
import { GivenByField } from "./given.ts";
import { LinkedNames } from "./linked.ts";

/** Why a save did not go through, as the caller's own failures tell it. */
export interface Refusal {
  /** turned-back: the operator would not prove who they are, so nothing was refused · stale: another has saved meanwhile. */
  readonly kind: "turned-back" | "stale" | "refused";
  /** Field → what is wrong with it, of a 422. */
  readonly lines: FieldLines;
  /** A refusal without fields, in the operator's words. */
  readonly words: string;
  /** The server has judged it: what was sent surely did not count. */
  readonly judged: boolean;
}

export interface FormDeps {
  /** What would be sent, or what is wrong with it. */
  check(values: Values, version: number | null): Checked;
  send(body: Readonly<Record<string, unknown>>, idempotencyKey: string): Promise<FormRow>;
  /** The record as the server has it now; left out where it has no version, so that no other can be faster. */
  current?(): Promise<FormDetail>;
  valuesOf?(detail: FormDetail): Values;
  /** Whether a field is on the form. */
  shows(name: string): boolean;
  /** What a field that is not on the form is called; its own name where nothing else is known. */
  labelOf(name: string): string;
  refusalOf(error: unknown): Refusal;
  /** It is an act and no record: nothing stands afterwards that could be written over, so the same is sent again. */
  readonly isAct?: true;
  /** Where the fields come from that a chosen record brings along, by the field that holds their values. */
  readonly given?: Readonly<Record<string, GivenSource>>;
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
export type Saved = { readonly row: FormRow } | "unchanged" | "open";

/** One record being written: what was typed outlives every refusal and every other's change. */
export class FormSession {
  /** What the records are called that its references name. */
  readonly linked = new LinkedNames();
  readonly given: GivenByField;
  #deps: FormDeps;
  #base: Values;
  #version: number | null;
  #state: FormState;
  #listeners = new Set<() => void>();
  /** The last intent that may have counted without an answer; the same again is sent under its key. */
  #unanswered: { name: string; key: string } | null = null;

  /** `version` null: a new record. */
  constructor(deps: FormDeps, values: Values, version: number | null) {
    this.#deps = deps;
    this.#base = values;
    this.#version = version;
    this.#state = { values, lines: {}, others: [], saving: false, conflict: null, refusals: 0 };
    this.given = new GivenByField(deps.given ?? {}, () => this.#set({}));
    this.given.follow(values);
  }

  getState = (): FormState => this.#state;
  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  get isNew(): boolean {
    return this.#version === null;
  }

  /** What is written over: the record as it was begun with, or as the conflict was settled on. */
  get origin(): { readonly values: Values; readonly version: number | null } {
    return { values: this.#base, version: this.#version };
  }

  /** Whether closing would lose something. */
  get isChanged(): boolean {
    const { values, conflict } = this.#state;
    return conflict !== null || Object.keys(values).some((name) => values[name] !== this.#base[name]);
  }

  /** `within`: the path of the part that was written; its lines go, those of other parts stay. */
  write(name: string, value: string, within = name): void {
    const lines = Object.entries(this.#state.lines).filter(([path]) => path !== within && !path.startsWith(`${within}.`));
    this.#set({ values: { ...this.#state.values, [name]: value }, lines: Object.fromEntries(lines) });
    this.given.follow(this.#state.values);
  }

  /** Fields begin with these values, of which the form was told late: nobody has written them, so leaving loses nothing. */
  begin(values: Values): void {
    this.#base = { ...this.#base, ...values };
    this.#set({ values: { ...this.#state.values, ...values } });
    this.given.follow(this.#state.values);
  }

  /** What is wrong beside the fields has been read: something is being written against it. */
  dropOthers(): void {
    if (this.#state.others.length > 0) this.#set({ others: [] });
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
    this.given.follow(this.#state.values);
  }

  async save(): Promise<Saved> {
    if (this.#state.saving) return "open";
    const fromConflict = this.#state.conflict;
    this.settle();
    if (!this.isNew && !this.isChanged) return fromConflict ? { row: fromConflict.row } : "unchanged";
    const written = this.#state.values;
    const values = this.given.kept(written);
    const checked = this.#deps.check(values, this.#version);
    const givenLines = this.given.check(values);
    if ("lines" in checked || Object.keys(givenLines).length > 0)
      return this.#refuse({ ...("lines" in checked && checked.lines), ...givenLines });
    this.#set({ saving: true, lines: {}, others: [] });
    try {
      const row = await this.#sent(checked.body);
      // what was saved is lost to nobody who leaves
      if (this.#deps.isAct !== true) [this.#base, this.#version] = [written, row.version];
      return { row };
    } catch (error) {
      const { kind, lines, words } = this.#deps.refusalOf(error);
      if (kind === "turned-back") return this.#refuse({});
      if (kind === "stale") return await this.#overtaken(words);
      return Object.keys(lines).length > 0 ? this.#refuse(lines) : this.#refuse({}, [words]);
    } finally {
      this.#set({ saving: false });
    }
  }

  async #sent(body: Readonly<Record<string, unknown>>): Promise<FormRow> {
    const name = JSON.stringify(body);
    const key = this.#unanswered?.name === name ? this.#unanswered.key : newUuid();
    this.#unanswered = { name, key };
    try {
      const row = await this.#deps.send(body, key);
      this.#unanswered = null;
      return row;
    } catch (error) {
      if (this.#deps.refusalOf(error).judged) this.#unanswered = null;
      throw error;
    }
  }

  /** Another was faster: both sides are shown, unless they wrote the same. */
  async #overtaken(said: string): Promise<Saved> {
    const { current, valuesOf } = this.#deps;
    if (current === undefined || valuesOf === undefined) return this.#refuse({}, [said]);
    try {
      const detail = await current();
      const conflict = conflictOf(this.#base, this.#state.values, valuesOf(detail), detail);
      if (conflict.differences.length === 0) return { row: detail.row };
      this.#set({ conflict });
      return "open";
    } catch (error) {
      return this.#refuse({}, [this.#deps.refusalOf(error).words]);
    }
  }

  #refuse(found: FieldLines, more: readonly string[] = []): Saved {
    const shown = Object.entries(found).filter(([name]) => this.#deps.shows(name));
    const rest = Object.entries(found).filter(([name]) => !this.#deps.shows(name));
    this.#set({
      lines: Object.fromEntries(shown),
      others: [...more, ...rest.flatMap(([name, lines]) => lines.map((line) => `${this.#deps.labelOf(name)}: ${line}`))],
      refusals: this.#state.refusals + 1,
    });
    return "open";
  }

  #set(change: Partial<FormState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}
