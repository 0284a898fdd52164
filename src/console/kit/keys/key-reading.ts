import { pressOf } from "./chord.ts";

/** The fields read from a KeyboardEvent. */
export interface KeyLike {
  readonly key: string;
  readonly code: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
  readonly isComposing: boolean;
  readonly keyCode: number;
  getModifierState(name: string): boolean;
}

/** A key independent of the layout: a small Latin letter, a digit, one of / ? . or a named key. */
export interface Stroke {
  readonly key: string;
  readonly shift: boolean;
  readonly control: boolean;
  readonly alt: boolean;
  readonly meta: boolean;
}

const twins: Readonly<Record<string, string>> = {
  "؟": "?",
  "،": ",",
  "؛": ";",
  "；": ";",
  "：": ":",
  "＝": "=",
  "＊": "*",
  "。": ".",
  "、": "/",
  "？": "?",
  "．": ".",
  "／": "/",
  "，": ",",
  "＞": ">",
  "＠": "@",
  "＃": "#",
  "　": " ",
};

/** Maps Arabic and full-width signs to Latin ones, so that palette prefixes work on every layout. */
export function latinTwin(character: string): string {
  return twins[character] ?? character;
}

const countedSigns = new Set(["/", "?", "."]);
const deafKeys = new Set(["Shift", "Control", "Alt", "Meta", "AltGraph", "CapsLock", "NumLock", "Fn", "Dead", "Process", "Unidentified"]);
const isForeignLetter = (key: string): boolean => /^\p{L}/u.test(key) && !/^\p{Script=Latin}/u.test(key) && !/^[A-Z][a-z]/.test(key);

/**
 * Reads a key by the character it types, or by its position while the layout types no Latin letters, which is remembered. One per
 * window.
 */
export function createKeyReader(apple: boolean): { read(event: KeyLike): Stroke | null } {
  let latin = true;

  function letterOfCode(code: string): string | null {
    return /^Key[A-Z]$/.test(code) ? code.slice(3).toLowerCase() : null;
  }

  function keyOf(event: KeyLike): { key: string; ignoreShift: boolean } | null {
    const produced = latinTwin(event.key);
    const digit = /^(?:Digit|Numpad)(\d)$/.exec(event.code)?.[1] ?? null;
    // with Alt the character is the layout's third level, so the position decides
    if (event.altKey && produced.length === 1) {
      const key = letterOfCode(event.code) ?? digit;
      return key === null ? null : { key, ignoreShift: false };
    }
    if (/^[A-Za-z]$/.test(produced)) return { key: produced.toLowerCase(), ignoreShift: false };
    if (countedSigns.has(produced)) return { key: produced, ignoreShift: true };
    if (produced === " ") return { key: "Space", ignoreShift: false };
    if (digit !== null && (event.code.startsWith("Digit") || /^\d$/.test(produced))) return { key: digit, ignoreShift: true };
    if (isForeignLetter(produced) || (!latin && [...produced].length === 1)) {
      const key = letterOfCode(event.code);
      return key === null ? null : { key, ignoreShift: false };
    }
    return produced.length > 1 && /^[A-Z]/.test(produced) ? { key: produced, ignoreShift: false } : null;
  }

  return {
    read(event) {
      if (event.isComposing || event.keyCode === 229 || deafKeys.has(event.key)) return null;
      const modified = event.ctrlKey || event.metaKey || event.altKey;
      // Apple's Option reports itself as AltGraph; elsewhere AltGraph types characters
      if (!apple && event.getModifierState("AltGraph")) return null;
      if (!modified && !event.shiftKey) {
        if (isForeignLetter(event.key)) latin = false;
        else if (/^[a-z]$/i.test(event.key)) latin = true;
      }
      const found = keyOf(event);
      if (found === null) return null;
      return {
        key: found.key,
        shift: event.shiftKey && !found.ignoreShift,
        control: event.ctrlKey,
        alt: event.altKey,
        meta: event.metaKey,
      };
    },
  };
}

/** The press of a stroke, in canonical spelling. */
export function pressName(stroke: Stroke, apple: boolean): string {
  const mod = apple ? stroke.meta : stroke.control;
  const other = apple ? stroke.control : stroke.meta;
  return pressOf(stroke.key, [
    ...(mod ? (["$mod"] as const) : []),
    ...(other ? ([apple ? "Control" : "Meta"] as const) : []),
    ...(stroke.alt ? (["Alt"] as const) : []),
    ...(stroke.shift ? (["Shift"] as const) : []),
  ]);
}
