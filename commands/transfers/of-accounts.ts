import { paymentAccountRoutes } from "../../src/contract/payment-accounts.ts";
import type { AnyCommand } from "../../src/console/kit/commands/command.ts";
import { defineCommand } from "../../src/console/kit/commands/command.ts";
import { newUuid } from "../../src/values/uuid.ts";
import { runAct } from "../run-act.ts";
import { make, makers } from "./make.ts";

const ofAccount = { scope: "pane", desk: "moving", subject: "payment-account", takes: "one", careful: true } as const;

/** What moves money, offered where its account stands. Without keys, so that nobody does it by mistake. */
export const accountTransferCommands: readonly AnyCommand[] = [
  defineCommand({
    ...ofAccount,
    id: "payment-account.transfer",
    permission: makers.transfer,
    danger: "money",
    refuse: ([{ status }]) => (status === "inactive" || status === "suspend" ? "payment-account.refuse.not-active" : null),
    run: ([row], services, context) => make("transfer", row, services, context),
  }),
  defineCommand({
    ...ofAccount,
    id: "payment-account.manual-transfer",
    permission: makers["manual-transfer"],
    danger: "money",
    refuse: ([{ status }]) => (status === "inactive" || status === "suspend" ? "payment-account.refuse.not-active" : null),
    run: ([row], services, context) => make("manual-transfer", row, services, context),
  }),
  defineCommand({
    ...ofAccount,
    id: "payment-account.clear-balance",
    permission: paymentAccountRoutes.clearPaymentAccount.permission,
    danger: "irreversible",
    run: ([row], services, context) => make("clearing", row, services, context),
  }),
  defineCommand({
    ...ofAccount,
    id: "payment-account.hold",
    permission: paymentAccountRoutes.holdPaymentAccount.permission,
    async run([row], services, { pane }) {
      const held = await pane?.moving?.hold(row);
      if (held == null) return;
      services.say("payment-account.said.held", { name: held.code }, "done");
      services.changed("payment-account", [held]);
    },
  }),
  defineCommand({
    ...ofAccount,
    id: "payment-account.release",
    permission: paymentAccountRoutes.releasePaymentAccount.permission,
    refuse: ([{ hold_reason }]) => (hold_reason === null ? "payment-account.refuse.no-hold" : null),
    async run([row], services) {
      const { uuid, version, code } = row;
      const reason = await services.ask("text", {
        title: "payment-account.ask.release",
        label: "sheet.text.reason-optional",
        words: { name: code },
        initial: "",
        maximum: 300,
      });
      if (reason === null) return;
      await runAct("payment-account", row, services, async () => {
        const sent = { params: { uuid }, body: { version, reason: reason.trim() } };
        const { data } = await services.call(paymentAccountRoutes.releasePaymentAccount, sent, { idempotencyKey: newUuid() });
        services.say("payment-account.said.released", { name: code }, "done");
        services.changed("payment-account", [data]);
      });
    },
  }),
];
