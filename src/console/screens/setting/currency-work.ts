import type { QueryClient } from "@tanstack/react-query";
import { currencyRoutes } from "../../../contract/currencies.ts";
import type { NewCurrency } from "../../../contract/currencies.ts";
import { currencyName, isCurrency } from "../../../values/currencies.ts";
import { defaultZone } from "../../../values/zones.ts";
import type { Api } from "../../api/api.ts";
import { refusalOf } from "../../api/refusal.ts";
import type { Services } from "../../kit/commands/services.ts";
import { bodyForm } from "../../kit/form/body-form.ts";
import type { FormField } from "../../kit/form/fields.ts";
import type { FormWords } from "../../kit/form/rules.ts";
import { ruleSayer } from "../../kit/form/rules.ts";
import type { FormSession, FormState } from "../../kit/form/session.ts";
import { hasText, text } from "../../kit/texts/texts.ts";

/** What a new currency is given, in the order of the form. */
export const currencyFields = ["code", "name", "country", "zone"] as const;
export type CurrencyDraft = Readonly<Record<(typeof currencyFields)[number], string>>;

interface Needs {
  readonly api: Api;
  readonly services: Services;
  readonly queries: QueryClient;
  /** Under which the tenant's currencies and its settings are kept. */
  readonly keys: readonly (readonly unknown[])[];
}

const empty: CurrencyDraft = { code: "", name: "", country: "", zone: defaultZone };

export const currencyWords = (t: typeof text): FormWords => ({
  label(name) {
    const key = `setting.field.currency.${name}`;
    return hasText(key) ? t(key) : name;
  },
  hint: () => null,
  choice: (_, value) => value,
});

/** A currency being added to the tenant: one form session after the other. */
export class CurrencyWork {
  #needs: Needs;
  #form: { readonly fields: readonly FormField[]; readonly session: FormSession };
  #listeners = new Set<() => void>();

  constructor(needs: Needs) {
    this.#needs = needs;
    this.#form = this.#begin();
  }

  draw(needs: Needs): void {
    this.#needs = needs;
  }

  getState = (): FormState => this.#form.session.getState();
  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** None is marked as one to fill in, because no currency need be added. */
  get fields(): readonly FormField[] {
    return this.#form.fields.map((field) => ({ ...field, required: false }));
  }

  get linked(): FormSession["linked"] {
    return this.#form.session.linked;
  }

  get isWritten(): boolean {
    return this.#form.session.isChanged;
  }

  /** What is written and not added; null: nothing. */
  get draft(): CurrencyDraft | null {
    return this.isWritten ? { ...empty, ...this.getState().values } : null;
  }

  /** A code that is a currency's brings its name along, while none was written. */
  write(field: string, value: string): void {
    const { session } = this.#form;
    if (field !== "code") return session.write(field, value);
    const { code: before = "", name } = this.getState().values;
    const code = value.trim().toUpperCase();
    session.write("code", code);
    if (isCurrency(code) && (name === "" || name === nameOf(before))) session.write("name", currencyName(code));
  }

  /** Mod+Enter in its section; whether it was added. */
  async add(): Promise<boolean> {
    const { api, services, queries, keys } = this.#needs;
    const { code = "" } = this.getState().values;
    if ((await this.#form.session.save()) === "open") return false;
    services.say("setting.said.currency-added", { code }, "done");
    this.clear();
    await Promise.all([...keys.map((queryKey) => queries.invalidateQueries({ queryKey })), api.session.reloadConfig()]);
    return true;
  }

  /** As it was kept over a reload. */
  restore(draft: CurrencyDraft): void {
    for (const field of currencyFields) this.#form.session.write(field, draft[field]);
  }

  clear(): void {
    this.#form = this.#begin();
    this.#tell();
  }

  #begin() {
    const form = bodyForm({
      schema: currencyRoutes.addCurrency.body,
      values: empty,
      isNew: true,
      say: ruleSayer(text, () => null),
      labelOf: currencyWords(text).label,
      refusalOf,
      send: async (body, idempotencyKey) => {
        const sent = { body: body as NewCurrency }; // the route's own schema has just read it
        await this.#needs.api.call(currencyRoutes.addCurrency, sent, { idempotencyKey, quiet: true });
      },
    });
    // one that was let go tells nobody any more
    form.session.subscribe(() => form === this.#form && this.#tell());
    return form;
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

const nameOf = (code: string): string => (isCurrency(code) ? currencyName(code) : "");
