import { expect, test } from "vitest";
import { consoleCommands } from "../../commands/console.ts";
import { createRegistry } from "../../src/console/kit/commands/registry.ts";
import { aContext, notingServices } from "../console/kit/fakes.ts";

test("y l copies the address of what is on screen", async () => {
  const { services, deeds } = notingServices();
  const command = consoleCommands.find(({ keys }) => keys?.includes("y l") === true);
  const shell = new Proxy(services.shell, {
    get: (deps, service) => (service === "linkHere" ? () => "https://pay.example/?tenant=t" : Reflect.get(deps, service)),
  });
  await command?.run(
    [],
    new Proxy(services, { get: (deps, service) => (service === "shell" ? shell : Reflect.get(deps, service)) }),
    aContext(),
  );
  expect(deeds).toEqual([["copy", "https://pay.example/?tenant=t"]]);
});

test("nothing is taken back during a switch of tenant or currency", async () => {
  const { services, deeds } = notingServices();
  const registry = createRegistry(consoleCommands, { services, routedScreens: new Set() });
  expect(await registry.run("console.undo", "key", aContext({ switching: true }))).toBe("refused");
  expect(deeds).not.toContainEqual(["undoLast"]);
  expect(await registry.run("console.undo", "key", aContext())).toBe("ran");
});
