import { merchantProviderRoutes } from "../../../contract/merchant-providers.ts";
import { providerGameColumns, providerGameRoutes as routes } from "../../../contract/provider-games.ts";
import { defineEntity } from "../../entity/entity.ts";
import { parentBy } from "../../entity/parent.ts";
import { GamePicture } from "./game-picture.tsx";
import { GameTile } from "./game-tile.tsx";
import { paintPicture } from "./pictures.ts";

export const providerGames = defineEntity({
  screen: "provider-games",
  subject: "provider-game",
  routes: {
    list: routes.listProviderGames,
    read: routes.readProviderGame,
    create: routes.createProviderGame,
    update: routes.updateProviderGame,
    status: routes.changeProviderGameStatus,
    remove: routes.deleteProviderGame,
  },
  parent: parentBy({
    screen: "merchant-providers",
    param: "merchantProviderUuid",
    read: merchantProviderRoutes.readMerchantProvider,
    titleOf: ({ row }) => `${row.merchant.name} · ${row.name}`,
    paramsOf: ({ row }) => ({ merchantUuid: row.merchant.uuid }),
  }),
  live: "providerGame",
  marks: ["availability"],
  titleOf: ({ name }) => name,
  codeOf: ({ code }) => code,
  order: "name",
  columns: [
    { field: "image", width: 48, paint: paintPicture },
    { field: "name", width: 240, minWidth: 140, grow: 1 },
    { field: "code", as: "mono", width: 180, minWidth: 112, grow: 0.4 },
    { field: "type", as: "choice", width: 104 },
    { field: "status", as: "status", width: 104 },
    { field: "availability", as: "status", width: 124 },
    { field: "created_at", as: "time", width: 156 },
  ],
  tile: GameTile,
  columnMap: providerGameColumns,
  firstFilters: ["status", "availability", "type"],
  sections: [
    { name: "maintenance", lines: [{ field: "down_until", as: "time" }], applies: ({ row }) => row.down_until !== null },
    { name: "picture", draw: GamePicture },
    {
      name: "game",
      lines: [
        { field: "code", as: "mono" },
        { field: "type", as: "choice" },
        { field: "provider", value: ({ row }) => row.provider.name },
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
      { name: "game", fields: ["code", "name", "type"] },
      { name: "picture", fields: ["image"] },
    ],
  },
});
