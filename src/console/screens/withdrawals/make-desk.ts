import type { PayingAccount } from "../../../contract/transactions.ts";
import type { Withdrawal, WithdrawalDetail } from "../../../contract/withdrawals.ts";
import { spanText } from "../../api/formats.ts";
import type { SignedIn } from "../../api/session.ts";
import type { Reason } from "../../kit/command.ts";
import type { Services } from "../../kit/services.ts";
import { text } from "../../kit/texts.ts";
import { listDesk } from "../../lists/list-desk.ts";
import type { ListNow } from "../../lists/list-desk.ts";
import type { ListPanes } from "../../lists/list-panes.ts";
import { checkLine } from "./check-lines.ts";
import { ageOf } from "./columns.ts";
import type { WithdrawalDesk } from "./desk.ts";
import { withdrawalFilters } from "./filters.ts";
import type { WithdrawalList } from "./withdrawal-list.ts";
import { belongs } from "./withdrawal-list.ts";

/** The screen as it is at the moment a command asks. */
export interface DeskNow extends ListNow {
  readonly detail: WithdrawalDetail | null;
  readonly config: SignedIn["config"];
}

export interface DeskDoors {
  now(): DeskNow;
  readonly list: WithdrawalList;
  readonly panes: ListPanes<Withdrawal>;
  readonly me: string;
  /** The server's clock, ms. */
  time(): number;
  readonly services: Services;
}

/** Lends the commands what only this screen knows. */
export function makeDesk({ now, list, panes, me, time, services }: DeskDoors): WithdrawalDesk {
  return {
    ...listDesk({ filters: withdrawalFilters, services, panes, now }),
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
    age: (row) => spanText(ageOf(row, time())),
    left(uuids) {
      const { count } = list.getState();
      if (count === null) return null;
      const leaving = uuids.filter((uuid) => {
        const row = list.source.get(uuid);
        return row !== undefined && belongs(row, list.view, me) && list.view !== "today" && list.view !== "all";
      });
      return Math.max(0, count - leaving.length);
    },
    follow() {
      const { waiting, held } = list.getState();
      if (waiting > 0 || held !== null) return void list.reload();
      list.holdStill();
      services.say("withdrawal.said.held");
    },
  };
}
