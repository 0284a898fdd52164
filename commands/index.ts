import type { AnyCommand } from "../src/console/kit/commands/command.ts";
import { bankLineCommands } from "./bank-transactions.ts";
import { columnCommands } from "./columns.ts";
import { consoleCommands } from "./console.ts";
import { dashboardCommands } from "./dashboard.ts";
import { depositCommands } from "./deposits/commands.ts";
import { exportCommands } from "./exports.ts";
import { goCommands } from "./go.ts";
import { gridCommands } from "./grid.ts";
import { keyCommands } from "./keys.ts";
import { listCommands } from "./list.ts";
import { merchantCommands } from "./merchants.ts";
import { paymentAccountCommands } from "./payment-accounts.ts";
import { profileCommands } from "./profile.ts";
import { recordCommands } from "./record.ts";
import { sessionCommands } from "./session.ts";
import { settingCommands } from "./setting.ts";
import { viewCommands } from "./views.ts";
import { withdrawalCommands } from "./withdrawals/commands.ts";

/** Every command, in palette order. */
export const commands: readonly AnyCommand[] = [
  ...withdrawalCommands,
  ...depositCommands,
  ...bankLineCommands,
  ...recordCommands,
  ...merchantCommands,
  ...paymentAccountCommands,
  ...settingCommands,
  ...dashboardCommands,
  ...listCommands,
  ...gridCommands,
  ...columnCommands,
  ...exportCommands,
  ...viewCommands,
  ...goCommands,
  ...sessionCommands,
  ...profileCommands,
  ...consoleCommands,
  ...keyCommands,
];
