import type { AnyCommand } from "../../src/console/kit/commands/command.ts";
import { defineCommand } from "../../src/console/kit/commands/command.ts";
import { chosen, make, makers } from "./make.ts";

const ofMerchant = { scope: "pane", desk: "moving", subject: "merchant", takes: "one", careful: true } as const;

/** What moves money, offered where its merchant stands. Without keys, so that nobody does it by mistake. */
export const merchantTransferCommands: readonly AnyCommand[] = [
  defineCommand({
    ...ofMerchant,
    id: "merchant.adjust-wallet",
    permission: makers.adjustment,
    danger: "money",
    run: ([row], services, context) => make("adjustment", row, services, context),
  }),
  defineCommand({
    ...ofMerchant,
    id: "merchant.settle",
    permission: makers.settlement,
    danger: "money",
    async run([row], services, context) {
      const kind = await chosen(["settlement", "cash-out"], services, context);
      if (kind !== undefined) await make(kind, row, services, context);
    },
  }),
];
