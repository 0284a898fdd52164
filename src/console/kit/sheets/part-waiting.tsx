import { useRef } from "react";
import { createPortal } from "react-dom";
import { useText } from "../texts/texts.ts";
import { useDialog } from "./use-dialog.ts";

/** Stands in for a sheet that is loading and disables the page's keys, because a digit meant for a reason must not pick a view. */
export function PartWaiting({ close }: { close(): void }) {
  const t = useText();
  const holder = useRef<HTMLDivElement>(null);
  useDialog({ name: "confirm", acts: { close } }, holder);
  return createPortal(
    <div ref={holder} className="sr" role="dialog" aria-busy="true" aria-label={t("shell.loading")} tabIndex={-1} />,
    document.body,
  );
}
