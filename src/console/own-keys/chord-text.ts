import { capsOf } from "../kit/keys/chord.ts";
import type { Chord } from "../kit/commands/command.ts";

/** A chord as text: "Ctrl+⇧+Z", "g w". */
export const chordText = (chord: Chord): string =>
  capsOf(chord)
    .map((caps) => caps.join("+"))
    .join(" ");
