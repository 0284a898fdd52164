import type { Config } from "../../../contract/session.ts";
import type { PayingAccount } from "../../../contract/transactions.ts";
import type { Withdrawal } from "../../../contract/withdrawals.ts";
import type { Reason } from "../../kit/command.ts";

/** What the withdrawals screen lends its commands, beside what every pane tells. */
export interface WithdrawalDesk {
  /** Recall window, claim limit and reject reasons of the tenant. */
  readonly settings: Config["withdrawals"];
  /** Why nothing can be done with a row another has just taken or decided; null when it can. */
  gone(uuid: string): Reason | null;
  /** The check that fails on the record shown; null when none does, or another record is shown. */
  failing(uuid: string): Reason | null;
  /** Accounts weighed for the record shown; null for another one. */
  accounts(uuid: string): readonly PayingAccount[] | null;
  /** Age as its cell shows it. */
  age(row: Withdrawal): string;
  /** How many the present view still holds beside these; null while unknown. */
  left(uuids: readonly string[]): number | null;
  /** Shows the whole history in the detail pane and brings it into view. */
  showHistory(): void;
  /** Puts the cursor into the text filter. */
  find(): void;
  /** Why the cursor's column cannot be filtered. */
  unfiltered(): Reason | null;
  /** Asks for a filter of the cursor's column. */
  filterColumn(): Promise<void>;
  /** Keeps only rows with the value under the cursor. */
  filterByValue(): void;
  /** How many rows wait behind the pill. */
  waiting(): number;
  showNew(): void;
  /** Takes a filter off: the one set last. */
  dropFilter(): void;
  hasFilters(): boolean;
}

declare module "../../kit/context.ts" {
  interface PaneState {
    /** Of the withdrawals screen only. */
    readonly desk?: WithdrawalDesk | null;
  }
}
