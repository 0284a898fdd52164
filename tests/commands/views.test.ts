import { expect, test } from "vitest";
import { viewCommands } from "../../commands/views.ts";
import type { Pin, SavedView } from "../../src/contract/preferences.ts";
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

test("a view of a list beneath a record is pinned for the record on screen, and any other for its list", async () => {
  const pinned: unknown[] = [];
  const shell = {
    pinView: async (_: SavedView, ...how: unknown[]) => void pinned.push(how),
    setThreshold: async (_: SavedView, here: Pin) => void pinned.push(["threshold", here]),
  };
  const run = async (id: string, params: Record<string, string>, current: Partial<SavedView>) => {
    const views = { slots: [], current, params } as unknown as ViewsDesk; // what it reads
    const command = viewCommands.find((one) => one.id === id);
    await command?.run([], { shell } as unknown as Services, aContext({ pane: aPane({ views }) })); // the deps it uses
  };
  const params = { merchantUuid: "44444444-4444-4444-8444-444444444444" };
  const threshold = { of: "count", over: 3 } as const;
  await run("view.pin", params, { pin: null, tenant_pin: { threshold } });
  await run("view.pin-for-all", params, { pin: null, tenant_pin: null });
  await run("view.threshold", params, {});
  await run("view.pin", {}, { pin: null, tenant_pin: null });
  await run("view.pin", params, { pin: { threshold: null, params }, tenant_pin: null });
  expect(pinned).toEqual([
    ["me", { threshold, params }],
    ["tenant", { threshold: null, params }],
    ["threshold", { threshold: null, params }],
    ["me", { threshold: null }],
    ["me", null],
  ]);
});
