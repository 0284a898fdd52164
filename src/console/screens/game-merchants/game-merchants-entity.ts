import { gameMerchantColumns, merchantProviderRoutes as routes } from "../../../contract/merchant-providers.ts";
import type { GameMerchantDetail } from "../../../contract/merchant-providers.ts";
import { defineEntity } from "../../entity/entity.ts";
import { tableOf } from "../../entity/named.ts";

const providers = tableOf<GameMerchantDetail, GameMerchantDetail["providers"][number] & { readonly merchant: string }>({
  columns: [
    {
      field: "provider",
      links: ({ uuid, name, merchant }) => [{ screen: "merchant-providers", params: { merchantUuid: merchant }, record: uuid, text: name }],
    },
    { field: "environment", as: "status" },
    { field: "status", as: "status" },
    { field: "availability", as: "status" },
    { field: "games", as: "count" },
  ],
  rows: (detail) => detail.providers.map((provider) => ({ ...provider, merchant: detail.row.uuid })),
});

export const gameMerchants = defineEntity({
  screen: "game-merchants",
  subject: "game-merchant",
  routes: { list: routes.listGameMerchants, read: routes.readGameMerchant },
  titleOf: ({ name }) => name,
  codeOf: ({ code }) => code,
  order: "name",
  marks: ["environment"],
  columns: [
    { field: "environment", as: "status", width: 116 },
    { field: "code", as: "mono", width: 96 },
    { field: "name", width: 200, minWidth: 120, grow: 1 },
    { field: "production", width: 220, minWidth: 112, grow: 1 },
    { field: "test", width: 180, minWidth: 96, grow: 1 },
    { field: "games", as: "count", width: 84 },
    { field: "status", as: "status", width: 104 },
    { field: "created_at", as: "time", width: 156, rooms: ["wide"] },
  ],
  columnMap: gameMerchantColumns,
  firstFilters: ["environment", "status"],
  views: [
    { id: "all", search: {} },
    { id: "production", search: { environment: "production" } },
    { id: "test", search: { environment: "test" } },
    { id: "none", search: { environment: "none" } },
  ],
  sections: [
    { name: "providers", table: providers },
    {
      name: "merchant",
      lines: [
        { field: "currency", as: "mono" },
        { field: "games", as: "count" },
        { field: "created_at", as: "time" },
      ],
    },
  ],
});
