import { expect, test } from "vitest";
import type { Source } from "../../../src/console/kit/registry.ts";
import { createCoach } from "../../../src/console/keys/coach.ts";
import { createLocalDoor } from "../../../src/console/keys/preferences-door.ts";
import { aCommand } from "../kit/fakes.ts";

const refresh = aCommand([], { id: "console.refresh", keys: ["Shift+r"] });
const sound = aCommand([], { id: "console.sound", keys: ["b"] });

function coached() {
  const door = createLocalDoor();
  const coach = createCoach(door);
  const run = (command: typeof refresh, ...sources: Source[]) => sources.forEach((source) => coach.ran(command, source));
  return { coach, run, shown: () => coach.getState().id, kept: () => door.store.getState().preferences.coach };
}

test("the third click on a command with a key names the key", () => {
  const { run, shown } = coached();
  run(refresh, "button", "button");
  expect(shown()).toBeNull();
  run(refresh, "button");
  expect(shown()).toBe("console.refresh");
});

test("using the key in between begins the count anew", () => {
  const { run, shown } = coached();
  run(refresh, "button", "button", "key", "button", "button");
  expect(shown()).toBeNull();
});

test("Enter on a focused button and the palette are no clicks", () => {
  const { run, shown } = coached();
  run(refresh, "focus", "focus", "focus", "palette", "palette", "palette");
  expect(shown()).toBeNull();
});

test("a command without a key has nothing to teach", () => {
  const { run, shown } = coached();
  const { keys: _, ...keyless } = refresh;
  run(keyless, "button", "button", "button");
  expect(shown()).toBeNull();
});

test("one hint at a time, each once; it goes when dismissed or when the key is used", () => {
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

test("used three times by key it is learnt, kept, and never taught", () => {
  const { run, shown, kept } = coached();
  run(refresh, "key", "key");
  expect(kept().learnt).toEqual([]);
  run(refresh, "key", "key");
  expect(kept().learnt).toEqual(["console.refresh"]);
  run(refresh, "button", "button", "button");
  expect(shown()).toBeNull();
});

test("switched off it is silent, and the open hint goes", () => {
  const { coach, run, shown, kept } = coached();
  run(refresh, "button", "button", "button");
  coach.setOn(false);
  run(sound, "button", "button", "button");
  expect([shown(), kept().on]).toEqual([null, false]);
});
