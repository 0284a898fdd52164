import type { BankLine, BankLineDetail } from "../../../contract/bank-transactions.ts";
import { bankLineColumns, bankTransactionRoutes as routes } from "../../../contract/bank-transactions.ts";
import { defineEntity } from "../../entity/entity.ts";
import type { RecordLink } from "../../entity/named.ts";
import { tableOf } from "../../entity/named.ts";
import { transactionScreens } from "../../transactions/counterpart.ts";
import { Matches, Matching } from "./matching.tsx";

const linkOf = ({ kind, uuid, txn_no }: BankLine["matched"][number]): RecordLink => ({
  screen: transactionScreens[kind],
  search: { view: "all" },
  record: uuid,
  text: txn_no,
});

/** What the line is matched to, or why it needs no match. */
const outcomeOf = ({ matched, ignore_reason }: BankLine): string | null =>
  matched.length > 0 ? matched.map(({ txn_no }) => txn_no).join(", ") : ignore_reason;

/** What the bank wrote of a payment, in one text. */
const bankText = ({ description, reference }: BankLine): string =>
  reference === null || description.includes(reference) ? description : [description, reference].filter(Boolean).join(" ");

/** The lines of the banks' statements, and the transactions they prove. */
export const bankTransactions = defineEntity({
  screen: "bank-transactions",
  subject: "bank-line",
  routes: { list: routes.listBankLines, read: routes.readBankLine, create: routes.createBankLine },
  titleOf: (row) => row.counterparty ?? bankText(row),
  codeOf: ({ payment_account }) => payment_account.code,
  order: "-time",
  views: [
    { id: "all", search: {} },
    { id: "unmatched", search: { status: "unmatched" } },
    { id: "matched", search: { status: "matched" } },
    { id: "ignored", search: { status: "ignored" } },
  ],
  sums: ["credit", "debit"],
  columns: [
    { field: "status", as: "status", width: 116 },
    { field: "time", as: "time", width: 156 },
    { field: "description", as: "mono", width: 240, minWidth: 160, grow: 3, value: bankText },
    { field: "counterparty", width: 148, minWidth: 96, grow: 1 },
    { field: "payment_account", as: "mono", width: 88, value: ({ payment_account }) => payment_account.code },
    { field: "credit", as: "amount", width: 104, value: ({ direction, amount }) => (direction === "credit" ? amount : null) },
    { field: "debit", as: "amount", width: 104, value: ({ direction, amount }) => (direction === "debit" ? amount : null) },
    { field: "outcome", as: "mono", width: 148, minWidth: 96, grow: 1, value: outcomeOf },
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
