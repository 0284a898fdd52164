import type { KeyPress } from "./keys.ts";

/** ms after which keys are no longer queued for a screen that has not loaded. */
const patience = 3_000;
/** Most keys queued: "g w" and a few known to follow. */
const most = 6;

interface TypeAhead {
  /** A screen was opened; `arrived` returns whether its pane has the focus. */
  await(arrived: () => boolean): void;
  /** True when the key was queued for the loading screen. */
  keeps(event: KeyPress): boolean;
  /** Must be called whenever the context changes; sends the queued keys once the screen is ready. */
  settle(): void;
}

/**
 * Queues keys typed after "g w" while that screen loads, and from a key on whose row has yet to come; sends them there in order, and the
 * old screen gets none of them.
 */
export function createTypeAhead(give: (event: KeyPress) => void): TypeAhead {
  let arrived: (() => boolean) | null = null;
  let until = 0;
  let kept: KeyPress[] = [];

  const over = (): void => {
    arrived = null;
    kept = [];
  };

  return {
    await(asked) {
      over();
      if (asked()) return;
      arrived = asked;
      until = performance.now() + patience;
    },
    keeps(event) {
      if (arrived === null) return false;
      if (performance.now() > until || event.key === "Escape") {
        over();
        return false;
      }
      // repeats of a held key, and chords of the browser or the palette, act at once
      if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || kept.length >= most) return false;
      const { key, code, keyCode, shiftKey, isComposing } = event;
      kept.push({
        key,
        code,
        keyCode,
        shiftKey,
        isComposing,
        ctrlKey: false,
        metaKey: false,
        altKey: false,
        repeat: false,
        defaultPrevented: false,
        get target() {
          return document.activeElement;
        },
        getModifierState: () => false,
        preventDefault: () => undefined,
        stopPropagation: () => undefined,
      });
      return true;
    },
    settle() {
      if (arrived === null) return;
      if (performance.now() > until) return over();
      if (!arrived()) return;
      const keys = kept;
      over();
      // sent after the current render, because one of the keys may open a dialog or another screen, which gets the rest
      queueMicrotask(() => keys.forEach(give));
    },
  };
}
