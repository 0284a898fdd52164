import { describe, expect, test } from "vitest";
import { commands as list } from "../../../commands/index.ts";
import { boundCommands, chordFault, movedKeys, standardKeys } from "../../../src/console/kit/commands/bindings.ts";
import type { Bindings } from "../../../src/console/kit/commands/bindings.ts";
import type { AnyCommand } from "../../../src/console/kit/commands/command.ts";
import { everyCommand } from "../../../src/console/kit/commands/command-list.ts";
import { clashes } from "../../../src/console/kit/commands/registry.ts";
import { aCommand } from "../kit/fakes.ts";

const commands = await everyCommand(list);
const approve = aCommand([], { id: "withdrawal.approve", scope: "pane", subject: "withdrawal", danger: "money", keys: ["a"] });
const other = aCommand([], { id: "withdrawal.claim", scope: "pane", subject: "withdrawal", keys: ["t"] });
const go = aCommand([], { id: "go.withdrawals", keys: ["g w"] });
const palette = aCommand([], { id: "console.palette", keys: ["$mod+k"] });
const confirm = aCommand([], { id: "dialog.confirm", scope: "dialog", act: "confirm", keys: ["$mod+Enter"] });
const all = [approve, other, go, palette, confirm];
const keysOf = (keys: Bindings, lettersOff = false, of: readonly AnyCommand[] = all) =>
  Object.fromEntries(boundCommands(of, { keys, lettersOff }).map((command) => [command.id, command.keys ?? []]));

test("without changes every command is the same", () => {
  expect(boundCommands(all, standardKeys).every((command, at) => command === all[at])).toBe(true);
});

test("a user's key replaces the default, in one spelling", () => {
  expect(keysOf({ "withdrawal.approve": ["Shift+Y", "F8"] })["withdrawal.approve"]).toEqual(["Shift+y", "F8"]);
});

test("an empty list leaves a command without a key", () => {
  expect(boundCommands(all, { keys: { "withdrawal.approve": [] }, lettersOff: false })[0]?.keys).toBeUndefined();
});

describe("stored keys are never used unchecked", () => {
  test("a default gives way to a user's own key", () => {
    const keys = keysOf({ "withdrawal.approve": ["t"] });
    expect([keys["withdrawal.approve"], keys["withdrawal.claim"]]).toEqual([["t"], []]);
  });
  test("a chord's first letter used as a key replaces the chord", () => {
    expect(keysOf({ "withdrawal.approve": ["g"] })["go.withdrawals"]).toEqual([]);
  });
  test("of two own keys that collide the first command's wins", () => {
    const keys = keysOf({ "withdrawal.approve": ["x"], "withdrawal.claim": ["x", "y"] });
    expect([keys["withdrawal.approve"], keys["withdrawal.claim"]]).toEqual([["x"], ["y"]]);
  });
  test("keys of the browser, and those missing on some keyboards, are left out", () => {
    expect(keysOf({ "withdrawal.approve": ["$mod+t", "[", "F5", "y"] })["withdrawal.approve"]).toEqual(["y"]);
  });
  test("dialogs keep their keys, so that money is never confirmed by habit", () => {
    expect(keysOf({ "dialog.confirm": ["Enter"] })["dialog.confirm"]).toEqual(["$mod+Enter"]);
  });
  test("unknown commands do no harm", () => {
    expect(keysOf({ "gone.command": ["a"] })["withdrawal.approve"]).toEqual(["a"]);
  });
});

describe("keys stored for a removed command", () => {
  const find = aCommand([], { id: "list.find", formerly: ["withdrawal.find", "merchant.find"], keys: ["/"] });
  const moved = (keys: Bindings) => movedKeys([find, approve], keys);
  test("are those of the command that replaced it", () => {
    expect(moved({ "merchant.find": ["F3"], "withdrawal.approve": ["y"] })).toEqual({ "list.find": ["F3"], "withdrawal.approve": ["y"] });
    expect(moved({ "withdrawal.find": ["F3"], "merchant.find": ["F4", "F3"] })).toEqual({ "list.find": ["F3", "F4"] });
  });
  test("give way to its own, and a removed key stays removed", () => {
    expect(moved({ "merchant.find": ["F3"], "list.find": ["F8"] })).toEqual({ "list.find": ["F8"] });
    expect(moved({ "merchant.find": [] })).toEqual({ "list.find": [] });
  });
  test("no current command is the former id of another", () => {
    const ids = new Set<string>(commands.map(({ id }) => id));
    expect(commands.flatMap(({ formerly = [] }) => formerly).filter((id) => ids.has(id))).toEqual([]);
  });
});

test("whatever a user binds, no key is ambiguous", () => {
  const chords = ["a", "g", "g w", "x", "Enter", "F8", "Shift+a", "$mod+k", "1", "/", "w", "t"];
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 48271) % 2147483647;
    return seed % below;
  };
  for (let round = 0; round < 40; round++) {
    const keys: Record<string, string[]> = {};
    for (let n = 0; n < 12; n++) {
      const command = commands[random(commands.length)];
      if (command !== undefined) keys[command.id] = [chords[random(chords.length)] ?? "a", chords[random(chords.length)] ?? "a"];
    }
    expect(clashes(boundCommands(commands, { keys, lettersOff: false })), JSON.stringify(keys)).toEqual([]);
  }
});

describe("single letters off", () => {
  test("leaves keys with Mod, function keys and those that type nothing", () => {
    const keys = keysOf({ "withdrawal.approve": ["a", "F8"] }, true);
    expect(keys).toEqual({
      "withdrawal.approve": ["F8"],
      "withdrawal.claim": [],
      "go.withdrawals": [],
      "console.palette": ["$mod+k"],
      "dialog.confirm": ["$mod+Enter"],
    });
  });
  test("signs, digits and capitals are off too; Enter, arrows and Space are not", () => {
    const one = (chord: string) => keysOf({}, true, [aCommand([], { id: "a.a", keys: [chord] })])["a.a"];
    for (const chord of ["/", "?", "5", "Shift+a"]) expect(one(chord), chord).toEqual([]);
    for (const chord of ["Enter", "ArrowDown", "Space", "Alt+ArrowDown", "$mod+a"]) expect(one(chord), chord).toEqual([chord]);
  });
});

test.each([
  ["Enter", "activates"],
  ["Space", "activates"],
  ["$mod+w", "reserved"],
  ["Escape", "reserved"],
  ["F5", "reserved"],
  ["[", "untypable"],
  ["Shift+1", "untypable"],
  ["y", null],
  ["F8", null],
])("approving on %s: %s", (chord, fault) => {
  expect(chordFault(chord, approve)).toBe(fault);
});
