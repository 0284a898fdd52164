import { merchantProviderColumns, merchantProviderRoutes as routes } from "../../../contract/merchant-providers.ts";
import type { MerchantProviderDetail } from "../../../contract/merchant-providers.ts";
import { defineEntity } from "../../entity/entity.ts";
import type { Entity } from "../../entity/entity.ts";
import { parentBy } from "../../entity/parent.ts";
import { linksTo } from "../../entity/named.ts";
import { CredentialActs } from "./credential-acts.tsx";

const kept = (has: boolean) => (has ? "kept" : "none");

/** The set-ups of one merchant; the screen of a single one shows it among them. */
const providersOn = (screen: "merchant-providers" | "merchant-provider"): Entity =>
  defineEntity({
    screen,
    subject: "merchant-provider",
    routes: {
      list: routes.listMerchantProviders,
      read: routes.readMerchantProvider,
      create: routes.createMerchantProvider,
      update: routes.updateMerchantProvider,
      status: routes.changeMerchantProviderStatus,
      remove: routes.deleteMerchantProvider,
    },
    acts: { copy: routes.copyMerchantProvider },
    parent: parentBy({
      screen: "game-merchants",
      param: "merchantUuid",
      read: routes.readGameMerchant,
      titleOf: ({ row }) => row.name,
    }),
    unbuttoned: ["merchant-provider.view-api-credential", "merchant-provider.view-account-credentials"],
    titleOf: ({ name }) => name,
    codeOf: ({ name }) => name,
    order: "name",
    live: "merchantProvider",
    marks: ["environment", "availability"],
    removalText: ({ games: count }) => ({
      key: count === 0 ? "record.ask.delete-text" : "merchant-provider.ask.delete-text",
      words: { count },
    }),
    columns: [
      { field: "environment", as: "status", width: 116 },
      { field: "name", width: 200, minWidth: 120, grow: 1 },
      { field: "status", as: "status", width: 104 },
      { field: "availability", as: "status", width: 124 },
      { field: "platform_type", as: "choice", width: 96 },
      { field: "pt", as: "rate", width: 84 },
      { field: "games", as: "count", width: 84 },
      { field: "website_url", width: 180, minWidth: 96, grow: 1, rooms: ["wide"] },
      { field: "created_at", as: "time", width: 156 },
    ],
    columnMap: merchantProviderColumns,
    firstFilters: ["environment", "status", "availability"],
    sections: [
      { name: "maintenance", lines: [{ field: "down_until", as: "time" }], applies: ({ row }) => row.down_until !== null },
      {
        name: "setup",
        lines: [
          { field: "merchant", links: ({ row }) => linksTo("game-merchants", [row.merchant]) },
          {
            field: "master_account",
            links: ({ row: { master_account } }) => linksTo("master-accounts", master_account === null ? [] : [master_account]),
          },
          { field: "currency", as: "mono" },
          { field: "environment", as: "status" },
          { field: "platform_type", as: "choice" },
          { field: "pt", as: "rate" },
        ],
      },
      {
        name: "addresses",
        lines: ["website_url", "backoffice_url", "callback_url", "deep_link", "download_url", { field: "whitelist_ips", as: "mono" }],
      },
      {
        name: "credentials",
        lines: [
          { field: "api_credential", as: "choice", value: ({ row }) => kept(row.has_api_credential) },
          { field: "account_credentials", as: "choice", value: ({ row }) => kept(row.has_account_credentials) },
        ],
        draw: CredentialActs,
      },
      {
        name: "games",
        lines: [
          {
            field: "games",
            links: ({ row }) => [
              {
                screen: "provider-games",
                params: { merchantProviderUuid: row.uuid },
                record: "",
                text: `${row.active_games} / ${row.games}`,
              },
            ],
          },
          { field: "first_games", value: ({ first_games }: MerchantProviderDetail) => first_games.join(", ") },
        ],
      },
      {
        name: "dates",
        lines: [
          { field: "created_at", as: "time" },
          { field: "updated_at", as: "time" },
        ],
      },
    ],
    form: {
      groups: [
        { name: "setup", fields: ["name", "is_prod", "platform_type", "pt", "master_account"] },
        { name: "addresses", fields: ["website_url", "backoffice_url", "callback_url", "deep_link", "download_url", "whitelist_ips"] },
        { name: "credentials", fields: ["api_credential", "account_credentials"] },
      ],
      // what is kept is not sent to the console: an empty field leaves it as it is
      valuesOf: () => ({ api_credential: "", account_credentials: "" }),
    },
  });

export const merchantProviders = providersOn("merchant-providers");
export const merchantProvider = providersOn("merchant-provider");
