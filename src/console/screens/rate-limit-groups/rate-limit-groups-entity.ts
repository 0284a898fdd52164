import type { RateLimitGroup, RateLimitGroupDetail, RateScope } from "../../../contract/rate-limit-groups.ts";
import { rateLimitGroupColumns, rateLimitGroupRoutes as routes, rateScopes } from "../../../contract/rate-limit-groups.ts";
import { formatCount } from "../../../values/counts.ts";
import { defineEntity } from "../../entity/entity.ts";
import type { Column, Named } from "../../entity/named.ts";
import { linksTo } from "../../entity/named.ts";
import { text } from "../../kit/texts/texts.ts";
import { foreseeRefusals } from "./foresee.ts";
import { Usage } from "./usage.tsx";

const counted = (count: number | null): string | null => (count === null ? null : formatCount(count));
const windowOf = (minutes: number | null): string | null =>
  minutes === null ? null : text("rate-limit-group.minutes", { count: minutes, shown: formatCount(minutes) });

/** The limits of one scope, each by itself. */
type Limit = Pick<Named<RateLimitGroup>, "field" | "as" | "value">;
const limitsOf = (scope: RateScope): readonly Limit[] => [
  { field: `${scope}_window_minutes`, as: "count", value: (row) => windowOf(row[`${scope}_window_minutes`]) },
  { field: `${scope}_max_count`, as: "count", value: (row) => counted(row[`${scope}_max_count`]) },
  { field: `${scope}_turnover`, as: "amount" },
  { field: `${scope}_max_amount`, as: "amount" },
];
const columnsOf = (scope: RateScope): readonly Column<RateLimitGroup>[] =>
  limitsOf(scope).map((limit) => ({
    ...limit,
    under: `${scope}s`,
    width: limit.as === "amount" ? 112 : 88,
  }));
const linesOf = (scope: RateScope): readonly Named<RateLimitGroupDetail>[] =>
  limitsOf(scope).map(({ value, ...rest }) => ({ ...rest, ...(value && { value: ({ row }: RateLimitGroupDetail) => value(row) }) }));

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
    ...rateScopes.map((scope) => ({ name: `${scope}s`, lines: linesOf(scope) })),
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
