import i18next from "i18next";
import { beforeAll, expect, test } from "vitest";
import { createKit } from "../../../../src/console/kit/kit.ts";
import type { OuterServices } from "../../../../src/console/kit/kit.ts";
import type { Undo } from "../../../../src/console/kit/commands/services.ts";
import { aCommand, aPane, aRow, focused, notingServices } from "../fakes.ts";

// texts are their own keys
beforeAll(() => i18next.init({ lng: "cimode" }));

/** A console with one act on records, which can be undone and redone. */
function console_() {
  const deeds: unknown[] = [];
  const approve = aCommand(deeds, { id: "withdrawal.approve", scope: "pane", subject: "withdrawal", takes: "one" });
  const kit = createKit({ commands: [approve], routedScreens: new Set(), services: notingServices().services as OuterServices });
  kit.context.setSession({ tenant: "t", currency: "MYR", user: "u", permissions: {} });
  const at = (uuid: string) => {
    kit.context.publishPane(aPane({ cursor: aRow(uuid) }));
    kit.context.placePane("list", focused);
  };
  const undo = (id: string, again?: Undo["again"]): Undo => ({
    id,
    text: "undo.nothing",
    words: {},
    until: performance.now() + 5000,
    back: async () => void deeds.push(`back ${id}`),
    ...(again && { again }),
  });
  const said = () => kit.messages.getState()[0]?.text;
  return { kit, deeds, at, undo, said };
}

test("without an undo, Shift+Z says that there is nothing to redo", async () => {
  const { kit, deeds, said } = console_();
  await kit.services.redoLast();
  expect([deeds, said()]).toEqual([[], "redo.nothing"]);
});

test("what no command redoes is not redone silently", async () => {
  const { kit, deeds, undo, said } = console_();
  kit.services.pushUndo(undo("a"));
  await kit.services.undoLast();
  await kit.services.redoLast();
  expect([deeds, said()]).toEqual([["back a"], "redo.never"]);
});

test("an undone act is redone by its own command, and only while its record is the next key's target", async () => {
  const { kit, deeds, at, undo, said } = console_();
  kit.services.pushUndo(undo("a", { command: "withdrawal.approve", uuid: "one" }));
  await kit.services.undoLast();
  at("two");
  await kit.services.redoLast();
  expect([deeds, said()]).toEqual([["back a"], "redo.elsewhere"]);
  at("one");
  await kit.services.redoLast();
  expect(deeds).toEqual(["back a", ["withdrawal.approve", aRow("one")]]);
});

test("after another act or in another tenant there is nothing to redo", async () => {
  const { kit, undo, said } = console_();
  const again = { command: "withdrawal.approve", uuid: "one" };
  kit.services.pushUndo(undo("a", again));
  await kit.services.undoLast();
  kit.services.pushUndo(undo("b"));
  await kit.services.redoLast();
  expect(said()).toBe("redo.nothing");
  await kit.services.undoLast();
  kit.undo.clear();
  await kit.services.redoLast();
  expect(said()).toBe("redo.nothing");
});

test("a failed undo can be tried again", async () => {
  const { kit, deeds, undo } = console_();
  const failing = { ...undo("a"), back: () => Promise.reject(new Error("no line")) };
  kit.services.pushUndo(failing);
  await expect(kit.services.undoLast()).rejects.toThrow("no line");
  expect(kit.undo.getState()).toEqual([failing]);
  kit.services.pushUndo(undo("a"));
  await kit.services.undoLast();
  expect([deeds, kit.undo.getState()]).toEqual([["back a"], []]);
});
