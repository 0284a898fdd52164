import type { AnyCommand } from "../../src/console/kit/commands/command.ts";
import { decisionCommands } from "../transactions/decision-commands.ts";
import { receiptCommands } from "../transactions/receipts.ts";
import { approveWith } from "./approve-with.ts";
import { bankPageCommands } from "./bank-page.ts";
import { compose, composerCommands } from "./compose.ts";
import { approvals, rules, withdrawalActs } from "./decision.ts";
import { payoutFile } from "./payout-file.ts";

const [approve, ...others] = decisionCommands(withdrawalActs, rules, approvals);

export const withdrawalCommands: readonly AnyCommand[] = [
  approve,
  approveWith,
  compose,
  ...others,
  ...bankPageCommands,
  payoutFile,
  ...composerCommands,
  ...receiptCommands({ subject: "withdrawal", screen: "withdrawals" }),
];
