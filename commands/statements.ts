import type { AnyCommand } from "../src/console/kit/commands/command.ts";
import { defineCommand } from "../src/console/kit/commands/command.ts";

/** Commands that only the statements of wallets and payment accounts have. */
export const statementCommands: readonly AnyCommand[] = [
  defineCommand({
    scope: "screen",
    desk: "statement",
    subject: null,
    takes: "none",
    id: "statement.balances",
    permission: ({ statement }) => statement?.view ?? null,
    keys: ["Shift+x"],
    run: (_, __, { pane }) => pane?.statement?.showBalances(),
  }),
];
