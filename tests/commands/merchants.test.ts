import { expect, test } from "vitest";
import { merchantCommands } from "../../commands/merchants.ts";
import { CallFailure } from "../../src/console/api/failure.ts";
import { createRegistry } from "../../src/console/kit/commands/registry.ts";
import type { Services } from "../../src/console/kit/commands/services.ts";
import { aContext, aPane } from "../console/kit/fakes.ts";
import { aMerchant } from "../console/entity/records.ts";

test.each([
  { rights: ["view", "reset-credentials"], again: undefined },
  { rights: ["view", "reset-credentials", "view-secret"], again: true },
])("a new secret is said to be shown only once where $rights are held", async ({ rights, again }) => {
  const asked: Record<string, unknown>[] = [];
  const services = {
    ask: async (kind: string, what: Record<string, unknown>) => {
      if (kind === "secret") asked.push(what);
      return kind === "choice" ? "day" : true;
    },
    call: async () => ({ data: { row: aMerchant(), secret: "whsec_new" } }),
    changed: () => undefined,
    text: (key: string) => key,
  } as unknown as Services; // the deps this command uses
  const registry = createRegistry(merchantCommands, { services, routedScreens: new Set(["merchants"]) });
  const pane = aPane({ subject: "merchant", cursor: aMerchant() });
  const context = aContext({ screen: "merchants", permissions: { "pas.merchant.merchants": rights }, pane });
  await registry.run("merchant.reset-credentials", "palette", context);
  expect(asked).toEqual([expect.objectContaining({ secret: "whsec_new", title: "merchant.ask.secret" })]);
  expect(asked[0]?.["again"]).toBe(again);
});

test("a refused reset of credentials refetches the merchant, because another may have changed or deleted it", async () => {
  const deeds: unknown[] = [];
  const services = {
    ask: async (kind: string) => (kind === "choice" ? "day" : true),
    call: () => Promise.reject(new CallFailure("refused", { status: 409, code: "record.stale" })),
    changed: (subject: string, rows: readonly unknown[]) => void deeds.push([subject, rows]),
    say: () => undefined,
    text: (key: string) => key,
  } as unknown as Services; // the deps this command uses
  const registry = createRegistry(merchantCommands, { services, routedScreens: new Set(["merchants"]) });
  const context = aContext({
    screen: "merchants",
    permissions: { "pas.merchant.merchants": ["view", "reset-credentials"] },
    pane: aPane({ subject: "merchant", cursor: aMerchant() }),
  });
  await registry.run("merchant.reset-credentials", "palette", context).catch((error: unknown) => deeds.push(error));
  expect(deeds[0]).toEqual(["merchant", [{ uuid: aMerchant().uuid }]]);
});
