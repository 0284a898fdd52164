import { canonicalChord, isPrefix, isReserved, isTypable, pressesOf } from "../keys/chord.ts";
import type { AnyCommand, Chord } from "./command.ts";
import type { DeskName } from "./desks.ts";

/** Command id → chords that replace its own; an empty list: no key. */
export type Bindings = Readonly<Record<string, readonly Chord[]>>;

/** A user's changes to the keys. */
export interface KeySet {
  readonly keys: Bindings;
  /** Keys that type a character work only with Mod or Alt (WCAG 2.1.4). */
  readonly lettersOff: boolean;
}

export const standardKeys: KeySet = { keys: {}, lettersOff: false };

/** Keys of dialogs and Esc cannot be changed, because money must not be confirmed by a key pressed out of habit. */
export const isFixed = (command: AnyCommand): boolean => command.scope === "dialog" || command.id === "console.escape";

export type ChordFault = "untypable" | "reserved" | "activates";

/** Why a command can never have this chord, wherever else it is bound. */
export function chordFault(chord: Chord, command: AnyCommand): ChordFault | null {
  const presses = pressesOf(chord);
  if (presses.some((press) => press === "")) return "untypable";
  if (isReserved(chord)) return "reserved";
  if (!isTypable(chord)) return "untypable";
  if (presses.includes("Escape")) return "reserved";
  // Enter and Space press the focused control, so they must not move money.
  if (command.danger !== undefined && presses.some((press) => press === "Enter" || press === "Space")) return "activates";
  return null;
}

/** "equal" and "prefix" are not allowed; "shadow" is: the inner scope's command hides the outer one's. */
export type Collision = "equal" | "prefix" | "shadow";

interface Bound {
  readonly command: AnyCommand;
  readonly chord: Chord;
}

const overlap = (a: string | null | undefined, b: string | null | undefined): boolean =>
  a == null || b == null || a === "any" || b === "any" || a === b;

/**
 * Desks that no screen lends together: a page is no list, and a list has either plain records, what is decided, lines of a statement, or
 * rows of a report.
 */
const neverTogether: Readonly<Partial<Record<DeskName, readonly DeskName[]>>> = {
  form: ["list", "record", "queue", "decision", "board"],
  board: ["list", "record", "queue", "decision", "form"],
  record: ["decision", "transfers"],
  statement: ["queue", "decision", "transfers", "form", "board"],
  report: ["queue", "decision", "transfers", "statement", "balances", "imports", "gameImports", "timeline", "form", "board"],
};
const excludes = (one: DeskName, other: DeskName): boolean => neverTogether[one]?.includes(other) === true;
const areExclusive = ({ desk: a }: AnyCommand, { desk: b }: AnyCommand): boolean =>
  a !== undefined && b !== undefined && (excludes(a, b) || excludes(b, a));

function mayCoincide(a: AnyCommand, b: AnyCommand): boolean {
  if (areExclusive(a, b)) return false;
  return overlap(a.subject, b.subject) && overlap(a.screen, b.screen) && (a.scope === "dialog") === (b.scope === "dialog");
}

/** Whether two bound chords collide: equal ones in one scope with overlapping subject and screen, or one that starts the other. */
export function collision(a: Bound, b: Bound): Collision | null {
  if (!mayCoincide(a.command, b.command)) return null;
  const [one, other] = [pressesOf(a.chord), pressesOf(b.chord)];
  if (isPrefix(one, other) || isPrefix(other, one)) return "prefix";
  if (one.join(" ") !== other.join(" ")) return null;
  return a.command.scope === b.command.scope ? "equal" : "shadow";
}

/** Moves keys of removed commands to the commands that replaced them, unless these have keys of their own. */
export function movedKeys(commands: readonly AnyCommand[], keys: Bindings): Record<string, Chord[]> {
  const moved = Object.fromEntries(Object.entries(keys).map(([id, chords]) => [id, [...chords]]));
  for (const { id, formerly = [] } of commands) {
    const left = formerly.filter((old) => moved[old] !== undefined);
    if (left.length === 0) continue;
    moved[id] ??= [...new Set(left.flatMap((old) => moved[old] ?? []))];
    for (const old of left) delete moved[old];
  }
  return moved;
}

/** The command with other chords; the same object where they are its own. */
function withChords(command: AnyCommand, chords: readonly Chord[]): AnyCommand {
  const [first, ...rest] = chords;
  const own = command.keys ?? [];
  if (own.length === chords.length && own.every((chord, at) => chord === chords[at])) return command;
  const { keys: _, ...keyless } = command;
  return first === undefined ? keyless : { ...keyless, keys: [first, ...rest] };
}

/** Whether a chord begins with a key that types a character. */
export function isSingleLetter(chord: Chord): boolean {
  const parts = (pressesOf(chord)[0] ?? "").split("+");
  const modified = parts.slice(0, -1).some((part) => part !== "Shift");
  return !modified && parts.at(-1)?.length === 1;
}

/** Applies the overrides unchecked; those of fixed and unknown commands are left out. */
export function overridden(commands: readonly AnyCommand[], keys: Bindings): AnyCommand[] {
  return commands.map((command) => {
    const own = isFixed(command) ? undefined : keys[command.id];
    return own === undefined ? command : withChords(command, [...new Set(own.map(canonicalChord))]);
  });
}

/**
 * The commands with the user's chords. No key is ambiguous, whatever was stored: chords that are not allowed are left out, and of
 * colliding ones the fixed chord wins, then the user's, then the default.
 */
export function boundCommands(commands: readonly AnyCommand[], { keys, lettersOff }: KeySet): AnyCommand[] {
  const taken: Bound[] = commands.filter(isFixed).flatMap((command) => (command.keys ?? []).map((chord) => ({ command, chord })));
  const free = (bound: Bound): boolean =>
    taken.every((other) => {
      const kind = collision(bound, other);
      return kind === null || kind === "shadow";
    });
  const own = new Map<string, Chord[]>();
  for (const command of overridden(commands, keys)) {
    if (isFixed(command) || keys[command.id] === undefined) continue;
    const kept: Chord[] = [];
    for (const chord of command.keys ?? []) {
      if (chordFault(chord, command) !== null || !free({ command, chord })) continue;
      taken.push({ command, chord });
      kept.push(chord);
    }
    own.set(command.id, kept);
  }
  return commands.map((command) => {
    if (isFixed(command)) return command;
    const chords =
      own.get(command.id) ?? (own.size === 0 ? (command.keys ?? []) : (command.keys ?? []).filter((chord) => free({ command, chord })));
    return withChords(command, lettersOff ? chords.filter((chord) => !isSingleLetter(chord)) : chords);
  });
}
