import type { CommandList } from "../src/console/kit/commands/command-list.ts";
import { comingWith } from "../src/console/kit/commands/command-list.ts";
import { columnCommands } from "./columns.ts";
import { consoleCommands } from "./console.ts";
import { exportCommands } from "./exports.ts";
import { goCommands } from "./go.ts";
import { gridCommands } from "./grid.ts";
import { keyCommands } from "./keys.ts";
import { listCommands } from "./list.ts";
import { profileCommands } from "./profile.ts";
import { recordCommands } from "./record.ts";
import { sessionCommands } from "./session.ts";
import { shiftCommands } from "./shifts.ts";
import { viewCommands } from "./views.ts";

/** Every command, in palette order. What applies on one screen only comes with it, so that the first page does not grow with each. */
export const commands: CommandList = [
  comingWith("withdrawals", async () => (await import("./withdrawals/commands.ts")).withdrawalCommands),
  comingWith("deposits", async () => (await import("./deposits/commands.ts")).depositCommands),
  comingWith("bank-transactions", async () => (await import("./bank-transactions.ts")).bankLineCommands),
  comingWith("transfers", async () => (await import("./transfers/commands.ts")).transferCommands),
  ...recordCommands,
  comingWith("merchant-callbacks", async () => (await import("./merchant-callbacks.ts")).merchantCallbackCommands),
  comingWith("merchants", async () => (await import("./merchants.ts")).merchantCommands),
  comingWith(
    ["payment-accounts", "payment-account-live-balances"],
    async () => (await import("./payment-accounts.ts")).paymentAccountCommands,
  ),
  comingWith(["merchant-transactions", "payment-account-transactions"], async () => (await import("./statements.ts")).statementCommands),
  comingWith(
    ["payment-account-daily-reports", "merchant-daily-reports", "cash-flow-reports"],
    async () => (await import("./reports.ts")).reportCommands,
  ),
  comingWith("rate-limit-groups", async () => (await import("./rate-limit-groups.ts")).rateLimitGroupCommands),
  comingWith("payment-account-live-balances", async () => (await import("./live-balances.ts")).liveBalanceCommands),
  comingWith("users", async () => (await import("./users.ts")).userCommands),
  comingWith("user-groups", async () => (await import("./user-groups.ts")).userGroupCommands),
  comingWith(
    ["payment-accounts", "payment-account-live-balances"],
    async () => (await import("./transfers/of-accounts.ts")).accountTransferCommands,
  ),
  comingWith("merchants", async () => (await import("./transfers/of-merchants.ts")).merchantTransferCommands),
  comingWith("game-merchants", async () => (await import("./game-merchants.ts")).gameMerchantCommands),
  comingWith(["merchant-providers", "merchant-provider"], async () => (await import("./merchant-providers.ts")).merchantProviderCommands),
  comingWith("provider-games", async () => (await import("./provider-games.ts")).providerGameCommands),
  comingWith("audit-log", async () => (await import("./audit-log.ts")).auditLogCommands),
  comingWith(["master-accounts", "master-account"], async () => (await import("./master-accounts.ts")).masterAccountCommands),
  comingWith("downtime-schedule", async () => (await import("./downtimes.ts")).downtimeCommands),
  comingWith("setting", async () => (await import("./setting.ts")).settingCommands),
  comingWith("dashboard", async () => (await import("./dashboard.ts")).dashboardCommands),
  comingWith("dashboard", async () => (await import("./first-steps.ts")).firstStepCommands),
  ...listCommands,
  ...gridCommands,
  ...columnCommands,
  ...exportCommands,
  ...viewCommands,
  ...goCommands,
  ...shiftCommands,
  ...sessionCommands,
  ...profileCommands,
  ...consoleCommands,
  ...keyCommands,
];
