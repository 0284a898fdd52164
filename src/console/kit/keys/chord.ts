import type { Chord } from "../commands/command.ts";
import type { MessageKey } from "../texts/messages.ts";
import { hasText, text } from "../texts/texts.ts";

const order = ["$mod", "Control", "Meta", "Alt", "Shift"] as const;
type Modifier = (typeof order)[number];

const isModifier = (part: string): part is Modifier => (order as readonly string[]).includes(part);

/** A press in one spelling: modifiers in fixed order, letters in lower case. "Shift+A" → "Shift+a". */
export function canonicalPress(press: string): string {
  const parts = press.split(/(?<=\w)\+/);
  const key = parts.at(-1) ?? "";
  const held = parts.slice(0, -1);
  return pressOf(/^[A-Za-z]$/.test(key) ? key.toLowerCase() : key, held.filter(isModifier));
}

export function pressOf(key: string, held: readonly Modifier[]): string {
  return [...order.filter((modifier) => held.includes(modifier)), key].join("+");
}

/** The presses of a chord, in canonical spelling. */
export function pressesOf(chord: Chord): string[] {
  return chord.trim().split(/\s+/).map(canonicalPress);
}

export function canonicalChord(chord: Chord): Chord {
  return pressesOf(chord).join(" ");
}

export function isPrefix(shorter: readonly string[], longer: readonly string[]): boolean {
  return shorter.length < longer.length && shorter.every((press, at) => press === longer[at]);
}

const signs = new Set(["/", "?", "."]);
const named = new Set([
  "Enter",
  "Escape",
  "Space",
  "Tab",
  "Backspace",
  "Delete",
  "Home",
  "End",
  "PageUp",
  "PageDown",
  "ArrowUp",
  "ArrowDown",
  "ArrowLeft",
  "ArrowRight",
  "F2",
  "F4",
  "F6",
  "F8",
  "F9",
  "F10",
  "ContextMenu",
]);

/** Whether all eight layouts can type it without AltGr. */
export function isTypable(chord: Chord): boolean {
  return pressesOf(chord).every((press) => {
    const parts = press.split("+");
    const key = parts.at(-1) ?? "";
    if (signs.has(key)) return parts.length === 1;
    if (/^\d$/.test(key)) return !parts.includes("Shift");
    return /^[a-z]$/.test(key) || named.has(key);
  });
}

/** Whether the browser or the system uses it, or it is AltGr on Windows. */
export function isReserved(chord: Chord): boolean {
  return pressesOf(chord).some((press) => {
    const parts = press.split("+");
    const key = parts.at(-1) ?? "";
    const mod = parts.includes("$mod") || parts.includes("Control") || parts.includes("Meta");
    // the menu key's equivalent is for the page to handle (APG)
    if (press === "Shift+F10") return false;
    if (/^F(1|3|5|7|10|11|12)$/.test(key)) return true;
    if (parts.includes("Alt") && (key === "ArrowLeft" || key === "ArrowRight")) return true;
    if (mod && parts.includes("Alt") && /^[a-z]$/.test(key)) return true;
    return mod && /^([ntwqlr\d]|Tab|PageUp|PageDown)$/.test(key);
  });
}

export const isApple = typeof navigator === "object" && /Mac|iPod|iPhone|iPad/.test(navigator.platform);

const caps: Readonly<Record<string, string>> = {
  Enter: "↵",
  Escape: "Esc",
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
  Backspace: "⌫",
  ContextMenu: "Menu",
};

/** Key labels by language; in English until the texts are loaded. */
const worded: Readonly<Record<string, readonly [MessageKey, string]>> = {
  Control: ["cap.control", "Ctrl"],
  Delete: ["cap.delete", "Del"],
  End: ["cap.end", "End"],
  Home: ["cap.home", "Home"],
  PageUp: ["cap.page-up", "PgUp"],
  PageDown: ["cap.page-down", "PgDn"],
  Space: ["cap.space", "Space"],
};

function capOf(key: string): string | undefined {
  const [name, english] = worded[key] ?? [];
  if (name === undefined) return caps[key];
  return hasText(name) ? text(name) : english;
}

/** Labels of the key caps, one list per press: "$mod+Shift+z" → [["⌘", "⇧", "Z"]]. */
export function capsOf(chord: Chord, apple: boolean = isApple): string[][] {
  const control = capOf("Control") ?? "Control";
  const modifiers: Readonly<Record<Modifier, string>> = apple
    ? { $mod: "⌘", Control: "⌃", Meta: "⌘", Alt: "⌥", Shift: "⇧" }
    : { $mod: control, Control: control, Meta: "Meta", Alt: "Alt", Shift: "⇧" };
  return pressesOf(chord).map((press) => {
    const parts = press.split("+");
    const key = parts.at(-1) ?? "";
    const held = parts.slice(0, -1).filter(isModifier);
    const cap = capOf(key) ?? (held.length > 0 && key.length === 1 ? key.toUpperCase() : key);
    return [...held.map((modifier) => modifiers[modifier]), cap];
  });
}

/** For aria-keyshortcuts: "Control+K", "Shift+A"; the presses of a sequence are separated. */
export function spokenChord(chord: Chord, apple: boolean = isApple): string {
  return pressesOf(chord)
    .map((press) =>
      press
        .replace("$mod", apple ? "Meta" : "Control")
        .replace(/(^|\+)([a-z])$/, (_, plus: string, key: string) => plus + key.toUpperCase()),
    )
    .join(" ");
}
