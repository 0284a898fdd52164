import { randomUUID } from "node:crypto";
import type { Selectable } from "kysely";
import { sql } from "kysely";
import type { CredentialKind, MerchantProvider, MerchantProviderForm, merchantProviderRoutes } from "../../contract/merchant-providers.ts";
import { merchantProviderColumns } from "../../contract/merchant-providers.ts";
import type { Linked } from "../../contract/controls.ts";
import type { FieldLines } from "../../contract/problems.ts";
import { Refusal } from "../../contract/problems.ts";
import { amountText } from "../../values/money.ts";
import { actorOf } from "../audit/record.ts";
import { audit } from "../audit/records.ts";
import type { StaffCall } from "../call.ts";
import { isDevelopment } from "../config.ts";
import type { Scoped } from "../db/scope.ts";
import { violated } from "../db/errors.ts";
import type { Tables } from "../db/tables.ts";
import type { Handlers } from "../handlers.ts";
import { once } from "../idempotency.ts";
import { listOf, merchantFaults } from "../merchants/merchant-rules.ts";
import { noSuchRecord } from "../records/links.ts";
import { recordHandlers } from "../records/record-handlers.ts";
import type { Part } from "../records/record-kind.ts";
import { providerCredentialPlace } from "../secrets/secrets.ts";
import { settingsOf } from "../settings/settings.ts";
import type { AvailabilityRow } from "./availability.ts";
import { availabilityColumns, availabilityView } from "./availability.ts";
import { gameMerchantHandlers } from "./game-merchants.ts";
import { requireMerchant } from "./scope.ts";

interface ProviderRow extends Omit<Selectable<Tables["merchant_providers"]>, CredentialKind>, AvailabilityRow {
  readonly merchant_code: string;
  readonly merchant_name: string;
  readonly master: Linked | null;
  readonly has_api_credential: boolean;
  readonly has_account_credentials: boolean;
  readonly games: number;
  readonly active_games: number;
}

const view = (row: ProviderRow): MerchantProvider => ({
  uuid: row.id,
  version: row.version,
  name: row.name,
  merchant: { uuid: row.merchant_id, name: row.merchant_name, code: row.merchant_code },
  master_account: row.master,
  currency: row.currency,
  status: row.status,
  ...availabilityView(row),
  environment: row.is_prod ? "production" : "test",
  is_prod: row.is_prod,
  platform_type: row.platform_type,
  pt: amountText(row.pt),
  website_url: row.website_url,
  backoffice_url: row.backoffice_url,
  callback_url: row.callback_url,
  deep_link: row.deep_link,
  download_url: row.download_url,
  whitelist_ips: row.whitelist_ips.join(", "),
  has_api_credential: row.has_api_credential,
  has_account_credentials: row.has_account_credentials,
  games: row.games,
  active_games: row.active_games,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

/** Seals a credential into its column; the audit log has that it was set, never what it is. */
const credential = (which: CredentialKind): Part<string> =>
  Object.assign(
    async (db: Scoped, { deps, tenant }: StaffCall, id: string, now: string) => {
      const sealed = deps.secrets.seal(now, providerCredentialPlace(which)(tenant, id));
      await db
        .updateTable("merchant_providers")
        .set({ [which]: sealed })
        .where("tenant_id", "=", tenant)
        .where("id", "=", id)
        .execute();
      return [];
    },
    { audited: () => Promise.resolve("•••") },
  );

/** The addresses must be ones that can be called, the networks ones there are, and the house's account one of the currency. */
async function faultsOf(
  db: Scoped,
  { deps, tenant, currency }: StaffCall,
  changed: { callback_url?: string | null; whitelist_ips?: readonly string[]; master_account_id?: string | null },
): Promise<FieldLines> {
  const { master_account_id: master = null } = changed;
  const { rows } = await sql`select from master_accounts
    where tenant_id = ${tenant} and currency = ${currency} and id = ${master} for key share`.execute(db);
  return {
    ...merchantFaults(changed, isDevelopment(deps.config) && (await settingsOf(db, tenant)).loopback_callbacks),
    ...(master !== null && rows.length === 0 && { master_account: [noSuchRecord] }),
  };
}

/** A name stands once among a merchant's set-ups in production, and once among those in test. */
const taken = { name: ["Already taken by this merchant"] };

const { list, read, create, update, changeStatus, remove, perform } = recordHandlers({
  entity: "merchant-provider",
  table: "merchant_providers",
  currency: true,
  within: {
    columns: ({ merchantUuid }: { merchantUuid: string }) => ({ merchant_id: merchantUuid }),
    require: (db, call, { merchantUuid }, use) => requireMerchant(db, call, merchantUuid, use),
  },
  columns: merchantProviderColumns,
  stored: { name: { sort: [{ name: "name_key", type: "text" }] } },
  rows: ({ tenant, currency }) => sql`select p.id, p.tenant_id, p.version, p.currency, p.merchant_id, p.master_account_id, p.name,
      p.name_key, p.status, p.is_prod, case when p.is_prod then 'production' else 'test' end as environment,
      p.platform_type, p.pt, p.website_url, p.backoffice_url, p.callback_url, p.deep_link, p.download_url, p.whitelist_ips,
      p.api_credential is not null as has_api_credential, p.account_credentials is not null as has_account_credentials,
      ${availabilityColumns(tenant, { account: sql`p.master_account_id`, provider: sql`p.id` })},
      p.created_at, p.updated_at, m.code as merchant_code, m.name as merchant_name, g.games, g.active_games,
      case when a.id is not null then jsonb_build_object('uuid', a.id, 'name', a.name, 'code', a.code) end as master
    from merchant_providers p
    join merchants m on m.tenant_id = p.tenant_id and m.id = p.merchant_id
    left join master_accounts a on a.tenant_id = p.tenant_id and a.id = p.master_account_id
    left join lateral (select count(*)::integer as games, count(*) filter (where o.status = 'active')::integer as active_games
      from provider_games o where o.tenant_id = p.tenant_id and o.merchant_provider_id = p.id) g on true
    where p.tenant_id = ${tenant} and p.currency = ${currency}`,
  view,
  nameOf: ({ name }) => name,
  fields: (of: MerchantProviderForm | ProviderRow) => ({
    name: of.name,
    is_prod: of.is_prod,
    platform_type: of.platform_type,
    pt: amountText(of.pt),
    master_account_id: "master_account_id" in of ? of.master_account_id : of.master_account,
    website_url: of.website_url || null,
    backoffice_url: of.backoffice_url || null,
    callback_url: of.callback_url || null,
    deep_link: of.deep_link || null,
    download_url: of.download_url || null,
    whitelist_ips: typeof of.whitelist_ips === "string" ? listOf(of.whitelist_ips) : of.whitelist_ips,
    ...("api_credential" in of && of.api_credential !== "" && { api_credential: of.api_credential }),
    ...("account_credentials" in of && of.account_credentials !== "" && { account_credentials: of.account_credentials }),
  }),
  refersTo: { master_account_id: { field: "master_account", table: "master_accounts" } },
  parts: { api_credential: credential("api_credential"), account_credentials: credential("account_credentials") },
  async detail(db, { tenant }, { id }) {
    const { rows } = await sql<{ name: string }>`select name from provider_games where tenant_id = ${tenant}
      and merchant_provider_id = ${id} order by lower(name), id limit 12`.execute(db);
    return { first_games: rows.map(({ name }) => name) };
  },
  faults: (db, call, { changed }) => faultsOf(db, call, changed),
  // they decide where the provider calls back, who may call, and as whom we play
  guarded: ["callback_url", "whitelist_ips", "api_credential", "account_credentials", "is_prod"],
  constraints: { merchant_providers_name: taken },
  async release(db, { tenant }, { id }) {
    await sql`delete from provider_games where tenant_id = ${tenant} and merchant_provider_id = ${id}`.execute(db);
  },
});

/** What a copy takes over: everything but the credentials, which are one merchant's alone. */
const copied = sql`name, platform_type, pt, website_url, backoffice_url, callback_url, deep_link, download_url, whitelist_ips`;

async function copyTo(db: Scoped, call: StaffCall, { id, name }: ProviderRow, merchant: string, withGames: boolean): Promise<string> {
  const { tenant, currency } = call;
  await requireMerchant(db, call, merchant, "write").catch((error: unknown) => {
    throw error instanceof Refusal ? new Refusal("request.invalid", { to_merchant: [noSuchRecord] }) : error;
  });
  const copy = randomUUID();
  await sql`insert into merchant_providers (tenant_id, id, currency, merchant_id, master_account_id, status, is_prod, ${copied})
    select tenant_id, ${copy}, currency, ${merchant}, master_account_id, 'inactive', false, ${copied} from merchant_providers
    where tenant_id = ${tenant} and id = ${id}`
    .execute(db)
    .catch((error: unknown) => {
      throw violated(error) === "merchant_providers_name" ? new Refusal("request.invalid", { to_merchant: taken.name }) : error;
    });
  if (withGames)
    await sql`insert into provider_games (tenant_id, currency, merchant_provider_id, code, name, type, status, image, image_source)
      select tenant_id, ${currency}, ${copy}, code, name, type, status, image, image_source from provider_games
      where tenant_id = ${tenant} and merchant_provider_id = ${id}`.execute(db);
  const after = { copy_of: name, copy_games: withGames, status: "inactive", is_prod: false };
  await audit(db, { tenant, entity: "merchant-provider", id: copy }, actorOf(call), "create", { after });
  return copy;
}

export const merchantProviderHandlers: Handlers<typeof merchantProviderRoutes, StaffCall> = {
  ...gameMerchantHandlers,
  listMerchantProviders: list,
  readMerchantProvider: read,
  createMerchantProvider: create,
  updateMerchantProvider: update,
  changeMerchantProviderStatus: changeStatus,
  deleteMerchantProvider: remove,

  async viewMerchantProviderCredential(call, { params: { uuid }, body: { which } }) {
    const { tenant, currency, deps } = call;
    // kept with an Idempotency-Key as it is stored, sealed
    const { sealed } = await once(call, null, async (db) => {
      const found = await db
        .selectFrom("merchant_providers")
        .select(which)
        .where("tenant_id", "=", tenant)
        .where("currency", "=", currency)
        .where("id", "=", uuid)
        .executeTakeFirst();
      if (!found) throw new Refusal("not-found");
      const kept: Buffer | null = found[which];
      await audit(db, { tenant, entity: "merchant-provider", id: uuid }, actorOf(call), "view-credentials", { after: { which } });
      return { answer: { sealed: kept?.toString("base64") ?? null } };
    });
    const place = providerCredentialPlace(which)(tenant, uuid);
    return { data: { credential: sealed === null ? null : deps.secrets.open(Buffer.from(sealed, "base64"), place) } };
  },

  async copyMerchantProvider(call, received) {
    const { to_merchant: merchant, copy_games: withGames } = received.body;
    const { data } = await perform(call, received, "copy", async (row, db) => {
      const copy = await copyTo(db, call, row, merchant, withGames);
      return { columns: {}, after: { copy_games: withGames }, kept: { copy } };
    });
    return { data: { ...data.row, copy: data.copy } };
  },
};
