import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { chordLapsesAfter, createKeyEngine } from "../../../src/console/kit/keys/keys.ts";
import { createRegistry } from "../../../src/console/kit/commands/registry.ts";
import { recordChord } from "../../../src/console/own-keys/record.ts";
import { aCommand, aContext, keydown, notingServices, usKey } from "../kit/fakes.ts";

const deeds: unknown[] = [];
const heard: unknown[] = [];

function recorder() {
  const commands = [aCommand(deeds, { id: "console.sound", keys: ["b"] }), aCommand(deeds, { id: "console.escape", keys: ["Escape"] })];
  const keys = createKeyEngine({
    registry: createRegistry(commands, { services: notingServices().services, routedScreens: new Set() }),
    read: () => aContext(),
    say: () => undefined,
    onHint: () => undefined,
    apple: false,
  });
  const stop = recordChord(keys, {
    onPress: () => undefined,
    onUnknown: (key) => heard.push(["unknown", key]),
    onDone: (chord) => heard.push(chord),
  });
  return { keys, stop, press: (...pressed: string[]) => pressed.map((key) => keys.press(usKey(key))) };
}

beforeEach(() => {
  vi.useFakeTimers();
  deeds.length = heard.length = 0;
});
afterEach(() => vi.useRealTimers());

test("every key is swallowed and none runs its command; Esc ends it without a chord", () => {
  const { press } = recorder();
  expect(press("b", "Escape")).toEqual([true, true]);
  expect(deeds).toEqual([]);
  expect(heard).toEqual([null]);
  press("b", "Escape");
  expect(deeds).toEqual(["console.sound", "console.escape"]);
});

test("letters may be followed by more until Enter", () => {
  recorder().press("g", "w", "Enter");
  expect(heard).toEqual(["g w"]);
});

test("or until a pause", () => {
  recorder().press("g", "w");
  vi.advanceTimersByTime(chordLapsesAfter - 1);
  expect(heard).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(heard).toEqual(["g w"]);
});

test.each([
  [usKey("F8"), "F8"],
  [usKey("m", { ctrl: true }), "$mod+m"],
  [usKey("Enter"), "Enter"],
])("a key that types nothing, or is pressed with Mod, is a chord at once", (event, chord) => {
  recorder().keys.press(event);
  expect(heard).toEqual([chord]);
});

test("the key cap counts: a Russian A is an a", () => {
  recorder().keys.press(keydown({ key: "ф", code: "KeyA" }));
  vi.advanceTimersByTime(chordLapsesAfter);
  expect(heard).toEqual(["a"]);
});

test("the Enter that started the recording and is still held is not the chord", () => {
  recorder().keys.press(usKey("Enter", { repeat: true }));
  expect(heard).toEqual([]);
});

test("a key that no chord can contain is named; Shift alone is waited for", () => {
  const { keys } = recorder();
  keys.press(keydown({ key: "Shift", code: "ShiftLeft", shift: true }));
  keys.press(keydown({ key: "[", code: "BracketLeft" }));
  expect(heard).toEqual([["unknown", "["]]);
});

test("after cancelling it handles nothing more", () => {
  const { stop, press } = recorder();
  press("g");
  stop();
  vi.advanceTimersByTime(chordLapsesAfter);
  press("b");
  expect([heard, deeds]).toEqual([[], ["console.sound"]]);
});
