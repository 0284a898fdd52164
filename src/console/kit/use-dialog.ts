import type { RefObject } from "react";
import { useEffect, useLayoutEffect, useRef } from "react";
import type { OpenDialog } from "./context.ts";
import { useKit } from "./use-kit.ts";

/**
 * Makes a dialog of ours the one that hears keys while it is mounted: hides the page's commands, takes the focus to
 * `first` and gives it back to where it was, never to the body.
 */
export function useDialog(dialog: OpenDialog, first: RefObject<HTMLElement | null>): void {
  const kit = useKit();
  const handle = useRef<ReturnType<typeof kit.context.openDialog> | null>(null);
  const latest = useRef(dialog);

  useLayoutEffect(() => {
    latest.current = dialog;
    handle.current?.replace(dialog);
  });

  useEffect(() => {
    const before = document.activeElement;
    const opened = kit.context.openDialog(latest.current);
    handle.current = opened;
    kit.keys.lapse();
    first.current?.focus();
    return () => {
      handle.current = null;
      opened.close();
      if (before instanceof HTMLElement && before !== document.body && before.isConnected) before.focus();
      kit.keepFocus();
    };
  }, [kit, first]);
}
