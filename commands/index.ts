import type { AnyCommand } from "../src/console/kit/command.ts";
import { consoleCommands } from "./console.ts";
import { goCommands } from "./go.ts";
import { gridCommands } from "./grid.ts";
import { keyCommands } from "./keys.ts";
import { merchantCommands } from "./merchants.ts";
import { paymentAccountCommands } from "./payment-accounts.ts";
import { sessionCommands } from "./session.ts";
import { viewCommands } from "./views.ts";
import { withdrawalCommands } from "./withdrawals.ts";

/** Every command, in palette order. */
export const commands: readonly AnyCommand[] = [
  ...withdrawalCommands,
  ...merchantCommands,
  ...paymentAccountCommands,
  ...gridCommands,
  ...viewCommands,
  ...goCommands,
  ...sessionCommands,
  ...consoleCommands,
  ...keyCommands,
];
