import { Icon } from "../icon.tsx";
import { SheetButtons, SheetFrame } from "../sheet-frame.tsx";
import { useText } from "../texts.ts";
import { onlyKeys } from "./money-sheet.tsx";
import type { SheetProps } from "./sheet-props.ts";

/** Says that it cannot be undone; only Mod+Enter, or a click, confirms. */
export function ConfirmSheet({ asked, answer }: SheetProps<"confirm">) {
  const t = useText();
  const confirm = (): void => answer(true);
  const cancel = (): void => answer(null);
  return (
    <SheetFrame
      urgent
      dialog={{ name: "confirm", acts: { confirm, close: cancel, toggle: () => undefined }, deafToEnter: true }}
      title={t(asked.title, asked.words)}
      foot={
        <>
          <span className="label grow">{t("sheet.only-mod-enter", { keys: onlyKeys })}</span>
          <SheetButtons label={t("sheet.confirm")} chord="$mod+Enter" onConfirm={confirm} onCancel={cancel} />
        </>
      }
    >
      <p>{t(asked.text, asked.words)}</p>
      <p className="sheet-notes warn">
        <Icon name="warn" size="s" />
        {t("sheet.irreversible")}
      </p>
    </SheetFrame>
  );
}
