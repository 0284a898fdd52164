import type { MerchantDay } from "../../../contract/reports.ts";
import { merchantDayColumns, merchantDayRoutes as routes, tellsDifference } from "../../../contract/reports.ts";
import { defineEntity } from "../../entity/entity.ts";
import { formatCount } from "../../../values/counts.ts";
import type { RecordLink } from "../../entity/named.ts";
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
import { periodText } from "../../reports/period.ts";
import { daysOfRow } from "../../reports/report.ts";
import type { KindsOf } from "../../reports/report-columns.ts";

/** What was paid is found where it moved a payment account, because a withdrawal leaves the wallet before it is paid. */
const paid: KindsOf = {
  deposits: movesOf("deposit"),
  deposits_n: movesOf("deposit"),
  withdrawals: movesOf("withdrawal"),
  withdrawals_n: movesOf("withdrawal"),
  withdrawals_fee: movesOf("withdrawal"),
  settlements: movesOf("settlement"),
};
const ofWallet: KindsOf = {
  deposits_net: movesOf("deposit"),
  deposits_fee: movesOf("deposit"),
  adjustments: [...movesOf("adjustment"), "opening"],
};

/** The callbacks of then that were given up. */
const failedCallbacks = (row: MerchantDay): RecordLink => ({
  screen: "merchant-callbacks",
  search: { status: "failed", created_at: periodText(daysOfRow(row)), ...(row.code !== null && { merchant_code: row.code }) },
  text: formatCount(row.callbacks_failed ?? 0),
});

/** In the order of their columns. */
const sums = [
  "opening",
  "deposits_n",
  "deposits",
  "deposits_fee",
  "deposits_net",
  "withdrawals_n",
  "withdrawals",
  "withdrawals_fee",
  "settlements",
  "adjustments",
  "held",
  "closing",
] as const;

/** What moved each merchant's wallet, day by day, and how fast. */
export const merchantDays = defineEntity({
  ...reportCommon,
  screen: "merchant-daily-reports",
  subject: "merchant-day",
  routes: { list: routes.listMerchantDays, read: routes.readMerchantDay },
  titleOf: titleOfRow,
  codeOf: ({ code, day }: MerchantDay) => code ?? day,
  order: "code,-day",
  views: ownerViews,
  sums,
  linkOf(row, column) {
    if (tellsDifference(row.state)) return null;
    if (column === "callbacks_failed") return failedCallbacks(row);
    const name = column ?? "";
    const own: Record<string, string> = row.code === null ? {} : { merchant_code: row.code };
    if (paid[name]) return statementLink("payment-account-transactions", row, own, paid[name]);
    return statementLink("merchant-transactions", row, name === "held" ? { ...own, hold: "only" } : own, ofWallet[name]);
  },
  columns: [
    { field: "code", as: "mono", width: 84 },
    { field: "day", as: "mono", width: 88 },
    amount("opening", 104),
    ...counted("deposits"),
    amount("deposits_fee", 80, { under: "deposits", rooms: ["wide"] }),
    amount("deposits_net", 104, { under: "deposits", rooms: [] }),
    ...counted("withdrawals"),
    amount("withdrawals_fee", 80, { under: "withdrawals", rooms: ["wide"] }),
    amount("settlements", 96, { rooms: ["wide", "medium"] }),
    amount("adjustments", 88, { rooms: [] }),
    amount("held", 92, { rooms: ["wide"] }),
    amount("closing", 104),
    { field: "success", as: "rate", width: 68, rooms: ["wide", "medium"] },
    { field: "median_minutes", as: "decimal", width: 68, under: "minutes", rooms: ["wide"] },
    { field: "p95_minutes", as: "decimal", width: 68, under: "minutes", rooms: ["wide"] },
    { field: "callbacks_failed", as: "count", width: 92, rooms: [] },
    difference("difference", 92, { rooms: [] }),
    { field: "state", as: "status", width: 112 },
  ],
  columnMap: merchantDayColumns,
  firstFilters: ["day", "code", "by", "differs", "against"],
  sections: [
    daySection([...sums, "difference"]),
    {
      name: "pace",
      lines: [
        { field: "success", as: "rate", value: ({ row }) => row.success },
        { field: "median_minutes", as: "decimal", value: ({ row }) => row.median_minutes },
        { field: "p95_minutes", as: "decimal", value: ({ row }) => row.p95_minutes },
        {
          field: "callbacks_failed",
          as: "count",
          value: ({ row }) => row.callbacks_failed,
          links: ({ row }) => (row.callbacks_failed ? [failedCallbacks(row)] : []),
        },
      ],
    },
    { name: "entries", draw: Entries, alone: true },
  ],
});
