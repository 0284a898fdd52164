import type { RefObject } from "react";
import { useEffect, useState } from "react";
import { pressesOf } from "../keys/chord.ts";
import type { Chord } from "../commands/command.ts";
import { useKit } from "../use-kit.ts";

/** Whether a chord is, or goes on from, what was pressed. */
export function startsWith(chord: Chord, pressed: Chord): boolean {
  const wanted = pressesOf(pressed);
  const presses = pressesOf(chord);
  return wanted.every((press, at) => press === presses[at]);
}

export interface PressSearch {
  /** While it listens every key is looked for, and Esc ends it. */
  readonly listening: boolean;
  /** Looked for; "" while nothing is. */
  readonly chord: Chord;
  toggle(): void;
}

/** Finding a command by pressing its key. The focus is back in `field` when it ends. */
export function usePressSearch(field: RefObject<HTMLElement | null>): PressSearch {
  const { keys, registry } = useKit();
  const [listening, setListening] = useState(false);
  const [chord, setChord] = useState("");
  useEffect(() => {
    if (!listening) return undefined;
    return keys.capture((event, press) => {
      if (event.repeat || press === null) return true;
      if (press === "Escape") {
        setListening(false);
        setChord("");
        field.current?.focus();
        return true;
      }
      setChord((before) => {
        const longer = `${before} ${press}`.trim();
        return registry.list().some(({ keys: chords }) => chords?.some((other) => startsWith(other, longer)) === true) ? longer : press;
      });
      return true;
    });
  }, [listening, keys, registry, field]);
  return {
    listening,
    chord,
    toggle() {
      setListening(!listening);
      setChord("");
      if (listening) field.current?.focus();
    },
  };
}
