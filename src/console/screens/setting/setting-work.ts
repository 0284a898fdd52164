import type { QueryClient } from "@tanstack/react-query";
import { settingRoutes } from "../../../contract/settings.ts";
import type { TenantSettingDetail } from "../../../contract/settings.ts";
import type { Api } from "../../api/api.ts";
import { describeFailure } from "../../api/failure.ts";
import type { Values } from "../../entity/conflict.ts";
import type { RecordRow } from "../../entity/entity.ts";
import { FormSession } from "../../entity/form-session.ts";
import type { Services } from "../../kit/services.ts";
import { problemText, text } from "../../kit/texts.ts";
import { CurrencyWork } from "./currency-work.ts";
import { checkSettings, settingTexts } from "./setting-fields.ts";
import { discardQuestion } from "../../kit/questions.ts";

export interface SettingState {
  readonly session: FormSession;
  /** What is in force. */
  readonly detail: TenantSettingDetail;
}

export interface WorkNeeds {
  readonly api: Api;
  readonly services: Services;
  readonly queries: QueryClient;
  readonly key: readonly unknown[];
  /** Under which the tenant's currencies are kept. */
  readonly currenciesKey: readonly unknown[];
}

/** The settings of one tenant being written. It outlives the screen: what was typed is there again after a look elsewhere. */
export class SettingWork {
  readonly tenant: string;
  readonly user: string;
  /** A currency being added, which outlives the screen alike. */
  readonly currencies: CurrencyWork;
  #needs: WorkNeeds;
  #base: Values = {};
  #state: SettingState | null = null;
  #listeners = new Set<() => void>();

  constructor(tenant: string, user: string, needs: WorkNeeds) {
    this.tenant = tenant;
    this.user = user;
    this.#needs = needs;
    this.currencies = new CurrencyWork(addingBy(needs));
  }

  /** The screen as it has just been drawn. */
  draw(needs: WorkNeeds): void {
    this.#needs = needs;
    this.currencies.draw(addingBy(needs));
  }

  getState = (): SettingState | null => this.#state;
  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Takes over what was read, unless something is being written: then saving shows both sides. */
  take(detail: TenantSettingDetail): void {
    if (this.#state?.session.isChanged || this.#state?.session.getState().saving) return;
    if (this.#state?.detail === detail) return;
    this.#open(detail);
  }

  isChangedAt = (name: string): boolean => {
    const values = this.#state?.session.getState().values ?? {};
    return (values[name] ?? "") !== (this.#base[name] ?? "");
  };

  changes(): string[] {
    return Object.keys(this.#state?.session.getState().values ?? {}).filter(this.isChangedAt);
  }

  /** Mod+Enter. */
  async save(): Promise<void> {
    const { api, services } = this.#needs;
    const session = this.#state?.session;
    const count = this.changes().length;
    const saved = await session?.save();
    if (saved === undefined || saved === "open") return;
    const detail = this.#known();
    if (detail) this.#open(detail);
    services.say(saved === "unchanged" ? "record.said.unchanged" : "setting.said.saved", { count }, "done");
    void api.session.reloadConfig();
  }

  /** Nothing typed is lost unasked. */
  async discard(): Promise<void> {
    const { services } = this.#needs;
    if (this.#state === null || this.#state.session.getState().saving || this.currencies.getState().saving) return;
    if (this.#state.session.isChanged || this.currencies.isWritten) {
      const sure = await services.ask("confirm", discardQuestion);
      if (sure !== true) return;
    }
    this.currencies.clear();
    this.#open(this.#known() ?? this.#state.detail);
  }

  #known(): TenantSettingDetail | undefined {
    return this.#needs.queries.getQueryData<{ data: TenantSettingDetail }>(this.#needs.key)?.data;
  }

  #keep(detail: TenantSettingDetail): void {
    this.#base = settingTexts(detail.row);
    this.#needs.queries.setQueryData(this.#needs.key, { data: detail });
  }

  #open(detail: TenantSettingDetail): void {
    const { call } = this.#needs.api;
    this.#base = settingTexts(detail.row);
    const session = new FormSession(
      {
        check: (values, version) => checkSettings(text, values, version),
        send: async (body, idempotencyKey) => {
          // the body has just been read by the route's own schema
          const sent = { body: body as { version: number } };
          const { data } = await call(settingRoutes.updateSettings, sent, { quiet: true, idempotencyKey });
          this.#keep(data);
          return data.row;
        },
        current: async () => {
          const { data } = await call(settingRoutes.readSettings, {}, { background: true });
          this.#keep(data);
          return data;
        },
        valuesOf: (row: RecordRow) => settingTexts(row as TenantSettingDetail["row"]), // the row is the settings' own: `current` answered it
        shows: (name) => name in this.#base,
        wordsOf(failure) {
          const { text: words } = describeFailure(failure, { text, problem: problemText });
          return failure.requestId === null ? words : `${words} (${failure.requestId})`;
        },
      },
      this.#base,
      detail.row.version,
    );
    session.subscribe(() => this.#tell());
    this.#state = { session, detail };
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** A currency added changes the settings, too: it has a tier there. */
const addingBy = ({ key, currenciesKey, ...needs }: WorkNeeds) => ({ ...needs, keys: [currenciesKey, key] });

let kept: SettingWork | null = null;

/** The one under way for this person in this tenant, else a new one. */
export function settingWork(tenant: string, user: string, needs: WorkNeeds): SettingWork {
  if (kept === null || kept.tenant !== tenant || kept.user !== user) kept = new SettingWork(tenant, user, needs);
  return kept;
}
