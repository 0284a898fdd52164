import { merchantCallbackRoutes } from "../src/contract/merchant-callbacks.ts";
import { tenantMerchantRoutes as routes } from "../src/contract/merchants.ts";
import { isAllowed } from "../src/contract/permissions.ts";
import { secretLives } from "../src/contract/secrets.ts";
import type { AnyCommand } from "../src/console/kit/commands/command.ts";
import { defineCommand } from "../src/console/kit/commands/command.ts";
import { newUuid } from "../src/values/uuid.ts";
import { runAct } from "./run-act.ts";

const ofMerchant = { scope: "pane", subject: "merchant", takes: "one" } as const;

/** Commands that only merchants have. */
export const merchantCommands: readonly AnyCommand[] = [
  defineCommand({
    ...ofMerchant,
    id: "merchant.callbacks",
    leadsTo: "merchant-callbacks",
    permission: merchantCallbackRoutes.listMerchantCallbacks.permission,
    keys: ["Shift+w"],
    run: ([{ code }], { go }) => go("merchant-callbacks", { search: { merchant_code: code } }),
  }),
  // No key, so that nobody does it by mistake.
  defineCommand({
    ...ofMerchant,
    id: "merchant.reset-credentials",
    permission: routes.resetMerchantCredentials.permission,
    danger: "irreversible",
    async run([row], services, { permissions }) {
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
          ...(isAllowed(permissions, routes.viewMerchantSecret.permission) && { again: true }),
        });
      });
    },
  }),
  defineCommand({
    ...ofMerchant,
    id: "merchant.view-secret",
    permission: routes.viewMerchantSecret.permission,
    async run([{ uuid, name }], services) {
      const { data } = await services.call(routes.viewMerchantSecret, { params: { uuid } }, { idempotencyKey: newUuid() });
      services.changed("merchant", [{ uuid }]);
      const { secret } = data;
      await services.ask("secret", { title: "merchant.ask.view", text: "merchant.ask.view-text", words: { name }, secret, again: true });
    },
  }),
  defineCommand({
    ...ofMerchant,
    id: "merchant.revoke-old-secret",
    permission: routes.revokeOldMerchantSecret.permission,
    danger: "irreversible",
    refuse: ([{ old_secret_until }]) => (old_secret_until === null ? "merchant.refuse.no-old-secret" : null),
    async run([row], services) {
      const { uuid, version, name } = row;
      const sure = await services.ask("confirm", { title: "merchant.ask.revoke", text: "merchant.ask.revoke-text", words: { name } });
      if (sure !== true) return;
      await runAct("merchant", row, services, async () => {
        const sent = { params: { uuid }, body: { version } };
        const { data } = await services.call(routes.revokeOldMerchantSecret, sent, { idempotencyKey: newUuid() });
        services.changed("merchant", [data.row]);
        services.say("merchant.said.revoked", { name }, "done");
      });
    },
  }),
  defineCommand({
    ...ofMerchant,
    id: "merchant.test-callback",
    permission: routes.testMerchantCallback.permission,
    refuse: ([{ callback_url }]) => (callback_url === null ? "merchant.refuse.no-address" : null),
    async run([row], services) {
      const { uuid, name } = row;
      await runAct("merchant", row, services, async () => {
        const { data } = await services.call(routes.testMerchantCallback, { params: { uuid } });
        const { delivered, status, error, milliseconds } = data;
        services.changed("merchant", [{ uuid }]);
        if (delivered) services.say("merchant.said.test-taken", { name, ms: milliseconds }, "done");
        else
          services.toast("merchant.said.test-failed", "merchant.said.test-failed-text", { name, why: error ?? `HTTP ${status}` }, "fail");
      });
    },
  }),
  defineCommand({
    ...ofMerchant,
    id: "merchant.enable-callbacks",
    permission: routes.enableMerchantEndpoint.permission,
    refuse: ([{ callback_url }]) => (callback_url === null ? "merchant.refuse.no-address" : null),
    async run([row], services) {
      const { uuid, name } = row;
      await runAct("merchant", row, services, async () => {
        const { data } = await services.call(routes.enableMerchantEndpoint, { params: { uuid } }, { idempotencyKey: newUuid() });
        services.changed("merchant", [{ uuid }]);
        services.say(data.enabled ? "merchant.said.enabled" : "merchant.said.was-enabled", { name }, data.enabled ? "done" : "plain");
      });
    },
  }),
];
