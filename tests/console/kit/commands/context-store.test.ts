import { describe, expect, test } from "vitest";
import { createContextStore } from "../../../../src/console/kit/commands/context-store.ts";
import { createEscapeLadder } from "../../../../src/console/kit/keys/escape.ts";
import { aPane, aRow } from "../fakes.ts";

describe("the context", () => {
  test("keys go to an open dialog, the last one opened first", () => {
    const store = createContextStore();
    const reason = store.openDialog({ name: "reason", acts: {} });
    const palette = store.openDialog({ name: "palette", acts: {} });
    expect(store.read().dialog?.name).toBe("palette");
    palette.close();
    reason.replace({ name: "reason", acts: { accept: () => undefined } });
    expect(Object.keys(store.read().dialog?.acts ?? {})).toEqual(["accept"]);
    reason.close();
    expect(store.read().dialog).toBeNull();
  });

  test("a pane that leaves the page takes its rows with it", () => {
    const store = createContextStore();
    store.publishPane(aPane({ cursor: aRow("w1") }));
    expect(store.getState().panes.has("list")).toBe(true);
    store.withdrawPane("list");
    expect(store.read({ pane: "latest" }).pane).toBeNull();
  });

  test("every answer says that the server answers, but only a change is published", () => {
    const store = createContextStore();
    let published = 0;
    store.subscribe(() => (published += 1));
    for (const online of [true, true, false, false, true]) store.setOnline(online);
    expect([published, store.read().online]).toEqual([2, true]);
  });

  test("nobody is signed in until the session says so", () => {
    expect(createContextStore().read().user).toBeNull();
  });
});

describe("Esc", () => {
  test("takes one step a press, innermost first", () => {
    const ladder = createEscapeLadder();
    const steps: string[] = [];
    const open = new Set(["selection", "menu", "detail"] as const);
    for (const rung of ["queue", "detail", "selection", "menu"] as const) {
      ladder.register(rung, () => rung !== "queue" && open.delete(rung) && steps.push(rung) > 0);
    }
    expect([1, 2, 3, 4].map(() => ladder.escape())).toEqual([true, true, true, false]);
    expect(steps).toEqual(["menu", "detail", "selection"]);
  });

  test("skips steps that are gone", () => {
    const ladder = createEscapeLadder();
    ladder.register("menu", () => true)();
    expect(ladder.escape()).toBe(false);
  });
});
