import { withdrawalRoutes } from "../../src/contract/withdrawals.ts";
import type { Withdrawal } from "../../src/contract/withdrawals.ts";
import type { AnyCommand, Reason } from "../../src/console/kit/commands/command.ts";
import { defineCommand } from "../../src/console/kit/commands/command.ts";
import type { Context } from "../../src/console/kit/commands/context.ts";

const onCard = { scope: "pane", desk: "bankPage", screen: "withdrawals", subject: "withdrawal", takes: "one" } as const;

/** Nothing is paid of what was turned down. */
const over = ({ status }: Withdrawal): Reason | null =>
  status === "rejected" || status === "expired" ? "problem.withdrawal.not-open" : null;

/** A slip is of a payment, and who is paying is who holds the claim. */
function unpaid(row: Withdrawal, { user }: Context): Reason | null {
  if (row.status === "pending") return "problem.withdrawal.not-process";
  if (row.claim !== null && row.claim.user !== user) return { key: "withdrawal.refuse.claimed", words: { name: row.claim.name } };
  return over(row);
}

/** Paying on a bank's page: one key copies its fields in turn, another compares the slip it gives. */
export const bankPageCommands: readonly AnyCommand[] = [
  defineCommand({
    ...onCard,
    id: "withdrawal.copy-next",
    permission: withdrawalRoutes.readWithdrawal.permission,
    keys: ["y y"],
    refuse: ([row]) => over(row),
    run: ([row], _, { pane }) => pane?.bankPage?.copyNext(row),
  }),
  defineCommand({
    ...onCard,
    id: "withdrawal.slip",
    permission: withdrawalRoutes.referWithdrawal.permission,
    keys: ["y p"],
    refuse: ([row], context) => unpaid(row, context),
    run: ([row], _, { pane }) => pane?.bankPage?.openSlip(row),
  }),
];
