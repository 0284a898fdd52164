import type { Selectable } from "kysely";
import { sql } from "kysely";
import type { FieldLines } from "../../contract/problems.ts";
import { Refusal } from "../../contract/problems.ts";
import type { RateLimitGroup, RateLimitGroupForm, rateLimitGroupRoutes } from "../../contract/rate-limit-groups.ts";
import { rateLimitGroupColumns, rateRules, rateScopes } from "../../contract/rate-limit-groups.ts";
import { amountText } from "../../values/money.ts";
import type { StaffCall } from "../call.ts";
import { inTenant } from "../db/scope.ts";
import type { Scoped } from "../db/scope.ts";
import type { Tables } from "../db/tables.ts";
import type { Handlers } from "../handlers.ts";
import { auditLabel, inOrder, linkedRecords } from "../records/links.ts";
import { recordHandlers } from "../records/record-handlers.ts";
import { findRecords } from "../records/record-list.ts";
import { accountsOfRateGroup } from "./assignment.ts";
import { limitsReached, usageOf } from "./usage.ts";

export interface RateGroupRow extends Selectable<Tables["rate_limit_groups"]> {
  readonly accounts: string[];
}

const maybe = (text: string | null): string | null => (text === null ? null : amountText(text));

const limitsOf = (of: RateLimitGroupForm | RateGroupRow) => ({
  account_window_minutes: of.account_window_minutes,
  account_max_count: of.account_max_count,
  account_turnover: maybe(of.account_turnover),
  account_max_amount: maybe(of.account_max_amount),
  member_window_minutes: of.member_window_minutes,
  member_max_count: of.member_max_count,
  member_turnover: maybe(of.member_turnover),
  member_max_amount: maybe(of.member_max_amount),
});
type Limits = ReturnType<typeof limitsOf>;

const groupView = (row: RateGroupRow): RateLimitGroup => ({
  uuid: row.id,
  version: row.version,
  name: row.name,
  currency: row.currency,
  status: row.status,
  ...limitsOf(row),
  account_count: row.accounts.length,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

/** The form, or with other accounts a row as it is: then only these change. */
type Edited = (RateLimitGroupForm & { readonly accounts?: readonly string[] }) | RateGroupRow;

const groupsOf = ({ tenant, currency }: Pick<StaffCall, "tenant" | "currency">) => sql`select g.*, lower(g.name) as name_key,
      array(select a.id from payment_accounts a where a.tenant_id = ${tenant} and a.rate_limit_group_id = g.id order by a.id) as accounts
    from rate_limit_groups g where g.tenant_id = ${tenant} and g.currency = ${currency}`;

/** A limit means something only over a window. */
function windowFaults(limits: Limits): FieldLines {
  const scopes = rateScopes.filter(
    (scope) => limits[`${scope}_window_minutes`] === null && rateRules.some((rule) => limits[`${scope}_${rule}`] !== null),
  );
  return Object.fromEntries(scopes.map((scope) => [`${scope}_window_minutes`, ["Window required when limits set"]]));
}

const { list, read, create, update, changeStatus, remove } = recordHandlers({
  entity: "rate-limit-group",
  table: "rate_limit_groups",
  currency: true,
  columns: rateLimitGroupColumns,
  stored: { name: { sort: [{ name: "name_key", type: "text" }] } },
  rows: groupsOf,
  view: groupView,
  nameOf: ({ name }) => name,
  fields: (of: Edited) => ({ name: of.name, ...limitsOf(of), ...(of.accounts && { accounts: inOrder(of.accounts) }) }),
  faults: (_, __, { now }) => windowFaults(now),
  constraints: { rate_limit_groups_tenant_id_currency_name_key: { name: ["Already taken"] } },
  parts: { accounts: accountsOfRateGroup },
  detail: async (db, { tenant }, { accounts }) => ({ accounts: await linkedRecords(db, tenant, "payment_accounts", accounts) }),
  uses: async (db, { tenant }, { accounts }) => ({
    accounts: (await linkedRecords(db, tenant, "payment_accounts", accounts)).map(auditLabel),
  }),
});

async function find(db: Scoped, call: StaffCall, id: string): Promise<RateGroupRow> {
  const [row] = await findRecords<RateGroupRow>(db, groupsOf(call), [id]);
  if (!row) throw new Refusal("not-found");
  return row;
}

export const rateLimitGroupHandlers: Handlers<typeof rateLimitGroupRoutes, StaffCall> = {
  listRateLimitGroups: list,
  readRateLimitGroup: read,
  createRateLimitGroup: create,
  updateRateLimitGroup: update,
  changeRateLimitGroupStatus: changeStatus,
  deleteRateLimitGroup: remove,

  /** An update that changes nothing else: of a row read too early the version tells. */
  async assignRateLimitAccounts(call, { params, body: { version, accounts } }) {
    const row = await inTenant(call.deps.database, call.tenant, (db) => find(db, call, params.uuid));
    const same = { name: row.name, ...limitsOf(row) };
    const { data } = await update(call, { params, body: { ...same, accounts, version } });
    call.deps.publisher.changed(call.tenant, "paymentAccount", [...new Set([...row.accounts, ...accounts])]);
    return { data };
  },

  readRateLimitUsage: (call, { params: { uuid } }) =>
    inTenant(call.deps.database, call.tenant, async (db) => ({ data: await usageOf(db, call, await find(db, call, uuid)) })),

  readRateLimitsReached: (call, { query: { group, accounts, ...limits } }) =>
    inTenant(call.deps.database, call.tenant, async (db) => {
      const row = group === undefined ? null : await find(db, call, group);
      return { data: await limitsReached(db, call, limits, accounts ?? row?.accounts ?? []) };
    }),
};
