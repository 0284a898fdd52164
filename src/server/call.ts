import type { Language } from "../contract/languages.ts";
import type { Logger } from "./log.ts";
import type { Config, RealtimeConfig } from "./config.ts";
import type { JobQueue } from "./jobs/queue.ts";
import type { SweepRecord } from "./jobs/record.ts";
import type { Database } from "./db/scope.ts";
import type { FileStore } from "./files/store.ts";
import type { Publisher } from "./realtime/publish.ts";
import type { ReadFigures } from "./preferences/pin-figures.ts";
import type { SecretBox } from "./secrets/secrets.ts";
import type { SharedReads } from "./shared-reads.ts";

/** The dependencies of handlers and sweeps; built once in start.ts. */
export interface Deps {
  readonly config: Config;
  readonly realtime: RealtimeConfig;
  readonly database: Database;
  readonly secrets: SecretBox;
  readonly files: FileStore;
  readonly jobs: JobQueue;
  readonly publisher: Publisher;
  readonly log: Logger;
  readonly sweeps: SweepRecord;
  /** Of the lists of pinned views. */
  readonly figures: SharedReads<ReadFigures>;
}

export interface CurrencyFacts {
  readonly minorDigits: number;
  readonly zoneMinutes: number;
}

/** The caller: staff in one tenant; by a signed request a merchant, or a forwarder of a payment account's bank notices. */
export type Caller =
  | {
      readonly kind: "user";
      readonly id: string;
      readonly name: string;
      readonly session: string;
      readonly groups: readonly string[];
      readonly permissions: ReadonlySet<string>;
    }
  | { readonly kind: "merchant"; readonly id: string; readonly name: string; readonly currency: string }
  /** `id` and `name` are the account's. */
  | { readonly kind: "forwarder"; readonly id: string; readonly name: string; readonly currency: string };

/** One request under its tenant. */
export interface Call<C extends Caller = Caller> {
  readonly deps: Deps;
  readonly caller: C;
  readonly tenant: string;
  /** X-Currency, one of the tenant's; "" on routes without a currency. */
  readonly currency: string;
  readonly currencyFacts: CurrencyFacts;
  readonly ip: string;
  /** The User-Agent header; "" without one. */
  readonly agent: string;
  readonly requestId: string;
  /** The language of the answer. */
  readonly language: Language;
  /** null: the request has none, which only routes that do not require it allow. */
  readonly idempotencyKey: string | null;
  /** sha256 over method, path and the canonical body; empty without an idempotency key. */
  readonly fingerprint: Buffer;
  /** Aborted when the client disconnects before its answer. */
  readonly gone: AbortSignal;
  /** Whether the answer is due, or nobody waits for it any more; no further work should be begun then. */
  isDue(): boolean;
}

export type StaffCall = Call<Extract<Caller, { kind: "user" }>>;
export type MerchantCall = Call<Extract<Caller, { kind: "merchant" }>>;
export type ForwarderCall = Call<Extract<Caller, { kind: "forwarder" }>>;

/** A request that needs no session. */
export interface PublicCall {
  readonly deps: Deps;
  readonly ip: string;
  readonly agent: string;
  readonly requestId: string;
  /** The language of the answer. */
  readonly language: Language;
  /** The binding cookie's value, when the browser sent one. */
  readonly binding: string | null;
  /** Whether the client is a browser, whose tokens are bound to a cookie. */
  readonly fromBrowser: boolean;
  /** Aborted when the client disconnects before its answer. */
  readonly gone: AbortSignal;
  /** Sets or clears the binding cookie on the answer. */
  bind(value: string | null): void;
}
