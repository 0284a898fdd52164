import type { Permission } from "../../src/contract/permissions.ts";
import { isAllowed } from "../../src/contract/permissions.ts";
import { transferRoutes as routes } from "../../src/contract/transfers.ts";
import type { Context } from "../../src/console/kit/commands/context.ts";
import type { RecordRow, TransferSheet } from "../../src/console/kit/commands/desks.ts";
import type { Services } from "../../src/console/kit/commands/services.ts";
import { moneyOf, shortId } from "../transactions/rows.ts";
import { offerRecall, tellAccounts } from "./recall.ts";

/** Opens the form of a new one, says what was made, and offers to take it back. */
export async function make(
  kind: TransferSheet,
  of: (RecordRow & { readonly code: string }) | undefined,
  services: Services,
  context: Context,
): Promise<void> {
  const made = await context.pane?.moving?.make(kind, of);
  if (made == null) return;
  const said =
    made.awaits === "second" ? "transfer.said.second-needed" : made.status === "pending" ? "transfer.said.made" : "transfer.said.posted";
  services.say(said, { id: shortId(made), amount: moneyOf(made) }, "done");
  services.changed("transfer", [made]);
  tellAccounts(made, services);
  offerRecall(made, services, context);
}

/** The right to each kind. */
export const makers = {
  transfer: routes.createTransfer.permission,
  "manual-transfer": routes.createManualTransfer.permission,
  adjustment: routes.adjustWallet.permission,
  settlement: routes.createSettlement.permission,
  "cash-out": routes.createCashOut.permission,
} as const satisfies Partial<Record<TransferSheet, Permission>>;
export const kinds = Object.keys(makers) as (keyof typeof makers)[]; // Object.keys widens

/** Asks which of these is meant. */
export async function chosen(some: readonly (keyof typeof makers)[], services: Services, { permissions }: Context) {
  const id = await services.ask("choice", {
    title: "transfer.ask.kind",
    words: {},
    ...(some === kinds && { aimless: true }), // some are asked for of a row, all of none
    options: some.map((kind) => ({
      id: kind,
      label: services.text(`transfer.kind.${kind}`),
      note: "",
      refused: isAllowed(permissions, makers[kind]) ? null : services.text("refuse.no-right", { permission: makers[kind] }),
    })),
  });
  return some.find((kind) => kind === id);
}
