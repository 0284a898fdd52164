import type { AnyCommand } from "../src/console/kit/command.ts";
import { consoleCommands } from "./console.ts";
import { dashboardCommands } from "./dashboard.ts";
import { exportCommands } from "./exports.ts";
import { goCommands } from "./go.ts";
import { gridCommands } from "./grid.ts";
import { keyCommands } from "./keys.ts";
import { merchantCommands } from "./merchants.ts";
import { paymentAccountCommands } from "./payment-accounts.ts";
import { profileCommands } from "./profile.ts";
import { sessionCommands } from "./session.ts";
import { settingCommands } from "./setting.ts";
import { viewCommands } from "./views.ts";
import { withdrawalCommands } from "./withdrawals.ts";

/** Every command, in palette order. */
export const commands: readonly AnyCommand[] = [
  ...withdrawalCommands,
  ...merchantCommands,
  ...paymentAccountCommands,
  ...settingCommands,
  ...dashboardCommands,
  ...gridCommands,
  ...exportCommands,
  ...viewCommands,
  ...goCommands,
  ...sessionCommands,
  ...profileCommands,
  ...consoleCommands,
  ...keyCommands,
];
