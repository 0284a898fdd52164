import type { AnyCommand } from "../src/console/kit/commands/command.ts";
import { defineCommand } from "../src/console/kit/commands/command.ts";

const everywhere = { scope: "console", subject: null, takes: "none", permission: "signed-in" } as const;

/** The key editor and the practice queue; both have no key because they are seldom used. */
export const keyCommands: readonly AnyCommand[] = [
  defineCommand({ ...everywhere, id: "keys.edit", run: (_, { open }) => open("keys") }),
  defineCommand({ ...everywhere, id: "keys.practice", keys: ["Shift+p"], run: (_, { open }) => open("practice") }),
];
