import type { z } from "zod";
import { isOpen } from "../../../contract/transactions.ts";
import type { Withdrawal, WithdrawalQuery, WithdrawalView } from "../../../contract/withdrawals.ts";
import type { PageAsked } from "../../kit/grid/row-pager.ts";
import type { LiveList } from "../../transactions/live-list.ts";
import type { LiveRules } from "../../transactions/live-rules.ts";
import { timeColumn } from "./filters.ts";

export type AskedList = Omit<z.input<typeof WithdrawalQuery>, keyof PageAsked | "filter[uuid]">;

/** Whether a row is one of a view's, as far as the row itself tells; "today" and "all" take whatever is loaded. */
export function belongs(row: Withdrawal, view: WithdrawalView, me: string): boolean {
  switch (view) {
    case "queue":
      return isOpen(row);
    case "mine":
      return row.status === "process" && row.claim?.user === me;
    case "process":
      return row.status === "process";
    case "second":
      return row.status === "process" && row.first_approved_by !== null;
    default:
      return true;
  }
}

export type WithdrawalList = LiveList<Withdrawal, AskedList>;

export const viewOf = ({ view }: AskedList): WithdrawalView => view ?? "queue";

/** How withdrawals stand in their list; `me`: the user's id. */
export function withdrawalRules(me: string): LiveRules<Withdrawal, AskedList> {
  return {
    times: { created_at: (row) => row.created_at, due_at: (row) => row.due_at },
    everywhere: { view: "all" },
    timeColumn: (query) => timeColumn(viewOf(query)),
    belongs(row, query) {
      const statuses = query["filter[status]"];
      return belongs(row, viewOf(query), me) && (statuses === undefined || statuses.split(",").includes(row.status));
    },
    isMine: (row) => row.last_action_by.uuid === me,
    order: (query) => query.sort ?? (viewOf(query) === "queue" ? "due_at" : "-created_at"),
  };
}
