import { liveBalanceRoutes as routes } from "../src/contract/live-balances.ts";
import type { AnyCommand } from "../src/console/kit/commands/command.ts";
import { defineCommand } from "../src/console/kit/commands/command.ts";

const ofBalances = {
  scope: "screen",
  screen: "payment-account-live-balances",
  desk: "balances",
  subject: null,
  takes: "none",
  permission: routes.listLiveBalances.permission,
} as const;

/** Commands of the live balances. */
export const liveBalanceCommands: readonly AnyCommand[] = [
  defineCommand({
    ...ofBalances,
    id: "live-balance.next",
    keys: ["n"],
    hint: true,
    refuse: (_, { pane }) => (pane?.grid ? null : "live-balance.refuse.wall"),
    run: (_, __, { pane }) => pane?.balances?.next(),
  }),
  defineCommand({
    ...ofBalances,
    id: "live-balance.wall",
    keys: ["Shift+w"],
    hint: true,
    run: (_, __, { pane }) => pane?.balances?.toggleWall(),
  }),
  defineCommand({ ...ofBalances, id: "live-balance.group", keys: ["Shift+b"], run: (_, __, { pane }) => pane?.balances?.group() }),
];
