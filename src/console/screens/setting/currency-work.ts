import type { QueryClient } from "@tanstack/react-query";
import { currencyRoutes, NewCurrency } from "../../../contract/currencies.ts";
import type { FieldLines } from "../../../contract/problems.ts";
import { currencyName, isCurrency } from "../../../values/currencies.ts";
import { newUuid } from "../../../values/uuid.ts";
import { defaultZone } from "../../../values/zones.ts";
import type { Api } from "../../api/api.ts";
import { CallFailure, describeFailure } from "../../api/failure.ts";
import type { Services } from "../../kit/services.ts";
import { problemText, ruleText, text } from "../../kit/texts.ts";

/** What a new currency is given, in the order of the form. */
export const currencyFields = ["code", "name", "country", "zone"] as const;
export type CurrencyField = (typeof currencyFields)[number];
export type CurrencyDraft = Readonly<Record<CurrencyField, string>>;

export interface CurrencyState {
  readonly draft: CurrencyDraft;
  readonly lines: FieldLines;
  /** Why it was not added, where that is at no field. */
  readonly other: string | null;
  readonly saving: boolean;
  /** Grows with each refusal: the focus then goes to the first field that is wrong. */
  readonly refusals: number;
}

interface Needs {
  readonly api: Api;
  readonly services: Services;
  readonly queries: QueryClient;
  /** Under which the tenant's currencies and its settings are kept. */
  readonly keys: readonly (readonly unknown[])[];
}

const empty: CurrencyDraft = { code: "", name: "", country: "", zone: defaultZone };

/** A currency being added to the tenant. */
export class CurrencyWork {
  #needs: Needs;
  #state: CurrencyState = { draft: empty, lines: {}, other: null, saving: false, refusals: 0 };
  #listeners = new Set<() => void>();
  /** Of an intent that may have counted without an answer. */
  #unanswered: { name: string; key: string } | null = null;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  draw(needs: Needs): void {
    this.#needs = needs;
  }

  getState = (): CurrencyState => this.#state;
  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  get isWritten(): boolean {
    return currencyFields.some((field) => this.#state.draft[field] !== empty[field]);
  }

  /** A code that is a currency's brings its name along, while none was written. */
  write(field: CurrencyField, value: string): void {
    const { draft, lines } = this.#state;
    const code = field === "code" ? value.trim().toUpperCase() : draft.code;
    const named = field === "code" && isCurrency(code) && (draft.name === "" || draft.name === nameOf(draft.code));
    const { [field]: _, ...others } = lines;
    this.#set({ draft: { ...draft, [field]: field === "code" ? code : value, ...(named && { name: currencyName(code) }) }, lines: others });
  }

  /** Mod+Enter in its section. */
  async add(): Promise<void> {
    const { api, services, queries, keys } = this.#needs;
    if (this.#state.saving) return;
    const read = NewCurrency.safeParse(this.#state.draft);
    if (!read.success) {
      const lines: FieldLines = {};
      for (const { path, code, message } of read.error.issues) {
        lines[String(path[0])] ??= [code === "too_small" ? text("record.rule.required") : ruleText(message)];
      }
      return this.#refuse(lines);
    }
    const name = JSON.stringify(read.data);
    const key = this.#unanswered?.name === name ? this.#unanswered.key : newUuid();
    this.#unanswered = { name, key };
    this.#set({ saving: true, other: null });
    try {
      await api.call(currencyRoutes.addCurrency, { body: read.data }, { idempotencyKey: key, quiet: true });
      this.#unanswered = null;
      services.say("setting.said.currency-added", { code: read.data.code }, "done");
      this.#set({ draft: empty, lines: {} });
      await Promise.all([...keys.map((queryKey) => queries.invalidateQueries({ queryKey })), api.session.reloadConfig()]);
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      if (error.status > 0 && error.status < 500) this.#unanswered = null;
      const data = error.status === 422 && typeof error.data === "object" ? (error.data as FieldLines | null) : null; // a 422's data is field → lines
      if (data === null) this.#set({ other: describeFailure(error, { text, problem: problemText }).text });
      else this.#refuse(Object.fromEntries(Object.entries(data).map(([field, lines]) => [field, lines.map(ruleText)])));
    } finally {
      this.#set({ saving: false });
    }
    return undefined;
  }

  clear(): void {
    this.#set({ draft: empty, lines: {}, other: null });
  }

  #refuse(lines: FieldLines): void {
    this.#set({ lines, refusals: this.#state.refusals + 1 });
  }

  #set(change: Partial<CurrencyState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

const nameOf = (code: string): string => (isCurrency(code) ? currencyName(code) : "");
