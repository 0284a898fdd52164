import { mostPayoutRows, payoutFileRoutes } from "../../src/contract/payout-files.ts";
import type { Withdrawal } from "../../src/contract/withdrawals.ts";
import type { AnyCommand, Reason } from "../../src/console/kit/commands/command.ts";
import type { Context } from "../../src/console/kit/commands/context.ts";
import { loadChunk } from "../../src/console/kit/loading/chunk.ts";
import { recordCommand } from "../transactions/decision-commands.ts";
import { unlessAny } from "../transactions/rows.ts";
import { rules, withdrawalActs } from "./decision.ts";

/** A row in a file is being paid by us, or was: nobody's, another's and a rejected one is left out. */
function against(row: Withdrawal, context: Context): Reason | null {
  if (row.status === "pending") return "problem.withdrawal.not-process";
  if (row.status === "rejected" || row.status === "expired") return "problem.withdrawal.not-open";
  return row.status === "process" && row.first_approved_by === null ? rules.undecided(row, context) : null;
}

/** What it takes to make one comes with the first file, because the first page has no room for it. */
export const payoutFile: AnyCommand = recordCommand<Withdrawal, "many">(withdrawalActs, {
  name: "payout-file",
  takes: "many",
  permission: payoutFileRoutes.exportPayoutFile.permission,
  keys: ["Shift+p"],
  careful: true,
  refuse: (rows, context) =>
    rows.length > mostPayoutRows
      ? { key: "withdrawal.refuse.payout-rows", words: { n: mostPayoutRows } }
      : unlessAny(rows, context, against),
  async run(rows, services, context) {
    const { makeFile } = await loadChunk(() => import("./make-payout-file.ts"));
    await makeFile(rows, services, context);
  },
});
