import i18next from "i18next";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createKit } from "../../../../src/console/kit/kit.ts";
import type { OuterServices } from "../../../../src/console/kit/kit.ts";
import { aCommand, aPane, aRow, focused, notingGrid, notingServices, usKey } from "../fakes.ts";

// texts are their own keys
beforeAll(() => i18next.init({ lng: "cimode" }));
// a queued key is sent to what has the focus then
beforeEach(() => vi.stubGlobal("document", { activeElement: null }));
afterEach(() => vi.unstubAllGlobals());

/** A console whose list is asked for and has no row yet. */
function reading() {
  const deeds: unknown[] = [];
  const claim = aCommand(deeds, { id: "withdrawal.claim", scope: "pane", subject: "withdrawal", takes: "one", keys: ["x"] });
  const find = aCommand(deeds, { id: "list.find", scope: "pane", takes: "none", keys: ["/"] });
  const kit = createKit({ commands: [claim, find], routedScreens: new Set(), services: notingServices().services as OuterServices });
  kit.context.setSession({ tenant: "t", currency: "MYR", user: "u", permissions: {} });
  const { promise, resolve } = Promise.withResolvers<void>();
  let count = 0;
  let first: Promise<void> | null = promise;
  const asked = notingGrid();
  const grid = new Proxy(asked, {
    get: (known, name) => (name === "firstRows" ? () => first : name === "rowCount" ? () => count : Reflect.get(known, name)),
  });
  kit.context.publishPane(aPane({ grid }));
  kit.context.placePane("list", focused);
  return {
    deeds,
    press: (key: string) => kit.keys.press(usKey(key)),
    said: () => kit.messages.getState().map(({ text }) => text),
    async come(uuid: string | null) {
      first = null;
      count = uuid === null ? 0 : 1;
      resolve();
      await promise;
      if (uuid !== null) kit.context.publishPane(aPane({ grid, cursor: aRow(uuid) }));
      await Promise.resolve();
    },
  };
}

test("a key pressed while the rows are being read acts on the row that comes, and so do the keys after it", async () => {
  const { press, come, deeds, said } = reading();
  expect([press("x"), press("/")]).toEqual([true, true]);
  expect([deeds, said()]).toEqual([[], []]);
  await come("one");
  expect(deeds.map((deed) => (Array.isArray(deed) ? deed[0] : deed))).toEqual(["withdrawal.claim", "list.find"]);
  expect(deeds[0]).toEqual(["withdrawal.claim", aRow("one")]);
});

test("where no row comes, the key says so", async () => {
  const { press, come, deeds, said } = reading();
  press("x");
  await come(null);
  expect(deeds).toEqual([]);
  expect(said()).toEqual(["refuse.no-row"]);
});

test("a key that needs no row acts at once", () => {
  const { press, deeds } = reading();
  press("/");
  expect(deeds).toHaveLength(1);
});
