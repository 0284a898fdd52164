import type { KeyPress } from "./keys.ts";

/** ms after which a screen that has not come gets no key any more. */
const patience = 3_000;
/** Keys kept at most: "g w" and what one knows to come. */
const most = 6;

interface TypeAhead {
  /** A screen was asked for; `arrived` says whether its pane has the focus. */
  await(arrived: () => boolean): void;
  /** True when the key is kept for the screen on its way. */
  keeps(event: KeyPress): boolean;
  /** To be called whenever the context changes: gives the keys once the screen stands. */
  settle(): void;
}

/** Keys typed on after "g w" while that screen loads go to it, in their order; the screen that is left gets none of them. */
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
      // what a held key repeats, and chords of the browser or of the palette, mean what they mean now
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
      if (arrived === null || !arrived()) return;
      const keys = kept;
      over();
      // after what is being drawn now; a key of them may begin a dialog or go on to another screen: the rest follows there
      queueMicrotask(() => keys.forEach(give));
    },
  };
}
