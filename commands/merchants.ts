import { tenantMerchantRoutes as routes } from "../src/contract/merchants.ts";
import { secretLives } from "../src/contract/secrets.ts";
import type { AnyCommand } from "../src/console/kit/commands/command.ts";
import { defineCommand } from "../src/console/kit/commands/command.ts";
import { newUuid } from "../src/values/uuid.ts";
import { runAct } from "./run-act.ts";

/** Commands that only merchants have. */
export const merchantCommands: readonly AnyCommand[] = [
  // No key, so that nobody does it by mistake.
  defineCommand({
    scope: "pane",
    subject: "merchant",
    takes: "one",
    id: "merchant.reset-credentials",
    permission: routes.resetMerchantCredentials.permission,
    danger: "irreversible",
    async run([row], services) {
      const { uuid, version, name } = row;
      const words = { name };
      const old = await services.ask("choice", {
        title: "merchant.ask.old-secret",
        words,
        options: secretLives.map((id) => ({ id, label: services.text(`old-secret.${id}`), note: "", refused: null })),
        initial: "day",
      });
      const old_secret = secretLives.find((life) => life === old);
      if (old_secret === undefined) return;
      const life = services.text(`old-secret.${old_secret}`);
      const sure = await services.ask("confirm", { title: "merchant.ask.reset", text: "merchant.ask.reset-text", words: { name, life } });
      if (sure !== true) return;
      const sent = { params: { uuid }, body: { version, old_secret } };
      await runAct("merchant", row, services, async () => {
        const { data } = await services.call(routes.resetMerchantCredentials, sent, { idempotencyKey: newUuid() });
        services.changed("merchant", [data.row]);
        await services.ask("secret", {
          title: "merchant.ask.secret",
          text: `merchant.ask.secret-${old_secret}`,
          words,
          secret: data.secret,
        });
      });
    },
  }),
];
