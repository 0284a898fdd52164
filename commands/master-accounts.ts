import { masterAccountRoutes as routes, mostChecked } from "../src/contract/master-accounts.ts";
import { scoreWatcherRoutes } from "../src/contract/score-watchers.ts";
import type { AnyCommand } from "../src/console/kit/commands/command.ts";
import { defineCommand } from "../src/console/kit/commands/command.ts";
import { newUuid } from "../src/values/uuid.ts";

const ofAccount = { scope: "pane", subject: "master-account" } as const;

/** Commands that only the house's accounts at providers have. */
export const masterAccountCommands: readonly AnyCommand[] = [
  defineCommand({
    ...ofAccount,
    id: "master-account.check-credit",
    desk: "credit",
    takes: "many",
    permission: routes.checkMasterAccounts.permission,
    keys: ["p"],
    hint: true,
    refuse: (rows) => (rows.length > mostChecked ? "master-account.refuse.too-many" : null),
    run: (rows, _, { pane }) => pane?.credit?.check(rows.map(({ uuid }) => uuid)),
  }),
  // No key, so that nobody shows them by mistake.
  defineCommand({
    ...ofAccount,
    id: "master-account.view-credentials",
    takes: "one",
    permission: routes.viewMasterCredentials.permission,
    refuse: ([{ has_credentials }]) => (has_credentials ? null : "master-account.refuse.no-credentials"),
    async run([{ uuid, code }], services) {
      const { data } = await services.call(routes.viewMasterCredentials, { params: { uuid } }, { idempotencyKey: newUuid() });
      services.changed("master-account", [{ uuid }]);
      const words = { name: code };
      const { secret } = data;
      await services.ask("secret", {
        title: "master-account.ask.credentials",
        text: "master-account.ask.credentials-text",
        words,
        secret,
        again: true,
      });
    },
  }),
  defineCommand({
    ...ofAccount,
    id: "master-account.watchers",
    takes: "one",
    permission: scoreWatcherRoutes.listScoreWatchers.permission,
    keys: ["Shift+w"],
    run: ([{ code }], services) => services.go("score-watchers", { search: { master_account: code } }),
  }),
  // No key: the link in the record leads there, too.
  defineCommand({
    ...ofAccount,
    id: "master-account.open-page",
    screen: "master-accounts",
    takes: "one",
    permission: routes.readMasterAccount.permission,
    run: ([{ uuid }], services) => services.go("master-account", { params: { masterAccountUuid: uuid } }),
  }),
];
