import { handOverRights, shiftRights } from "../src/contract/shift-rights.ts";
import type { AnyCommand } from "../src/console/kit/commands/command.ts";
import { defineCommand } from "../src/console/kit/commands/command.ts";

const everywhere = { scope: "console", subject: null, takes: "none" } as const;

/** One's own shift and what others left. */
export const shiftCommands: readonly AnyCommand[] = [
  defineCommand({
    ...everywhere,
    id: "shift.hand-over",
    keys: ["w h"],
    permission: shiftRights,
    run: (_, { open }) => open("shift"),
  }),
  defineCommand({
    ...everywhere,
    id: "shift.others",
    permission: handOverRights,
    run: (_, { open }) => open("hand-overs"),
  }),
];
