import { sql } from "kysely";
import type { merchantRoutes } from "../../contract/merchant-api.ts";
import { Refusal } from "../../contract/problems.ts";
import type { Answer, Received } from "../../contract/route.ts";
import type { MerchantCall } from "../call.ts";
import { inTenant } from "../db/scope.ts";
import { downUntil } from "../game-provider/availability.ts";

type Provider = Answer<typeof merchantRoutes.listMyProviders>["data"][number];
type Game = Answer<typeof merchantRoutes.listMyGames>["data"][number];

interface Standing {
  readonly status: "active" | "inactive";
  readonly until: Date | null;
}

/** What is closed says nothing of maintenance, because it does not open when that ends. */
const playable = ({ status, until }: Standing): Pick<Provider, "state" | "maintenance_until"> => ({
  state: status === "inactive" ? "closed" : until === null ? "open" : "maintenance",
  maintenance_until: status === "inactive" ? null : (until?.toISOString() ?? null),
});

/** The merchant's set-ups at game providers, by name. */
export async function listProviders({ deps, tenant, caller }: MerchantCall): Promise<Provider[]> {
  const until = downUntil(tenant, { account: sql`p.master_account_id`, provider: sql`p.id` });
  const { rows } = await inTenant(deps.database, tenant, (db) =>
    sql<Omit<Provider, "state" | "maintenance_until"> & Standing>`select p.id as uuid, p.name, p.platform_type, p.status,
        case when p.is_prod then 'production' else 'test' end as environment, ${until} as until,
        (select count(*)::integer from provider_games g where g.tenant_id = p.tenant_id and g.merchant_provider_id = p.id) as games
      from merchant_providers p where p.tenant_id = ${tenant} and p.merchant_id = ${caller.id}
      order by p.name_key, p.is_prod desc, p.id`.execute(db),
  );
  return rows.map(({ status, until: ends, ...provider }) => ({ ...provider, ...playable({ status, until: ends }) }));
}

/** Games of one of the merchant's own set-ups, by code; refused while the whole of it cannot be played on. */
export function listGames(
  { deps, tenant, caller }: MerchantCall,
  { params: { uuid }, query: { after, limit } }: Received<typeof merchantRoutes.listMyGames>,
): Promise<Game[]> {
  return inTenant(deps.database, tenant, async (db) => {
    const found = await sql<Standing & { name: string }>`select p.name, p.status,
        ${downUntil(tenant, { account: sql`p.master_account_id`, provider: sql`p.id` })} as until
      from merchant_providers p where p.tenant_id = ${tenant} and p.merchant_id = ${caller.id} and p.id = ${uuid}`.execute(db);
    const [provider] = found.rows;
    if (!provider) throw new Refusal("not-found");
    const { name, status, until } = provider;
    if (status === "inactive") throw new Refusal("provider.inactive", { name });
    if (until !== null) throw new Refusal("provider.maintenance", { name, until: until.toISOString() });
    const { rows } = await sql<Pick<Game, "code" | "name" | "type"> & Standing>`select g.code, g.name, g.type, g.status,
        ${downUntil(tenant, { game: sql`g.id` })} as until
      from provider_games g where g.tenant_id = ${tenant} and g.merchant_provider_id = ${uuid}
        ${after === undefined ? sql`` : sql`and g.code_key > lower(${after}::text)`}
      order by g.code_key limit ${limit}`.execute(db);
    return rows.map(({ code, name: game, type, ...standing }) => ({ code, name: game, type, ...playable(standing) }));
  });
}
