import type { Selectable } from "kysely";
import { sql } from "kysely";
import { Refusal } from "../../contract/problems.ts";
import type { ProviderGame, ProviderGameForm, providerGameRoutes } from "../../contract/provider-games.ts";
import { providerGameColumns } from "../../contract/provider-games.ts";
import type { StaffCall } from "../call.ts";
import { isDevelopment } from "../config.ts";
import type { Scoped } from "../db/scope.ts";
import { violated } from "../db/errors.ts";
import { inTenant } from "../db/scope.ts";
import type { Tables } from "../db/tables.ts";
import type { Handlers } from "../handlers.ts";
import { onRows } from "../payments/acts.ts";
import { recordHandlers } from "../records/record-handlers.ts";
import { settingsOf } from "../settings/settings.ts";
import type { AvailabilityRow } from "./availability.ts";
import { availabilityColumns, availabilityView } from "./availability.ts";
import { fetchImage, imageFile, keepImage } from "./images.ts";
import { requireProvider } from "./scope.ts";

interface GameRow extends Omit<Selectable<Tables["provider_games"]>, "image">, AvailabilityRow {
  /** Hexadecimal digits. */
  readonly image: string | null;
  readonly provider: string;
}

const view = (row: GameRow): ProviderGame => ({
  uuid: row.id,
  version: row.version,
  code: row.code,
  name: row.name,
  type: row.type,
  status: row.status,
  ...availabilityView(row),
  image: row.image,
  provider: { uuid: row.merchant_provider_id, name: row.provider, code: null },
  currency: row.currency,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

const gamesOf = ({ tenant, currency }: Pick<StaffCall, "tenant" | "currency">) => sql`select g.id, g.tenant_id, g.version, g.currency,
    g.merchant_provider_id, g.code, g.name, g.code_key, g.name_key, g.type, g.status, encode(g.image, 'hex') as image, g.image_source,
    ${availabilityColumns(tenant, { account: sql`p.master_account_id`, provider: sql`p.id`, game: sql`g.id` })},
    g.created_at, g.updated_at, p.name as provider
  from provider_games g join merchant_providers p on p.tenant_id = g.tenant_id and p.id = g.merchant_provider_id
  where g.tenant_id = ${tenant} and g.currency = ${currency}`;

const { list, read, create, update, changeStatus, statusOf, remove } = recordHandlers({
  entity: "provider-game",
  table: "provider_games",
  currency: true,
  within: {
    columns: ({ merchantProviderUuid }: { merchantProviderUuid: string }) => ({ merchant_provider_id: merchantProviderUuid }),
    require: (db, call, { merchantProviderUuid }, use) => requireProvider(db, call, merchantProviderUuid, use),
  },
  columns: providerGameColumns,
  stored: { name: { sort: [{ name: "name_key", type: "text" }] } },
  rows: gamesOf,
  view,
  nameOf: ({ name }) => name,
  fields: (of: ProviderGameForm | GameRow) => ({ code: of.code, name: of.name, type: of.type, image: of.image || null }),
  parts: {
    // also a picture taken away is written, which no part is called for
    image: Object.assign(() => Promise.resolve([]), {
      audited: (_: Scoped, __: StaffCall, image: string) => Promise.resolve(image.slice(0, 12)),
    }),
  },
  async written(db, { tenant }, id, changed) {
    if (changed.image !== undefined) await writeImage(db, tenant, id, changed.image);
  },
  constraints: { provider_games_code: { code: ["Already taken"] } },
});

/** A picture given by hand came from no address. */
async function writeImage(db: Scoped, tenant: string, id: string, image: string | null): Promise<void> {
  await db
    .updateTable("provider_games")
    .set({ image: image === null ? null : Buffer.from(image, "hex"), image_source: null })
    .where("tenant_id", "=", tenant)
    .where("id", "=", id)
    .execute()
    .catch((error: unknown) => {
      if (violated(error) !== "provider_games_tenant_id_image_fkey") throw error;
      throw new Refusal("request.invalid", { image: ["Names a picture that does not exist"] });
    });
}

const mayReachLoopback = ({ deps, tenant }: StaffCall): Promise<boolean> =>
  inTenant(deps.database, tenant, async (db) => isDevelopment(deps.config) && (await settingsOf(db, tenant)).loopback_callbacks);

export const providerGameHandlers: Handlers<typeof providerGameRoutes, StaffCall> = {
  listProviderGames: list,
  readProviderGame: read,
  createProviderGame: create,
  updateProviderGame: update,
  changeProviderGameStatus: changeStatus,
  deleteProviderGame: remove,

  setProviderGamesStatus: (call, { body: { rows, status } }) =>
    onRows(call, null, rows, (db, { uuid, version }) => statusOf(db, call, uuid, { version, status, reason: "" })),

  addGameImage: async ({ deps, tenant }, { file }) => ({ data: { image: await keepImage(deps, tenant, file.bytes) } }),

  async fetchGameImage(call, { body: { url } }) {
    const { deps, tenant, gone } = call;
    return { data: await fetchImage(deps, tenant, url, await mayReachLoopback(call), gone) };
  },

  readGameImage: async ({ deps, tenant }, { params: { image, size } }) => ({ data: await imageFile(deps, tenant, image, size) }),
};
