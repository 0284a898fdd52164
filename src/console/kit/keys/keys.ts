import { createKeybindingsHandler } from "tinykeys";
import { noteKey } from "../loading/seconds.ts";
import { canonicalPress, isApple, pressesOf } from "./chord.ts";
import type { AnyCommand } from "../commands/command.ts";
import type { Context } from "../commands/context.ts";
import { createKeyReader, pressName } from "./key-reading.ts";
import type { KeyLike, Stroke } from "./key-reading.ts";
import type { MessageKey, Words } from "../texts/messages.ts";
import type { Continuation, Registry } from "../commands/registry.ts";

/** ms until the continuations of a chord are shown, and until it lapses where they are not. */
export const chordShowsAfter = 400;
export const chordLapsesAfter = 1500;

/** The presses of a chord so far, and what may follow. */
export interface ChordHint {
  readonly presses: readonly string[];
  readonly next: readonly Continuation[];
}

interface KeyEngineOptions {
  readonly registry: Registry;
  /** The context at the press; `target` has the focus. */
  read(target: EventTarget | null, typing: boolean): Context;
  say(key: MessageKey, words?: Words): void;
  /** Null when the chord has ended. */
  onHint(hint: ChordHint | null): void;
  /** False: continuations are not shown, and chords lapse. */
  showsHints?(): boolean;
  /** True when the key is queued for a screen that is loading. */
  keeps?(event: KeyPress): boolean;
  /** True when the key was queued for the row its command acts on, which is on its way. */
  awaitsRow?(command: AnyCommand, context: Context, event: KeyPress): boolean;
  readonly apple?: boolean;
}

export interface KeyPress extends KeyLike {
  readonly repeat: boolean;
  readonly target: EventTarget | null;
  /** performance.now() of the press; by default now. */
  readonly timeStamp?: number;
  readonly defaultPrevented: boolean;
  preventDefault(): void;
  stopPropagation(): void;
}

export interface KeyEngine {
  /** True when the key was handled. */
  press(event: KeyPress): boolean;
  /** Drops the chord so far. */
  lapse(): void;
  /** Listens on the window, as the console's only key listener; returns the function that stops it. */
  listen(target: Window): () => void;
  /**
   * Sends every press to `take` and nowhere else until stopped: recording a chord, searching by one, the practice queue. `press`
   * is null for a key that cannot be bound. The latest capture is called; `take` returns whether it handled the key.
   */
  capture(take: (event: KeyPress, press: string | null) => boolean): () => void;
  /** Keys of a widget while the focus is in it (a separator's arrows, by the APG); they come before commands. */
  claim(element: HTMLElement, keys: Readonly<Record<string, () => void>>): () => void;
}

/** Of whichever window: the floating counters' elements are not this window's Elements. */
const isElement = (target: EventTarget | null): target is HTMLElement => target !== null && (target as Partial<Node>).nodeType === 1;

const notTyped = new Set(["button", "checkbox", "color", "file", "image", "radio", "range", "reset", "submit"]);

/** Whether single keys belong to a field: text inputs, selects, editable content, an open cell editor. */
function isTyping(target: EventTarget | null): boolean {
  if (!isElement(target)) return false;
  if (target.localName === "input") return !notTyped.has((target as HTMLInputElement).type);
  return target.matches("textarea, select, [role=textbox], [role=searchbox], [role=combobox]") || target.isContentEditable;
}

const activated =
  "button, a[href], summary, input:is([type=button], [type=submit], [type=reset], [type=file]), [role=button], [role=tab], [role=menuitem]";
const toggled = "input:is([type=checkbox], [type=radio]), [role=checkbox], [role=switch], [role=radio]";

/** Whether a focused control handles this Enter or Space itself. */
function keepsActivation(target: EventTarget | null, press: string): boolean {
  if (!isElement(target)) return false;
  return (press === "Enter" && target.matches(activated)) || (press === "Space" && target.matches(`${activated}, ${toggled}`));
}

/** Does not listen by itself; `press` takes the events, so that tests can send them. */
export function createKeyEngine(options: KeyEngineOptions): KeyEngine {
  const { registry, read, say, onHint } = options;
  const apple = options.apple ?? isApple;
  const reader = createKeyReader(apple);
  const claims = new Map<HTMLElement, Readonly<Record<string, () => void>>>();
  const captures: ((event: KeyPress, press: string | null) => boolean)[] = [];
  let begun: string[] = [];
  let showTimer: ReturnType<typeof setTimeout> | undefined;
  let lapseTimer: ReturnType<typeof setTimeout> | undefined;
  let taken = false;
  let heldCode = "";

  let presses: ReadonlySet<string> = new Set();
  let match: (event: KeyboardEvent) => void = () => undefined;
  // tinykeys matches the key against every bound press; layouts, chords across scopes, dialogs and rights are ours. A chord so far
  // stays begun, because a screen brings its commands while one types: alone, the "a" of "g a" would approve
  function bind(): void {
    presses = new Set(registry.list().flatMap((command) => (command.keys ?? []).flatMap(pressesOf)));
    match = createKeybindingsHandler(
      Object.fromEntries([...presses].map((press) => [press, (event: KeyboardEvent) => pressed(press, event as KeyboardEvent & Freed)])),
      { ignore: () => false },
    );
  }
  bind();
  registry.subscribe(bind);

  /** The event as tinykeys sees it, independent of the layout, with the original beside it. */
  interface Freed {
    readonly origin: KeyPress;
  }
  function freed(stroke: Stroke, origin: KeyPress): KeyboardEvent & Freed {
    const held: Readonly<Record<string, boolean>> = { Shift: stroke.shift, Control: stroke.control, Alt: stroke.alt, Meta: stroke.meta };
    const event = { key: stroke.key, code: "Freed", origin, getModifierState: (name: string) => held[name] === true };
    return event as unknown as KeyboardEvent & Freed; // tinykeys reads only these members
  }

  function lapse(): void {
    clearTimeout(showTimer);
    clearTimeout(lapseTimer);
    if (begun.length === 0) return;
    begun = [];
    onHint(null);
  }

  function begin(sequence: string[], next: readonly Continuation[]): void {
    clearTimeout(showTimer);
    clearTimeout(lapseTimer);
    begun = sequence;
    if (options.showsHints?.() ?? true) {
      showTimer = setTimeout(() => onHint({ presses: sequence, next }), chordShowsAfter);
    } else {
      lapseTimer = setTimeout(lapse, chordLapsesAfter);
    }
  }

  /** The time of the press counts, because nobody has read what a busy page shows later. */
  function pressedIn(event: KeyPress, typing: boolean): Context {
    const context = read(event.target, typing);
    return event.timeStamp === undefined ? context : { ...context, now: event.timeStamp };
  }

  function pressed(press: string, { origin: event }: Freed): void {
    const typing = isTyping(event.target);
    const context = pressedIn(event, typing);
    const sequence = [...begun, press];

    const owner = registry.owner(sequence.join(" "), context);
    if (event.repeat) {
      // a held key repeats motions; it neither begins nor ends a chord, and runs nothing else again
      taken = owner !== null || begun.length > 0 || registry.continuations([press], context).length > 0;
      if (begun.length === 0 && owner?.repeats === true && !(typing && owner.whileTyping !== true))
        void registry.run(owner.id, "key", context);
      if (typing && owner?.whileTyping !== true) taken = false;
      return;
    }
    if (typing && (owner === null || owner.whileTyping !== true)) return;
    if (owner !== null) {
      lapse();
      taken = true;
      // of a chord only the last press is at hand
      if (sequence.length === 1 && options.awaitsRow?.(owner, context, event) === true) return;
      void registry.run(owner.id, "key", context);
      return;
    }
    const next = typing ? [] : registry.continuations(sequence, context);
    if (next.length > 0) {
      begin(sequence, next);
      taken = true;
    }
  }

  function claimed(event: KeyPress, press: string): (() => void) | undefined {
    const { target } = event;
    if (!isElement(target)) return undefined;
    for (const [element, keys] of claims) {
      if (element.contains(target)) return keys[press];
    }
    return undefined;
  }

  function press(event: KeyPress): boolean {
    if (event.defaultPrevented) return false;
    const typing = isTyping(event.target);
    const capture = captures.at(-1);
    if (event.key === "Process" && !typing && !event.repeat && capture === undefined) say("keys.switch-input");
    const stroke = reader.read(event);
    if (capture !== undefined) return finish(event, capture(event, stroke === null ? null : pressName(stroke, apple)));
    if (!typing && begun.length === 0 && options.keeps?.(event) === true) return finish(event, true);
    if (stroke === null) {
      if (begun.length > 0 && event.key.length === 1) return finish(event, refuseChord(event.key));
      return false;
    }
    const name = pressName(stroke, apple);
    const own = claimed(event, name);
    if (own !== undefined) {
      own();
      return finish(event, true);
    }
    if (typing) {
      lapse();
      // the key that opened a sheet is still down, and must not type into the sheet's field
      if (event.repeat && event.code === heldCode) return finish(event, true);
      // only keys that type nothing may be commands in a field
      if (stroke.key.length === 1 && !stroke.control && !stroke.meta) return false;
    }
    // a key with a modifier, or an unbound one that types nothing, is never the second half of a chord
    if (stroke.control || stroke.meta || (stroke.key.length > 1 && !presses.has(name))) {
      if (!(begun.length > 0 && name === "Escape")) lapse();
    }
    if (keepsActivation(event.target, name)) {
      const context = read(event.target, typing);
      if (name === "Enter" && context.dialog?.deafToEnter === true) return finish(event, true);
      if (begun.length === 0) return false;
    }
    if (begun.length > 0 && name === "Escape") {
      lapse();
      return finish(event, true);
    }
    taken = false;
    const wasBegun = begun.length;
    match(freed(stroke, event));
    // a key that ends no chord is swallowed: "g a" without such a screen must not approve
    if (!taken && wasBegun > 0 && begun.length === wasBegun) return finish(event, refuseChord(name));
    return finish(event, taken);
  }

  function refuseChord(name: string): boolean {
    const keys = [...begun, canonicalPress(name)].join(" ");
    lapse();
    say("keys.no-such-chord", { keys });
    return true;
  }

  function finish(event: KeyPress, isTaken: boolean): boolean {
    if (!event.repeat) heldCode = isTaken ? event.code : "";
    if (isTaken) {
      event.preventDefault();
      event.stopPropagation();
    }
    return isTaken;
  }

  return {
    press,
    lapse,
    capture(take) {
      lapse();
      captures.push(take);
      return () => {
        const at = captures.indexOf(take);
        if (at !== -1) captures.splice(at, 1);
      };
    },
    claim(element, keys) {
      const canonical = Object.fromEntries(Object.entries(keys).map(([key, act]) => [canonicalPress(key), act]));
      claims.set(element, canonical);
      return () => claims.delete(element);
    },
    listen(target) {
      const onKey = (event: KeyboardEvent): void => {
        noteKey();
        press(event);
      };
      // in the capture phase, so that no control below can swallow a key or act on one that was handled
      target.addEventListener("keydown", onKey, true);
      target.addEventListener("pointerdown", lapse, true);
      target.addEventListener("blur", lapse);
      return () => {
        lapse();
        target.removeEventListener("keydown", onKey, true);
        target.removeEventListener("pointerdown", lapse, true);
        target.removeEventListener("blur", lapse);
      };
    },
  };
}
