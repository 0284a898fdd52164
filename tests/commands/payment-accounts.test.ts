import { expect, test } from "vitest";
import { paymentAccountCommands } from "../../commands/payment-accounts.ts";
import { createRegistry } from "../../src/console/kit/commands/registry.ts";
import type { Services } from "../../src/console/kit/commands/services.ts";
import { aContext, aPane, aRow } from "../console/kit/fakes.ts";

/** Runs a command on an account with or without a key, answers "day" and yes, and says what was asked and sent. */
async function run(id: "payment-account.reset-notice-key" | "payment-account.revoke-notice-key", notice_key: string | null) {
  const deeds: unknown[] = [];
  const row = { uuid: "a", version: 4, code: "MBB-07", notice_key };
  const services = {
    ask: async (kind: string, { title, secret }: { title: string; secret?: string }) => {
      deeds.push(secret === undefined ? title : [title, secret]);
      return kind === "choice" ? "day" : true;
    },
    call: async ({ path }: { path: string }, { body }: { body: unknown }) => {
      deeds.push([path.split("{uuid}")[1], body]);
      return { data: path.endsWith("revoke") ? row : { row: { ...row, notice_key: "DEMO_1" }, secret: "whsec_1" } };
    },
    changed: () => undefined,
    say: () => undefined,
    text: (key: string) => key,
  } as unknown as Services; // the services these commands use
  const registry = createRegistry(paymentAccountCommands, { services, routedScreens: new Set(["payment-accounts"]) });
  const context = aContext({
    screen: "payment-accounts",
    permissions: { "pas.account.accounts": ["view", "reset-credentials"] },
    pane: aPane({ subject: "payment-account", cursor: aRow("a", row) }),
  });
  await registry.run(id, "palette", context);
  return deeds;
}

test("the first key is made after one question, and its secret is shown", async () => {
  expect(await run("payment-account.reset-notice-key", null)).toEqual([
    "payment-account.ask.first-key",
    ["/notice-key", { version: 4, old_secret: "now" }],
    ["payment-account.ask.secret", "whsec_1"],
  ]);
});

test("a new secret asks how long the old one stays valid", async () => {
  expect(await run("payment-account.reset-notice-key", "DEMO_1")).toEqual([
    "payment-account.ask.old-secret",
    "payment-account.ask.reset",
    ["/notice-key", { version: 4, old_secret: "day" }],
    ["payment-account.ask.secret", "whsec_1"],
  ]);
});

test("a key is revoked after a question, and none where there is none", async () => {
  expect(await run("payment-account.revoke-notice-key", "DEMO_1")).toEqual([
    "payment-account.ask.revoke",
    ["/notice-key/revoke", { version: 4 }],
  ]);
  expect(await run("payment-account.revoke-notice-key", null)).toEqual([]);
});
