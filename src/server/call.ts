import type { Language } from "../contract/settings.ts";
import type { Logger } from "./log.ts";
import type { Config, RealtimeConfig } from "./config.ts";
import type { SweepRecord } from "./jobs/record.ts";
import type { Database } from "./db/scope.ts";
import type { Publisher } from "./realtime/publish.ts";
import type { SecretBox } from "./secrets/secrets.ts";

/** What every handler and sweep works with; built once in start.ts. */
export interface Deps {
  readonly config: Config;
  readonly realtime: RealtimeConfig;
  readonly database: Database;
  readonly secrets: SecretBox;
  readonly publisher: Publisher;
  readonly log: Logger;
  readonly sweeps: SweepRecord;
}

export interface CurrencyFacts {
  readonly minorDigits: number;
  readonly zoneMinutes: number;
}

/** Who asks: staff in one tenant, or a merchant by a signed request. */
export type Caller =
  | {
      readonly kind: "user";
      readonly id: string;
      readonly name: string;
      readonly session: string;
      readonly groups: readonly string[];
      readonly permissions: ReadonlySet<string>;
    }
  | { readonly kind: "merchant"; readonly id: string; readonly name: string; readonly currency: string };

/** One request under its tenant. */
export interface Call<C extends Caller = Caller> {
  readonly deps: Deps;
  readonly caller: C;
  readonly tenant: string;
  /** Of X-Currency, checked against the tenant's; "" on routes that concern no currency. */
  readonly currency: string;
  readonly currencyFacts: CurrencyFacts;
  readonly ip: string;
  /** The client's own name of itself; "" without one. */
  readonly agent: string;
  readonly requestId: string;
  /** That the answer is to speak. */
  readonly language: Language;
  /** null only on routes where none is required. */
  readonly idempotencyKey: string | null;
  /** sha256 over method, path and the canonical body. */
  readonly fingerprint: Buffer;
  /** Aborted when the client has gone before its answer. */
  readonly gone: AbortSignal;
  /** Whether the answer is due, or nobody waits for it any more: what is not begun by then is not begun. */
  isDue(): boolean;
}

export type StaffCall = Call<Extract<Caller, { kind: "user" }>>;
export type MerchantCall = Call<Extract<Caller, { kind: "merchant" }>>;

/** A request nobody need be signed in for. */
export interface PublicCall {
  readonly deps: Deps;
  readonly ip: string;
  readonly agent: string;
  readonly requestId: string;
  /** That the answer is to speak. */
  readonly language: Language;
  /** The binding cookie's value, when the browser sent one. */
  readonly binding: string | null;
  /** Whether a browser asks: its tokens are bound to a cookie. */
  readonly fromBrowser: boolean;
  /** Aborted when the client has gone before its answer. */
  readonly gone: AbortSignal;
  /** Sets or clears the binding cookie on the answer. */
  bind(value: string | null): void;
}
