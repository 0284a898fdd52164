import { describe, expect, test } from "vitest";
import { commands as list } from "../../../../commands/index.ts";
import { everyCommand } from "../../../../src/console/kit/commands/command-list.ts";
import { pressesOf } from "../../../../src/console/kit/keys/chord.ts";
import { createKeyReader, latinTwin, pressName } from "../../../../src/console/kit/keys/key-reading.ts";
import { keydown, written } from "../fakes.ts";
import { keyFor, layouts } from "./layouts.ts";

const read = (event: ReturnType<typeof keydown>, before: ReturnType<typeof keydown>[] = []): string | null => {
  const reader = createKeyReader(false);
  before.forEach((earlier) => reader.read(earlier));
  const stroke = reader.read(event);
  return stroke === null ? null : pressName(stroke, false);
};

const commands = await everyCommand(list);

/** All bound single keys that type something, with or without Shift. */
const bound = [...new Set(commands.flatMap((command) => (command.keys ?? []).flatMap(pressesOf)))].filter((press) =>
  /^(Shift\+)?.$/.test(press),
);

describe.each(layouts)("on the %s layout", (layout) => {
  const aLetter = written(keyFor(layout, "a", false));

  test.each(bound)("%s is the key its cap says", (press) => {
    const shift = press.startsWith("Shift+");
    const key = keyFor(layout, press.replace("Shift+", ""), shift);
    expect(read(written(key), [aLetter])).toBe(press);
  });

  test("Mod+K is Mod+K, even as the first key pressed", () => {
    expect(read(written(keyFor(layout, "k", false), { ctrl: true }))).toBe("$mod+k");
  });

  test("Caps Lock changes nothing", () => {
    const { key, code } = keyFor(layout, "a", false);
    expect(read(keydown({ key: key.toUpperCase(), code }), [aLetter])).toBe("a");
  });
});

describe("a key is read by what it types", () => {
  test("the letters of other places on French and German keyboards", () => {
    expect(read(keydown({ key: "a", code: "KeyQ" }))).toBe("a");
    expect(read(keydown({ key: "z", code: "KeyY" }))).toBe("z");
    expect(read(keydown({ key: "m", code: "Semicolon" }))).toBe("m");
  });
  test("a slash counts as a slash with the Shift it needs in German, Italian and Spanish", () => {
    expect(read(keydown({ key: "/", code: "Digit7", shift: true }))).toBe("/");
  });
  test("a French digit key is its digit without and with Shift", () => {
    expect(read(keydown({ key: "&", code: "Digit1" }))).toBe("1");
    expect(read(keydown({ key: "1", code: "Digit1", shift: true }))).toBe("1");
    expect(read(keydown({ key: "é", code: "Digit2" }))).toBe("2");
  });
  test("an Arabic Shift+K that types a comma is Shift+K once the layout is known", () => {
    expect(read(keydown({ key: "،", code: "KeyK", shift: true }), [keydown({ key: "ش", code: "KeyA" })])).toBe("Shift+k");
  });
  test("the layout is Latin again after a Latin letter", () => {
    const before = [keydown({ key: "ф", code: "KeyA" }), keydown({ key: "a", code: "KeyA" })];
    expect(read(keydown({ key: "]", code: "KeyD", shift: true }), before)).toBeNull();
  });
  test("Arabic and full-width signs are their Latin twins", () => {
    expect(["؟", "？", "：", "＝", "＊", "。", "、"].map(latinTwin)).toEqual(["?", "?", ":", "=", "*", ".", "/"]);
    expect(read(keydown({ key: "؟", code: "Slash", shift: true }))).toBe("?");
  });
});

describe("what is not a key press is skipped", () => {
  test("text being composed", () => {
    expect(read(keydown({ key: "a", code: "KeyA" }, { composing: true }))).toBeNull();
    expect(read({ ...keydown({ key: "a", code: "KeyA" }), keyCode: 229 })).toBeNull();
  });
  test("AltGr, which types characters", () => {
    expect(read(keydown({ key: "@", code: "KeyQ" }, { ctrl: true, alt: true, altGraph: true }))).toBeNull();
  });
  test("a modifier or a dead key alone", () => {
    expect(["Shift", "Control", "Dead", "CapsLock"].map((key) => read(keydown({ key, code: key })))).toEqual([null, null, null, null]);
  });
  test("with Alt the key's position counts", () => {
    expect(read(keydown({ key: "ArrowDown", code: "ArrowDown" }, { alt: true }))).toBe("Alt+ArrowDown");
    expect(read(keydown({ key: "å", code: "KeyA" }, { alt: true }))).toBe("Alt+a");
  });
});
