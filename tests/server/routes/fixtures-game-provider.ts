import { createHash, randomUUID } from "node:crypto";
import type { gameImportRoutes } from "../../../src/contract/game-imports.ts";
import type { merchantProviderRoutes } from "../../../src/contract/merchant-providers.ts";
import type { providerGameRoutes } from "../../../src/contract/provider-games.ts";
import { makeGame, makeProvider, stageGames } from "../../support/game-provider.ts";
import { makeSigningMerchant } from "../../support/merchants.ts";
import { uniquePng } from "../../support/receipts.ts";
import type { Fixture, Site } from "./fixtures.ts";

const named = ({ mark }: Site) => `${mark} ${randomUUID()}`.slice(0, 80);
const merchant = ({ office, mark }: Site, name = `${mark} ${randomUUID()}`) =>
  makeSigningMerchant(office.db, office.deps, office.tenant, { name });
const provider = async (site: Site, name = named(site)) => makeProvider(site.office.db, site.office.tenant, await merchant(site), { name });
const game = async (site: Site, name = named(site)) => makeGame(site.office.db, site.office.tenant, await provider(site), { name });
const staged = async (site: Site) => stageGames(site.office.call(), await provider(site), `${randomUUID()},${named(site)},slot\n`);
const providerForm = (name: string) => ({
  name,
  is_prod: false,
  platform_type: "web",
  pt: "12.5",
  master_account: null,
  website_url: "https://play.example",
  backoffice_url: "",
  callback_url: "",
  deep_link: "harbour://open",
  download_url: "",
  whitelist_ips: "",
  api_credential: "",
  account_credentials: "",
});
const gameForm = (name: string) => ({ code: randomUUID(), name, type: "slot", image: "" });
/** A kept picture. */
async function image({ office }: Site): Promise<string> {
  const hash = createHash("sha256").update(randomUUID()).digest();
  await office.db.owner.query("insert into game_images (tenant_id, hash, small, large) values ($1, $2, '\\x01', '\\x02')", [
    office.tenant.id,
    hash,
  ]);
  return hash.toString("hex");
}

export const gameProviderFixtures: Readonly<
  Record<keyof typeof merchantProviderRoutes | keyof typeof providerGameRoutes | keyof typeof gameImportRoutes, Fixture>
> = {
  listGameMerchants: {
    foreign: "an empty list",
    make: async (site) => {
      const name = named(site);
      await merchant(site, name);
      return { query: { "filter[name]": name, with: "count" } };
    },
  },
  readGameMerchant: { foreign: "not found", make: async (site) => ({ params: { uuid: (await merchant(site)).id } }) },
  listMerchantProviders: {
    foreign: "not found",
    make: async (site) => {
      const { id } = await merchant(site);
      await makeProvider(site.office.db, site.office.tenant, { id }, { name: named(site) });
      return { params: { merchantUuid: id } };
    },
  },
  readMerchantProvider: { foreign: "not found", make: async (site) => ({ params: { uuid: await provider(site) } }) },
  createMerchantProvider: {
    foreign: "not found",
    make: async (site) => ({ params: { merchantUuid: (await merchant(site)).id }, body: providerForm(randomUUID()) }),
  },
  updateMerchantProvider: {
    foreign: "not found",
    make: async (site) => ({ params: { uuid: await provider(site) }, body: { ...providerForm(named(site)), version: 1 } }),
  },
  changeMerchantProviderStatus: {
    foreign: "not found",
    make: async (site) => ({ params: { uuid: await provider(site) }, body: { version: 1, status: "inactive", reason: "" } }),
  },
  deleteMerchantProvider: {
    foreign: "not found",
    make: async (site) => ({ params: { uuid: await provider(site) }, query: { version: "1" } }),
  },
  viewMerchantProviderCredential: {
    foreign: "not found",
    make: async (site) => ({ params: { uuid: await provider(site) }, body: { which: "api_credential" } }),
  },
  copyMerchantProvider: {
    foreign: "not found",
    make: async (site) => ({
      params: { uuid: await provider(site) },
      body: { version: 1, to_merchant: (await merchant(site)).id, copy_games: true },
    }),
  },
  listProviderGames: {
    foreign: "not found",
    make: async (site) => {
      const merchantProviderUuid = await provider(site);
      await makeGame(site.office.db, site.office.tenant, merchantProviderUuid, { name: named(site) });
      return { params: { merchantProviderUuid } };
    },
  },
  readProviderGame: { foreign: "not found", make: async (site) => ({ params: { uuid: await game(site) } }) },
  createProviderGame: {
    foreign: "not found",
    make: async (site) => ({ params: { merchantProviderUuid: await provider(site) }, body: gameForm(randomUUID()) }),
  },
  updateProviderGame: {
    foreign: "not found",
    make: async (site) => ({ params: { uuid: await game(site) }, body: { ...gameForm(named(site)), version: 1 } }),
  },
  changeProviderGameStatus: {
    foreign: "not found",
    make: async (site) => ({ params: { uuid: await game(site) }, body: { version: 1, status: "inactive", reason: "" } }),
  },
  deleteProviderGame: { foreign: "not found", make: async (site) => ({ params: { uuid: await game(site) }, query: { version: "1" } }) },
  setProviderGamesStatus: {
    foreign: "every row not found",
    make: async (site) => ({ body: { rows: [{ uuid: await game(site), version: 1 }], status: "inactive" } }),
  },
  addGameImage: { foreign: "names no ids", make: async () => ({ file: { name: "game.png", bytes: uniquePng() } }) },
  fetchGameImage: { foreign: "names no ids", make: async () => ({ body: { url: "https://127.0.0.1/game.png" } }) },
  readGameImage: { foreign: "not found", make: async (site) => ({ params: { image: await image(site), size: "small" } }) },
  uploadGames: {
    foreign: "not found",
    make: async (site) => ({
      params: { merchantProviderUuid: await provider(site) },
      file: { name: "games.csv", bytes: Buffer.from(`${randomUUID()},A game,slot\n`) },
    }),
  },
  readGameImport: { foreign: "not found", make: async (site) => ({ params: { uuid: (await staged(site)).uuid } }) },
  listGameImportLines: { foreign: "not found", make: async (site) => ({ params: { uuid: (await staged(site)).uuid } }) },
  startGameImport: { foreign: "not found", make: async (site) => ({ params: { uuid: (await staged(site)).uuid }, body: {} }) },
  cancelGameImport: { foreign: "not found", make: async (site) => ({ params: { uuid: (await staged(site)).uuid }, body: {} }) },
};
