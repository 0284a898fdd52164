import { paymentAccountRoutes as routes } from "../src/contract/payment-accounts.ts";
import { secretLives } from "../src/contract/secrets.ts";
import type { AnyCommand } from "../src/console/kit/commands/command.ts";
import { defineCommand } from "../src/console/kit/commands/command.ts";
import { newUuid } from "../src/values/uuid.ts";
import { runAct } from "./run-act.ts";

/** Commands that only payment accounts have. Without keys, so that nobody does them by mistake. */
export const paymentAccountCommands: readonly AnyCommand[] = [
  defineCommand({
    scope: "pane",
    subject: "payment-account",
    takes: "one",
    id: "payment-account.reset-notice-key",
    permission: routes.resetNoticeKey.permission,
    danger: "irreversible",
    async run([row], services) {
      const { uuid, version, code, notice_key } = row;
      const words = { name: code };
      const old =
        notice_key === null
          ? "now"
          : await services.ask("choice", {
              title: "payment-account.ask.old-secret",
              words,
              options: secretLives.map((id) => ({ id, label: services.text(`old-secret.${id}`), note: "", refused: null })),
              initial: "day",
            });
      const old_secret = secretLives.find((life) => life === old);
      if (old_secret === undefined) return;
      const life = services.text(`old-secret.${old_secret}`);
      const sure = await services.ask(
        "confirm",
        notice_key === null
          ? { title: "payment-account.ask.first-key", text: "payment-account.ask.first-key-text", words }
          : { title: "payment-account.ask.reset", text: "payment-account.ask.reset-text", words: { ...words, life } },
      );
      if (sure !== true) return;
      const sent = { params: { uuid }, body: { version, old_secret } };
      await runAct("payment-account", row, services, async () => {
        const { data } = await services.call(routes.resetNoticeKey, sent, { idempotencyKey: newUuid() });
        services.changed("payment-account", [data.row]);
        await services.ask("secret", {
          title: "payment-account.ask.secret",
          text: "payment-account.ask.secret-text",
          words: { ...words, key: data.row.notice_key ?? "" },
          secret: data.secret,
        });
      });
    },
  }),
  defineCommand({
    scope: "pane",
    subject: "payment-account",
    takes: "one",
    id: "payment-account.revoke-notice-key",
    permission: routes.revokeNoticeKey.permission,
    danger: "irreversible",
    refuse: ([{ notice_key }]) => (notice_key === null ? "payment-account.refuse.no-notice-key" : null),
    async run([row], services) {
      const { uuid, version, code } = row;
      const words = { name: code };
      const sure = await services.ask("confirm", { title: "payment-account.ask.revoke", text: "payment-account.ask.revoke-text", words });
      if (sure !== true) return;
      await runAct("payment-account", row, services, async () => {
        const { data } = await services.call(
          routes.revokeNoticeKey,
          { params: { uuid }, body: { version } },
          { idempotencyKey: newUuid() },
        );
        services.changed("payment-account", [data]);
      });
    },
  }),
];
