import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { AnyCommand } from "../../../../src/console/kit/commands/command.ts";
import type { Context } from "../../../../src/console/kit/commands/context.ts";
import { chordLapsesAfter, chordShowsAfter, createKeyEngine } from "../../../../src/console/kit/keys/keys.ts";
import type { ChordHint } from "../../../../src/console/kit/keys/keys.ts";
import { eachSecond } from "../../../../src/console/kit/loading/seconds.ts";
import { createRegistry } from "../../../../src/console/kit/commands/registry.ts";
import { aCommand, aContext, aPane, aRow, keydown, notingServices, usKey } from "../fakes.ts";
import type { Pressed } from "../fakes.ts";

const deeds: unknown[] = [];
const said: unknown[] = [];
const hints: (ChordHint | null)[] = [];

function engine(commands: readonly AnyCommand[], change: Partial<Context> = {}, shows = true) {
  const registry = createRegistry(commands, { services: notingServices(said as never).services, routedScreens: new Set() });
  const keys = createKeyEngine({
    registry,
    read: () => aContext(change),
    say: (key, words) => said.push([key, words]),
    onHint: (hint) => hints.push(hint),
    showsHints: () => shows,
    apple: false,
  });
  const press = (...events: (Pressed | string)[]): boolean[] =>
    events.map((event) => keys.press(typeof event === "string" ? usKey(event) : event));
  return { keys, press };
}

beforeEach(() => {
  vi.useFakeTimers();
  for (const list of [deeds, said, hints]) list.length = 0;
});
afterEach(() => vi.useRealTimers());

const inGrid = { pane: aPane({ cursor: aRow("w1") }) };
const approve = aCommand(deeds, { id: "withdrawal.approve", scope: "pane", subject: "withdrawal", takes: "many", keys: ["a"] });

describe("a key runs the command it is on", () => {
  test("and is kept from the browser only then", () => {
    const { press } = engine([approve], inGrid);
    const [a, b] = [usKey("a"), usKey("b")];
    expect(press(a, b)).toEqual([true, false]);
    expect([a.prevented, b.prevented]).toEqual([true, false]);
    expect(deeds).toEqual([["withdrawal.approve", aRow("w1")]]);
  });

  test("and never where a button of another window has the focus, as in the floating counters, which Enter presses", () => {
    const open = aCommand(deeds, { id: "grid.open", scope: "pane", keys: ["Enter"] });
    const { press } = engine([open], inGrid);
    const button = { nodeType: 1, localName: "button", matches: (selectors: string) => selectors.startsWith("button") };
    const event = { ...usKey("Enter"), target: button as unknown as Element }; // an Element of that window, and none of this one
    expect(press(event)).toEqual([false]);
    expect(deeds).toEqual([]);
  });

  test("and never one that another listener has handled", () => {
    const { press } = engine([approve], inGrid);
    const event = usKey("a");
    event.preventDefault();
    expect(press(event)).toEqual([false]);
    expect(deeds).toEqual([]);
  });

  test("a Russian and an Arabic operator approve with the same cap", () => {
    const { press } = engine([approve], inGrid);
    press(keydown({ key: "ф", code: "KeyA" }), keydown({ key: "ش", code: "KeyA" }));
    expect(deeds).toHaveLength(2);
  });
});

test("each key a window hears, whatever it does, holds back what is drawn once a second", () => {
  const heard: ((event: Pressed) => void)[] = [];
  const target = { addEventListener: (kind: string, act: never) => kind === "keydown" && heard.push(act), removeEventListener: () => {} };
  vi.advanceTimersByTime(60_000); // whatever key another test pressed
  const tell = vi.fn<() => void>();
  const stops = [engine([]).keys.listen(target as never), eachSecond(tell)]; // all of a window that it uses
  vi.advanceTimersByTime(950);
  for (const hear of heard) hear(usKey("x"));
  vi.advanceTimersByTime(100);
  expect(tell).not.toHaveBeenCalled();
  vi.advanceTimersByTime(200);
  expect(tell).toHaveBeenCalledOnce();
  for (const stop of stops) stop();
});

describe("one press, one decision", () => {
  test("a held key decides once, and stays handled", () => {
    const { press } = engine([approve], inGrid);
    const held = Array.from({ length: 60 }, () => usKey("a", { repeat: true }));
    expect(press("a", ...held).every(Boolean)).toBe(true);
    expect(deeds).toHaveLength(1);
  });

  test("is judged by the time of the press, not by when a busy page handled it", () => {
    const [painted, now] = [10_000, 10_400];
    const judged = aCommand(deeds, {
      ...approve,
      refuse: (_, context) => (context.now - painted < 350 ? "withdrawal.refuse.unread" : null),
    });
    const { press } = engine([judged], { ...inGrid, now });
    press({ ...usKey("a"), timeStamp: 10_050 });
    expect(deeds).toEqual([]);
    press({ ...usKey("a"), timeStamp: now });
    expect(deeds).toHaveLength(1);
  });

  test("a held motion goes on", () => {
    const { press } = engine([aCommand(deeds, { id: "grid.down", scope: "grid", keys: ["j"], repeats: true })], inGrid);
    press("j", usKey("j", { repeat: true }), usKey("j", { repeat: true }));
    expect(deeds).toEqual(["grid.down", "grid.down", "grid.down"]);
  });

  test("a second press during the first is not a second act on the same row", () => {
    let end = (): void => undefined;
    const slow = aCommand(deeds, {
      ...approve,
      run: async () => {
        deeds.push("begun");
        await new Promise<void>((resolve) => {
          end = resolve;
        });
      },
    });
    const { press } = engine([slow], inGrid);
    press("a", "a", "a");
    expect(deeds).toEqual(["begun"]);
    end();
  });

  test("and once it has ended the key acts again", async () => {
    const quick = aCommand(deeds, { ...approve, run: async () => void deeds.push("done") });
    const { press } = engine([quick], inGrid);
    press("a");
    await vi.runAllTimersAsync();
    press("a");
    expect(deeds).toEqual(["done", "done"]);
  });
});

describe("a chord", () => {
  const chords = [
    aCommand(deeds, { id: "go.withdrawals", keys: ["g w"] }),
    aCommand(deeds, { id: "grid.first", scope: "grid", keys: ["g g"], repeats: true }),
    approve,
  ];

  test("runs at its last key", () => {
    expect(engine(chords, inGrid).press("g", "w")).toEqual([true, true]);
    expect(deeds).toEqual(["go.withdrawals"]);
  });

  test("that leads nowhere is swallowed: g a approves nothing", () => {
    expect(engine(chords, inGrid).press("g", "a")).toEqual([true, true]);
    expect(deeds).toEqual([]);
    expect(said).toEqual([["keys.no-such-chord", { keys: "g a" }]]);
  });

  test("a held g neither ends g g nor begins it again", () => {
    engine(chords, inGrid).press("g", usKey("g", { repeat: true }), usKey("g", { repeat: true }));
    expect(deeds).toEqual([]);
  });

  test("ends with Esc, and Esc does nothing else", () => {
    const { press } = engine([...chords, aCommand(deeds, { id: "console.escape", keys: ["Escape"], whileTyping: true })], inGrid);
    press("g", "Escape", "a");
    expect(deeds).toEqual([["withdrawal.approve", aRow("w1")]]);
  });

  test("gives way to a key with Mod", () => {
    const { press } = engine([...chords, aCommand(deeds, { id: "console.palette", keys: ["$mod+k"], whileTyping: true })], inGrid);
    press("g", usKey("k", { ctrl: true }), "w");
    expect(deeds).toEqual(["console.palette"]);
  });

  test("shows what may follow after 400 ms, and then waits without limit", () => {
    const { press } = engine(chords, inGrid);
    press("g");
    vi.advanceTimersByTime(chordShowsAfter - 1);
    expect(hints).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(hints.at(-1)?.next.map(({ chord }) => chord)).toEqual(["g w", "g g"]);
    vi.advanceTimersByTime(60_000);
    press("w");
    expect(deeds).toEqual(["go.withdrawals"]);
    expect(hints.at(-1)).toBeNull();
  });

  test("lapses after 1,500 ms where continuations are not shown", () => {
    const { press } = engine(chords, inGrid, false);
    press("g");
    vi.advanceTimersByTime(chordLapsesAfter);
    press("w");
    expect(deeds).toEqual([]);
  });
});

describe("without the right", () => {
  test("the key says so and falls through to nothing", () => {
    const outer = aCommand(deeds, { id: "console.a", keys: ["a"] });
    const forbidden = aCommand(deeds, { ...approve, permission: "pas.transaction.withdrawals.approve" });
    expect(engine([outer, forbidden], inGrid).press("a")).toEqual([true]);
    expect(deeds).toEqual([]);
    expect(said).toEqual([["say", "refuse.no-right", { permission: "pas.transaction.withdrawals.approve" }, "warn"]]);
  });
});

test("an input method over the grid is reported, because keys cannot be read through it", () => {
  engine([approve], inGrid).press(keydown({ key: "Process", code: "KeyA" }, { composing: true }));
  expect(said).toEqual([["keys.switch-input", undefined]]);
  expect(deeds).toEqual([]);
});

describe("rebound", () => {
  test("the new key works at once and the old one no longer", () => {
    const registry = createRegistry([approve], { services: notingServices(said as never).services, routedScreens: new Set() });
    const keys = createKeyEngine({ registry, read: () => aContext(inGrid), say: () => undefined, onHint: () => undefined, apple: false });
    registry.rebind({ keys: { "withdrawal.approve": ["F8"] }, lettersOff: false });
    expect([keys.press(usKey("a")), keys.press(usKey("F8"))]).toEqual([false, true]);
    expect(deeds).toEqual([["withdrawal.approve", aRow("w1")]]);
  });

  test("a chord begun before goes on by the new keys, and its last key is never taken alone", () => {
    const registry = createRegistry(
      [approve, aCommand(deeds, { id: "go.withdrawals", keys: ["g w"] }), aCommand(deeds, { id: "go.accounts", keys: ["g a"] })],
      {
        services: notingServices(said as never).services,
        routedScreens: new Set(),
      },
    );
    const keys = createKeyEngine({
      registry,
      read: () => aContext(inGrid),
      say: (key, words) => said.push([key, words]),
      onHint: (hint) => hints.push(hint),
      apple: false,
    });
    keys.press(usKey("g"));
    registry.rebind({ keys: { "go.accounts": ["F8"] }, lettersOff: false });
    expect([keys.press(usKey("a")), deeds, said.at(-1)]).toEqual([true, [], ["keys.no-such-chord", { keys: "g a" }]]);
    keys.press(usKey("g"));
    registry.rebind({ keys: {}, lettersOff: false });
    expect([keys.press(usKey("w")), deeds]).toEqual([true, ["go.withdrawals"]]);
  });

  test("with single letters off a letter is left to the browser", () => {
    const registry = createRegistry([{ ...approve, keys: ["a", "F8"] }], { services: notingServices().services, routedScreens: new Set() });
    const keys = createKeyEngine({ registry, read: () => aContext(inGrid), say: () => undefined, onHint: () => undefined, apple: false });
    registry.rebind({ keys: {}, lettersOff: true });
    expect([keys.press(usKey("a")), keys.press(usKey("F8"))]).toEqual([false, true]);
    expect(deeds).toHaveLength(1);
  });
});

describe("captured", () => {
  test("every press goes to the last capture, and nowhere else until it ends", () => {
    const { keys, press } = engine([approve], inGrid);
    const [outer, inner]: [unknown[], unknown[]] = [[], []];
    const stopOuter = keys.capture((_, name) => outer.push(name) > 0);
    const stopInner = keys.capture((_, name) => inner.push(name) > 0);
    press("a", keydown({ key: "[", code: "BracketLeft" }));
    stopInner();
    press("A");
    stopOuter();
    expect(deeds).toEqual([]);
    press("a");
    expect([inner, outer, deeds.length]).toEqual([["a", null], ["Shift+a"], 1]);
  });

  test("a press that was not handled is left to the browser", () => {
    const { keys, press } = engine([approve], inGrid);
    keys.capture(() => false);
    const event = usKey("a");
    expect(press(event)).toEqual([false]);
    expect(event.prevented).toBe(false);
  });
});
