import type { RefObject } from "react";
import { useLayoutEffect, useMemo, useRef } from "react";
import type { DialogAct } from "../commands/context.ts";
import { useDialog } from "../sheets/use-dialog.ts";

type Acts = Partial<Record<DialogAct, () => void>>;

/** `useDialog` for the palette; published again only when the set of acts changes, because each time every button of the page renders. */
export function usePaletteDialog(acts: Acts, input: RefObject<HTMLElement | null>): () => void {
  const latest = useRef(acts);
  useLayoutEffect(() => {
    latest.current = acts;
  });
  const names = Object.keys(acts).toSorted().join();
  const dialog = useMemo(() => {
    const steady = (names.split(",") as DialogAct[]).map((name) => [name, () => latest.current[name]?.()] as const); // the names are its keys
    return { name: "palette", acts: Object.fromEntries(steady) as Acts };
  }, [names]);
  return useDialog(dialog, input);
}
