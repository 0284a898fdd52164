import type { CashFlowDay } from "../../../contract/reports.ts";
import { cashFlowColumns, cashFlowRoutes as routes } from "../../../contract/reports.ts";
import { defineEntity } from "../../entity/entity.ts";
import { Entries } from "../../reports/entries.tsx";
import { amount, counted, daySection, difference, movesOf, reportCommon, statementLink } from "../../reports/report-columns.ts";
import type { KindsOf } from "../../reports/report-columns.ts";

const kinds: KindsOf = {
  deposits: movesOf("deposit"),
  deposits_n: movesOf("deposit"),
  withdrawals: movesOf("withdrawal"),
  withdrawals_n: movesOf("withdrawal"),
  transfers: movesOf("transfer", "manual-transfer", "clearing"),
  settlements: movesOf("settlement"),
  charges: movesOf("withdrawal", "transfer", "manual-transfer", "clearing", "settlement"),
  adjustments: ["adjustment", "opening"],
};

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
  sums: [
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
  ],
  linkOf: (row, column) =>
    row.state === "difference" ? null : statementLink("payment-account-transactions", row, {}, kinds[column ?? ""]),
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
    daySection([
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
      "difference",
    ]),
    { name: "entries", draw: Entries, alone: true },
  ],
});
