import { expect, test } from "vitest";
import { defineCommand } from "../../../src/console/kit/commands/command.ts";
import { createKit } from "../../../src/console/kit/kit.ts";
import { createSideKit } from "../../../src/console/frame/side-kit.ts";
import { aPane, aRow, notingGrid, notingServices } from "../kit/fakes.ts";

/** Withdrawals on the main side, merchants beside; the focus is set by element. */
function twoSides() {
  const acted: string[] = [];
  const take = defineCommand({
    id: "withdrawal.claim",
    scope: "pane",
    subject: "withdrawal",
    takes: "one",
    permission: "signed-in",
    run: ([row]) => void acted.push(row.uuid),
  });
  const kit = createKit({ commands: [take], routedScreens: new Set(), services: notingServices().services });
  const { context } = kit;
  context.setSession({ tenant: "t", currency: "MYR", user: "u", permissions: {} });
  context.setScreen("withdrawals", "main");
  context.setScreen("merchants", "beside");
  context.publishPane(aPane({ id: "list", cursor: aRow("w1"), grid: notingGrid() }));
  context.publishPane(aPane({ id: "beside.list", subject: "merchant", cursor: aRow("m1"), grid: notingGrid() }));
  const [main, beside] = [createSideKit(kit, "main"), createSideKit(kit, "beside")];
  const judged = (side: typeof main) => kit.registry.judge(take, side.kit.context.read({ pane: "latest" })).state;
  return { kit, main, beside, acted, judged };
}

test("a button is judged by its own side's record, wherever the focus is", () => {
  const { main, beside, judged } = twoSides();
  expect([judged(main), judged(beside)]).toEqual(["ready", "absent"]);
  expect(main.kit.context.read({ pane: "latest" }).screen).toBe("withdrawals");
  expect(beside.kit.context.read({ pane: "latest" }).screen).toBe("merchants");
});

test("of a side's panes, the one that last had the focus counts", () => {
  const { kit, main } = twoSides();
  main.follow();
  kit.context.publishPane(aPane({ id: "detail", cursor: aRow("w2") }));
  expect(main.kit.context.read({ pane: "latest" }).pane?.id).toBe("list");
  kit.context.withdrawPane("list");
  expect(main.kit.context.read({ pane: "latest" }).pane?.id).toBe("detail");
});

test("a step of Esc is taken only on the side with the focus", () => {
  const { kit, main, beside } = twoSides();
  const steps: string[] = [];
  main.kit.ladder.register("menu", () => steps.push("main") > 0);
  beside.kit.ladder.register("menu", () => steps.push("beside") > 0);
  kit.ladder.escape();
  expect(steps).toEqual(["main"]);
});
