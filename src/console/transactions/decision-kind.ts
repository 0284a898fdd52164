import type { DecisionDetail, DecisionRoutes, DecisionRow, DecisionSettings } from "../../contract/decisions.ts";
import type { SubjectName } from "../../contract/index.ts";
import type { ScreenName } from "../../contract/screens.ts";
import type { Config } from "../../contract/session.ts";
import type { PayingAccount, TransactionStatus } from "../../contract/transactions.ts";
import type { LiveEvents } from "../api/live.ts";
import type { Reason } from "../kit/commands/command.ts";
import type { MessageKey } from "../kit/texts/messages.ts";
import type { ListFilter } from "../lists/filters.ts";
import type { DecisionView } from "./decision-views.ts";

/** What the screen says that names the kind, each under a key of its own: "said.queue-left" is <kind>.said.queue-left. */
export type KindSentence =
  | "failed"
  | `empty.${"done" | "no-match" | "none-yet" | "watching"}`
  | `claims.${"let-go" | "let-go-text" | "taken" | "taken-text"}`
  | `said.${"claim-limit" | "queue-left" | "take-failed"}`
  | "refuse.gone"
  | `taken.${TransactionStatus}`;

/** What tells one kind of transaction from another where people decide on them. */
export interface DecisionKind<Row extends DecisionRow, Detail extends DecisionDetail<Row>> {
  readonly subject: SubjectName;
  readonly screen: ScreenName;
  /** Live event that names changed rows. */
  readonly live: Exclude<keyof LiveEvents, "gap">;
  /** Live event of what proves records: with it the views' counts and the detail change, though no row does. */
  readonly provedBy?: Exclude<keyof LiveEvents, "gap">;
  readonly routes: DecisionRoutes<Row, Detail>;
  /** In the order of their digits; the first is shown where the address names none. */
  readonly views: readonly DecisionView<Row>[];
  /** In the order of their chips. */
  readonly filters: readonly ListFilter<Row>[];
  settingsOf(config: Config): DecisionSettings;
  /** The key of a sentence that names the kind. */
  own(sentence: KindSentence): MessageKey;
  /** Why a record cannot be approved though none of its checks fails. */
  unready?(detail: Detail): Reason | null;
  /** The accounts that were weighed for a record. */
  accountsOf?(detail: Detail): readonly PayingAccount[];
}
