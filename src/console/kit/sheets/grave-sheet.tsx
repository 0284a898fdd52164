import type { ReactNode } from "react";
import { capsOf } from "../keys/chord.ts";
import { SheetButtons, SheetFrame } from "./sheet-frame.tsx";
import type { Questions } from "../commands/services.ts";
import { useText } from "../texts/texts.ts";
import type { SheetProps } from "./sheet-props.ts";

export const onlyKeys = (): string => capsOf("$mod+Enter").flat().join(" ");

/** A sheet that only Mod+Enter or a click confirms. */
export function GraveSheet<Kind extends "money" | "confirm">({
  name,
  asked,
  answer,
  buttons = { yes: "sheet.confirm", no: "sheet.cancel" },
  children,
}: SheetProps<Kind> & { name: Kind; buttons?: Questions["confirm"]["asked"]["buttons"]; children: ReactNode }) {
  const t = useText();
  const confirm = (): void => answer(true);
  const cancel = (): void => answer(null);
  return (
    <SheetFrame
      urgent
      dialog={{ name, acts: { confirm, close: cancel, toggle: () => undefined }, deafToEnter: true }}
      title={t(asked.title, asked.words)}
      foot={
        <>
          <span className="label grow">{t("sheet.only-mod-enter", { keys: onlyKeys() })}</span>
          <SheetButtons label={t(buttons.yes)} cancel={t(buttons.no)} chord="$mod+Enter" onConfirm={confirm} onCancel={cancel} />
        </>
      }
    >
      {children}
    </SheetFrame>
  );
}
