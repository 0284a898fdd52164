import type { StatementLine } from "../../../contract/merchant-transactions.ts";
import { merchantTransactionColumns, merchantTransactionRoutes as routes } from "../../../contract/merchant-transactions.ts";
import { defineEntity } from "../../entity/entity.ts";
import type { RecordLink } from "../../entity/named.ts";

const transactionScreens = { deposit: "deposits", withdrawal: "withdrawals" } as const;

/** A transaction is found among all of its kind, whatever its state is by now. */
function linkOf({ transaction, txn_no }: StatementLine): RecordLink | null {
  if (transaction === null) return null;
  return { screen: transactionScreens[transaction.kind], search: { view: "all" }, record: transaction.uuid, text: txn_no ?? "" };
}

/** A merchant's statement: what moved its wallet, and the balance around the dates asked for. */
export const merchantTransactions = defineEntity({
  screen: "merchant-transactions",
  subject: "merchant-transaction",
  routes: { list: routes.listStatementLines, read: routes.readStatementLine },
  titleOf: ({ merchant_name }) => merchant_name,
  codeOf: ({ txn_no, merchant_code }) => txn_no ?? merchant_code,
  order: "-created_at",
  window: { field: "created_at", initial: "today" },
  sums: ["amount_out", "amount_in", "fee", "previous_balance", "balance"],
  linkOf,
  columns: [
    { field: "created_at", as: "time", width: 156 },
    { field: "merchant_code", as: "mono", width: 96 },
    { field: "kind", as: "choice", width: 132, minWidth: 112, grow: 1 },
    { field: "previous_balance", as: "amount", width: 112 },
    { field: "amount_out", as: "amount", width: 100 },
    { field: "amount_in", as: "amount", width: 100 },
    { field: "balance", as: "amount", width: 112 },
    { field: "fee", as: "amount", width: 84 },
    { field: "txn_no", as: "mono", width: 148 },
    { field: "reference_no", as: "mono", width: 120 },
  ],
  columnMap: merchantTransactionColumns,
  firstFilters: ["created_at", "merchant_code", "kind"],
  sections: [
    {
      name: "movement",
      lines: [
        { field: "kind", as: "choice", value: ({ row }) => row.kind },
        { field: "created_at", as: "time" },
        {
          field: "merchant",
          links: ({ row }) => [{ screen: "merchants", record: row.merchant_uuid, text: row.merchant_name }],
        },
        { field: "by" },
        { field: "reason" },
      ],
    },
    {
      name: "wallet",
      lines: [
        { field: "previous_balance", as: "amount" },
        { field: "amount_out", as: "amount" },
        { field: "amount_in", as: "amount" },
        { field: "balance", as: "amount" },
        { field: "fee", as: "amount" },
      ],
    },
    {
      name: "transaction",
      lines: [
        {
          field: "transaction",
          links({ row }) {
            const link = linkOf(row);
            return link === null ? [] : [link];
          },
        },
        { field: "merchant_txn_no", as: "mono" },
        { field: "reference_no", as: "mono" },
      ],
    },
  ],
});
