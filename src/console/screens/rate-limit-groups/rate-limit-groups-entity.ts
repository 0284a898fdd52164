import type { RateLimitGroup, RateScope } from "../../../contract/rate-limit-groups.ts";
import { rateLimitGroupColumns, rateLimitGroupRoutes as routes, rateScopes } from "../../../contract/rate-limit-groups.ts";
import { defineEntity } from "../../entity/entity.ts";
import type { Column, Shown } from "../../entity/named.ts";
import { linksTo } from "../../entity/named.ts";
import { foreseeRefusals } from "./foresee.ts";
import { Usage } from "./usage.tsx";

/** The limits of one scope, each by itself. */
const limitsOf = (scope: RateScope): readonly { readonly field: string; readonly as: Shown }[] => [
  { field: `${scope}_window_minutes`, as: "minutes" },
  { field: `${scope}_max_count`, as: "count" },
  { field: `${scope}_turnover`, as: "amount" },
  { field: `${scope}_max_amount`, as: "amount" },
];
const columnsOf = (scope: RateScope): readonly Column<RateLimitGroup>[] =>
  limitsOf(scope).map((limit) => ({
    ...limit,
    under: `${scope}s`,
    width: limit.as === "amount" ? 112 : 88,
  }));

export const rateLimitGroups = defineEntity({
  screen: "rate-limit-groups",
  subject: "rate-limit-group",
  routes: {
    list: routes.listRateLimitGroups,
    read: routes.readRateLimitGroup,
    create: routes.createRateLimitGroup,
    update: routes.updateRateLimitGroup,
    status: routes.changeRateLimitGroupStatus,
    remove: routes.deleteRateLimitGroup,
  },
  acts: { assign: routes.assignRateLimitAccounts },
  foresee: foreseeRefusals,
  titleOf: ({ name }) => name,
  codeOf: ({ name }) => name,
  order: "name",
  columns: [
    { field: "status", as: "status", width: 88 },
    { field: "name", width: 112, minWidth: 88, grow: 1 },
    { field: "account_count", as: "count", width: 88 },
    ...columnsOf("account"),
    ...columnsOf("member"),
    { field: "updated_at", as: "time", width: 156, rooms: [] },
  ],
  columnMap: rateLimitGroupColumns,
  firstFilters: ["status"],
  sections: [
    { name: "usage", draw: Usage },
    ...rateScopes.map((scope) => ({ name: `${scope}s`, lines: limitsOf(scope) })),
    {
      name: "assigned",
      lines: [
        { field: "account_count", as: "count" },
        { field: "assigned", links: ({ accounts }) => linksTo("payment-accounts", accounts) },
      ],
    },
    {
      name: "dates",
      lines: [
        { field: "currency", as: "mono" },
        { field: "created_at", as: "time" },
        { field: "updated_at", as: "time" },
      ],
    },
  ],
  form: {
    groups: [
      { name: "group", fields: ["name"] },
      ...rateScopes.map((scope) => ({
        name: `${scope}s`,
        fields: ["window_minutes", "max_count", "turnover", "max_amount"].map((limit) => `${scope}_${limit}`),
      })),
    ],
  },
});
