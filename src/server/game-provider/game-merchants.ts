import { sql } from "kysely";
import type { GameMerchant, GameMerchantDetail, gameMerchantRoutes } from "../../contract/merchant-providers.ts";
import { gameMerchantColumns } from "../../contract/merchant-providers.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import type { Handlers } from "../handlers.ts";
import { recordHandlers } from "../records/record-handlers.ts";
import { availabilityOf } from "./availability.ts";

interface GameMerchantRow extends Pick<GameMerchant, "code" | "name" | "currency" | "status" | "environment" | "production" | "test"> {
  readonly id: string;
  readonly version: number;
  readonly games: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

async function providersOf(db: Scoped, { tenant }: StaffCall, { id }: GameMerchantRow): Promise<Pick<GameMerchantDetail, "providers">> {
  const { rows } = await sql<GameMerchantDetail["providers"][number]>`select p.id as uuid, p.name, p.status,
      case when p.is_prod then 'production' else 'test' end as environment,
      ${availabilityOf(tenant, { account: sql`p.master_account_id`, provider: sql`p.id` })} as availability,
      (select count(*)::integer from provider_games g where g.tenant_id = p.tenant_id and g.merchant_provider_id = p.id) as games
    from merchant_providers p where p.tenant_id = ${tenant} and p.merchant_id = ${id}
    order by p.is_prod desc, lower(p.name), p.id`.execute(db);
  return { providers: rows };
}

const { list, read } = recordHandlers({
  entity: "game-merchant",
  table: "merchants",
  currency: true,
  columns: gameMerchantColumns,
  stored: { name: { sort: [{ name: "name_key", type: "text" }] } },
  rows: ({ tenant, currency }) => sql`select m.id, m.version, m.code, m.name, m.name_key, m.currency, m.status, m.created_at, m.updated_at,
      coalesce(p.production, '{}') as production, coalesce(p.test, '{}') as test, coalesce(p.games, 0) as games,
      case when p.production <> '{}' then 'production' when p.test <> '{}' then 'test' else 'none' end as environment
    from merchants m
    left join lateral (select
        coalesce(array_agg(o.name order by lower(o.name)) filter (where o.is_prod), '{}') as production,
        coalesce(array_agg(o.name order by lower(o.name)) filter (where not o.is_prod), '{}') as test,
        sum((select count(*) from provider_games g where g.tenant_id = o.tenant_id and g.merchant_provider_id = o.id))::integer as games
      from merchant_providers o where o.tenant_id = m.tenant_id and o.merchant_id = m.id) p on true
    where m.tenant_id = ${tenant} and m.currency = ${currency}`,
  view: ({ id, created_at, updated_at, version, code, name, currency, status, environment, production, test, games }: GameMerchantRow) => ({
    uuid: id,
    version,
    code,
    name,
    currency,
    status,
    environment,
    production,
    test,
    games,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  }),
  nameOf: ({ name }) => name,
  fields: () => ({}),
  detail: providersOf,
});

/** Merchants as the providers' side sees them: nobody makes or changes one there. */
export const gameMerchantHandlers: Handlers<typeof gameMerchantRoutes, StaffCall> = { listGameMerchants: list, readGameMerchant: read };
