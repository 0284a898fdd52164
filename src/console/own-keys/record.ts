import { chordLapsesAfter } from "../kit/keys/keys.ts";
import type { KeyEngine } from "../kit/keys/keys.ts";

const held = new Set(["Shift", "Control", "Alt", "Meta", "AltGraph", "CapsLock"]);
/** Most presses of one chord. */
const mostPresses = 3;

interface RecordDeps {
  /** Presses so far. */
  onPress(presses: readonly string[]): void;
  /** A key that no chord can contain, by its name. */
  onUnknown(key: string): void;
  /** The chord, or null after Esc; recording has ended. */
  onDone(chord: string | null): void;
}

/**
 * Records one chord: letters may be followed by more (`g w`) until Enter or a pause; a key with Mod or Alt, or one that types
 * nothing, ends it at once. All keys are swallowed meanwhile. Returns the function that cancels.
 */
export function recordChord(keys: Pick<KeyEngine, "capture">, { onPress, onUnknown, onDone }: RecordDeps): () => void {
  let presses: readonly string[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  function end(chord: string | null): void {
    stop();
    onDone(chord);
  }
  const release = keys.capture((event, press) => {
    if (event.repeat) return true;
    if (press === null) {
      if (!held.has(event.key)) onUnknown(event.key);
      return true;
    }
    clearTimeout(timer);
    if (press === "Escape") end(null);
    else if (press === "Enter" && presses.length > 0) end(presses.join(" "));
    else {
      presses = [...presses, press];
      onPress(presses);
      const parts = press.split("+");
      const goesOn = parts.at(-1)?.length === 1 && parts.slice(0, -1).every((part) => part === "Shift");
      if (!goesOn || presses.length === mostPresses) end(presses.join(" "));
      else timer = setTimeout(() => end(presses.join(" ")), chordLapsesAfter);
    }
    return true;
  });
  function stop(): void {
    clearTimeout(timer);
    release();
  }
  return stop;
}
