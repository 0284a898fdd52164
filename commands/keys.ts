import type { AnyCommand } from "../src/console/kit/commands/command.ts";
import { defineCommand } from "../src/console/kit/commands/command.ts";

const everywhere = { scope: "console", subject: null, takes: "none", permission: "signed-in" } as const;

/** A person's own keys, seldom used and so by name only, and the practice queue, which is offered to whoever is new. */
export const keyCommands: readonly AnyCommand[] = [
  defineCommand({ ...everywhere, id: "keys.edit", run: (_, { open }) => open("keys") }),
  defineCommand({ ...everywhere, id: "keys.practice", keys: ["Shift+p"], run: (_, { open }) => open("practice") }),
];
