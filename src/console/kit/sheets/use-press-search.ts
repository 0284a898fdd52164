import type { RefObject } from "react";
import { useEffect, useState } from "react";
import { pressesOf } from "../keys/chord.ts";
import type { Chord } from "../commands/command.ts";
import { useKit } from "../use-kit.ts";

/** Whether a chord equals or continues the pressed keys. */
export function startsWith(chord: Chord, pressed: Chord): boolean {
  const wanted = pressesOf(pressed);
  const presses = pressesOf(chord);
  return wanted.every((press, at) => press === presses[at]);
}

export interface PressSearch {
  /** While true every key is searched for, and Esc ends it. */
  readonly listening: boolean;
  /** The searched chord; "" without a search. */
  readonly chord: Chord;
  toggle(): void;
}

/** Finds a command by pressing its key; the focus returns to `field` when that ends. */
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
