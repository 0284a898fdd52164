import { useText } from "../texts/texts.ts";
import { GraveSheet } from "./grave-sheet.tsx";
import { Irreversible } from "./irreversible.tsx";
import type { SheetProps } from "./sheet-props.ts";

/** Asks before an irreversible act. */
export function ConfirmSheet({ asked, answer }: SheetProps<"confirm">) {
  const t = useText();
  return (
    <GraveSheet name="confirm" asked={asked} answer={answer} {...(asked.buttons && { buttons: asked.buttons })}>
      <p>{t(asked.text, asked.words)}</p>
      <Irreversible />
    </GraveSheet>
  );
}
