import type { DecisionDetail, DecisionRoutes, DecisionRow } from "../../src/contract/decisions.ts";
import type { SubjectName } from "../../src/contract/index.ts";
import type { ScreenName } from "../../src/contract/screens.ts";
import type { Reason } from "../../src/console/kit/commands/command.ts";
import type { Questions, Services } from "../../src/console/kit/commands/services.ts";
import type { MessageKey } from "../../src/console/kit/texts/messages.ts";

/** What the commands say that names the kind, each under a key of its own: "refuse.claimed" is <kind>.refuse.claimed. */
export type KindSentence =
  | `refuse.${"already-mine" | "approved" | "claimed" | "expired" | "free" | "rejected"}`
  | `refuse.${"not-approved" | "not-mine" | "not-shown" | "recall-closed" | "second-awaited" | "unread"}`
  | `ask.${"approve-many" | "reject" | "reject-many" | "reject-run"}`
  | "said.recalled-free";

/** What the operator must see of an approval before it is confirmed: what speaks against the row, then against what pays it. */
export interface Confirmation extends Pick<Questions["money"]["asked"], "payee" | "account" | "from" | "labels"> {
  readonly flags: readonly string[];
  readonly warnings: readonly string[];
}

/** What tells the decisions on one kind of transaction from others. `Choice`: what an operator may choose for an approval. */
export interface DecisionActs<Row extends DecisionRow, Detail extends DecisionDetail<Row>, Choice> {
  readonly subject: SubjectName;
  readonly screen: ScreenName;
  readonly routes: DecisionRoutes<Row, Detail>;
  /** Names of its views. */
  readonly views: readonly string[];
  /** The key of a sentence that names the kind. */
  own(sentence: KindSentence): MessageKey;
  /** Why nothing is handed back that awaits no second person; left out where none does. */
  readonly notAwaited?: MessageKey;
  /** Why nobody can decide an open row yet, though it can be rejected; left out where every open row can be decided. */
  early?(row: Row): Reason | null;
  /** Who gets, or gave, the money. */
  payeeOf(row: Row): string;
  /** Why an approval of many leaves a row out that could be approved by itself. */
  leftOut?(row: Row): Reason | null;
  confirmation(row: Row, services: Services, chosen?: Choice): Confirmation;
  /** What was chosen was confirmed with the amount it is about, so that nothing is asked again. */
  readonly choiceConfirms?: true;
  /** What the request says of a row besides which it is. */
  sent(row: Row, how: { readonly chosen: Choice | undefined; readonly isConfirmed: boolean }): object;
}
