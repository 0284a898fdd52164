import { expect, test } from "vitest";
import { consoleCommands } from "../../commands/console.ts";
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
