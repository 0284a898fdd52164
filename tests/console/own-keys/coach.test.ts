import { expect, test } from "vitest";
import type { Source } from "../../../src/console/kit/commands/registry.ts";
import { ownChips, showsChip } from "../../../src/console/kit/keys/key-chips.ts";
import { createCoach } from "../../../src/console/own-keys/coach.ts";
import { aCommand } from "../kit/fakes.ts";
import { createLocalPreferences } from "./local-preferences.ts";

const refresh = aCommand([], { id: "console.refresh", keys: ["Shift+r"] });
const sound = aCommand([], { id: "console.sound", keys: ["b"] });

function coached() {
  const preferences = createLocalPreferences();
  const coach = createCoach(preferences);
  const run = (command: typeof refresh, ...sources: Source[]) => sources.forEach((source) => coach.ran(command, source));
  return { preferences, coach, run, shown: () => coach.getState().id, kept: () => preferences.store.getState().preferences.coach };
}

test("the third click on a command with a key shows the key", () => {
  const { run, shown } = coached();
  run(refresh, "button", "button");
  expect(shown()).toBeNull();
  run(refresh, "button");
  expect(shown()).toBe("console.refresh");
});

test("using the key in between restarts the count", () => {
  const { run, shown } = coached();
  run(refresh, "button", "button", "key", "button", "button");
  expect(shown()).toBeNull();
});

test("Enter on a focused button and the palette are no clicks", () => {
  const { run, shown } = coached();
  run(refresh, "focus", "focus", "focus", "palette", "palette", "palette");
  expect(shown()).toBeNull();
});

test("a command without a key has no hint", () => {
  const { run, shown } = coached();
  const { keys: _, ...keyless } = refresh;
  run(keyless, "button", "button", "button");
  expect(shown()).toBeNull();
});

test("one hint at a time, each once; it ends when dismissed or when the key is used", () => {
  const { coach, run, shown } = coached();
  run(refresh, "button", "button", "button");
  run(sound, "button", "button", "button");
  expect(shown()).toBe("console.refresh");
  run(refresh, "key");
  expect(shown()).toBeNull();
  run(sound, "button");
  expect(shown()).toBe("console.sound");
  coach.dismiss();
  run(refresh, "button", "button", "button", "button");
  expect(shown()).toBeNull();
});

test("used five times by key it is learnt, stored, and has no more hints; its key leaves the buttons", () => {
  const { run, shown, kept } = coached();
  run(refresh, "key", "key", "palette", "button", "key", "key");
  expect(kept().learnt).toEqual([]);
  expect(showsChip(ownChips.getState(), "console.refresh")).toBe(true);
  run(refresh, "key");
  expect(kept().learnt).toEqual(["console.refresh"]);
  expect(showsChip(ownChips.getState(), "console.refresh")).toBe(false);
  expect(showsChip(ownChips.getState(), "console.sound")).toBe(true);
  run(refresh, "button", "button", "button");
  expect(shown()).toBeNull();
});

test("uses are counted over reloads", () => {
  const { preferences, run, kept } = coached();
  run(refresh, "key", "key", "key");
  const later = createCoach(preferences);
  later.ran(refresh, "key");
  expect(kept().learnt).toEqual([]);
  later.ran(refresh, "key");
  expect([kept().learnt, preferences.store.getState().preferences.key_chips.presses]).toEqual([["console.refresh"], {}]);
});

test("with hints off keys are still counted; with keys always shown, a learnt one stays on its button", () => {
  const { coach, run, kept } = coached();
  coach.setOn(false);
  run(refresh, "key", "key", "key", "key", "key");
  expect(kept().learnt).toEqual(["console.refresh"]);
  coach.setAlways(true);
  expect(showsChip(ownChips.getState(), "console.refresh")).toBe(true);
  coach.setAlways(false);
  expect(showsChip(ownChips.getState(), "console.refresh")).toBe(false);
});

test("a new user is offered the practice queue until it is refused, and not with hints off", () => {
  const { coach } = coached();
  expect(coach.offersPractice()).toBe(true);
  coach.setOn(false);
  expect(coach.offersPractice()).toBe(false);
  coach.setOn(true);
  coach.refusePractice();
  expect(coach.offersPractice()).toBe(false);
});

test("nothing is offered before it is known who is new", () => {
  const { store } = createLocalPreferences();
  const coach = createCoach({ store: { ...store, getState: () => ({ ...store.getState(), loaded: false }) }, set: () => undefined });
  expect(coach.offersPractice()).toBe(false);
});

test("switching it off ends the open hint", () => {
  const { coach, run, shown, kept } = coached();
  run(refresh, "button", "button", "button");
  coach.setOn(false);
  run(sound, "button", "button", "button");
  expect([shown(), kept().on]).toEqual([null, false]);
});
