import type { CredentialKind } from "../src/contract/merchant-providers.ts";
import { merchantProviderRoutes as routes } from "../src/contract/merchant-providers.ts";
import { providerGameRoutes } from "../src/contract/provider-games.ts";
import type { AnyCommand } from "../src/console/kit/commands/command.ts";
import { defineCommand } from "../src/console/kit/commands/command.ts";
import { newUuid } from "../src/values/uuid.ts";

const ofProvider = { scope: "pane", subject: "merchant-provider", takes: "one" } as const;

const viewCredential = (
  id: "merchant-provider.view-api-credential" | "merchant-provider.view-account-credentials",
  which: CredentialKind,
) =>
  defineCommand({
    ...ofProvider,
    id,
    permission: routes.viewMerchantProviderCredential.permission,
    refuse: ([row]) => (row[`has_${which}`] ? null : "merchant-provider.refuse.none-kept"),
    async run([{ uuid, name }], services) {
      const sent = { params: { uuid }, body: { which } };
      const { data } = await services.call(routes.viewMerchantProviderCredential, sent, { idempotencyKey: newUuid() });
      services.changed("merchant-provider", [{ uuid }]);
      await services.ask("secret", {
        title: `merchant-provider.ask.view-${which}`,
        text: "merchant-provider.ask.view-text",
        words: { name },
        secret: data.credential ?? "",
        again: true,
      });
    },
  });

/** Commands of merchants' set-ups at providers. */
export const merchantProviderCommands: readonly AnyCommand[] = [
  defineCommand({
    ...ofProvider,
    id: "merchant-provider.open-games",
    permission: providerGameRoutes.listProviderGames.permission,
    keys: ["a"],
    hint: true,
    run: ([{ uuid }], { go }) => go("provider-games", { params: { merchantProviderUuid: uuid } }),
  }),
  defineCommand({
    ...ofProvider,
    id: "merchant-provider.open",
    permission: routes.readMerchantProvider.permission,
    keys: ["p"],
    run: ([{ uuid, merchant }], { go }) =>
      go("merchant-provider", { params: { merchantUuid: merchant.uuid, merchantProviderUuid: uuid }, search: { record: uuid } }),
  }),
  defineCommand({
    ...ofProvider,
    desk: "record",
    id: "merchant-provider.copy",
    permission: routes.copyMerchantProvider.permission,
    run: ([{ uuid }], _, { pane }) => pane?.record?.openAct("copy", uuid),
  }),
  viewCredential("merchant-provider.view-api-credential", "api_credential"),
  viewCredential("merchant-provider.view-account-credentials", "account_credentials"),
];
