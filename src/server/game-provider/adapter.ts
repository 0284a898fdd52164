import type { CheckFailure, CheckSettings, TriedCheck } from "../../contract/provider-checks.ts";
import type { RequestGuard } from "../outbox/guarded-request.ts";

/** Values by name, as they were typed. */
export type CredentialValues = Readonly<Record<string, unknown>>;

/** What the account's currency decides: the code a provider must name, and how many decimals a balance has. */
export interface AccountCurrency {
  readonly code: string;
  readonly minorDigits: number;
}

/** What was read of an answer. */
export interface Credit {
  /** A decimal of the currency. */
  readonly balance: string;
  readonly hasCredit: boolean;
}

/** A check that read nothing, and why; `about` is for people and may still hold a secret. */
export class CheckFault extends Error {
  readonly code: CheckFailure;
  readonly about: string | null;

  constructor(code: CheckFailure, about: string | null = null) {
    super(`the check failed: ${code}`);
    this.code = code;
    this.about = about;
  }
}

/** One check as it went: its answer, and what was read of it or why nothing was. Nothing of it holds a secret. */
export type CheckedCredit = TriedCheck;

/** Asks a provider for the credit left in an account. Never throws; what went wrong is in its answer. */
export interface ProviderAdapter {
  checkCredit(credentials: CredentialValues, settings: CheckSettings, currency: AccountCurrency, guard: CheckGuard): Promise<CheckedCredit>;
}

/** Bounds of where a check may go; its time-out is the account's. */
export type CheckGuard = Omit<RequestGuard, "timeoutMs">;
