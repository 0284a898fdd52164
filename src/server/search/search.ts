import { sql } from "kysely";
import { holdsAny } from "../../contract/permissions.ts";
import type { Found, searchRoutes } from "../../contract/search.ts";
import { searchKinds, searchPermissions } from "../../contract/search.ts";
import type { TransactionStatus } from "../../contract/transactions.ts";
import { amountText } from "../../values/money.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import { inTenant } from "../db/scope.ts";
import type { TransactionKind } from "../db/tables/kinds.ts";
import type { Handlers } from "../handlers.ts";
import { findLines } from "./bank-lines.ts";
import { mostOf } from "./finder.ts";
import type { Finder, Hit, SearchScope } from "./finder.ts";
import { findAccountsBy, findMerchantsBy, findUsersBy, nameOnly } from "./records.ts";
import { matchesOf, waysToTransactions } from "./transactions.ts";
import type { Matches } from "./transactions.ts";
import { findTransfers } from "./transfers.ts";
import type { Typed } from "./typed.ts";
import { readTyped } from "./typed.ts";

async function findTransactions(db: Scoped, scope: SearchScope, kind: TransactionKind, typed: Typed): Promise<Hit[]> {
  const most = mostOf(typed);
  const ways = waysToTransactions(scope, kind, typed, await scope.matches(), most);
  if (ways.length === 0) return [];
  const branches = ways.map(({ rank, select }) => sql`select w.id, ${sql.lit(rank)} as rank from ${select} w`);
  const { rows } = await sql<{
    id: string;
    txn_no: string;
    customer_name: string;
    amount: string;
    status: TransactionStatus;
    created_at: Date;
    merchant_code: string;
    rank: number;
  }>`
    select t.id, t.txn_no, t.customer_name, t.amount, t.status, t.created_at, m.code as merchant_code, f.rank
    from (select b.id, min(b.rank) as rank from (${sql.join(branches, sql` union all `)}) b group by b.id) f
    join transactions t on t.tenant_id = ${scope.tenant} and t.id = f.id
    join merchants m on m.tenant_id = t.tenant_id and m.id = t.merchant_id
    order by f.rank, t.created_at desc, t.id limit ${sql.lit(most)}`.execute(db);
  return rows.map((row) => ({
    rank: row.rank,
    found: {
      kind,
      uuid: row.id,
      params: {},
      name: row.txn_no,
      note: row.customer_name,
      merchant: row.merchant_code,
      created_at: row.created_at.toISOString(),
      amount: amountText(row.amount),
      currency: scope.currency,
      status: row.status,
    },
  }));
}

const watchedAccounts = (tenant: string) => sql`(select w.tenant_id, w.id, w.currency, a.code, a.name from score_watchers w
  join master_accounts a on a.tenant_id = w.tenant_id and a.id = w.master_account_id where w.tenant_id = ${tenant})`;

/** Downtimes by what they are of, and why. */
const downtimeEntities = (tenant: string) => sql`(select d.tenant_id, d.id, d.currency, d.reason, coalesce(a.code, g.code) as code,
    coalesce(a.name, p.name, g.name) as entity, concat_ws(' ', coalesce(a.name, p.name, g.name), d.reason) as name
  from downtimes d left join master_accounts a on a.tenant_id = d.tenant_id and a.id = d.master_account_id
  left join merchant_providers p on p.tenant_id = d.tenant_id and p.id = d.merchant_provider_id
  left join provider_games g on g.tenant_id = d.tenant_id and g.id = d.provider_game_id where d.tenant_id = ${tenant})`;

/** Kind → its search: one line for each screen with `found` (contract/screens.ts). */
const finders: Readonly<Record<Found["kind"], Finder>> = {
  withdrawal: (db, scope, typed) => findTransactions(db, scope, "withdrawal", typed),
  deposit: (db, scope, typed) => findTransactions(db, scope, "deposit", typed),
  merchant: findMerchantsBy,
  "payment-account": findAccountsBy,
  vendor: nameOnly("vendor", "vendors"),
  user: findUsersBy,
  "vendor-category": nameOnly("vendor-category", "vendor_categories"),
  "vendor-item": nameOnly("vendor-item", "vendor_items", {
    note: sql`(select v.company from vendors v where v.tenant_id = r.tenant_id and v.id = r.vendor_id)`,
  }),
  "master-account": nameOnly("master-account", "master_accounts", { currency: true, coded: true, note: sql`r.code` }),
  "merchant-provider": nameOnly("merchant-provider", "merchant_providers", {
    currency: true,
    note: sql`(select m.name from merchants m where m.tenant_id = r.tenant_id and m.id = r.merchant_id)`,
    params: sql`jsonb_build_object('merchantUuid', r.merchant_id)`,
  }),
  "payment-group": nameOnly("payment-group", "payment_groups", { currency: true }),
  "rate-limit-group": nameOnly("rate-limit-group", "rate_limit_groups", { currency: true }),
  "user-group": nameOnly("user-group", "user_groups", { coded: true }),
  "payout-template": nameOnly("payout-template", "payout_templates", { note: sql`r.bank` }),
  "score-watcher": nameOnly("score-watcher", watchedAccounts, { currency: true, coded: true, note: sql`r.code` }),
  downtime: nameOnly("downtime", downtimeEntities, { currency: true, coded: true, name: sql`r.entity`, note: sql`r.reason` }),
  "bank-line": findLines,
  transfer: findTransfers,
  "provider-game": nameOnly("provider-game", "provider_games", {
    currency: true,
    coded: true,
    note: sql`(select concat_ws(' · ', r.code, p.name, m.name) from merchant_providers p
      join merchants m on m.tenant_id = p.tenant_id and m.id = p.merchant_id
      where p.tenant_id = r.tenant_id and p.id = r.merchant_provider_id)`,
    params: sql`jsonb_build_object('merchantProviderUuid', r.merchant_provider_id)`,
  }),
};

export const searchHandlers: Handlers<typeof searchRoutes, StaffCall> = {
  async search(call, { query: { q, kinds = searchKinds } }) {
    const allowed = kinds.filter((kind) => holdsAny(call.caller.permissions, searchPermissions[kind]));
    return inTenant(call.deps.database, call.tenant, async (db) => {
      const typed = await readTyped(db, q);
      let matches: Promise<Matches> | undefined;
      const scope: SearchScope = { ...call, matches: () => (matches ??= matchesOf(db, call, typed)) };
      const hits: Hit[] = [];
      for (const kind of allowed) hits.push(...(await finders[kind](db, scope, typed)));
      return { data: hits.toSorted((a, b) => a.rank - b.rank).map(({ found }) => found) };
    });
  },
};
