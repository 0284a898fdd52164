import type { RefObject } from "react";
import { useCallback, useEffect, useLayoutEffect, useRef } from "react";
import type { OpenDialog } from "../commands/context.ts";
import { useKit } from "../use-kit.ts";

/**
 * Makes a dialog receive the keys while it is mounted: hides the page's commands, focuses `first`, and later returns the focus to
 * where it was, never to the body. The returned function returns the focus at once, before an act that moves it.
 */
export function useDialog(dialog: OpenDialog, first: RefObject<HTMLElement | null>): () => void {
  const kit = useKit();
  const handle = useRef<ReturnType<typeof kit.context.openDialog> | null>(null);
  const latest = useRef(dialog);

  useLayoutEffect(() => {
    latest.current = dialog;
    handle.current?.replace(dialog);
  });

  const release = useRef(() => undefined as void);

  useEffect(() => {
    const before = document.activeElement;
    const opened = kit.context.openDialog(latest.current);
    let released = false;
    handle.current = opened;
    release.current = () => {
      if (released) return;
      released = true;
      handle.current = null;
      opened.close();
      if (before instanceof HTMLElement && before !== document.body && before.isConnected) before.focus();
      kit.keepFocus();
    };
    kit.keys.lapse();
    first.current?.focus();
    return () => release.current();
  }, [kit, first]);

  return useCallback(() => release.current(), []);
}
