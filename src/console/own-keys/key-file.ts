import { z } from "zod";
import { Preferences } from "../../contract/preferences.ts";
import type { Bindings, ChordFault } from "../kit/commands/bindings.ts";
import { chordFault, isFixed, movedKeys, overridden } from "../kit/commands/bindings.ts";
import { canonicalChord } from "../kit/keys/chord.ts";
import type { AnyCommand, Chord } from "../kit/commands/command.ts";
import { clashes } from "../kit/commands/registry.ts";

const KeyFile = z.strictObject({
  countinghouse: z.literal("keys"),
  version: z.literal(1),
  letters_off: z.boolean(),
  keys: Preferences.shape.keys,
});

/** A chord that cannot be used, with its command; `other` is the command it collides with. */
export interface KeyFault {
  readonly id: string;
  readonly chord: Chord;
  readonly why: ChordFault | "fixed" | "equal" | "prefix";
  readonly other?: string;
}

export type ReadFile =
  | { readonly keys: Preferences["keys"]; readonly lettersOff: boolean; readonly unknown: readonly string[] }
  | { readonly faults: readonly KeyFault[] }
  | { readonly unreadable: true };

/** All faults in a set of overrides; empty where it can be used as it is. */
function faultsOf(commands: readonly AnyCommand[], keys: Bindings): KeyFault[] {
  const own = commands.flatMap((command) => {
    const chords = keys[command.id] ?? [];
    return chords.flatMap((chord): KeyFault[] => {
      const why = isFixed(command) ? "fixed" : chordFault(chord, command);
      return why === null ? [] : [{ id: command.id, chord, why }];
    });
  });
  const alreadyThere = new Set(clashes(commands).map(({ ids }) => ids.join(" ")));
  const between = clashes(overridden(commands, keys))
    .filter(({ ids }) => !alreadyThere.has(ids.join(" ")))
    .map(({ ids, chords, kind }): KeyFault => {
      const at = keys[ids[0]] === undefined ? 1 : 0;
      return { id: ids[at], chord: chords[at], why: kind, other: ids[1 - at] ?? "" };
    });
  return [...own, ...between];
}

export function writeKeyFile(keys: Bindings, lettersOff: boolean): string {
  return `${JSON.stringify({ countinghouse: "keys", version: 1, letters_off: lettersOff, keys }, null, 2)}\n`;
}

/** Reads a file completely or not at all; ids that this console does not know are kept. */
export function readKeyFile(text: string, commands: readonly AnyCommand[]): ReadFile {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return { unreadable: true };
  }
  const file = KeyFile.safeParse(parsed);
  if (!file.success) return { unreadable: true };
  const written = movedKeys(commands, file.data.keys);
  const faults = faultsOf(commands, written);
  if (faults.length > 0) return { faults };
  const known = new Set(commands.map(({ id }) => id as string));
  const keys = Object.fromEntries(
    Object.entries(written).map(([id, chords]) => [id, known.has(id) ? [...new Set(chords.map(canonicalChord))] : chords]),
  );
  return { keys, lettersOff: file.data.letters_off, unknown: Object.keys(keys).filter((id) => !known.has(id)) };
}
