import { expect, test } from "vitest";
import { consoleCommands } from "../../commands/console.ts";
import { goCommands } from "../../commands/go.ts";
import { sessionCommands } from "../../commands/session.ts";
import { places, screens } from "../../src/contract/screens.ts";
import { createRegistry } from "../../src/console/kit/commands/registry.ts";
import { aContext, notingServices } from "../console/kit/fakes.ts";

function console_(routed: readonly (keyof typeof screens)[] = []) {
  const { services, deeds } = notingServices();
  const registry = createRegistry([...goCommands, ...sessionCommands, ...consoleCommands], { services, routedScreens: new Set(routed) });
  return { registry, deeds };
}
const mayAll = aContext({ permissions: { "pas.transaction.withdrawals": ["view"], "pas.transaction.deposits": ["view"] } });

test("there is one way to every screen that needs no record, with its permission", () => {
  expect(Object.keys(screens).filter((name) => goCommands.every(({ id }) => id !== `go.${name}`))).toEqual([
    "master-account",
    "merchant-providers",
    "merchant-provider",
    "provider-games",
  ]);
  expect(goCommands.map(({ permission }) => permission)).toEqual(places.map((name) => screens[name].permission));
});

test("g w goes to the withdrawals, and g d nowhere while deposits have no screen", async () => {
  const { registry, deeds } = console_(["withdrawals"]);
  await registry.run(registry.owner("g w", mayAll)?.id ?? "", "key", mayAll);
  expect(deeds).toEqual([["go", "withdrawals"]]);
  expect(registry.owner("g d", mayAll)).toBeNull();
});

test("g w without the right names the missing right", async () => {
  const { registry, deeds } = console_(["withdrawals"]);
  await registry.run("go.withdrawals", "key", aContext());
  expect(deeds).toEqual([["say", "refuse.no-right", { permission: "pas.transaction.withdrawals.view" }, "warn"]]);
});

test("signing out has no key", () => {
  expect(sessionCommands.find(({ id }) => id === "session.sign-out")?.keys).toBeUndefined();
});

test("a dialog's keys do what the dialog supports, and nothing else", async () => {
  const { registry } = console_();
  const done: string[] = [];
  const context = aContext({ dialog: { name: "reason", acts: { "choose-1": () => done.push("1"), close: () => done.push("closed") } } });
  for (const chord of ["1", "Escape"]) await registry.run(registry.owner(chord, context)?.id ?? "", "key", context);
  expect(done).toEqual(["1", "closed"]);
  expect(["2", "Enter", "$mod+Enter", "z", "g w"].map((chord) => registry.owner(chord, context))).toEqual([null, null, null, null, null]);
});

test("undo, help and panes pass through their deps", async () => {
  const { registry, deeds } = console_();
  for (const chord of ["z", "Shift+z", "?", ".", "w l", "F6", "d", "$mod+k"])
    await registry.run(registry.owner(chord, aContext())?.id ?? "", "key", aContext());
  expect(deeds).toEqual([
    ["undoLast"],
    ["redoLast"],
    ["open", "help"],
    ["open", "palette", "."],
    ["shell.focusPane", "list"],
    ["shell.focusPane", "next"],
    ["shell.togglePane", "detail"],
    ["open", "palette"],
  ]);
});
