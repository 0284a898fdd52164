import { paymentAccountColumns, paymentAccountRoutes as routes } from "../../../contract/payment-accounts.ts";
import type { PaymentAccountDetail } from "../../../contract/payment-accounts.ts";
import { rateLimitGroupRoutes } from "../../../contract/rate-limit-groups.ts";
import type { Named } from "../../entity/named.ts";
import { linksTo, tableOf } from "../../entity/named.ts";
import { defineEntity } from "../../entity/entity.ts";
import { text } from "../../kit/texts/texts.ts";
import { balanceActs, BalanceActs, noticeActs, NoticeActs } from "./account-acts.tsx";

type PendingTransfer = PaymentAccountDetail["transfers"][number];
type NewestLine = PaymentAccountDetail["lines"][number];

const limits = ["deposit_daily", "deposit_monthly", "withdrawal_daily", "withdrawal_monthly"] as const;
const bounds = ["deposit_minimum", "deposit_maximum", "withdrawal_minimum", "withdrawal_maximum"] as const;
const amounts = (...fields: string[]): Named<PaymentAccountDetail>[] => fields.map((field) => ({ field, as: "amount" }));

export const paymentAccounts = defineEntity({
  screen: "payment-accounts",
  subject: "payment-account",
  routes: {
    list: routes.listPaymentAccounts,
    read: routes.readPaymentAccount,
    create: routes.createPaymentAccount,
    update: routes.updatePaymentAccount,
    status: routes.changePaymentAccountStatus,
    remove: routes.deletePaymentAccount,
  },
  live: "paymentAccount",
  titleOf: ({ bank, holder }) => `${bank} · ${holder}`,
  nameOf: ({ code }) => code,
  codeOf: ({ code }) => code,
  order: "code",
  unbuttoned: [...balanceActs, ...noticeActs].map((act) => `payment-account.${act}`),
  columns: [
    { field: "status", as: "status", width: 116 },
    { field: "state", as: "status", width: 108 },
    { field: "code", as: "mono", width: 84 },
    { field: "bank", width: 112 },
    { field: "holder", width: 160, minWidth: 96, grow: 1 },
    { field: "account_number", as: "account-number", width: 132 },
    { field: "balance", as: "amount", width: 120 },
    { field: "payable", as: "amount", width: 120 },
    { field: "type", as: "choice", width: 80 },
    { field: "purpose", as: "choice", width: 96 },
    { field: "last_used_at", as: "time", width: 156 },
    { field: "created_at", as: "time", width: 156 },
  ],
  columnMap: paymentAccountColumns,
  firstFilters: ["status", "state", "type"],
  sections: [
    {
      name: "balance",
      lines: [
        ...amounts("balance", "hold_amount", "reserve_amount", "pending_out", "payable", "threshold"),
        { field: "state", as: "status" },
        "hold_reason",
        { field: "hold_until", as: "time" },
        { field: "open", as: "count", value: ({ open }) => open },
      ],
      draw: BalanceActs,
    },
    {
      name: "limits",
      lines: [
        ...limits.map((field): Named<PaymentAccountDetail> => ({ field, as: "limit" })),
        { field: "resets_day", as: "time", value: ({ resets }) => resets.day },
        { field: "resets_month", as: "time", value: ({ resets }) => resets.month },
      ],
    },
    {
      name: "transfers",
      applies: (detail) => detail.transfers.length > 0,
      table: tableOf<PaymentAccountDetail, PendingTransfer>({
        rows: (detail) => detail.transfers,
        columns: [
          {
            field: "transfer",
            links: ({ uuid, txn_no }) => [{ screen: "transfers", search: { view: "all" }, record: uuid, text: txn_no }],
          },
          { field: "transfer_kind", value: ({ kind }) => text(`transfer.kind.${kind}`) },
          { field: "moves", value: ({ side }) => text(`transfer.moves.${side}`) },
          { field: "transfer_amount", as: "amount", value: ({ amount }) => amount },
        ],
      }),
    },
    {
      name: "lines",
      applies: ({ last_line_at }) => last_line_at !== null,
      lines: [{ field: "last_line_at", as: "time", value: ({ last_line_at }) => last_line_at }],
      table: tableOf<PaymentAccountDetail, NewestLine>({
        rows: ({ lines }) => lines,
        columns: [
          { field: "line_time", as: "time", value: ({ time }) => time },
          { field: "line", links: ({ uuid, description }) => [{ screen: "bank-transactions", record: uuid, text: description }] },
          { field: "line_amount", as: "amount", value: ({ direction, amount: moved }) => (direction === "debit" ? `-${moved}` : moved) },
          { field: "line_status", as: "status", value: ({ status }) => status },
        ],
      }),
    },
    { name: "bounds", lines: amounts(...bounds) },
    {
      name: "identity",
      lines: [
        "bank",
        "holder",
        { field: "account_number", as: "account-number" },
        { field: "currency", as: "mono" },
        { field: "type", as: "choice" },
        { field: "purpose", as: "choice" },
        { field: "method", as: "choice" },
        { field: "notice_key", as: "mono" },
      ],
      draw: NoticeActs,
    },
    {
      name: "charges",
      lines: [{ field: "charges_type", as: "choice" }],
      linesOf: ({ row }) => [{ field: "charges_value", as: row.charges_type === "percent" ? "rate" : "amount" }],
    },
    {
      name: "groups",
      lines: [
        { field: "groups", links: ({ groups }) => linksTo("payment-groups", groups) },
        { field: "rate_limit_group", links: ({ rate_limit_group: group }) => linksTo("rate-limit-groups", group === null ? [] : [group]) },
        { field: "last_used_at", as: "time" },
        { field: "created_at", as: "time" },
        { field: "updated_at", as: "time" },
      ],
    },
  ],
  form: {
    groups: [
      { name: "identity", fields: ["code", "bank", "account_number", "holder", "type", "purpose", "method", "groups", "rate_limit_group"] },
      { name: "balance", fields: ["reserve_amount", "threshold"] },
      { name: "limits", fields: limits.map((name) => `${name}_limit`) },
      { name: "bounds", fields: bounds },
      { name: "charges", fields: ["charges_type", "charges_value"] },
    ],
    needs: { rate_limit_group: rateLimitGroupRoutes.assignRateLimitAccounts.permission },
    valuesOf: (row) => Object.fromEntries(limits.map((name) => [`${name}_limit`, row[name].limit ?? ""])),
  },
});
