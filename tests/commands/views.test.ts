import { expect, test } from "vitest";
import { viewCommands } from "../../commands/views.ts";
import type { Services } from "../../src/console/kit/commands/services.ts";
import type { ViewsDesk, ViewSlot } from "../../src/console/kit/commands/views.ts";
import { aContext, aPane } from "../console/kit/fakes.ts";

test("a new view is offered the first free digit, so that Enter takes no digit from another view", async () => {
  const slots = [1, 2, 4].map((digit): ViewSlot => ({ id: `v${digit}`, name: `View ${digit}`, digit, current: false, saved: null }));
  const asked: unknown[] = [];
  const services = {
    text: (key: string) => key,
    ask: async (kind: string, { initial }: { initial?: string }) => {
      asked.push([kind, initial]);
      return kind === "text" ? "Late ones" : null;
    },
  } as unknown as Services; // the deps it uses
  const save = viewCommands.find(({ id }) => id === "view.save-as");
  await save?.run([], services, aContext({ pane: aPane({ views: { slots, current: null } as unknown as ViewsDesk }) })); // what it reads
  expect(asked).toEqual([
    ["text", ""],
    ["choice", "3"],
  ]);
});
