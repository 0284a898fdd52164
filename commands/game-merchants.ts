import { merchantProviderRoutes as routes } from "../src/contract/merchant-providers.ts";
import type { AnyCommand } from "../src/console/kit/commands/command.ts";
import { defineCommand } from "../src/console/kit/commands/command.ts";

/** Commands of merchants as the providers' side sees them. */
export const gameMerchantCommands: readonly AnyCommand[] = [
  defineCommand({
    scope: "pane",
    subject: "game-merchant",
    takes: "one",
    id: "game-merchant.open-providers",
    permission: routes.listMerchantProviders.permission,
    keys: ["a"],
    hint: true,
    run: ([{ uuid }], { go }) => go("merchant-providers", { params: { merchantUuid: uuid } }),
  }),
];
