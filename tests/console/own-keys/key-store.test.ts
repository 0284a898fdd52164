import { describe, expect, test } from "vitest";
import { createRegistry } from "../../../src/console/kit/commands/registry.ts";
import type { AnyCommand } from "../../../src/console/kit/commands/command.ts";
import { createKeyStore } from "../../../src/console/own-keys/key-store.ts";
import { aCommand, notingServices } from "../kit/fakes.ts";
import { createLocalPreferences } from "./local-preferences.ts";

const record = { scope: "pane", subject: "withdrawal" } as const;
const commands: readonly AnyCommand[] = [
  aCommand([], { ...record, id: "withdrawal.approve", danger: "money", keys: ["a"] }),
  aCommand([], { ...record, id: "withdrawal.reject", danger: "money", keys: ["r"] }),
  aCommand([], { ...record, id: "withdrawal.claim", keys: ["t"] }),
  aCommand([], { id: "console.sound", keys: ["b"] }),
  aCommand([], { id: "go.withdrawals", keys: ["g w"] }),
  aCommand([], { id: "dialog.confirm", scope: "dialog", act: "confirm", keys: ["$mod+Enter"] }),
];

function store() {
  const registry = createRegistry(commands, { services: notingServices().services, routedScreens: new Set() });
  const preferences = createLocalPreferences();
  const keys = createKeyStore(registry, preferences);
  const kept = () => preferences.store.getState().preferences;
  const of = (id: string) => keys.commands().find((command) => command.id === id)?.keys ?? [];
  return { keys, kept, of, preferences };
}
const only = { beside: false, replace: false };

describe("giving a key", () => {
  test("replaces the command's keys, or is added to them", () => {
    const { keys, of } = store();
    keys.bind("withdrawal.approve", "y", only);
    expect(of("withdrawal.approve")).toEqual(["y"]);
    keys.bind("withdrawal.approve", "F8", { beside: true, replace: false });
    expect(of("withdrawal.approve")).toEqual(["y", "F8"]);
  });
  test("names the command that has the key, and the kind of conflict", () => {
    const { keys } = store();
    const conflicts = (chord: string) => keys.conflicts("withdrawal.approve", chord).map(({ command, kind }) => [command.id, kind]);
    expect(conflicts("t")).toEqual([["withdrawal.claim", "equal"]]);
    expect(conflicts("b")).toEqual([["console.sound", "shadow"]]);
    expect(conflicts("g")).toEqual([["go.withdrawals", "prefix"]]);
    expect(conflicts("y")).toEqual([]);
    expect(conflicts("a")).toEqual([]);
  });
  test("replace takes it from the other", () => {
    const { keys, of, kept } = store();
    keys.bind("withdrawal.approve", "t", { beside: false, replace: true });
    expect([of("withdrawal.approve"), of("withdrawal.claim")]).toEqual([["t"], []]);
    expect(kept().keys).toEqual({ "withdrawal.approve": ["t"], "withdrawal.claim": [] });
  });
  test("keeping both leaves the outer one where it is", () => {
    const { keys, of } = store();
    keys.bind("withdrawal.approve", "b", only);
    expect([of("withdrawal.approve"), of("console.sound")]).toEqual([["b"], ["b"]]);
  });
  test("setting the default again is no change at all", () => {
    const { keys, kept } = store();
    keys.bind("withdrawal.approve", "y", only);
    keys.bind("withdrawal.approve", "a", only);
    expect(kept().keys).toEqual({});
  });
  test("a dialog's key cannot be changed", () => {
    expect(store().keys.fault("dialog.confirm", "y")).toBe("fixed");
  });
});

describe("resetting", () => {
  test("one command", () => {
    const { keys, of } = store();
    keys.bind("withdrawal.approve", "y", only);
    keys.unbind("withdrawal.reject");
    keys.reset("withdrawal.approve");
    expect([of("withdrawal.approve"), of("withdrawal.reject")]).toEqual([["a"], []]);
  });
  test("a default that another command was given stays with that one", () => {
    const { keys, of } = store();
    keys.bind("withdrawal.approve", "t", { beside: false, replace: true });
    keys.reset("withdrawal.claim");
    expect([of("withdrawal.approve"), of("withdrawal.claim")]).toEqual([["t"], []]);
  });
  test("all", () => {
    const { keys, kept } = store();
    keys.bind("withdrawal.approve", "y", only);
    keys.setLettersOff(true);
    keys.resetAll();
    expect([kept().keys, kept().letters_off]).toEqual([{}, false]);
  });
});

test("function keys: F8 approves and F9 rejects beside the letters, and off again", () => {
  const { keys, of, kept } = store();
  keys.setFunctionKeys(true);
  expect([of("withdrawal.approve"), of("withdrawal.reject")]).toEqual([
    ["a", "F8"],
    ["r", "F9"],
  ]);
  expect(keys.functionKeysOn()).toBe(true);
  keys.setFunctionKeys(false);
  expect(kept().keys).toEqual({});
});

describe("a file of keys", () => {
  const file = (keys: object, more: object = {}) =>
    JSON.stringify({ countinghouse: "keys", version: 1, letters_off: false, keys, ...more });

  test("an exported file can be imported by another user", () => {
    const one = store();
    one.keys.bind("withdrawal.approve", "t", { beside: false, replace: true });
    one.keys.setLettersOff(true);
    const two = store();
    two.keys.read(one.keys.write());
    expect(two.kept()).toEqual(one.kept());
  });
  test("unknown commands are kept", () => {
    const { keys, kept } = store();
    expect(keys.read(file({ "deposit.approve": ["y"] }))).toMatchObject({ unknown: ["deposit.approve"] });
    expect(kept().keys).toEqual({ "deposit.approve": ["y"] });
  });
  test.each([
    [
      { "withdrawal.approve": ["y"], "withdrawal.reject": ["$mod+t"] },
      { id: "withdrawal.reject", chord: "$mod+t", why: "reserved" },
    ],
    [{ "withdrawal.approve": ["["] }, { id: "withdrawal.approve", chord: "[", why: "untypable" }],
    [{ "withdrawal.approve": ["Enter"] }, { id: "withdrawal.approve", chord: "Enter", why: "activates" }],
    [{ "withdrawal.approve": ["t"] }, { id: "withdrawal.approve", chord: "t", why: "equal", other: "withdrawal.claim" }],
    [{ "console.sound": ["g"] }, { id: "console.sound", chord: "g", why: "prefix", other: "go.withdrawals" }],
    [{ "dialog.confirm": ["Enter"] }, { id: "dialog.confirm", chord: "Enter", why: "fixed" }],
  ])("%j is refused by name, and nothing of it is imported", (keysInFile, fault) => {
    const { keys, kept } = store();
    keys.bind("withdrawal.claim", "t", only);
    const before = kept();
    expect(keys.read(file(keysInFile))).toEqual({ faults: [fault] });
    expect(kept()).toBe(before);
  });
  test.each(["", "{}", "[1]", file({}, { version: 2 }), file({ "withdrawal.approve": "y" })])("%j is not a key file", (text) => {
    const { keys, kept } = store();
    const before = kept();
    expect(keys.read(text)).toEqual({ unreadable: true });
    expect(kept()).toBe(before);
  });
});
