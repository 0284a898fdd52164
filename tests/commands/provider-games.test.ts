import { expect, test } from "vitest";
import { providerGameCommands } from "../../commands/provider-games.ts";
import { createRegistry } from "../../src/console/kit/commands/registry.ts";
import type { Services } from "../../src/console/kit/commands/services.ts";
import { inLanguage } from "../console/in-language.ts";
import { aContext, aPane } from "../console/kit/fakes.ts";

test("a game that is refused is named, with the reason in one's own language", async () => {
  await inLanguage("de");
  const toasts: unknown[] = [];
  const games = ["Dragon", "Lotus"].map((name, n) => ({ uuid: `g${n}`, version: 1, name, status: "inactive" }));
  const services = {
    call: async () => ({
      data: {
        outcomes: [
          { uuid: "g0", done: true, row: games[0] },
          { uuid: "g1", done: false, problem: { code: "record.stale", message: "Changed meanwhile", status: 409 } },
        ],
      },
    }),
    changed: () => undefined,
    toast: (title: string, _: string, words: unknown) => void toasts.push([title, words]),
    text: (key: string) => key,
  } as unknown as Services; // the deps this command uses
  const registry = createRegistry(providerGameCommands, { services, routedScreens: new Set(["provider-games"]) });
  const pane = aPane({ subject: "provider-game", cursor: games[0] as never, marked: games as never }); // what the command reads of a row
  await registry.run(
    "provider-game.activate",
    "palette",
    aContext({ screen: "provider-games", permissions: { "gps.provider.games": ["change-status"] }, pane }),
  );
  expect(toasts).toEqual([["provider-game.said.status-failed", { count: 1, why: expect.stringMatching(/^Lotus: (?!Changed)/) }]]);
});
