import type { BankLine, BankLineDetail } from "../../../contract/bank-transactions.ts";
import { bankLineColumns } from "../../../contract/bank-transactions.ts";
import { bankTransactionRoutes as routes } from "../../../contract/bank-transaction-routes.ts";
import { bankTextOf } from "../../../contract/derived-cells.ts";
import { defineEntity } from "../../entity/entity.ts";
import type { RecordLink } from "../../entity/named.ts";
import { tableOf } from "../../entity/named.ts";
import { transactionScreens } from "../../lists/counterpart.ts";
import { Matches, Matching } from "./matching.tsx";

/** Where money in and out have a column each, and the payer and the match one beside the bank's text, which mostly names both. */
const roomy = ["wide"] as const;

const linkOf = ({ kind, uuid, txn_no }: BankLine["matched"][number]): RecordLink => ({
  screen: transactionScreens[kind],
  search: { view: "all" },
  record: uuid,
  text: txn_no,
});

/** The lines of the banks' statements, and the transactions they prove. */
export const bankTransactions = defineEntity({
  screen: "bank-transactions",
  subject: "bank-line",
  routes: { list: routes.listBankLines, read: routes.readBankLine, create: routes.createBankLine },
  live: "bankLine",
  tellsOf: ({ matched }) => matched.map(({ uuid }) => uuid),
  titleOf: (row) => row.counterparty ?? bankTextOf(row),
  codeOf: ({ payment_account }) => payment_account.code,
  order: "-time",
  views: [
    { id: "all", search: {} },
    { id: "unmatched", search: { status: "unmatched" } },
    { id: "matched", search: { status: "matched" } },
    { id: "ignored", search: { status: "ignored" } },
  ],
  sums: ["credit", "debit", "net"],
  columns: [
    { field: "status", as: "status", width: 104 },
    { field: "time", as: "time", width: 156 },
    { field: "description", width: 240, minWidth: 120, grow: 3, at: "bank_text" },
    { field: "payment_account", as: "mono", width: 72, at: "payment_account.code" },
    { field: "credit", as: "amount", width: 112, rooms: roomy },
    { field: "debit", as: "amount", width: 112, rooms: roomy },
    { field: "net", as: "amount", width: 116, rooms: ["medium", "narrow"] },
    { field: "counterparty", width: 148, minWidth: 96, grow: 1, rooms: roomy },
    { field: "outcome", as: "mono", width: 148, minWidth: 96, grow: 1, rooms: roomy },
    { field: "reference", as: "mono", width: 116, rooms: [] },
    { field: "counterparty_account", as: "account-number", width: 136, rooms: [] },
    { field: "balance", as: "amount", width: 116, rooms: [] },
    { field: "source", as: "choice", width: 96, rooms: [] },
    { field: "by", width: 120, rooms: [] },
    { field: "created_at", as: "time", width: 156, rooms: [] },
  ],
  columnMap: bankLineColumns,
  firstFilters: ["status", "direction", "payment_account", "amount"],
  sections: [
    { name: "matching", applies: ({ row }) => row.status === "unmatched", draw: Matching },
    {
      name: "matches",
      draw: Matches,
      applies: ({ matches }) => matches.length > 0,
      table: tableOf<BankLineDetail, BankLineDetail["matches"][number]>({
        rows: ({ matches }) => matches,
        columns: [
          { field: "transaction", links: (match) => [linkOf(match)] },
          { field: "name" },
          { field: "amount", as: "amount" },
          { field: "score", as: "count", value: ({ score }) => score.total },
        ],
      }),
    },
    {
      name: "ignored",
      applies: ({ row }) => row.status === "ignored",
      lines: [{ field: "ignored_as", as: "choice" }, "ignore_reason"],
    },
    {
      name: "line",
      lines: [
        { field: "time", as: "time" },
        { field: "direction", as: "choice", value: ({ row }) => row.direction },
        { field: "amount", as: "amount" },
        { field: "balance", as: "amount" },
        { field: "description", as: "mono" },
        { field: "reference", as: "mono" },
        { field: "counterparty" },
        { field: "counterparty_account", as: "account-number" },
        {
          field: "payment_account",
          links: ({ row: { payment_account: account } }) => [{ screen: "payment-accounts", record: account.uuid, text: account.code }],
        },
      ],
    },
    {
      name: "origin",
      lines: [{ field: "source", as: "choice" }, "file_name", "by", { field: "created_at", as: "time" }],
    },
  ],
  form: {
    groups: [
      { name: "line", fields: ["payment_account", "time", "direction", "amount"] },
      { name: "payer", fields: ["counterparty", "counterparty_account", "reference", "description"] },
    ],
  },
});
