import { fromOf, toOf } from "../../../contract/derived-cells.ts";
import type { Transfer, TransferDetail } from "../../../contract/transfers.ts";
import { transferColumns, transferRoutes as routes } from "../../../contract/transfers.ts";
import { defineEntity } from "../../entity/entity.ts";
import type { RecordLink } from "../../entity/named.ts";
import { tableOf } from "../../entity/named.ts";
import { ownWay } from "../../kit/look/printed-page.ts";
import { wordOf } from "../../kit/texts/texts.ts";
import { MoneyOf, ReceiptsOf } from "./transfer-sections.tsx";

type Side = TransferDetail["sides"][number];

const accountLink = ({ uuid, code }: { readonly uuid: string; readonly code: string }): RecordLink => ({
  screen: "payment-accounts",
  record: uuid,
  text: code,
});
const accountLinks = (account: Transfer["source"]) => (account === null ? [] : [accountLink(account)]);
const merchantLinks = ({ merchant }: Transfer): readonly RecordLink[] =>
  merchant === null ? [] : [{ screen: "merchants", record: merchant.uuid, text: merchant.name }];

/** What only a payment out of an account has. */
const ofBank = <T extends string>({ source }: Transfer, value: T): T | null => (source === null ? null : value);

const bankLineLinks = ({ line }: Side): readonly RecordLink[] =>
  line === null ? [] : [{ screen: "bank-transactions", record: line.uuid, text: line.reference ?? line.description }];

/** "A → B" as the page is read, whichever way either name is written. */
function routeText(from: string, to: string): string {
  const [page, arrow] = document.documentElement.dir === "rtl" ? (["\u2067", "←"] as const) : (["\u2066", "→"] as const);
  return `${page}${ownWay(from)} ${arrow} ${ownWay(to)}\u2069`;
}

/** What the house moves itself: between its accounts, onto and off wallets, out to merchants. */
export const transfers = defineEntity({
  screen: "transfers",
  subject: "transfer",
  routes: { list: routes.listTransfers, read: routes.readTransfer },
  live: "paymentAccount",
  titleOf: (row) => routeText(fromOf(row, wordOf) ?? "", toOf(row, wordOf) ?? ""),
  nameOf: ({ txn_no }) => txn_no,
  codeOf: ({ txn_no }) => txn_no,
  amountOf: ({ amount, currency }) => ({ amount, currency }),
  order: "-created_at",
  unbuttoned: ["transfer.receipt-add", "transfer.receipt-open", "transfer.receipt-remove"],
  looks: { "transfer.approve": "go", "transfer.reject": "no" },
  views: [
    { id: "to-decide", search: { awaits: "first,second" } },
    { id: "pending", search: { status: "pending" } },
    { id: "today", search: { created_at: "today" } },
    { id: "all", search: {} },
  ],
  sums: ["amount"],
  columns: [
    { field: "status", as: "status", width: 116 },
    { field: "awaits", as: "choice", width: 132 },
    { field: "kind", as: "choice", width: 136 },
    { field: "from", width: 120, minWidth: 88, grow: 1 },
    { field: "to", width: 120, minWidth: 88, grow: 1 },
    { field: "amount", as: "amount", width: 120 },
    { field: "proof", as: "mono", width: 64 },
    { field: "txn_no", as: "mono", width: 148 },
    { field: "created_by", width: 112, at: "created_by.name" },
    { field: "created_at", as: "time", width: 156 },
  ],
  columnMap: transferColumns,
  firstFilters: ["status", "kind", "awaits", "amount", "created_at"],
  sections: [
    { name: "money", draw: MoneyOf, applies: ({ money }) => money.length > 0 },
    {
      name: "proof",
      applies: ({ sides }) => sides.length > 0,
      table: tableOf<TransferDetail, Side>({
        rows: ({ sides }) => sides,
        columns: [
          { field: "account", links: ({ account }) => [accountLink(account)] },
          { field: "line", links: bankLineLinks },
          { field: "line_amount", as: "amount", value: ({ line }) => line?.amount },
          { field: "line_time", as: "time", value: ({ line }) => line?.time },
        ],
      }),
    },
    { name: "receipts", draw: ReceiptsOf, alone: true },
    {
      name: "what",
      lines: [
        { field: "kind", as: "choice" },
        { field: "awaits", as: "choice" },
        { field: "direction", as: "choice" },
        { field: "source", links: ({ row }) => accountLinks(row.source) },
        { field: "target", links: ({ row }) => accountLinks(row.target) },
        { field: "merchant", links: ({ row }) => merchantLinks(row) },
        { field: "reason" },
        { field: "reject_reason" },
        { field: "remark" },
      ],
      sparse: true,
    },
    {
      name: "payee",
      applies: ({ row }) => row.holder !== null,
      lines: ["holder", "bank", { field: "account_number", as: "account-number" }],
    },
    {
      name: "amounts",
      lines: [
        { field: "amount", as: "amount" },
        { field: "fee", as: "amount" },
        { field: "charges", as: "amount", value: ({ row }) => ofBank(row, row.charges) },
        { field: "charges_type", as: "choice", value: ({ row }) => ofBank(row, row.charges_type) },
        {
          field: "charges_borne_by",
          as: "choice",
          value: ({ row }) => (row.kind === "settlement" ? ofBank(row, row.charges_borne_by) : null),
        },
        { field: "final_amount", as: "amount" },
        { field: "merchant_amount", as: "amount" },
        { field: "previous_balance", as: "amount" },
        { field: "currency", as: "mono" },
      ],
      sparse: true,
    },
    {
      name: "record",
      lines: [
        { field: "txn_no", as: "mono" },
        { field: "reference_no", as: "mono" },
        { field: "payment_date", as: "time" },
        { field: "created_at", as: "time" },
        { field: "created_by", value: ({ row }) => row.created_by.name },
        { field: "first_approved_by", value: ({ row }) => row.first_approved_by?.name },
        { field: "approved_at", as: "time" },
        { field: "approved_by", value: ({ row }) => row.approved_by?.name },
        { field: "recallable_until", as: "time" },
        { field: "rejected_at", as: "time" },
        { field: "rejected_by", value: ({ row }) => row.rejected_by?.name },
        { field: "completed_at", as: "time" },
        { field: "last_action_at", as: "time" },
        { field: "last_action_by", value: ({ row }) => row.last_action_by.name },
      ],
      sparse: true,
    },
  ],
});
