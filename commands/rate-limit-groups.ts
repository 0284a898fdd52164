import { rateLimitGroupRoutes as routes } from "../src/contract/rate-limit-groups.ts";
import type { AnyCommand } from "../src/console/kit/commands/command.ts";
import { defineCommand } from "../src/console/kit/commands/command.ts";

/** Commands that only rate-limit groups have. */
export const rateLimitGroupCommands: readonly AnyCommand[] = [
  defineCommand({
    scope: "pane",
    desk: "record",
    subject: "rate-limit-group",
    takes: "one",
    id: "rate-limit-group.assign",
    permission: routes.assignRateLimitAccounts.permission,
    keys: ["a"],
    hint: true,
    run: ([{ uuid }], _, { pane }) => pane?.record?.openAct("assign", uuid),
  }),
];
