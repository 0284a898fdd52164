import type { AccountDay } from "../../../contract/reports.ts";
import { accountDayColumns, accountDayRoutes as routes } from "../../../contract/reports.ts";
import { defineEntity } from "../../entity/entity.ts";
import { Entries } from "../../reports/entries.tsx";
import {
  amount,
  counted,
  daySection,
  difference,
  movesOf,
  ownerViews,
  reportCommon,
  statementLink,
  titleOfRow,
} from "../../reports/report-columns.ts";
import type { KindsOf } from "../../reports/report-columns.ts";

const kinds: KindsOf = {
  deposits: movesOf("deposit"),
  deposits_n: movesOf("deposit"),
  withdrawals: movesOf("withdrawal"),
  withdrawals_n: movesOf("withdrawal"),
  transfers_in: movesOf("transfer", "manual-transfer", "clearing"),
  transfers_out: movesOf("transfer", "manual-transfer", "clearing"),
  settlements: movesOf("settlement"),
  charges: movesOf("withdrawal", "transfer", "manual-transfer", "clearing", "settlement"),
  adjustments: ["adjustment", "opening"],
};

/** What moved each payment account, day by day. */
export const accountDays = defineEntity({
  ...reportCommon,
  screen: "payment-account-daily-reports",
  subject: "account-day",
  routes: { list: routes.listAccountDays, read: routes.readAccountDay },
  titleOf: titleOfRow,
  codeOf: ({ code, day }: AccountDay) => code ?? day,
  order: "code,-day",
  views: ownerViews,
  sums: [
    "opening",
    "deposits_n",
    "deposits",
    "withdrawals_n",
    "withdrawals",
    "transfers_in",
    "transfers_out",
    "settlements",
    "charges",
    "adjustments",
    "closing",
  ],
  linkOf: (row, column) =>
    row.state === "difference"
      ? null
      : statementLink("payment-account-transactions", row, row.code === null ? {} : { account_code: row.code }, kinds[column ?? ""]),
  columns: [
    { field: "code", as: "mono", width: 84 },
    { field: "day", as: "mono", width: 88 },
    amount("opening", 104),
    ...counted("deposits"),
    ...counted("withdrawals"),
    amount("transfers_in", 92, { under: "transfers", rooms: ["wide"] }),
    amount("transfers_out", 92, { under: "transfers", rooms: ["wide"] }),
    amount("settlements", 88, { rooms: [] }),
    amount("charges", 80, { rooms: ["wide", "medium"] }),
    amount("adjustments", 88, { rooms: [] }),
    amount("closing", 104),
    amount("statement", 104, { rooms: [] }),
    difference("statement_difference", 104, { rooms: ["wide", "medium"] }),
    difference("difference", 92, { rooms: [] }),
    { field: "state", as: "status", width: 112 },
  ],
  columnMap: accountDayColumns,
  firstFilters: ["day", "code", "by", "differs", "against"],
  sections: [
    daySection([
      "opening",
      "deposits_n",
      "deposits",
      "withdrawals_n",
      "withdrawals",
      "transfers_in",
      "transfers_out",
      "settlements",
      "charges",
      "adjustments",
      "closing",
      "statement",
      "statement_difference",
      "difference",
    ]),
    { name: "entries", draw: Entries, alone: true },
  ],
});
