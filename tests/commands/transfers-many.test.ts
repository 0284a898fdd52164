import { expect, test } from "vitest";
import { decidingCommands } from "../../commands/transfers/decide.ts";
import type { Transfer } from "../../src/contract/transfers.ts";
import { createRegistry } from "../../src/console/kit/commands/registry.ts";
import type { PaneState } from "../../src/console/kit/commands/context.ts";
import type { Questions, Services } from "../../src/console/kit/commands/services.ts";
import { aContext, aPane, notingServices } from "../console/kit/fakes.ts";
import { aTransfer } from "../console/transfers/rows.ts";

test("several transfers are approved by one sheet that says what is left out; each can be taken back, and their accounts are told", async () => {
  const { services: noting, deeds } = notingServices();
  const asked: Questions["bulk"]["asked"][] = [];
  const services = new Proxy(noting, {
    get(target, name) {
      if (name === "ask")
        return async (_: string, sheet: Questions["bulk"]["asked"]) => {
          asked.push(sheet);
          await Promise.all(sheet.slices.map(({ send }) => send()));
          return true;
        };
      if (name === "call")
        return async (_: unknown, { body }: { body: { rows: { uuid: string }[] } }) => ({
          data: { outcomes: body.rows.map(({ uuid }) => ({ uuid, done: true, row: rows.find((row) => row.uuid === uuid) })) },
        });
      return Reflect.get(target, name) as unknown;
    },
  }) as Services;
  const rows: readonly Transfer[] = ["a", "b", "c"].map((uuid, n) =>
    aTransfer({ uuid, status: "pending", tier: n === 2 ? 2 : 1, awaits: null }),
  );
  const transfers = { recallable: () => 60_000 } as unknown as NonNullable<PaneState["transfers"]>; // all that is asked of it
  const pane = aPane({ subject: "transfer", cursor: rows[0]!, marked: rows, transfers });
  const permissions = { "pas.transaction.transfers": ["view", "approve", "second-approve", "recall"] };
  const registry = createRegistry(decidingCommands, { services, routedScreens: new Set(["transfers"]) });
  await registry.run("transfer.approve", "palette", aContext({ screen: "transfers", pane, permissions }));
  expect(asked.map(({ slices, skipped }) => [slices.flatMap((slice) => slice.rows).length, skipped.length])).toEqual([[2, 1]]);
  expect(deeds.filter(([deed]) => deed === "pushUndo")).toHaveLength(2);
  expect(deeds.filter(([deed, subject]) => deed === "changed" && subject === "payment-account")).not.toEqual([]);
});
