import type { QueryClient } from "@tanstack/react-query";
import { settingRoutes } from "../../../contract/settings.ts";
import type { TenantSettingDetail } from "../../../contract/settings.ts";
import type { Api } from "../../api/api.ts";
import type { DraftPlace } from "../../api/drafts.ts";
import { refusalOf } from "../../api/refusal.ts";
import type { Values } from "../../kit/form/conflict.ts";
import { FormSession } from "../../kit/form/session.ts";
import type { Services } from "../../kit/commands/services.ts";
import { text } from "../../kit/texts/texts.ts";
import { CurrencyWork } from "./currency-work.ts";
import type { Restored } from "./setting-draft.ts";
import { draftOf, readDraft, restored } from "./setting-draft.ts";
import { checkSettings, fieldLabel, settingTexts } from "./setting-fields.ts";
import { discardQuestion } from "../../kit/sheets/questions.ts";

export interface SettingState {
  readonly session: FormSession;
  /** What is in force. */
  readonly detail: TenantSettingDetail;
  /** Changes kept over a reload, and how many of their fields another has changed meanwhile; null where none were. */
  readonly kept: { readonly count: number; readonly moved: number } | null;
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
  readonly #place: DraftPlace;
  #base: Values = {};
  #keptSaid = false;
  #state: SettingState | null = null;
  #listeners = new Set<() => void>();

  constructor(tenant: string, user: string, needs: WorkNeeds) {
    this.tenant = tenant;
    this.user = user;
    this.#needs = needs;
    this.currencies = new CurrencyWork(addingBy(needs));
    this.#place = needs.api.drafts.of({ tenant, user }, "setting");
    this.currencies.subscribe(() => this.#keepDraft());
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
    if (this.#state === null) this.#restore(detail);
    else this.#open(detail);
  }

  /** The first time since the page was loaded: what was typed before is there again. */
  #restore(detail: TenantSettingDetail): void {
    const draft = readDraft(this.#place.read());
    const found = draft && restored(draft, settingTexts(detail.row), detail.row.version);
    const currency = draft?.currency ?? null;
    if (currency !== null) this.currencies.restore(currency);
    const count = Object.keys(found?.typed ?? {}).length + (currency === null ? 0 : 1);
    this.#open(detail, found, count === 0 ? null : { count, moved: found?.moved ?? 0 });
  }

  /** Once, to whoever may change them. */
  sayKept(): void {
    const { kept } = this.#state ?? {};
    if (kept != null && !this.#keptSaid) this.#needs.services.say("setting.kept", { count: kept.count });
    this.#keptSaid = true;
  }

  /** As the form's texts. */
  get inForce(): Values {
    return this.#base;
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

  #keepDraft(): void {
    if (this.#state === null) return;
    const { session } = this.#state;
    const { values: was, version } = session.origin;
    this.#place.keep(draftOf(this.changes(), { was, version, values: session.getState().values }, this.currencies.draft));
  }

  #keep(detail: TenantSettingDetail): void {
    this.#base = settingTexts(detail.row);
    this.#needs.queries.setQueryData(this.#needs.key, { data: detail });
  }

  #open(detail: TenantSettingDetail, draft: Restored | null = null, kept: SettingState["kept"] = null): void {
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
        valuesOf: ({ row }) => settingTexts(row as TenantSettingDetail["row"]), // the row is the settings' own: `current` answered it
        shows: (name) => name in this.#base,
        labelOf: (name) => fieldLabel(text, name),
        refusalOf,
      },
      draft?.was ?? this.#base,
      draft?.version ?? detail.row.version,
    );
    for (const [name, value] of Object.entries(draft?.typed ?? {})) session.write(name, value);
    session.subscribe(() => {
      this.#keepDraft();
      this.#tell();
    });
    this.#state = { session, detail, kept };
    this.#keepDraft();
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
  if (kept === null || kept.tenant !== tenant || kept.user !== user) {
    kept = new SettingWork(tenant, user, needs);
    const done = needs.api.drafts.onDrop(() => {
      kept = null;
      done();
    });
  }
  return kept;
}
