import "./palette.css";
import { useRef } from "react";
import { createPortal } from "react-dom";
import { usePart } from "../loading/chunk.ts";
import { useText } from "../texts/texts.ts";
import { needOverlayTexts } from "../texts/late-texts.ts";
import { useDialog } from "../sheets/use-dialog.ts";
import { useKit, useStore, useStorePart } from "../use-kit.ts";

const load = async () => (await Promise.all([import("./palette.tsx"), needOverlayTexts()]))[0].PaletteBox;

/** ms after the first screen when the palette is fetched in advance. */
const soon = 1_500;

/**
 * The palette, loaded after the first screen, because nobody needs it earlier. A failed load is reported, and tried again at the
 * next opening.
 */
export function Palette() {
  const { palette, services } = useKit();
  const isOpen = useStorePart(palette, "context") !== null;
  const opening = useStorePart(palette, "opening");
  const box = usePart(load, {
    wanted: isOpen,
    soon,
    absent() {
      palette.close();
      services.say("palette.absent", {}, "fail");
    },
  });
  return isOpen ? createPortal(box === null ? <Waiting /> : box({ key: opening }), document.body) : null;
}

/** Takes what is typed until the palette is loaded, so that no letter meant for it reaches the rows. */
function Waiting() {
  const t = useText();
  const { palette } = useKit();
  const { text } = useStore(palette);
  const input = useRef<HTMLInputElement>(null);
  useDialog({ name: "palette", acts: { close: () => palette.close(), toggle: () => palette.close() } }, input);
  return (
    <div data-overlay="">
      <div className="pal steady" role="dialog" aria-label={t("palette.title")} aria-busy="true">
        <div className="in">
          <input ref={input} value={text} aria-label={t("palette.title")} onChange={(event) => palette.setText(event.target.value)} />
        </div>
      </div>
    </div>
  );
}
