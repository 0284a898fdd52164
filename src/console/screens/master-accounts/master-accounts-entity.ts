import { masterAccountColumns, masterAccountRoutes as routes } from "../../../contract/master-accounts.ts";
import { checkFields } from "../../../contract/provider-checks.ts";
import type { MasterAccountDetail } from "../../../contract/master-accounts.ts";
import { defineEntity } from "../../entity/entity.ts";
import { linksTo, tableOf } from "../../entity/named.ts";
import { BalanceCourse } from "./balance-course.tsx";
import { Checks } from "../../provider-checks/checks.tsx";
import { whyFailed } from "../../provider-checks/why-failed.ts";
import { TryIt } from "./try-it.tsx";

/** Merchants' set-ups that draw on it. */
const dependents = tableOf<MasterAccountDetail, MasterAccountDetail["dependents"][number]>({
  columns: [
    { field: "merchant", links: ({ merchant }) => linksTo("game-merchants", [merchant]) },
    {
      field: "provider",
      links: ({ uuid, name, merchant }) => [
        { screen: "merchant-providers", params: { merchantUuid: merchant.uuid }, record: uuid, text: name },
      ],
    },
    { field: "environment", as: "status" },
    { field: "status", as: "status" },
  ],
  rows: (detail) => detail.dependents,
});

/** When it is down itself, now and next. */
const downtimes = tableOf<MasterAccountDetail, MasterAccountDetail["downtimes"][number]>({
  columns: [
    { field: "state", as: "status" },
    { field: "start_time", as: "time" },
    { field: "end_time", as: "time" },
    { field: "reason", links: ({ uuid, reason }) => [{ screen: "downtime-schedule", record: uuid, text: reason }] },
  ],
  rows: (detail) => detail.downtimes,
});

/** The settings of a check, by what they are about. */
const request = ["check_url", "check_method", "check_headers", "check_body", "timeout_seconds", "require_proxy", "proxy_url"] as const;
const reading = Object.keys(checkFields).filter((name) => !request.some((one) => one === name));

/** The house's accounts at game providers; `screen` is the list, or the page of one. */
const described = (screen: "master-accounts" | "master-account") =>
  defineEntity({
    screen,
    subject: "master-account",
    routes: {
      list: routes.listMasterAccounts,
      read: routes.readMasterAccount,
      create: routes.createMasterAccount,
      update: routes.updateMasterAccount,
      status: routes.changeMasterAccountStatus,
      remove: routes.deleteMasterAccount,
    },
    live: "masterAccount",
    titleOf: ({ name }) => name,
    nameOf: ({ code }) => code,
    codeOf: ({ code }) => code,
    order: "code",
    marks: ["availability"],
    columns: [
      { field: "state", as: "status", width: 108 },
      { field: "availability", as: "status", width: 124 },
      { field: "is_error", as: "flag", width: 84 },
      { field: "code", as: "mono", width: 120 },
      { field: "name", width: 180, minWidth: 120, grow: 1 },
      { field: "upline", width: 140, minWidth: 96, grow: 1 },
      { field: "balance", as: "amount", width: 132 },
      { field: "threshold", as: "amount", width: 120 },
      { field: "has_credit", as: "choice", width: 84 },
      { field: "last_checked_at", as: "time", width: 156 },
      { field: "last_notified_at", as: "time", width: 156, rooms: ["wide"] },
      { field: "enable_notification", as: "choice", width: 96, rooms: ["wide"] },
      { field: "require_proxy", as: "choice", width: 84, rooms: ["wide"] },
      { field: "created_at", as: "time", width: 156, rooms: [] },
    ],
    columnMap: masterAccountColumns,
    firstFilters: ["state", "availability", "is_error", "has_credit"],
    sums: ["balance"],
    sections: [
      {
        name: "maintenance",
        sparse: true,
        lines: [{ field: "down_until", as: "time" }],
        table: downtimes,
        applies: ({ row, downtimes: planned }) => row.down_until !== null || planned.length > 0,
      },
      {
        name: "balance",
        lines: [
          { field: "balance", as: "amount" },
          { field: "threshold", as: "amount" },
          { field: "state", as: "status" },
          { field: "has_credit", as: "choice" },
        ],
        draw: BalanceCourse,
      },
      {
        name: "checks",
        lines: [
          { field: "last_checked_at", as: "time" },
          { field: "is_error", as: "flag" },
          { field: "misses", as: "count" },
          { field: "failure", value: whyFailed },
        ],
        draw: Checks,
      },
      {
        name: "dependents",
        lines: [{ field: "dependent_count", as: "count", value: (of: MasterAccountDetail) => of.dependent_count }],
        table: dependents,
      },
      {
        name: "notices",
        lines: [
          { field: "enable_notification", as: "choice" },
          { field: "last_notified_at", as: "time" },
        ],
      },
      {
        name: "identity",
        lines: [
          "upline",
          {
            field: "uuid",
            links: ({ row: { uuid } }) => [{ screen: "master-account", params: { masterAccountUuid: uuid }, record: uuid, text: uuid }],
          },
          { field: "tenant_id", as: "mono" },
          { field: "currency", as: "mono" },
          { field: "has_credentials", as: "choice" },
          { field: "created_at", as: "time" },
          { field: "updated_at", as: "time" },
        ],
      },
      {
        name: "request",
        sparse: true,
        lines: [
          { field: "check_url", as: "mono" },
          { field: "check_method", as: "mono" },
          {
            field: "check_headers",
            value: ({ row: { check_headers } }) => check_headers.map(({ name, value }) => `${name}: ${value}`).join(", "),
          },
          { field: "check_body", as: "mono" },
          { field: "timeout_seconds", as: "count" },
          { field: "require_proxy", as: "choice" },
          { field: "proxy_url", as: "mono" },
        ],
      },
      { name: "reading", sparse: true, lines: reading.map((field) => ({ field, as: "mono" as const })) },
    ],
    form: {
      groups: [
        { name: "identity", fields: ["code", "name", "upline"] },
        { name: "balance", fields: ["threshold", "enable_notification"] },
        { name: "request", fields: ["credentials", ...request] },
        { name: "reading", fields: reading },
      ],
      valuesOf: () => ({ credentials: "" }),
      beneath: TryIt,
    },
  });

export const masterAccounts = described("master-accounts");
export const masterAccount = described("master-account");
