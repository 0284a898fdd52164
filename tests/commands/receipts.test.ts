import { expect, test } from "vitest";
import { receiptCommands } from "../../commands/transactions/receipts.ts";
import type { PaneState } from "../../src/console/kit/commands/context.ts";
import { createRegistry } from "../../src/console/kit/commands/registry.ts";
import { aContext, aPane, notingServices } from "../console/kit/fakes.ts";
import { aWithdrawal } from "../console/withdrawals/rows.ts";

const registry = createRegistry(receiptCommands({ subject: "withdrawal", screen: "withdrawals" }), {
  services: notingServices().services,
  routedScreens: new Set(["withdrawals"]),
});

const note = (deeds: string[], act: string) => (uuid: string) => Promise.resolve(void deeds.push(`${act} ${uuid.slice(-4)}`));
const on = (more: Parameters<typeof aWithdrawal>[0], rights: readonly string[], deeds: string[] = []) => {
  const receipts = { open: note(deeds, "open"), add: note(deeds, "add"), remove: note(deeds, "remove") };
  const pane: Partial<PaneState> = { cursor: aWithdrawal(more), receipts };
  return aContext({ permissions: { "pas.transaction.withdrawals": rights }, pane: aPane(pane) });
};
const verdicts = (...given: Parameters<typeof on>) =>
  Object.fromEntries(
    ["receipt-open", "receipt-add", "receipt-remove"].map((name) => {
      const command = registry.get(`withdrawal.${name}`);
      const verdict = command ? registry.judge(command, on(...given)) : { state: "absent" as const };
      return [name.slice(8), verdict.state === "refused" ? verdict.reason : verdict.state];
    }),
  );

test("seeing needs the right to view, adding and removing the right to receipts", () => {
  expect(verdicts({ has_receipt: true }, ["view"])).toEqual({ open: "ready", add: "absent", remove: "absent" });
  expect(verdicts({ has_receipt: true }, ["view", "receipt"])).toEqual({ open: "ready", add: "ready", remove: "ready" });
});

test("without a receipt there is none to see or to remove, but one to add", () => {
  const none = "transaction.refuse.no-receipt";
  expect(verdicts({ has_receipt: false }, ["view", "receipt"])).toEqual({ open: none, add: "ready", remove: none });
});

test("a decided transaction keeps its receipts, and takes more", () => {
  const decided = { has_receipt: true, status: "approved" } as const;
  expect(verdicts(decided, ["view", "receipt"])).toEqual({ open: "ready", add: "ready", remove: "transaction.refuse.receipt-kept" });
});

test("Shift+O shows the receipt of the record under the cursor", async () => {
  const deeds: string[] = [];
  const context = on({ has_receipt: true }, ["view"], deeds);
  const owner = registry.owner("Shift+o", context);
  await registry.run(owner?.id ?? "", "key", context);
  expect(deeds).toEqual([`open ${context.pane?.cursor?.uuid.slice(-4)}`]);
});
