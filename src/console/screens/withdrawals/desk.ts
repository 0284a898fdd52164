import type { Config } from "../../../contract/session.ts";
import type { PayingAccount } from "../../../contract/transactions.ts";
import type { Withdrawal } from "../../../contract/withdrawals.ts";
import type { Reason } from "../../kit/command.ts";
import type { ListDesk } from "../../lists/list-desk.ts";

/** What the withdrawals screen lends its commands, beside what every pane tells. */
export interface WithdrawalDesk extends ListDesk {
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
  /** Takes in what waits behind the pill; where nothing does, holds the rows still until asked again. */
  follow(): void;
}

declare module "../../kit/context.ts" {
  interface PaneState {
    /** Of the withdrawals screen only. */
    readonly desk?: WithdrawalDesk | null;
  }
}
