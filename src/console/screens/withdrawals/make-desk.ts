import type { PayingAccount } from "../../../contract/transactions.ts";
import type { WithdrawalDetail } from "../../../contract/withdrawals.ts";
import type { SignedIn } from "../../api/session.ts";
import type { Reason } from "../../kit/commands/command.ts";
import type { Services } from "../../kit/commands/services.ts";
import { text } from "../../kit/texts/texts.ts";
import type { ListNow } from "../../lists/list-desk.ts";
import { checkLine } from "./check-lines.ts";
import { decisionDesk } from "../../transactions/decision-desk.ts";
import type { DecisionDesk } from "../../kit/commands/desks.ts";
import type { WithdrawalList } from "./withdrawal-list.ts";
import { belongs, viewOf } from "./withdrawal-list.ts";

/** The screen as it is at the moment a command asks. */
export interface DeskNow extends ListNow {
  readonly detail: WithdrawalDetail | null;
  readonly config: SignedIn["config"];
}

export interface DeskDeps {
  now(): DeskNow;
  readonly list: WithdrawalList;
  readonly me: string;
  /** The server's clock, ms. */
  time(): number;
  readonly services: Services;
}

/** Lends the commands what only this screen knows. */
export function makeDesk({ now, list, me, time, services }: DeskDeps): DecisionDesk {
  return {
    ...decisionDesk({
      list,
      time,
      services,
      leaves(row) {
        const view = viewOf(list.query());
        return belongs(row, view, me) && view !== "today" && view !== "all";
      },
    }),
    get settings() {
      return now().config.withdrawals;
    },
    gone(uuid) {
      const row = list.takenBy(uuid);
      if (row === null) return list.source.isTombstone(uuid) ? "withdrawal.refuse.gone" : null;
      const by = row.claim?.name ?? (row.approved_by ?? row.rejected_by ?? row.last_action_by).name;
      return { key: `withdrawal.taken.${row.status}`, words: { name: by } } satisfies Reason;
    },
    failing(uuid) {
      const { detail } = now();
      if (detail?.row.uuid !== uuid) return null;
      const fails = detail.checks.find(({ result }) => result === "fail");
      if (!fails) return detail.row.paying_account === null && detail.row.status !== "approved" ? "withdrawal.refuse.no-account" : null;
      const { title, value } = checkLine(fails, text);
      return { key: "withdrawal.refuse.check", words: { check: `${title}: ${value}` } };
    },
    accounts(uuid): readonly PayingAccount[] | null {
      const { detail } = now();
      return detail?.row.uuid === uuid ? detail.accounts : null;
    },
  };
}
