import type { CashFlowDay } from "../../../contract/reports.ts";
import { cashFlowColumns, cashFlowRoutes as routes, tellsDifference } from "../../../contract/reports.ts";
import { defineEntity } from "../../entity/entity.ts";
import { Entries } from "../../reports/entries.tsx";
import { GroupClosings } from "../../reports/group-closings.tsx";
import { accountKinds, amount, counted, daySection, difference, reportCommon, statementLink } from "../../reports/report-columns.ts";

/** In the order of their columns. */
const sums = [
  "opening",
  "deposits_n",
  "deposits",
  "withdrawals_n",
  "withdrawals",
  "settlements",
  "transfers",
  "charges",
  "adjustments",
  "net",
  "closing",
  "fees",
] as const;

/** What came in and went out of all payment accounts of a currency. */
export const cashFlowDays = defineEntity({
  ...reportCommon,
  screen: "cash-flow-reports",
  subject: "cash-flow-day",
  routes: { list: routes.listCashFlowDays, read: routes.readCashFlowDay },
  titleOf: ({ day }: CashFlowDay) => day,
  codeOf: ({ day }: CashFlowDay) => day,
  order: "-day",
  views: [
    { id: "all", search: {} },
    { id: "week", search: { by: "week" } },
    { id: "month", search: { by: "month" } },
    { id: "differs", search: { differs: "yes" } },
  ],
  sums,
  linkOf: (row, column) =>
    tellsDifference(row.state) ? null : statementLink("payment-account-transactions", row, {}, accountKinds[column ?? ""]),
  columns: [
    { field: "day", as: "mono", width: 88 },
    { field: "days", as: "count", width: 56, rooms: [] },
    amount("opening", 112),
    ...counted("deposits"),
    ...counted("withdrawals"),
    amount("settlements", 116, { rooms: ["wide", "medium"] }),
    amount("transfers", 104, { rooms: ["wide", "medium"] }),
    amount("charges", 96, { rooms: ["wide", "medium"] }),
    amount("adjustments", 104, { rooms: ["wide", "medium"] }),
    amount("net", 116),
    amount("closing", 112),
    amount("fees", 104, { rooms: ["wide", "medium"] }),
    difference("difference", 92, { rooms: [] }),
    { field: "state", as: "status", width: 112 },
  ],
  columnMap: cashFlowColumns,
  firstFilters: ["day", "by", "differs", "against"],
  sections: [
    daySection([...sums, "difference"]),
    { name: "groups", draw: GroupClosings, applies: ({ groups }) => groups.length > 0 },
    { name: "entries", draw: Entries, alone: true },
  ],
});
