import type { AnyCommand } from "../../src/console/kit/commands/command.ts";
import { defineCommand } from "../../src/console/kit/commands/command.ts";
import { decidingCommands } from "./decide.ts";
import { chosen, kinds, make, makers } from "./make.ts";

/** What is done on the screen of transfers. */
export const transferCommands: readonly AnyCommand[] = [
  ...decidingCommands,
  defineCommand({
    id: "transfer.create",
    scope: "screen",
    screen: "transfers",
    desk: "transfers",
    subject: null,
    takes: "none",
    permission: [...new Set(Object.values(makers))],
    keys: ["c"],
    hint: true,
    async run(_, services, context) {
      const kind = await chosen(kinds, services, context);
      if (kind !== undefined) await make(kind, undefined, services, context);
    },
  }),
];
