import { capsOf } from "./chord.ts";
import type { Chord } from "../commands/command.ts";

/** A chord as text: "Ctrl+⇧+Z", "g w". */
export const chordText = (chord: Chord): string =>
  capsOf(chord)
    .map((caps) => caps.join("+"))
    .join(" ");
