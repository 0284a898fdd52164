import type { AnyCommand } from "../src/console/kit/command.ts";
import { consoleCommands } from "./console.ts";
import { goCommands } from "./go.ts";
import { gridCommands } from "./grid.ts";
import { sessionCommands } from "./session.ts";
import { viewCommands } from "./views.ts";
import { withdrawalCommands } from "./withdrawals.ts";

/** Every command, in palette order. */
export const commands: readonly AnyCommand[] = [
  ...withdrawalCommands,
  ...gridCommands,
  ...viewCommands,
  ...goCommands,
  ...sessionCommands,
  ...consoleCommands,
];
