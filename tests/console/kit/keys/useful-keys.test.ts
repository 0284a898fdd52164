import { expect, test } from "vitest";
import { withdrawalCommands } from "../../../../commands/withdrawals/commands.ts";
import { practiceCommands } from "../../../../src/console/own-keys/practice/practice-commands.ts";
import { PracticeRun } from "../../../../src/console/own-keys/practice/practice-run.ts";
import { createRegistry } from "../../../../src/console/kit/commands/registry.ts";
import { usefulKeys } from "../../../../src/console/kit/keys/useful-keys.ts";
import { permissionMap, permissions } from "../../../../src/contract/permissions.ts";
import { aContext, aPane, aRow, notingServices } from "../fakes.ts";

const { services } = notingServices();
const registryOf = (commands: Parameters<typeof createRegistry>[0]) => createRegistry(commands, { services, routedScreens: new Set() });

const all = permissionMap(new Set(permissions));
const row = aRow("row", { status: "process", claim: { user: "user", name: "Me" }, first_approved_by: null });
const shown = (paintedAt: number | null) =>
  aContext({
    now: 1_000,
    permissions: all,
    pane: aPane({
      cursor: row,
      detail: { uuid: "row", version: 1, paintedAt } as never,
      decision: { failing: () => null, gone: () => null } as never,
    }), // as the screen tells it
  });
const keysIn = (found: ReturnType<typeof usefulKeys>) =>
  found.map(({ command, ready }) => `${command.keys?.[0]} ${ready ? "" : "soon"}`.trim());

test.each([
  ["read", 0, "a"],
  ["painted just now", 900, "a soon"],
  ["coming", null, "a soon"],
] as const)("the decision comes first, whether its record is %s", (_, paintedAt, first) => {
  const keys = keysIn(usefulKeys(registryOf(withdrawalCommands), shown(paintedAt)));
  expect(keys.slice(0, 2)).toEqual([first, "r"]);
});

test("in the practice queue too, from the first moment", () => {
  const practice = registryOf(
    practiceCommands(registryOf(withdrawalCommands), new PracticeRun({ reasons: [], confirmFrom: null }), () => undefined),
  );
  const keys = keysIn(usefulKeys(practice, aContext({ now: performance.now() })));
  expect(keys.slice(0, 2)).toEqual(["a soon", "r"]);
});
