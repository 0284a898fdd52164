import type { MerchantDetail } from "../../../contract/merchants.ts";
import { merchantColumns, tenantMerchantRoutes as routes } from "../../../contract/merchants.ts";
import { defineEntity } from "../../entity/entity.ts";
import { linksTo } from "../../entity/named.ts";
import { CallbackActs, KeyActs } from "./access-acts.tsx";

type Endpoint = Pick<MerchantDetail, "endpoint">;
/** What there is to tell of an endpoint: a working one to which nothing is on its way has none of it. */
const endpointLines = [
  { field: "failing_since", as: "time", value: ({ endpoint }: Endpoint) => endpoint.failing_since },
  { field: "disabled_at", as: "time", value: ({ endpoint }: Endpoint) => endpoint.disabled_at },
  { field: "next_attempt_at", as: "time", value: ({ endpoint }: Endpoint) => endpoint.next_attempt_at },
  { field: "waiting", as: "count", value: ({ endpoint }: Endpoint) => endpoint.waiting || null },
  { field: "failed", as: "count", value: ({ endpoint }: Endpoint) => endpoint.failed || null },
] as const;

export const merchants = defineEntity({
  screen: "merchants",
  subject: "merchant",
  routes: {
    list: routes.listMerchants,
    read: routes.readMerchant,
    create: routes.createMerchant,
    update: routes.updateMerchant,
    status: routes.changeMerchantStatus,
    remove: routes.deleteMerchant,
  },
  titleOf: ({ name }) => name,
  codeOf: ({ code }) => code,
  order: "name",
  unbuttoned: [
    "merchant.reset-credentials",
    "merchant.view-secret",
    "merchant.revoke-old-secret",
    "merchant.test-callback",
    "merchant.enable-callbacks",
  ],
  columns: [
    { field: "status", as: "status", width: 116 },
    { field: "code", as: "mono", width: 112 },
    { field: "name", width: 200, minWidth: 120, grow: 1 },
    { field: "wallet", as: "amount", width: 128 },
    { field: "hold", as: "amount", width: 112, minWidth: 112, grow: 0.3 },
    { field: "deposit_rate", as: "rate", width: 84 },
    { field: "withdrawal_rate", as: "rate", width: 96, minWidth: 96, grow: 0.1 },
    { field: "endpoint", as: "choice", width: 112, rooms: ["wide"] },
    { field: "created_at", as: "time", width: 156 },
  ],
  columnMap: merchantColumns,
  firstFilters: ["status"],
  sections: [
    {
      name: "wallet",
      lines: [
        { field: "wallet", as: "amount" },
        { field: "hold", as: "amount" },
        { field: "currency", as: "mono" },
      ],
    },
    {
      name: "today",
      lines: [
        { field: "deposits", as: "count", value: ({ today }) => today.deposits },
        { field: "deposit_amount", as: "amount", value: ({ today }) => today.deposit_amount },
        { field: "withdrawals", as: "count", value: ({ today }) => today.withdrawals },
        { field: "withdrawal_amount", as: "amount", value: ({ today }) => today.withdrawal_amount },
        { field: "open", as: "count", value: ({ today }) => today.open },
      ],
    },
    {
      name: "rates",
      lines: [
        { field: "deposit_rate", as: "rate" },
        { field: "withdrawal_rate", as: "rate" },
        { field: "settlement_rate", as: "rate" },
        { field: "charges_borne_by", as: "choice" },
      ],
    },
    {
      name: "addresses",
      lines: ["website_url", "backoffice_url", "callback_url", { field: "whitelist_ips", as: "mono" }],
    },
    {
      name: "keys",
      lines: [
        { field: "api_key", as: "mono" },
        { field: "secret_used_at", as: "time", value: ({ keys }) => keys.secret_used_at },
      ],
      linesOf: ({ row }) =>
        row.old_secret_until === null
          ? []
          : [
              { field: "old_secret_until", as: "time", value: () => row.old_secret_until },
              { field: "old_secret_used_at", as: "time", value: ({ keys }) => keys.old_secret_used_at },
            ],
      draw: KeyActs,
    },
    {
      name: "callbacks",
      lines: [{ field: "endpoint", as: "choice", value: ({ endpoint }) => endpoint.state }],
      linesOf: ({ endpoint }) => endpointLines.filter(({ value }) => value({ endpoint }) !== null),
      draw: CallbackActs,
    },
    {
      name: "groups",
      lines: [
        { field: "groups", links: ({ groups }) => linksTo("payment-groups", groups) },
        { field: "created_at", as: "time" },
        { field: "updated_at", as: "time" },
      ],
    },
  ],
  form: {
    groups: [
      { name: "identity", fields: ["code", "name", "groups"] },
      { name: "rates", fields: ["deposit_rate", "withdrawal_rate", "settlement_rate", "charges_borne_by"] },
      { name: "addresses", fields: ["website_url", "backoffice_url", "callback_url", "whitelist_ips"] },
    ],
  },
});
