import { capsOf } from "../kit/chord.ts";
import type { Chord } from "../kit/command.ts";

/** A chord as a sentence names it: "Ctrl+⇧+Z", "g w". */
export const chordText = (chord: Chord): string =>
  capsOf(chord)
    .map((caps) => caps.join("+"))
    .join(" ");
