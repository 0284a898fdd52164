import { expect, test } from "vitest";
import { commands } from "../../commands/index.ts";
import { keyCommands } from "../../commands/keys.ts";
import { createRegistry } from "../../src/console/kit/commands/registry.ts";
import { aContext, notingServices } from "../console/kit/fakes.ts";

test("the key editor and the practice queue are open to everybody signed in, and to nobody else", async () => {
  const { services, deeds } = notingServices();
  const registry = createRegistry(keyCommands, { services, routedScreens: new Set() });
  for (const { id } of keyCommands) await registry.run(id, "palette", aContext({ user: null, permissions: {} }));
  expect(deeds).toEqual([]);
  for (const { id } of keyCommands) await registry.run(id, "palette", aContext());
  expect(deeds).toEqual([
    ["open", "keys"],
    ["open", "practice"],
  ]);
});

test("the console has them", () => {
  expect(commands).toEqual(expect.arrayContaining([...keyCommands]));
});
