import { Icon } from "../look/icon.tsx";
import { useText } from "../texts/texts.ts";

/** Says that what is asked about cannot be undone (specification, point 5). */
export function Irreversible() {
  const t = useText();
  return (
    <p className="sheet-notes warn">
      <Icon name="warn" size="s" />
      {t("sheet.irreversible")}
    </p>
  );
}
