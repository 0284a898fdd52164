import type { AnyCommand } from "../../src/console/kit/commands/command.ts";
import { decisionCommands } from "../transactions/decision-commands.ts";
import { receiptCommands } from "../transactions/receipts.ts";
import { approveWith } from "./approve-with.ts";
import { create } from "./create.ts";
import { approvals, depositActs, rules } from "./decision.ts";
import { markPaid } from "./mark-paid.ts";
import { match } from "./match.ts";
import { reopen } from "./reopen.ts";

const [approve, ...others] = decisionCommands(depositActs, rules, approvals);

export const depositCommands: readonly AnyCommand[] = [
  approve,
  approveWith,
  markPaid,
  match,
  ...others,
  reopen,
  create,
  ...receiptCommands({ subject: "deposit", screen: "deposits" }),
];
