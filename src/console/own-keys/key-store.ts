import type { Preferences } from "../../contract/preferences.ts";
import type { ChordFault, Collision } from "../kit/commands/bindings.ts";
import { chordFault, collision, isFixed, movedKeys, overridden } from "../kit/commands/bindings.ts";
import { canonicalChord } from "../kit/keys/chord.ts";
import type { AnyCommand, Chord } from "../kit/commands/command.ts";
import type { Registry } from "../kit/commands/registry.ts";
import type { ReadFile } from "./key-file.ts";
import { readKeyFile, writeKeyFile } from "./key-file.ts";
import type { PreferencesHandle } from "./preferences-handle.ts";

/** Most chords of one command (contract). */
export const mostChords = 4;

/** Function key by the last part of a command's id; F2 edits by default. */
const functionKeys = { approve: "F8", reject: "F9" } as const;

/** Another command with the wanted chord. */
export interface Conflict {
  readonly command: AnyCommand;
  readonly chord: Chord;
  readonly kind: Collision;
}

export interface KeyStore {
  /** All commands with their chords, including single letters that are switched off. */
  commands(): readonly AnyCommand[];
  lettersOff(): boolean;
  isChanged(id: string): boolean;
  fault(id: string, chord: Chord): ChordFault | "fixed" | "full" | null;
  /** Commands with the same chord, or one that starts it or continues it, where both may apply. */
  conflicts(id: string, chord: Chord): readonly Conflict[];
  /** Binds the chord in place of the command's keys or beside them; `replace` takes it from conflicting commands. */
  bind(id: string, chord: Chord, how: { beside: boolean; replace: boolean }): void;
  /** Leaves the command without a key. */
  unbind(id: string): void;
  reset(id: string): void;
  resetAll(): void;
  setLettersOff(off: boolean): void;
  functionKeysOn(): boolean;
  setFunctionKeys(on: boolean): void;
  write(): string;
  /** Imports a file completely or not at all. */
  read(text: string): ReadFile;
}

/** Changes a user's keys; the registry follows the preferences, and has all commands by then. */
export function createKeyStore(registry: Registry, { store, set }: PreferencesHandle): KeyStore {
  const { standard } = registry;
  const preferences = (): Preferences => store.getState().preferences;
  const ownKeys = () => movedKeys(standard(), preferences().keys);
  const commands = (): readonly AnyCommand[] => overridden(standard(), ownKeys());
  const find = (id: string): AnyCommand | undefined => commands().find((command) => command.id === id);

  /** Chords equal to the default are not stored as an override. */
  function save(changes: ReadonlyMap<string, readonly Chord[]>): void {
    const keys = { ...ownKeys() };
    for (const [id, chords] of changes) {
      const own = (standard().find((command) => command.id === id)?.keys ?? []).map(canonicalChord);
      if (own.length === chords.length && own.every((chord, at) => chord === chords[at])) delete keys[id];
      else keys[id] = [...chords];
    }
    set({ keys });
  }

  function conflicts(id: string, wanted: Chord): Conflict[] {
    const command = find(id);
    if (command === undefined) return [];
    const chord = canonicalChord(wanted);
    return commands().flatMap((other) =>
      other.id === id
        ? []
        : (other.keys ?? []).flatMap((theirs): Conflict[] => {
            const kind = collision({ command, chord }, { command: other, chord: theirs });
            return kind === null ? [] : [{ command: other, chord: canonicalChord(theirs), kind }];
          }),
    );
  }

  function bind(id: string, wanted: Chord, { beside, replace }: { beside: boolean; replace: boolean }): void {
    const chord = canonicalChord(wanted);
    const changes = new Map<string, readonly Chord[]>();
    if (replace) {
      for (const conflict of conflicts(id, chord)) {
        if (isFixed(conflict.command)) continue;
        const theirs = changes.get(conflict.command.id) ?? (conflict.command.keys ?? []).map(canonicalChord);
        changes.set(
          conflict.command.id,
          theirs.filter((other) => other !== conflict.chord),
        );
      }
    }
    const own = beside ? (find(id)?.keys ?? []).map(canonicalChord).filter((other) => other !== chord) : [];
    changes.set(id, [...own, chord].slice(0, mostChords));
    save(changes);
  }

  const presetOf = (command: AnyCommand): Chord | null =>
    command.scope === "pane" && command.id.endsWith(".approve")
      ? functionKeys.approve
      : command.scope === "pane" && command.id.endsWith(".reject")
        ? functionKeys.reject
        : null;

  return {
    commands,
    lettersOff: () => preferences().letters_off,
    isChanged: (id) => ownKeys()[id] !== undefined,
    fault(id, chord) {
      const command = find(id);
      if (command === undefined || isFixed(command)) return "fixed";
      return chordFault(chord, command);
    },
    conflicts,
    bind,
    unbind: (id) => save(new Map([[id, []]])),
    reset(id) {
      const own = standard().find((command) => command.id === id)?.keys ?? [];
      // a default that was given to another command stays there until it is taken again
      const { [id]: _, ...keys } = ownKeys();
      const taken = own.filter((chord) => conflicts(id, chord).some(({ kind }) => kind !== "shadow"));
      if (taken.length === 0) set({ keys });
      else save(new Map([[id, own.filter((chord) => !taken.includes(chord))]]));
    },
    resetAll: () => set({ keys: {}, letters_off: false }),
    setLettersOff: (off) => set({ letters_off: off }),
    functionKeysOn: () =>
      commands().every((command) => {
        const key = presetOf(command);
        return key === null || command.keys?.includes(key) === true;
      }),
    setFunctionKeys(on) {
      const changes = new Map<string, readonly Chord[]>();
      for (const command of commands()) {
        const key = presetOf(command);
        if (key === null) continue;
        const others = (command.keys ?? []).map(canonicalChord).filter((chord) => chord !== key);
        changes.set(command.id, on ? [...others.slice(0, mostChords - 1), key] : others);
      }
      save(changes);
    },
    write: () => writeKeyFile(ownKeys(), preferences().letters_off),
    read(text) {
      const file = readKeyFile(text, standard());
      if ("keys" in file) set({ keys: file.keys, letters_off: file.lettersOff });
      return file;
    },
  };
}
