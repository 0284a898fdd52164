import type { Transaction } from "../../contract/transactions.ts";
import { spanText } from "../api/formats.ts";
import type { DecisionDesk } from "../kit/commands/desks.ts";
import type { Services } from "../kit/commands/services.ts";
import { ageOf } from "./age.ts";
import type { LiveList } from "./live-list.ts";
import type { LiveRow } from "./live-rules.ts";

export interface DecisionDeps<Row extends LiveRow, Query extends object> {
  readonly list: LiveList<Row, Query>;
  /** The server's clock, ms. */
  time(): number;
  readonly services: Services;
  /** Whether a row leaves what is asked for now once it is decided. */
  leaves(row: Row): boolean;
}

/** What any list of transactions to be decided does for its commands. */
export function decisionDesk<Row extends LiveRow & Transaction, Query extends object>({
  list,
  time,
  services,
  leaves,
}: DecisionDeps<Row, Query>): Pick<DecisionDesk, "age" | "left" | "follow"> {
  return {
    age: (row) => spanText(ageOf(row, time())),
    left(uuids) {
      const { count } = list.getState();
      if (count === null) return null;
      const leaving = uuids.flatMap((uuid) => list.source.get(uuid) ?? []).filter(leaves);
      return Math.max(0, count - leaving.length);
    },
    follow() {
      const { waiting, held } = list.getState();
      if (waiting > 0 || held !== null) return void list.reload();
      list.holdStill();
      services.say("transaction.said.held");
    },
  };
}
