import type { AccountDay } from "../../../contract/reports.ts";
import { accountDayColumns, accountDayRoutes as routes, tellsDifference } from "../../../contract/reports.ts";
import { defineEntity } from "../../entity/entity.ts";
import { Entries } from "../../reports/entries.tsx";
import {
  accountKinds,
  amount,
  counted,
  daySection,
  difference,
  ownerViews,
  reportCommon,
  statementLink,
  titleOfRow,
} from "../../reports/report-columns.ts";

/** In the order of their columns. */
const sums = [
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
] as const;

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
  sums,
  linkOf: (row, column) =>
    tellsDifference(row.state)
      ? null
      : statementLink("payment-account-transactions", row, row.code === null ? {} : { account_code: row.code }, accountKinds[column ?? ""]),
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
    { field: "deposit_limit_used", as: "rate", width: 104, rooms: [] },
    { field: "withdrawal_limit_used", as: "rate", width: 104, rooms: [] },
    { field: "state", as: "status", width: 112 },
  ],
  columnMap: accountDayColumns,
  firstFilters: ["day", "code", "by", "differs", "against"],
  sections: [
    daySection([...sums, "statement", "statement_difference", "difference"]),
    {
      name: "limits",
      applies: ({ row }) => row.deposit_limit_used !== null || row.withdrawal_limit_used !== null,
      sparse: true,
      lines: [
        { field: "deposit_limit_used", as: "rate", value: ({ row }) => row.deposit_limit_used },
        { field: "withdrawal_limit_used", as: "rate", value: ({ row }) => row.withdrawal_limit_used },
      ],
    },
    { name: "entries", draw: Entries, alone: true },
  ],
});
