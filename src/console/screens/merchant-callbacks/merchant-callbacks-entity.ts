import type { MerchantCallback } from "../../../contract/merchant-callbacks.ts";
import { merchantCallbackColumns, merchantCallbackRoutes as routes } from "../../../contract/merchant-callbacks.ts";
import { defineEntity } from "../../entity/entity.ts";
import type { RecordLink } from "../../entity/named.ts";
import { transactionScreens } from "../../lists/counterpart.ts";
import { TriesOf } from "./tries.tsx";

/** A transaction is found among all of its kind, whatever its state is by now. */
const transactionLink = ({ transaction, txn_no }: MerchantCallback): RecordLink => ({
  screen: transactionScreens[transaction.kind],
  search: { view: "all" },
  record: transaction.uuid,
  text: txn_no,
});

/** What merchants were told of, whether they took it, and when it is tried again. */
export const merchantCallbacks = defineEntity({
  screen: "merchant-callbacks",
  subject: "merchant-callback",
  routes: { list: routes.listMerchantCallbacks, read: routes.readMerchantCallback },
  live: "callback",
  titleOf: ({ merchant_name }) => merchant_name,
  nameOf: ({ txn_no }) => txn_no,
  codeOf: ({ txn_no }) => txn_no,
  order: "-created_at",
  window: { field: "created_at", initial: "-7d.." },
  linkOf: transactionLink,
  looks: { "merchant-callback.resend": "go" },
  views: [
    { id: "all", search: {} },
    { id: "failed", search: { status: "failing,failed", created_at: "-30d.." } },
    { id: "waiting", search: { status: "waiting,failing" } },
    { id: "delivered", search: { status: "delivered" } },
  ],
  columns: [
    { field: "status", as: "status", width: 116 },
    { field: "merchant_code", as: "mono", width: 96 },
    { field: "event", as: "choice", width: 168, minWidth: 112, grow: 1 },
    { field: "txn_no", as: "mono", width: 148 },
    { field: "attempts", as: "count", width: 76 },
    { field: "last_status", as: "mono", width: 76 },
    { field: "last_error", width: 140, minWidth: 88, grow: 1, rooms: ["wide"] },
    { field: "last_at", as: "time", width: 156 },
    { field: "next_attempt_at", as: "time", width: 156 },
    { field: "created_at", as: "time", width: 156, rooms: ["wide"] },
    { field: "merchant_txn_no", as: "mono", width: 148, rooms: [] },
    { field: "merchant_name", width: 132, rooms: [] },
    { field: "delivered_at", as: "time", width: 156, rooms: [] },
  ],
  columnMap: merchantCallbackColumns,
  firstFilters: ["created_at", "merchant_code", "status", "event", "txn_no"],
  sections: [
    {
      name: "what",
      lines: [
        { field: "event", as: "choice" },
        { field: "txn_no", links: ({ row }) => [transactionLink(row)] },
        { field: "merchant_txn_no", as: "mono" },
        {
          field: "merchant_code",
          links: ({ row }) => [{ screen: "merchants", record: row.merchant_uuid, text: `${row.merchant_code} · ${row.merchant_name}` }],
        },
        { field: "created_at", as: "time" },
        { field: "delivered_at", as: "time" },
        { field: "next_attempt_at", as: "time" },
      ],
      sparse: true,
    },
    {
      name: "endpoint",
      lines: [
        { field: "endpoint", as: "choice", value: ({ endpoint }) => endpoint.state },
        { field: "failing_since", as: "time", value: ({ endpoint }) => endpoint.failing_since },
        { field: "disabled_at", as: "time", value: ({ endpoint }) => endpoint.disabled_at },
        { field: "url", as: "mono", value: ({ url }) => url },
      ],
      sparse: true,
    },
    { name: "tries", draw: TriesOf },
  ],
});
